"""Measure how hard the bots that mix are to exploit in Dragon's Cave for two, and write it into the report.

The report is docs/explanation/reports/dragons-cave-equilibrium.md.

make study GAME=mixers                      everything (about two hours on one core)
make study GAME=mixers ARGS=--quick         a rough look, printed only
make study GAME=mixers ARGS="--part taught" only what a network learns in small caves, beside what is true there
make study GAME=mixers ARGS="--part pupil"  only what one gains who learned to beat mixer:1

What is done is kept in build/cave-PART.json, so that an interrupted run goes on where it stopped.
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
from dracotheque.bots.evaluators import Mind
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
from research.dragons_cave import cave_certificate as certificate
from research.dragons_cave.cave_adversary import Adversary, KnownMixer, KnownSearch, Reckoner
from research.dragons_cave.cave_certificate import ROOT, Row, percent, say
from research.dragons_cave.cave_pupil import KEPT as PUPIL
from research.dragons_cave.cave_pupil import Pupil
from research.shared import study
from research.shared.study import key_of, table, write_between
from research.training import cave as school
from research.training.cave_steps import STEPS

RESEARCH = ROOT / "research"
REPORT = ROOT / "docs" / "explanation" / "reports" / "dragons-cave-equilibrium.md"
PARTS = ("taught", "mixers", "pupil")
CALLED_OFF = tuple(hurry for hurry in cave.HURRIES if hurry >= 1e-3)
"""With the last of these chances games are called off when roles change: who banks again and again never ends."""
SCHOOL = school.Plan(rounds=500, tables=2_048, blocks=4, examine=100)


@dataclass(frozen=True)
class Settings:
    """How much is measured."""

    games: int = 1_000
    """Of every row on the usual cave."""
    simulations: int = 3_000
    """Of an adversary that searches."""
    taught_games: int = 2_000
    """Of every row with the pupil."""
    known: int = 1_200
    """Of the search that is known to the one that reckons."""
    plan: school.Plan = SCHOOL
    """How long a network learns in a small cave, on a processor."""
    budgets: tuple[int, ...] = (1, 10, 60, 400)
    solved: Path = cave.SMALL
    positions: int = 200


QUICK = Settings(8, 600, 8, 100, school.Plan(rounds=30, tables=256, blocks=2, examine=30), (1, 10), cave.TINY, 20)


# --- What a network learns in small caves ---------------------------------------------------------------------------
def taught(board: Path, settings: Settings) -> Mind:
    """Let a network learn a small cave as it did the usual one."""
    found = cave.Cave(board)
    last: dict[str, Any] = {}

    def tell(weights: Weights, curve: TrainingLog) -> None:
        last.update(weights)

    school.learn(found.game, devices.CpuDevice(found.game, STEPS), settings.plan, tell)
    return network_weights.mind_with(last, encoding.Mind)


class Mixer:
    """Says how a bot mixes that knows a mind; what `cave_bots` asks of a search."""

    def __init__(self, mind: Mind, budget: int) -> None:
        """Make the bot."""
        self.bot = EquilibriumBot(1, budget, mind=mind)

    def mixture(self, seen: PlayerView, policy: Any = None, times: int = 1) -> cave_bots.Weights:
        """It does not depend on dice: one thought tells all."""
        return self.bot.think(seen).mixture


def small_caves(settings: Settings, store: study.Store) -> None:
    """Measure how far from the truth a network is, and what the mixtures behind it give away."""
    if "taught" in store.done:
        return
    found, value, mixed, _ = certificate.solve(settings.solved)
    mind, tiny_mind = taught(settings.solved, settings), taught(cave.TINY, settings)
    positions, purses = (each[: settings.positions] for each in cave_stages.met(found, mixed, 200, 1))
    look, stages, tiny = cave_bots.Table(found), cave_stages.Stages(found, value), cave.Cave(cave.TINY)
    lines, mixer = list[dict[str, float]](), Mixer(mind, settings.budgets[0])
    for budget in settings.budgets:
        mixer = Mixer(mind, budget)
        losses = certificate._losses(stages, look, positions, purses, mixer.mixture)
        strategy = cave_bots.Tabulated(tiny, Mixer(tiny_mind, budget), cave_bots.whole, 1).fill()  # type: ignore[arg-type]
        line = {"budget": budget, "gain": tiny.gain(strategy, CALLED_OFF)}
        lines.append(line | {kind: float(np.mean(each)) for kind, each in losses.items()})
        say(f"{lines[-1]}")
    lookout = mixer.bot.lookout
    thought = [float(lookout.judged([int(found.graph[at]["key"])])[0]) for at in positions]
    errors = np.abs(np.array(thought) - value[positions])
    opening = float(lookout.judged([int(found.graph[FIRST]["key"])])[0])
    told = {"mean": float(errors.mean()), "most": float(errors.max()), "opening": opening, "true": float(value[FIRST])}
    store.keep("taught", {"lines": lines, "positions": len(positions), **told})


def taught_words(store: study.Store) -> str:
    """What was found in small caves."""
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


# --- The usual cave -------------------------------------------------------------------------------------------------
@functools.cache
def usual_cave() -> Game:
    """Open the game for two."""
    return load_game("dragons-cave", players=2)


def dragon(seed: int) -> Any:
    """Make the Dragon for two."""
    return make_bot(bots.LEVELS["dragon"], seed, usual_cave())


def rows(settings: Settings) -> Iterator[Row]:
    """Who plays on the usual cave: name, games, a bot, and who plays against it."""

    def mixer(seed: int) -> EquilibriumBot:
        return EquilibriumBot(seed)

    def search(seed: int) -> Any:
        return kind.make(seed, plan)

    def reckons(seed: int, bot: Any) -> Reckoner:
        return Reckoner(seed, KnownMixer(bot), BUDGET)

    def searches(seed: int, bot: Any) -> Adversary:
        return Adversary(seed, KnownMixer(bot), settings.simulations)

    def reckons_with_search(seed: int, bot: Any) -> Reckoner:
        return Reckoner(seed, KnownSearch(seed + 1, kind, plan, 2), BUDGET)

    kind, plan = cave_adversary.KINDS["search"], certificate.SearchBudget(simulations=settings.known)
    games = settings.games
    yield "the mixer, known to one who reckons", games, mixer, reckons
    yield "the Dragon, known to one who reckons", games, dragon, reckons
    yield f"search, {settings.known:,}, known to one who reckons", games, search, reckons_with_search
    yield "the Dragon, known to one who searches", games, dragon, searches
    yield "the mixer, known to one who searches", games, mixer, searches
    yield "the Dragon against the mixer", games, dragon, lambda seed, bot: EquilibriumBot(seed)


def pupil_rows(settings: Settings) -> Iterator[Row]:
    """Bots that mix, and against them the pupil that learned to beat the first of them."""

    def pupil(seed: int, bot: Any) -> Pupil:
        return Pupil(seed, KnownMixer(bot), game)

    game = usual_cave()
    for budget in settings.budgets:
        yield (
            f"`mixer:{budget}`",
            settings.taught_games,
            lambda seed, budget=budget: EquilibriumBot(seed, budget),
            pupil,
        )
    yield "the Dragon", settings.taught_games, dragon, pupil


def stored(part: str) -> study.Store:
    """Take up what was done of a part with the same rules, bots and networks."""
    files = [
        *cache.sources("dracotheque.games.dragons_cave.rules.actions"),
        cache.PACKAGE / "games" / "dragons_cave" / "models/value-2.npz",
    ]
    files += [file for room in ("dragons_cave", "training") for file in sorted((RESEARCH / room).glob("cave*.py"))]
    files += [cache.PACKAGE / "games" / "dragons_cave" / "equilibrium" / "bot.py"]
    files += [cache.PACKAGE / "bots" / f"{name}.py" for name in ("search", "tree", "ways")]
    files += sorted(PUPIL.rglob("*.npz")) if part == "pupil" else []
    return study.Store(key_of(files), ROOT / "build" / f"cave-{part}.json")


def measured(part: str, settings: Settings, store: study.Store) -> str:
    """Measure what is missing of a part, and say what was found."""
    if part == "taught":
        small_caves(settings, store)
        return taught_words(store)
    wanted, title = (pupil_rows, "known to the pupil") if part == "pupil" else (rows, "who, and against whom")
    certificate.played(store, wanted(settings))
    return certificate.game_words(wanted(settings), store, title, "the other wins")


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
