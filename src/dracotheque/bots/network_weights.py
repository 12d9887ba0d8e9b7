"""Weight files of value networks: each names the game, rules version and numbers of players it was trained for."""

from __future__ import annotations

from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from dracotheque.engine.definition import GameDefinition
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Game
from dracotheque.engine.value_network import INPUT_VERSION, WEIGHTS

Weights = dict[str, NDArray[np.float32]]


def folder(definition: GameDefinition) -> Path:
    """Return the folder of a game's weight files, in its package."""
    return definition.folder / "models"


def file_name(players: tuple[int, ...]) -> str:
    """Return the name of the weight file for some numbers of players."""
    return f"value-{'-'.join(map(str, players))}.npz"


def keep(game: Game, players: tuple[int, ...], weights: Weights, file: Path, how: str) -> None:
    """Write weights to a file, with the rules version they belong to and how they were trained."""
    about = {"game": game.name, "rules": game.rules_version, "sight": INPUT_VERSION, "players": players, "how": how}
    half = {name: value.astype(np.float16) for name, value in weights.items()}
    np.savez_compressed(file, **half, **{key: np.array(value) for key, value in about.items()})  # type: ignore[arg-type]


def read(folder: Path, name: str, version: int) -> dict[int, Weights]:
    """Return the weights in a folder by number of players, without those of another game, rules version or input."""
    learned: dict[int, Weights] = {}
    for file in sorted(folder.glob("value-*.npz")):
        try:
            with np.load(file) as kept:
                if (str(kept["game"]), int(kept["rules"]), int(kept["sight"])) == (name, version, INPUT_VERSION):
                    weights = {key: kept[key].astype(np.float32) for key in WEIGHTS}
                    learned |= dict.fromkeys(kept["players"].tolist(), weights)
        except (BadZipFile, EOFError, KeyError, ValueError) as error:
            raise DracothequeError(f"{file} is damaged: training writes a new one (docs/how-to/train.md).") from error
    return learned


def evaluator_with(weights: Weights, evaluator_type: np.dtype[np.void]) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    """Return an evaluator record with weights copied in and its memory for intermediate values zeroed."""
    evaluator = np.zeros(1, evaluator_type)
    for name, value in weights.items():
        flat = value[:, 0] if value.shape[1:] == (1,) else value  # in training, a bias is a column
        if flat.shape != evaluator[name][0].shape:
            raise DracothequeError(f"“{name}” was learned with {flat.shape} numbers, not {evaluator[name][0].shape}.")
        evaluator[name][0] = flat
    return evaluator
