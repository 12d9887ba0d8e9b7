"""Gran (Kurt Feyerabend and Tom Ring, 1985): knights carry a magic ring to the cities of four kingdoms."""

from __future__ import annotations

from dracotheque.engine.definition import GameDefinition, Option

GAME = GameDefinition(
    name="gran",
    title="Gran",
    designer="Kurt Feyerabend, Tom Ring",
    year=1985,
    min_players=3,
    max_players=6,
    min_age=12,
    minutes="45–90",
    package=__name__,
    options={
        "seals": Option(("usual", "two", "three", "four"), "option.seals", "target"),
        "starts": Option(("lots", "1", "2", "3", "4", "5", "6"), "setup.first-player", "starts"),
    },
)
