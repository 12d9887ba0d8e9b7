"""Files of what was learned about games: weights of networks, beside the rules they were learned with (`lab/train`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dracotheque.engine.game import Game
from dracotheque.engine.mind import SIGHT

Weights = dict[str, np.ndarray[Any, Any]]


def file_name(players: tuple[int, ...]) -> str:
    """Name the file of what was learned for some numbers of players."""
    return f"mind-{'-'.join(map(str, players))}.npz"


def keep(game: Game, players: tuple[int, ...], weights: Weights, file: Path, how: str) -> None:
    """Keep weights with the rules they belong to and a word on how they were learned."""
    about = {"game": game.name, "rules": game.rules_version, "sight": SIGHT, "players": players, "how": how}
    half = {name: value.astype(np.float16) for name, value in weights.items()}
    np.savez_compressed(file, **half, **{key: np.array(value) for key, value in about.items()})  # type: ignore[arg-type]


def read(folder: Path, name: str, version: int) -> dict[int, Weights]:
    """Read all that was learned about a game, by number of players; what was learned with other rules is left out."""
    learned: dict[int, Weights] = {}
    for file in sorted(folder.glob("mind-*.npz")):
        with np.load(file) as kept:
            found = {key: kept[key] for key in kept.files}
        about = str(found.pop("game")), int(found.pop("rules")), int(found.pop("sight"))
        players = found.pop("players").tolist()
        found.pop("how")
        if about == (name, version, SIGHT):
            weights = {key: value.astype(np.float32) for key, value in found.items()}
            learned |= dict.fromkeys(players, weights)
    return learned
