"""What a search may know about a game beforehand: what was learned by playing it, or solved for two players."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np

from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Game
from dracotheque.games import find_box, minds
from dracotheque.games.dragons_cave import keys

Mind = np.ndarray[Any, Any]


def mind_of(game: Game) -> Mind | None:
    """Give what is known that fits a table: its rules, its board, its number of players.

    Weights come with room to think in, a copy for everybody; the solution all may share.
    """
    if game.layout.mind is None or not _is_usual(game):
        return None
    if game.name == "save-the-dragon":
        return _solved() if game.players > 2 else None
    weights = learned(game.box.folder, game.name, game.rules_version).get(game.players)
    return minds.mind_with(weights, game.layout.mind) if weights else None


def _is_usual(game: Game) -> bool:
    """Whether a table has the rules in force and no board of one's own."""
    return game.box is find_box(game.name) and not (game.board and game.board.source)


def knows_mixtures(game: Game) -> bool:
    """Whether enough was learned about a table to mix best there: Dragon's Cave for two, on the usual cave."""
    return (
        game.name == "dragons-cave"
        and game.players == 2
        and _is_usual(game)
        and not game.layout.interpreted
        and game.players in learned(game.box.folder, game.name, game.rules_version)
    )


def require_mixtures(game: Game) -> None:
    """Refuse a table at which best mixtures are not known."""
    if not knows_mixtures(game):
        raise DracothequeError(
            "Best mixtures are only known in Dragon’s Cave for two players, on the usual cave and with compiled rules."
        )


def cave_mind(game: Game) -> Mind:
    """Give what was learned about Dragon's Cave for two, with room to think in; refuse other tables."""
    require_mixtures(game)
    return minds.mind_with(learned(game.box.folder, game.name, game.rules_version)[game.players], keys.Mind)


@functools.cache
def _solved() -> Mind | None:
    """Read what is known of Save the Dragon for two, which is worth knowing for three and four."""
    from dracotheque.games.save_the_dragon.duels import FULL, Mind
    from dracotheque.solve import solution

    if not solution.fits():
        return None
    mind = np.zeros(1, Mind)
    mind["chances"] = np.round(solution.read() * FULL)
    return mind


@functools.cache
def learned(folder: Path, name: str, version: int) -> dict[int, minds.Weights]:
    """Read what was learned about a game, once."""
    return minds.read(folder, name, version)
