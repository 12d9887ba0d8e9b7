"""Files of what was learned about games: weights of networks, beside the rules they were learned with."""

from __future__ import annotations

from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Game
from dracotheque.engine.value_network import INPUT_VERSION, WEIGHTS

Weights = dict[str, NDArray[np.float32]]


def file_name(players: tuple[int, ...]) -> str:
    """Name the file of what was learned for some numbers of players."""
    return f"value-{'-'.join(map(str, players))}.npz"


def keep(game: Game, players: tuple[int, ...], weights: Weights, file: Path, how: str) -> None:
    """Keep weights with the rules they belong to and a word on how they were learned."""
    about = {"game": game.name, "rules": game.rules_version, "sight": INPUT_VERSION, "players": players, "how": how}
    half = {name: value.astype(np.float16) for name, value in weights.items()}
    np.savez_compressed(file, **half, **{key: np.array(value) for key, value in about.items()})  # type: ignore[arg-type]


def read(folder: Path, name: str, version: int) -> dict[int, Weights]:
    """Read all that was learned about a game, by number of players; what was learned with other rules is left out."""
    learned: dict[int, Weights] = {}
    for file in sorted(folder.glob("value-*.npz")):
        try:
            with np.load(file) as kept:
                if (str(kept["game"]), int(kept["rules"]), int(kept["sight"])) == (name, version, INPUT_VERSION):
                    weights = {key: kept[key].astype(np.float32) for key in WEIGHTS}
                    learned |= dict.fromkeys(kept["players"].tolist(), weights)
        except (BadZipFile, EOFError, KeyError, ValueError) as error:
            raise DracothequeError(f"{file} is damaged: training makes it anew (docs/how-to/train.md).") from error
    return learned


def mind_with(weights: Weights, mind_type: np.dtype[np.void]) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    """Make a mind of weights, with room to think in."""
    mind = np.zeros(1, mind_type)
    for name, value in weights.items():
        flat = value[:, 0] if value.shape[1:] == (1,) else value  # while it learns, a bias is a column
        if flat.shape != mind[name][0].shape:
            raise DracothequeError(f"“{name}” was learned with {flat.shape} numbers, not {mind[name][0].shape}.")
        mind[name][0] = flat
    return mind
