"""Emerald (Rüdiger Dorn, 2002): knights walk past a dragon to her treasure."""

from __future__ import annotations

from dracotheque.engine.definition import GameDefinition, Option

GAME = GameDefinition(
    name="emerald",
    title="Emerald",
    designer="Rüdiger Dorn",
    year=2002,
    min_players=2,
    max_players=5,
    min_age=10,
    minutes="20–45",
    package=__name__,
    options={
        "second_move": Option(("optional", "compulsory"), "option.second-move", "second_move"),
        "gold": Option(("face-down", "open"), "option.open-gold", "open_gold"),
        "starts": Option(("lots", "1", "2", "3", "4", "5"), "setup.first-player", "starts"),
    },
    max_moves=500,
)
