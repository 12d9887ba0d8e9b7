"""Dracothèque: four board games about dragons, to play, to study and to simulate."""

from __future__ import annotations

from dracotheque.engine.dispatch import CHANCE, SIMULTANEOUS, TERMINAL
from dracotheque.engine.errors import DracothequeError, IllegalAction
from dracotheque.engine.game import Game, State
from dracotheque.games import load_game

__version__ = "0.1.0"
__all__ = [
    "CHANCE", "SIMULTANEOUS", "TERMINAL", "DracothequeError", "Game", "IllegalAction", "State", "load_game",
]  # fmt: skip
