"""A tiny game that has everything the engine promises: sealed choices, a secret, chance, an option, a tie."""

from dracotheque.engine.definition import GameDefinition, Option

GAME = GameDefinition(
    name="toy",
    title="Toy",
    designer="the tests",
    year=2026,
    min_players=2,
    max_players=3,
    min_age=4,
    minutes="1",
    package=__name__,
    simultaneous=True,
    hidden_information=True,
    options={"rounds": Option(("one", "two"), "toy.rounds", "rounds")},
)
