"""Measure how exploitable the equilibrium bots are in Dragon's Cave for two, and write it into the report.

The report is docs/explanation/reports/dragons-cave-equilibrium.md.

make study GAME=equilibrium-bots                           everything (about two hours on one core)
make study GAME=equilibrium-bots ARGS=--quick              a rough look, printed only
make study GAME=equilibrium-bots ARGS="--part taught"      only networks on small boards, compared with true values
make study GAME=equilibrium-bots ARGS="--part exploiter"  only what a trained best response to mixer:1 gains

Results are kept in build/cave-PART.json, so that an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import argparse
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dracotheque import Game, load_game
from dracotheque.bots import make_bot, network_weights
from dracotheque.bots.evaluators import Evaluator
from dracotheque.bots.player_view import PlayerView
from dracotheque.engine.jit import cache
from dracotheque.games.dragons_cave import bots
from dracotheque.games.dragons_cave.equilibrium import encoding
from dracotheque.games.dragons_cave.equilibrium.bot import BUDGET, EquilibriumBot
from dracotheque.games.dragons_cave.equilibrium.round_graph import FIRST
from dracotheque.training import devices
from dracotheque.training.metrics import TrainingLog
from dracotheque.training.network import Weights
from research.dragons_cave import cave, cave_adversary, cave_bots, cave_stages
from research.dragons_cave import cave_exploitability as exploitability
from research.dragons_cave.cave_adversary import Adversary, KnownEquilibriumBot, KnownSearch, SolverAdversary
from research.dragons_cave.cave_exploitability import ROOT, Row, percent, say
from research.dragons_cave.cave_exploiter import KEPT as EXPLOITER
from research.dragons_cave.cave_exploiter import Exploiter
from research.shared import study
from research.shared.study import key_of, table, write_between
from research.training import cave as training
from research.training.cave_steps import STEPS

RESEARCH = ROOT / "research"
REPORT = ROOT / "docs" / "explanation" / "reports" / "dragons-cave-equilibrium.md"
PARTS = ("taught", "bots", "exploiter")
STOPS = tuple(stop for stop in cave.STOP_PROBABILITIES if stop >= 1e-3)
"""The exploitability is computed with the last of these stop probabilities: some games would never end."""
TRAINING = training.Plan(rounds=500, tables=2_048, blocks=4, examine=100)


@dataclass(frozen=True)
class Settings:
    """How much is measured."""

    games: int = 1_000
    """Of every row on the default board."""
    simulations: int = 3_000
    """Simulations of an adversary that searches."""
    taught_games: int = 2_000
    """Of every row with the exploiter."""
    known: int = 1_200
    """Simulations of the search that is known to the adversary that solves rounds."""
    plan: training.Plan = TRAINING
    """The training on a small board, on a CPU."""
    budgets: tuple[int, ...] = (1, 10, 60, 400)
    solved: Path = cave.SMALL
    positions: int = 200


QUICK = Settings(8, 600, 8, 100, training.Plan(rounds=30, tables=256, blocks=2, examine=30), (1, 10), cave.TINY, 20)


# --- Networks on small boards ---------------------------------------------------------------------------------------
def taught(board: Path, settings: Settings) -> Evaluator:
    """Return a value network trained on a small board as the packaged one was on the default board."""
    found = cave.Cave(board)
    last: dict[str, Any] = {}

    def tell(weights: Weights, curve: TrainingLog) -> None:
        last.update(weights)

    training.learn(found.game, devices.CpuDevice(found.game, STEPS), settings.plan, tell)
    return network_weights.evaluator_with(last, encoding.Evaluator)


class NetworkStrategy:
    """The strategy of an equilibrium bot with a value network, with the method that `cave_bots` expects of a search."""

    def __init__(self, evaluator: Evaluator, budget: int) -> None:
        """Make the bot."""
        self.bot = EquilibriumBot(1, budget, evaluator=evaluator)

    def strategy(self, seen: PlayerView, policy: Any = None, times: int = 1) -> cave_bots.Weights:
        """Return the strategy, which does not depend on random numbers."""
        return self.bot.think(seen).strategy


def small_caves(settings: Settings, store: study.Store) -> None:
    """Measure the error of a network on small boards, and the losses of the strategies that use it."""
    if "taught" in store.done:
        return
    found, value, mixed, _ = exploitability.solve(settings.solved)
    evaluator, tiny_evaluator = taught(settings.solved, settings), taught(cave.TINY, settings)
    positions, purses = (each[: settings.positions] for each in cave_stages.met(found, mixed, 200, 1))
    look, stages, tiny = cave_bots.Table(found), cave_stages.Stages(found, value), cave.Cave(cave.TINY)
    lines, mixer = list[dict[str, float]](), NetworkStrategy(evaluator, settings.budgets[0])
    for budget in settings.budgets:
        mixer = NetworkStrategy(evaluator, budget)
        losses = exploitability._losses(stages, look, positions, purses, mixer.strategy)
        strategy = cave_bots.Tabulated(tiny, NetworkStrategy(tiny_evaluator, budget), cave_bots.whole, 1).fill()  # type: ignore[arg-type]
        line = {"budget": budget, "gain": tiny.exploitability(strategy, STOPS)}
        lines.append(line | {kind: float(np.mean(each)) for kind, each in losses.items()})
        say(f"{lines[-1]}")
    solver = mixer.bot.solver
    thought = [float(solver.network_values([int(found.graph[at]["key"])])[0]) for at in positions]
    errors = np.abs(np.array(thought) - value[positions])
    opening = float(solver.network_values([int(found.graph[FIRST]["key"])])[0])
    summary = {
        "mean": float(errors.mean()),
        "most": float(errors.max()),
        "opening": opening,
        "true": float(value[FIRST]),
    }
    store.keep("taught", {"lines": lines, "positions": len(positions), **summary})


def taught_text(store: study.Store) -> str:
    """Return the text on small boards."""
    done = store.done["taught"]
    text = (
        f"Of {done['positions']} positions the network is off by {percent(done['mean'], 2)} of a victory on average, "
        f"by {percent(done['most'], 1)} at most; of the opening it thinks {percent(done['opening'], 1)}, and "
        f"{percent(done['true'], 1)} is true."
    )
    kinds = ("cards", "niches", "splits", "guesses")
    rows = (
        (f"{line['budget']:,}", *(percent(line[kind], 2) for kind in kinds), percent(line["gain"], 2))
        for line in done["lines"]
    )
    return text + "\n\n" + table(("positions solved", *kinds, "an adversary gains in the tiny cave"), rows)


# --- The default board ----------------------------------------------------------------------------------------------
@functools.cache
def default_game() -> Game:
    """Return the game for two."""
    return load_game("dragons-cave", players=2)


def dragon(seed: int) -> Any:
    """Return the bot of the level dragon for two."""
    return make_bot(bots.LEVELS["dragon"], seed, default_game())


def rows(settings: Settings) -> Iterator[Row]:
    """Yield the rows on the default board: name, games, a bot, and its opponent."""

    def mixer(seed: int) -> EquilibriumBot:
        return EquilibriumBot(seed)

    def search(seed: int) -> Any:
        return kind.make(seed, plan)

    def solves(seed: int, bot: Any) -> SolverAdversary:
        return SolverAdversary(seed, KnownEquilibriumBot(bot), BUDGET)

    def searches(seed: int, bot: Any) -> Adversary:
        return Adversary(seed, KnownEquilibriumBot(bot), settings.simulations)

    def solves_against_search(seed: int, bot: Any) -> SolverAdversary:
        return SolverAdversary(seed, KnownSearch(seed + 1, kind, plan, 2), BUDGET)

    kind, plan = cave_adversary.KINDS["search"], exploitability.SearchBudget(simulations=settings.known)
    games = settings.games
    yield "`mixer`, known to one who solves rounds", games, mixer, solves
    yield "the Dragon, known to one who solves rounds", games, dragon, solves
    yield f"search, {settings.known:,}, known to one who solves rounds", games, search, solves_against_search
    yield "the Dragon, known to one who searches", games, dragon, searches
    yield "`mixer`, known to one who searches", games, mixer, searches
    yield "the Dragon against `mixer`", games, dragon, lambda seed, bot: EquilibriumBot(seed)


def exploiter_rows(settings: Settings) -> Iterator[Row]:
    """Yield the rows of equilibrium bots against the exploiter, which was trained against the first of them."""

    def exploiter(seed: int, bot: Any) -> Exploiter:
        return Exploiter(seed, KnownEquilibriumBot(bot), game)

    game = default_game()
    for budget in settings.budgets:
        yield (
            f"`mixer:{budget}`",
            settings.taught_games,
            lambda seed, budget=budget: EquilibriumBot(seed, budget),
            exploiter,
        )
    yield "the Dragon", settings.taught_games, dragon, exploiter


def stored(part: str) -> study.Store:
    """Return the store of a part, for the present rules, bots and networks."""
    files = [
        *cache.sources("dracotheque.games.dragons_cave.rules.actions"),
        cache.PACKAGE / "games" / "dragons_cave" / "models/value-2.npz",
    ]
    files += [file for folder in ("dragons_cave", "training") for file in sorted((RESEARCH / folder).glob("cave*.py"))]
    files += [cache.PACKAGE / "games" / "dragons_cave" / "equilibrium" / "bot.py"]
    files += [cache.PACKAGE / "bots" / f"{name}.py" for name in ("mcts_bot", "mcts_tree", "search_params")]
    files += sorted(EXPLOITER.rglob("*.npz")) if part == "exploiter" else []
    return study.Store(key_of(files), ROOT / "build" / f"cave-{part}.json")


def measured(part: str, settings: Settings, store: study.Store) -> str:
    """Measure what is missing of a part, and return its text."""
    if part == "taught":
        small_caves(settings, store)
        return taught_text(store)
    wanted, title = (
        (exploiter_rows, "known to the exploiter") if part == "exploiter" else (rows, "who, and against whom")
    )
    exploitability.played(store, wanted(settings))
    return exploitability.game_text(wanted(settings), store, title, "the other wins")


def main() -> None:
    """Measure what is missing, and write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a rough look, printed only")
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part of the page")
    chosen = parser.parse_args()
    for part in chosen.part or PARTS:
        store = study.Store("", None) if chosen.quick else stored(part)
        with store.timed():
            words = measured(part, QUICK if chosen.quick else Settings(), store)
        if chosen.quick:
            print(f"{words}\n")
        else:
            REPORT.write_text(write_between(REPORT.read_text("utf-8"), part, words), "utf-8")


if __name__ == "__main__":
    main()
