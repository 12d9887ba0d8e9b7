"""Train a value network for Dragon's Cave for two, or a best response to the equilibrium bot that uses it.

make train-cave                                       some minutes on an NVIDIA card; the package keeps it
make train-cave ARGS="--on cpu --quick --into FOLDER"  to see that it works
make train-cave ARGS="--reply --into FOLDER"          learn to beat the bot mixer:1, and say how much that wins
make train-cave ARGS=--ptx                            compile its step for cards (a part of `make ptx`)
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dracotheque.bots import network_weights
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Game
from dracotheque.engine.jit import cache
from dracotheque.engine.registry import find_game
from dracotheque.simulation.progress import bar
from dracotheque.training import devices
from dracotheque.training.cli import QUICK, add_plan, keep, learn_and_keep, open_folder
from dracotheque.training.metrics import TrainingLog
from research.shared.command import explained
from research.training import cave, cave_reply
from research.training.cave_steps import STEPS

PLAYERS = (2,)
REPLY_ON_A_PROCESSOR = {"rounds": 900, "tables": 2_048, "blocks": 4, "examine": 75, "examined": 1_024}
QUICK_REPLY = {"rounds": 10, "tables": 128, "blocks": 2, "examine": 5, "examined": 64}


@explained
def main(arguments: Sequence[str] | None = None) -> None:
    """Learn, and keep what was learned."""
    parser = argparse.ArgumentParser(
        "make train-cave", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_plan(parser, "folder for weights and curves (default: the package, but not for --reply)")
    parser.add_argument("--reply", action="store_true", help="learn to beat the bot mixer:1")
    parser.add_argument("--ptx", action="store_true", help="compile the step of learning for NVIDIA cards, no more")
    chosen = parser.parse_args(arguments)
    game = Game(find_game("dragons-cave"), 2, {}, interpreted=not cache.has_numba())
    if chosen.ptx:
        for path in devices.make_ptx(game, STEPS):
            print(f"  {path.name}: {path.stat().st_size / 1e3:.0f} kB in {path.parent}")
    elif chosen.reply:
        _reply(game, chosen)
    else:
        open_folder(chosen)
        plan = cave.Plan(**QUICK if chosen.quick else {})
        plan = replace(plan, seed=chosen.seed, rounds=chosen.rounds or plan.rounds)
        machine = _machine(game, chosen.on)
        learn_and_keep(game, plan, lambda tell: cave.learn(game, machine, plan, tell), _examined, chosen, PLAYERS)


def _machine(game: Game, on: str) -> devices.CudaDevice | devices.CpuDevice:
    """Find where rounds are followed."""
    return devices.CudaDevice(game, STEPS) if on == "cuda" else devices.CpuDevice(game, STEPS)


def _examined(row: dict[str, float]) -> str:
    """Say how an examination went."""
    return f"who leads first wins {row['opening']:.1%}, and positions are known to {row['unrest']:.2%} of a victory"


def _reply(game: Game, chosen: Any) -> None:
    """Learn to beat the bot that mixes as what is kept in the package says."""
    weights = network_weights.read(network_weights.folder(game.definition), game.name, game.rules_version).get(2)
    if weights is None:
        raise DracothequeError("Nothing was learned under these rules: `make train-cave` comes first.")
    usual = REPLY_ON_A_PROCESSOR if chosen.on == "cpu" else {}
    plan = cave_reply.Plan(**QUICK_REPLY if chosen.quick else usual)
    plan = replace(plan, seed=chosen.seed, rounds=chosen.rounds or plan.rounds)
    with bar(1 - -plan.rounds // plan.examine, f"{game.definition.title}, best response to mixer:1") as advance:

        def tell(nets: list[dict[str, Any]], curve: TrainingLog) -> None:
            advance(1)
            row = curve.rows[-1]
            result = f"{row['wins']:.1%} ± {row['error']:.1%} of {plan.examined:,} games"
            print(f"After {row['round']:.0f} rounds who knows mixer:1 wins {result}", flush=True)
            if chosen.into:
                for folder, known in zip(cave_reply.folders(chosen.into), nets, strict=True):
                    folder.mkdir(parents=True, exist_ok=True)
                    keep(game, PLAYERS, known, folder / network_weights.file_name(PLAYERS), plan, curve)
                (chosen.into / "reply-2.csv").write_text(curve.csv())

        cave_reply.learn(game, _machine(game, chosen.on), weights, plan, tell)


if __name__ == "__main__":
    main()
