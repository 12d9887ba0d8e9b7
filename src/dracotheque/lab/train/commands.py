"""The command `dracotheque train`: learn to judge a game by playing it."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from dracotheque.engine import cache
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Box, Game
from dracotheque.games import find_box
from dracotheque.lab.train import GROUPS

PLANS: dict[str, dict[str, Any]] = {
    "emerald": {"nudge": 1.0, "tables": 65_536, "blocks": 16, "rounds": 400},
    "gran": {
        "nudge": 5.0,
        "tables": 8_192,
        "blocks": 8,
        "rounds": 350,
        "steps": 32,
        "trace": 0.95,
        "advised": 0.5,
        "advised_rounds": 30,
    },
}
"""How each game is learned: in Gran there is much to reckon for every choice, so fewer tables are played at."""
QUICK = {"rounds": 30, "tables": 128, "blocks": 2, "advised_rounds": 10, "examine": 10, "examined": 64}


def add(command: Callable[..., ArgumentParser]) -> None:
    """Describe the command."""
    made = command("train", train, "Learn to judge Emerald or Gran by playing, on an NVIDIA card or this processor.")
    made.add_argument("game", help=", ".join(GROUPS))
    made.add_argument("--players", type=int, metavar="N", help="only what this number of players needs (default: all)")
    made.add_argument("--on", choices=("cuda", "cpu"), default="cuda", help="where (default: cuda, an NVIDIA card)")
    made.add_argument("--rounds", type=int, help="how long (default: some minutes on an H200)")
    made.add_argument("--seed", type=int, default=1, help="same seed, same card, same weights (default: 1)")
    made.add_argument("--into", type=Path, metavar="FOLDER", help="keep weights and curves here (default: the package)")
    made.add_argument("--quick", action="store_true", help="only to see that it works: a minute on a processor")


def train(chosen: Any) -> None:
    """Learn, and keep what was learned."""
    if chosen.game not in GROUPS:
        raise DracothequeError(f"Nothing can be learned for {chosen.game!r}: only for {' and '.join(GROUPS)}.")
    if chosen.rounds is not None and chosen.rounds < 1:
        raise DracothequeError(f"{chosen.rounds} rounds teach nothing: name a number from 1 on.")
    if chosen.seed < 0:
        raise DracothequeError(f"{chosen.seed} is no seed: name a number from 0 on.")
    if (chosen.quick or chosen.rounds) and not chosen.into:
        raise DracothequeError("The package keeps what was learned at full length: else name a folder, --into FOLDER.")
    box = find_box(chosen.game)
    groups = _groups(box, chosen.players, chosen.into)
    if chosen.into:
        chosen.into.mkdir(parents=True, exist_ok=True)
    for group in groups:
        _train(box, group, chosen)


def _groups(box: Box, players: int | None, into: Path | None) -> list[tuple[int, ...]]:
    """Say which numbers of players learn together; who learned in vain may try again in a folder of their own."""
    if players is None:
        return [*GROUPS[box.name]]
    if players not in range(box.fewest, box.most + 1):
        raise DracothequeError(f"{box.title} is for {box.fewest} to {box.most} players, not {players}.")
    groups = [group for group in GROUPS[box.name] if players in group]
    if not groups and not into:
        raise DracothequeError(
            f"What {players} players of {box.title} learned was worse than the advice (docs/learned.md): to try again"
            " name a folder, --into FOLDER."
        )
    return groups or [(players,)]


def _train(box: Box, players: tuple[int, ...], chosen: Any) -> None:
    """Learn for some numbers of players; how far it came is kept at every examination, lest it be lost."""
    from dracotheque.games import minds
    from dracotheque.lab.bars import bar
    from dracotheque.lab.train import machines, school

    plan = school.Plan(players, **PLANS[box.name] | (QUICK if chosen.quick else {}))
    plan = replace(plan, seed=chosen.seed, rounds=chosen.rounds or plan.rounds)
    game = Game(box, players[0], {}, interpreted=not cache.has_numba())
    machine = machines.Card(game) if chosen.on == "cuda" else machines.Processor(game)
    file = (chosen.into or box.folder) / minds.file_name(players)
    unfinished = file.with_name(f"unfinished-{file.name}")
    told = 0
    with bar(plan.rounds, f"{box.title}, {' '.join(map(str, players))} players") as advance:

        def tell(weights: dict[str, Any], curve: school.Curve) -> None:
            nonlocal told
            advance(1)
            if len(curve.rows) > told:
                told = len(curve.rows)
                print(_examined(curve.rows[-1], players), flush=True)
                plain = {
                    name: np.asarray(value if machine.xp is np else value.get()) for name, value in weights.items()
                }
                how = f"seed {plan.seed}, {curve.rows[-1]['round']:.0f} rounds of {plan.tables} × {plan.steps} choices"
                minds.keep(game, players, plain, unfinished, how)
                unfinished.with_suffix(".csv").write_text(curve.csv())

        school.learn(box, machine, plan, tell)
    for suffix in (".npz", ".csv"):
        unfinished.with_suffix(suffix).replace(file.with_suffix(suffix))
    print(f"Kept: {file}, {file.stat().st_size:,} bytes, and how learning went beside it.")
    if chosen.quick:
        print("So short a training shows that it works, and teaches next to nothing.")


def _examined(row: dict[str, float], players: tuple[int, ...]) -> str:
    """Say how an examination went."""
    wins = ", ".join(f"{row[f'wins_{each}']:.1%} among {each} (fair is {1 / each:.0%})" for each in players)
    return f"After {row['round']:.0f} rounds, {row['choices']:,.0f} choices, {row['seconds']:.0f} s: {wins}"
