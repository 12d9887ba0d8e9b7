"""Dragon's Cave (Marco Teubner, 2019): dwarves creep past a dragon and its guesses to its treasure."""

from __future__ import annotations

from dracotheque.engine.definition import GameDefinition, Option

GAME = GameDefinition(
    name="dragons-cave",
    title="Dragon’s Cave",
    designer="Marco Teubner",
    year=2019,
    min_players=2,
    max_players=4,
    min_age=7,
    minutes="15–25",
    package=__name__,
    options={
        "chests": Option(("closed", "open"), "option.open-chests", "open_chests"),
        "first_dragon": Option(("lots", "1", "2", "3", "4"), "setup.first-dragon", "first_dragon"),
    },
    simultaneous=True,
    sequential_for=(2,),
    hidden_information=True,
    max_moves=1_000,
    compile_also=("equilibrium.lookahead",),
)
