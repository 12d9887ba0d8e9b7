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
from dracotheque.lab.train.club import Machine
from dracotheque.lab.train.curve import Curve, Tell

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
    "dragons-cave": {},
}
"""How each game is learned: in Gran there is much to reckon for every choice, so fewer tables are played at."""
QUICK = {"rounds": 30, "tables": 128, "blocks": 2, "examine": 10}
REPLY_ON_A_PROCESSOR = {"rounds": 900, "tables": 2_048, "blocks": 4, "examine": 75, "examined": 1_024}
QUICK_REPLY = {"rounds": 10, "tables": 128, "blocks": 2, "examine": 5, "examined": 64}
QUICK_SCHOOL = {"advised_rounds": 10, "examined": 64}


def add(command: Callable[..., ArgumentParser]) -> None:
    """Describe the command."""
    made = command("train", train, "Learn to judge a game by playing it, on an NVIDIA card or this processor.")
    made.add_argument("game", help=", ".join(GROUPS))
    made.add_argument("--players", type=int, metavar="N", help="only what this number of players needs (default: all)")
    made.add_argument("--on", choices=("cuda", "cpu"), default="cuda", help="where (default: cuda, an NVIDIA card)")
    made.add_argument("--rounds", type=int, help="how long (default: some minutes on an H200)")
    made.add_argument("--seed", type=int, default=1, help="same seed, same card, same weights (default: 1)")
    made.add_argument(
        "--into",
        type=Path,
        metavar="FOLDER",
        help="keep weights and curves here (default: the package; a reply is kept only here)",
    )
    made.add_argument(
        "--reply",
        action="store_true",
        help="Dragon's Cave: learn to beat the bot mixer:1, and say how much that wins (--into keeps what was learned)",
    )
    made.add_argument("--quick", action="store_true", help="only to see that it works: a minute on a processor")


def train(chosen: Any) -> None:
    """Learn, and keep what was learned."""
    if chosen.game not in GROUPS:
        raise DracothequeError(f"Nothing can be learned for {chosen.game!r}: only for {', '.join(GROUPS)}.")
    if chosen.rounds is not None and chosen.rounds < 1:
        raise DracothequeError(f"{chosen.rounds} rounds teach nothing: name a number from 1 on.")
    if chosen.seed < 0:
        raise DracothequeError(f"{chosen.seed} is no seed: name a number from 0 on.")
    if chosen.reply:
        _reply(find_box(chosen.game), chosen)
        return
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
    from dracotheque.lab.train import machines

    plan = _plan(box, players, chosen)
    game = Game(box, players[0], {}, interpreted=not cache.has_numba())
    machine = machines.Card(game) if chosen.on == "cuda" else machines.Processor(game)
    file = (chosen.into or box.folder) / minds.file_name(players)
    unfinished = file.with_name(f"unfinished-{file.name}")
    told = 0
    with bar(plan.rounds, f"{box.title}, {' '.join(map(str, players))} players") as advance:

        def tell(weights: dict[str, Any], curve: Curve) -> None:
            nonlocal told
            advance(1)
            if len(curve.rows) > told:
                told = len(curve.rows)
                print(_examined(curve.rows[-1]), flush=True)
                _keep(game, players, weights, unfinished, plan, curve)
                unfinished.with_suffix(".csv").write_text(curve.csv())

        _learn(game, machine, plan, tell)
    for suffix in (".npz", ".csv"):
        unfinished.with_suffix(suffix).replace(file.with_suffix(suffix))
    print(f"Kept: {file}, {file.stat().st_size:,} bytes, and how learning went beside it.")
    if chosen.quick:
        print("So short a training shows that it works, and teaches next to nothing.")


def _keep(game: Game, players: tuple[int, ...], weights: dict[str, Any], file: Path, plan: Any, curve: Curve) -> None:
    """Keep weights, from a card or a processor, with a word on how they were learned."""
    from dracotheque.games import minds

    plain = {name: value if isinstance(value, np.ndarray) else value.get() for name, value in weights.items()}
    how = f"seed {plan.seed}, {curve.rows[-1]['round']:.0f} rounds of {plan.tables} × {plan.steps} choices"
    minds.keep(game, players, plain, file, how)


def _reply(box: Box, chosen: Any) -> None:
    """Learn to beat the bot that mixes as what is kept in the package says."""
    from dracotheque.games import minds
    from dracotheque.lab.bars import bar
    from dracotheque.lab.train import cave_reply, machines

    if not box.sealed:
        raise DracothequeError(f"{box.title} has no sealed choices that could be known: leave --reply away.")
    if chosen.players not in (None, 2):
        raise DracothequeError(f"Best mixtures are known for two players, not for {chosen.players}.")
    game = Game(box, 2, {}, interpreted=not cache.has_numba())
    weights = minds.read(box.folder, box.name, game.rules_version).get(2)
    if weights is None:
        raise DracothequeError(f"Nothing was learned under these rules: dracotheque train {box.name} comes first.")
    machine = machines.Card(game) if chosen.on == "cuda" else machines.Processor(game)
    usual = REPLY_ON_A_PROCESSOR if chosen.on == "cpu" else {}
    plan = cave_reply.Plan(**QUICK_REPLY if chosen.quick else usual)
    plan = replace(plan, seed=chosen.seed, rounds=chosen.rounds or plan.rounds)
    with bar(1 - -plan.rounds // plan.examine, f"{box.title}, a reply to best mixtures") as advance:

        def tell(nets: list[dict[str, Any]], curve: Curve) -> None:
            advance(1)
            row = curve.rows[-1]
            told = f"{row['wins']:.1%} ± {row['error']:.1%} of {plan.examined:,} games"
            print(f"After {row['round']:.0f} rounds who knows mixer:1 wins {told}", flush=True)
            if chosen.into:
                for folder, known in zip(cave_reply.folders(chosen.into), nets, strict=True):
                    folder.mkdir(parents=True, exist_ok=True)
                    _keep(game, (2,), known, folder / minds.file_name((2,)), plan, curve)
                (chosen.into / "reply-2.csv").write_text(curve.csv())

        cave_reply.learn(game, machine, weights, plan, tell)


def _plan(box: Box, players: tuple[int, ...], chosen: Any) -> Any:
    """Say how long and how a game is learned: rounds of sealed choices are solved, others chosen from."""
    from dracotheque.lab.train import cave, school

    if box.sealed:
        plan = cave.Plan(**PLANS[box.name] | (QUICK if chosen.quick else {}))
    else:
        plan = school.Plan(players, **PLANS[box.name] | (QUICK | QUICK_SCHOOL if chosen.quick else {}))
    return replace(plan, seed=chosen.seed, rounds=chosen.rounds or plan.rounds)


def _learn(game: Game, machine: Machine, plan: Any, tell: Tell) -> None:
    """Learn by such a plan."""
    from dracotheque.lab.train import cave, school

    if game.box.sealed:
        cave.learn(game, machine, plan, tell)
    else:
        school.learn(game.box, machine, plan, tell)


def _examined(row: dict[str, float]) -> str:
    """Say how an examination went."""
    if "unrest" in row:
        told = f"who leads first wins {row['opening']:.1%}, and positions are known to {row['unrest']:.2%} of a victory"
    else:
        wins = {int(name.removeprefix("wins_")): share for name, share in row.items() if name.startswith("wins_")}
        told = ", ".join(f"{share:.1%} among {each} (fair is {1 / each:.0%})" for each, share in wins.items())
    return f"After {row['round']:.0f} rounds, {row['choices']:,.0f} choices, {row['seconds']:.0f} s: {told}"
