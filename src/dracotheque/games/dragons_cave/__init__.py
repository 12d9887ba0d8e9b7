"""Dragon's Cave (Marco Teubner, 2019): dwarves creep past a dragon and its guesses to its treasure."""

from __future__ import annotations

from dracotheque.engine.game import Box, Option

BOX = Box(
    name="dragons-cave",
    title="Dragon’s Cave",
    designer="Marco Teubner",
    year=2019,
    fewest=2,
    most=4,
    age=7,
    minutes="15–25",
    package=__name__,
    options={
        "chests": Option(("closed", "open"), "option.open-chests", "open_chests"),
        "first_dragon": Option(("lots", "1", "2", "3", "4"), "setup.first-dragon", "first_dragon"),
    },
    board=True,
    sealed=True,
    solver="dracotheque.solve.cave_ahead",
)
