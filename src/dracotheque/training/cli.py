"""The command `dracotheque train`: train a value network by self-play."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dracotheque.engine.definition import GameDefinition
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Game
from dracotheque.engine.jit import cache
from dracotheque.engine.registry import find_game
from dracotheque.presentation.command_line import STUDY, Commands, positive, seed, whole_number
from dracotheque.training import trainable_games

if TYPE_CHECKING:
    from dracotheque.bots.default_bots import Training
    from dracotheque.training.metrics import Tell, TrainingLog
    from dracotheque.training.network import Weights

QUICK = {"rounds": 30, "tables": 128, "blocks": 2, "examine": 10}
QUICK_EVALUATION = {"advised_rounds": 10, "examined": 64}


def add_commands(commands: Commands) -> None:
    """Add the command of this package."""
    summary = "Train a value network by self-play (GPU or CPU)"
    made = commands.add(STUDY, "train", summary, train, example="{game} --on cpu --quick --into FOLDER")
    made.add_argument("game", help="game that can be learned")
    made.add_argument("--players", type=whole_number, metavar="N", help="number of players to train for (default: all)")
    add_plan(made, "folder for weights and curves (default: the package)")


def add_plan(parser: ArgumentParser, into: str) -> None:
    """Add the options for the length, device and folder of a training."""
    parser.add_argument("--on", choices=("cuda", "cpu"), default="cuda", help="cuda for an NVIDIA GPU (default: cuda)")
    parser.add_argument("--rounds", type=positive, metavar="N", help="rounds (default: minutes on an H200)")
    parser.add_argument("--seed", type=seed, default=1, help="seed; the same seed gives the same weights (default: 1)")
    parser.add_argument("--into", type=Path, metavar="FOLDER", help=into)
    parser.add_argument("--quick", action="store_true", help="trial run, a minute on a CPU; weights are no use")


def train(arguments: Namespace) -> None:
    """Train, and save the weights."""
    trainable = trainable_games()
    if arguments.game not in trainable:
        raise DracothequeError(f"Cannot train {arguments.game!r}. Valid: {', '.join(trainable)}.")
    definition, training = find_game(arguments.game), trainable[arguments.game]
    groups = _groups(definition, training, arguments.players, arguments.into)
    open_folder(arguments)
    for group in groups:
        _train(definition, training, group, arguments)


def open_folder(arguments: Namespace) -> None:
    """Create the folder of --into, which short runs need: they must not replace the weights of the package."""
    if (arguments.quick or arguments.rounds) and not arguments.into:
        raise DracothequeError("--quick and --rounds do not replace the weights of the package. Add --into FOLDER.")
    if arguments.into:
        arguments.into.mkdir(parents=True, exist_ok=True)


def _groups(
    definition: GameDefinition, training: Training, players: int | None, into: Path | None
) -> list[tuple[int, ...]]:
    """Return the groups of numbers of players to train; a number without weights in the package needs --into."""
    if players is None:
        return [*training.groups]
    if players not in range(definition.min_players, definition.max_players + 1):
        raise DracothequeError(
            f"{definition.title} is for {definition.min_players} to {definition.max_players} players, not {players}."
        )
    groups = [group for group in training.groups if players in group]
    if not groups and not into:
        raise DracothequeError(
            f"Weights for {players} players of {definition.title} were worse than the heuristic"
            " (docs/explanation/reports/learned.md). To try again, add --into FOLDER."
        )
    return groups or [(players,)]


def _train(definition: GameDefinition, training: Training, players: tuple[int, ...], arguments: Namespace) -> None:
    """Train a network for a group of numbers of players."""
    from dracotheque.training import devices, td_learning

    plan = td_learning.Plan(players, **{**training.plan, **(QUICK | QUICK_EVALUATION if arguments.quick else {})})
    plan = replace(plan, seed=arguments.seed, rounds=arguments.rounds or plan.rounds)
    game = Game(definition, players[0], {}, interpreted=not cache.has_numba())
    machine = devices.CudaDevice(game) if arguments.on == "cuda" else devices.CpuDevice(game)

    def learn(tell: Tell) -> None:
        td_learning.learn(definition, machine, plan, tell)

    learn_and_keep(game, plan, learn, _evaluation_text, arguments, players)


def learn_and_keep(
    game: Game,
    plan: Any,
    learn: Callable[[Tell], None],
    describe: Callable[[dict[str, float]], str],
    arguments: Namespace,
    players: tuple[int, ...],
) -> None:
    """Train by a plan; at every evaluation save the weights and print the result, so that a run can be interrupted."""
    from dracotheque.bots import network_weights
    from dracotheque.simulation.progress import bar

    definition = game.definition
    file = (arguments.into or network_weights.folder(definition)) / network_weights.file_name(players)
    unfinished = file.with_name(f"unfinished-{file.name}")
    printed = 0
    with bar(plan.rounds, f"{definition.title}, {' '.join(map(str, players))} players") as advance:

        def tell(weights: Weights, curve: TrainingLog) -> None:
            nonlocal printed
            advance(1)
            if len(curve.rows) > printed:
                printed = len(curve.rows)
                row = curve.rows[-1]
                done = f"After {row['round']:.0f} rounds, {row['choices']:,.0f} choices, {row['seconds']:.0f} s"
                print(f"{done}: {describe(row)}", flush=True)
                keep(game, players, weights, unfinished, plan, curve)
                unfinished.with_suffix(".csv").write_text(curve.csv())

        learn(tell)
    for suffix in (".npz", ".csv"):
        unfinished.with_suffix(suffix).replace(file.with_suffix(suffix))
    print(f"Saved to {file} ({file.stat().st_size:,} bytes), with its curve next to it.")
    if arguments.quick:
        print("Quick run finished. Do not use these weights for play.")


def keep(game: Game, players: tuple[int, ...], weights: Weights, file: Path, plan: Any, curve: TrainingLog) -> None:
    """Save weights of NumPy or CuPy, with a line on how they were trained."""
    import numpy as np

    from dracotheque.bots import network_weights

    plain = {name: value if isinstance(value, np.ndarray) else value.get() for name, value in weights.items()}
    how = f"seed {plan.seed}, {curve.rows[-1]['round']:.0f} rounds of {plan.tables} × {plan.steps} choices"
    network_weights.keep(game, players, plain, file, how)


def _evaluation_text(row: dict[str, float]) -> str:
    """Return the result of an evaluation as text."""
    wins = {int(name.removeprefix("wins_")): share for name, share in row.items() if name.startswith("wins_")}
    return ", ".join(f"{share:.1%} among {each} (fair is {1 / each:.0%})" for each, share in wins.items())
