"""Save the Dragon (Frédéric Moyersoen, 2020): princes and princesses climb a tower from which rocks come rolling."""

from __future__ import annotations

from dracotheque.engine.game import Box, Option

BOX = Box(
    name="save-the-dragon",
    title="Save the Dragon",
    designer="Frédéric Moyersoen",
    year=2020,
    fewest=2,
    most=4,
    age=5,
    minutes="10–15",
    package=__name__,
    options={
        "youngest": Option(("nobody", "everybody", "1", "2", "3", "4"), "option.youngest", "youngest"),
        "starts": Option(("lots", "1", "2", "3", "4"), "setup.first-player", "starts"),
    },
    nature=True,
)
