"""Dracothèque: four board games about dragons, to play, to study and to simulate."""

from __future__ import annotations

from dracotheque.bots import make_bot
from dracotheque.bots.player_view import PlayerView
from dracotheque.engine.definition import GameDefinition, Option
from dracotheque.engine.dispatch import CHANCE, SIMULTANEOUS, TERMINAL
from dracotheque.engine.errors import DracothequeError, IllegalActionError
from dracotheque.engine.game import Game
from dracotheque.engine.registry import games as registered_games
from dracotheque.engine.registry import load_game, register_game
from dracotheque.engine.state import State
from dracotheque.engine.tensor_layout import TensorPart

__version__ = "0.1.0"
__all__ = [
    "CHANCE", "SIMULTANEOUS", "TERMINAL", "DracothequeError", "Game", "GameDefinition", "IllegalActionError", "Option",
    "PlayerView", "State", "TensorPart", "load_game", "make_bot", "register_game", "registered_games",
]  # fmt: skip
