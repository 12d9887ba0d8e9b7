"""A tiny game that has everything the engine promises: sealed choices, a secret, chance, an option, a tie."""

from dracotheque.engine.game import Box, Option

BOX = Box(
    name="toy",
    title="Toy",
    designer="the tests",
    year=2026,
    fewest=2,
    most=3,
    age=4,
    minutes="1",
    package=__name__,
    options={"rounds": Option(("one", "two"), "toy.rounds", "rounds")},
)
