"""Save the Dragon (Frédéric Moyersoen, 2020): princes and princesses climb a tower from which rocks come rolling."""

from __future__ import annotations

from dracotheque.engine.definition import GameDefinition, Option

GAME = GameDefinition(
    name="save-the-dragon",
    title="Save the Dragon",
    designer="Frédéric Moyersoen",
    year=2020,
    min_players=2,
    max_players=4,
    min_age=5,
    minutes="10–15",
    package=__name__,
    options={
        "youngest": Option(("nobody", "everybody", "1", "2", "3", "4"), "option.youngest", "youngest", several=True),
        "starts": Option(("lots", "1", "2", "3", "4"), "setup.first-player", "starts"),
    },
    max_moves=3_000,
)
