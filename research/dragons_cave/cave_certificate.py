"""Measure how well our search mixes in Dragon's Cave for two, and write it into the report.

The report is docs/explanation/reports/dragons-cave-equilibrium.md.

make study GAME=mixtures                       everything (some two hours on one core)
make study GAME=mixtures ARGS=--quick          a rough look, printed only
make study GAME=mixtures ARGS="--games 200"    fewer games on the usual cave
make study GAME=mixtures ARGS="--part games"   only this part of the page

What is done is kept in build/cave-certificate.json, so that an interrupted run goes on where it stopped. Every part is
written into the page as soon as it is known; what is not measured stays as it is.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dracotheque import load_game
from dracotheque.bots.mcts_bot import SearchBudget
from dracotheque.bots.player_view import Bot
from dracotheque.engine.jit import cache
from dracotheque.games.dragons_cave.equilibrium.round_graph import FIRST
from dracotheque.simulation.simulate import Z95
from dracotheque.simulation.statistics import Estimate, share_over_deals
from research.dragons_cave import cave, cave_adversary, cave_bots, cave_stages
from research.dragons_cave.cave_certificate_plots import DAY, NIGHT, Curve, chart
from research.shared import study
from research.shared.study import key_of, table, write_between

ROOT = Path(__file__).resolve().parents[2]
REPORT = ROOT / "docs" / "explanation" / "reports" / "dragons-cave-equilibrium.md"
PICTURES = ROOT / "docs" / "pictures"
KEPT = ROOT / "build" / "cave-certificate.json"
Results = dict[str, Any]


@dataclass(frozen=True)
class Settings:
    """How much is measured."""

    tiny: tuple[tuple[int, int], ...] = ((100, 4), (300, 4), (1000, 4), (3000, 2), (10_000, 1))
    """Simulations, and how often each position of the tiny cave is thought about."""
    seeds: tuple[int, ...] = (1, 2, 3)
    """All that is done as often in the tiny cave, each time with other dice."""
    stages: tuple[tuple[int, int], ...] = (
        (100, 8), (300, 8), (1000, 8), (3000, 4), (10_000, 4), (30_000, 2), (100_000, 1),
    )  # fmt: skip
    positions: int = 40
    """Positions, and purses, of the solved cave that are looked at."""
    games: int = 1000
    """Of every row on the usual cave."""
    budgets: tuple[int, ...] = (1200, 3000)
    """Simulations of Knight and Dragon."""
    copies: int = 2
    shares: tuple[float, ...] = (0.0, 0.1, 0.2, 0.4, 0.6, 0.8)
    """What is left out of a mixture: choices wanted less than this share of what the best is."""
    thoughts: int = 4
    solved: Path = cave.SMALL


QUICK = Settings(((30, 1), (100, 1)), (1, 2), ((100, 1), (1000, 1)), 6, 8, (300,), 2, (0.0, 0.5), 1, cave.TINY)
LEANING = (0.0, 0.2, 0.4, 0.6)  # of these shares games are played
CHUNK = 10  # matches of two games between two savings
PARTS = ("solved", "splits", "stages", "tiny", "leaning", "games")
POLICIES = {"whole": cave_bots.whole, "nearly": cave_bots.nearly, "most": cave_bots.most}
PLAYERS = {
    "our search, whole mixture": (False, "whole"),
    "our search as it plays": (False, "nearly"),
    "plain MCTS": (True, "most"),
}


def say(words: str) -> None:
    """Show progress."""
    print(f"{time.strftime('%H:%M:%S')} {words}", file=sys.stderr, flush=True)


# --- The solved cave ------------------------------------------------------------------------------------------------
@functools.cache
def solve(board: Path) -> tuple[cave.Cave, cave.Array, cave.Strategy, Results]:
    """Solve a cave and prove it."""
    began = time.perf_counter()
    found = cave.Cave(board)
    value = found.solved()
    seconds = time.perf_counter() - began
    mixed = found.best(value)
    dwarf, dragon = found.against(mixed)
    known: Any = found.game.board
    told = {
        "name": known.name,
        "positions": found.positions,
        "purses": len(found.purses) - 1,
        "seconds": seconds,
        "value": float(value[FIRST]),
        "error": float(max((dwarf - value).max(), (dragon - 1 + value).max(), 0.0)),
        "lay": dict(zip(found.names, mixed.lay[FIRST].sum(0).tolist(), strict=True)),
        "place": dict(zip(found.names[:-1], mixed.place[FIRST, 0].tolist(), strict=True)),
    }
    say(f"{told['name']}: {told['positions']:,} positions, error {told['error']:.1e}")
    return found, value, mixed, told


def splits(found: cave.Cave, value: cave.Array, mixed: cave.Strategy, games: int) -> Results:
    """How purses are best split, by their coins, in games between two who mix best."""
    _, purses = cave_stages.met(found, mixed, games, 3)
    stages, rows = cave_stages.Stages(found, value), dict[str, list[float]]()
    for purse in purses:
        kept = stages.purse(purse).mean(1)
        coins, best = len(kept) - 1, kept.max()
        half, one = kept[coins // 2], kept[0]
        rows.setdefault(str(coins), []).append(best - half)
        rows.setdefault(f"{coins} one", []).append(best - one)
        rows.setdefault(f"{coins} indifferent", []).append(float(best - kept.min() < 1e-6))
    return {
        coins: {
            "purses": len(losses),
            "half": float(np.mean(np.array(losses) < 1e-9)),
            "one": float(np.mean(np.array(rows[f"{coins} one"]) < 1e-9)),
            "indifferent": float(np.mean(rows[f"{coins} indifferent"])),
            "loss_half": float(np.mean(losses)),
            "loss_one": float(np.mean(rows[f"{coins} one"])),
        }
        for coins, losses in rows.items()
        if " " not in coins
    }


# --- How far the search is from it ----------------------------------------------------------------------------------
def exploited(settings: Settings, store: study.Store) -> None:
    """Work out exactly what the best adversary gains in the tiny cave against each search."""
    tiny = cave.Cave(cave.TINY)
    for seed, plain, (simulations, times) in itertools.product(settings.seeds, (False, True), settings.tiny):
        thinker: cave_bots.Thinker | None = None
        for player, (is_plain, policy) in PLAYERS.items():
            name = f"tiny, {player}, {simulations}, dice {seed}"
            if is_plain == plain and name not in store.done:
                thinker = thinker or cave_bots.Thinker(tiny.game, simulations, seed, plain)
                store.keep(name, tiny.gain(cave_bots.Tabulated(tiny, thinker, POLICIES[policy], times).fill()))
                say(f"{name}: {store.done[name]:.4f}")


def staged(settings: Settings, store: study.Store, found: cave.Cave, value: cave.Array, mixed: cave.Strategy) -> None:
    """Measure what each search gives away in one stage of the solved cave."""
    positions, purses = cave_stages.met(found, mixed, 200, 1)
    stages, look = cave_stages.Stages(found, value), cave_bots.Table(found)
    positions, purses = positions[: settings.positions], purses[: settings.positions]
    for simulations, times in settings.stages:
        for plain in (False, True):
            thinker = None
            for player, (is_plain, policy) in PLAYERS.items():
                name = f"stage, {player}, {simulations}"
                if is_plain == plain and name not in store.done:
                    thinker = thinker or cave_bots.Thinker(found.game, simulations, 2, plain)
                    losses = _losses(stages, look, positions, purses, _mixer(thinker, POLICIES[policy], times))
                    store.keep(name, {kind: [float(loss) for loss in each] for kind, each in losses.items()})
                    say(f"{name}: " + ", ".join(f"{kind} {np.mean(each):.4f}" for kind, each in losses.items()))


def leaned(settings: Settings, store: study.Store) -> None:
    """Leave more and more out of the mixture: what an adversary gains in the tiny cave, with each dice."""
    tiny = cave.Cave(cave.TINY)
    thinkers = [cave_bots.Thinker(tiny.game, settings.budgets[0], seed) for seed in settings.seeds]
    for share in settings.shares:
        name, policy = f"leaning, {share:g}", cave_bots.leaning(share)
        if name not in store.done:
            filled = (cave_bots.Tabulated(tiny, each, policy, settings.thoughts).fill() for each in thinkers)
            store.keep(name, [tiny.gain(strategy) for strategy in filled])
            say(f"{name}: {np.mean(store.done[name]):.4f}")


def _leaning(plan: SearchBudget, share: float) -> Callable[[int, Any], Bot]:
    """Make bots that leave out some of their mixture."""
    return lambda seed, bot: cave_bots.LeaningBot(seed, plan, share)


def _mixer(thinker: cave_bots.Thinker, policy: cave_bots.Policy, times: int) -> Callable[[Any], cave_bots.Weights]:
    """Say how a search mixes."""
    return lambda seen: thinker.mixture(seen, policy, times)


def _losses(
    stages: cave_stages.Stages,
    look: cave_bots.Table,
    positions: list[int],
    purses: list[int],
    mixer: Callable[[Any], cave_bots.Weights],
) -> dict[str, list[float]]:
    """What is given away in every position, by the kind of choice."""
    return {
        "cards": [stages.laid(at, mixer(look.laying(at))) for at in positions],
        "niches": [
            stages.placed(at, {second: mixer(look.placing(at, second)) for second in stages.dwarves(at)})
            for at in positions
        ],
        "splits": [stages.split(at, mixer(look.splitting(at))) for at in purses],
        "guesses": [stages.guessed(at, mixer(look.guessing(at))) for at in purses],
    }


# --- The usual cave -------------------------------------------------------------------------------------------------
Row = tuple[str, int, Callable[[int], Bot], Callable[[int, Any], Bot]]


def leaning_rows(settings: Settings) -> Iterator[Row]:
    """Who leaves out less of the mixture, against the search as it plays."""
    plan = SearchBudget(simulations=settings.budgets[0])
    for share in settings.shares:
        if share in LEANING:
            search = _maker(cave_adversary.KINDS["search"], plan)
            yield f"leaning {share:g} against search", settings.games, search, _leaning(plan, share)


def rows(settings: Settings) -> Iterator[Row]:
    """Who plays on the usual cave: name, games, a bot, and who plays against it."""
    kinds = cave_adversary.KINDS
    for budget in settings.budgets:
        plan = SearchBudget(simulations=budget)
        for name, known in kinds.items():
            if name != "search, whole mixture" or budget == settings.budgets[0]:
                bot, adversary = _maker(known, plan), _adversary(known, plan, settings)
                yield f"adversary of {name}, {budget:,}", settings.games, bot, adversary
    budget, plan = settings.budgets[0], SearchBudget(simulations=settings.budgets[0])
    search = _maker(kinds["search"], plan)
    plain = _maker(kinds["plain MCTS"], plan)
    ignorant = _adversary(kinds["search"], plan, settings, Ignorant)
    yield f"adversary without its knowledge, {budget:,}", settings.games, search, ignorant
    yield f"plain MCTS against search, {budget:,}", settings.games, search, lambda seed, bot: plain(seed)


class Ignorant(cave_adversary.Adversary):
    """The adversary without its knowledge: what is left is how it searches and chooses."""

    def _held(self, view: Any) -> list[Any]:
        """Hold the other to nothing."""
        return []


def _maker(kind: cave_adversary.Kind, plan: SearchBudget) -> Callable[[int], Bot]:
    """Make bots of a kind."""
    return lambda seed: kind.make(seed, plan)


def _adversary(
    kind: cave_adversary.Kind,
    plan: SearchBudget,
    settings: Settings,
    made: type[cave_adversary.Adversary] = cave_adversary.Adversary,
) -> Callable[[int, Any], Bot]:
    """Make adversaries of a kind, who search as much as it does."""

    def make(seed: int, bot: Bot) -> Bot:
        return made(seed, cave_adversary.KnownSearch(seed + 1, kind, plan, settings.copies), plan.simulations or 0)

    return make


def played(store: study.Store, wanted: Iterable[Row]) -> None:
    """Play what is missing of some rows."""
    game = load_game("dragons-cave", players=2)
    for name, games, bot, other in wanted:
        done: list[tuple[float, float]] = store.done.get(name, [])
        while 2 * len(done) < games:
            done = [*done, *(cave_adversary.match(game, bot, other, len(done) + at) for at in range(CHUNK))]
            store.keep(name, done)
            say(f"{name}: {2 * len(done)} of {games} games, {np.mean([share for share, _ in done]):.3f}")


def share_of(matches: list[tuple[float, float]]) -> Estimate:
    """The share of victories, with its interval over matches of two games."""
    return share_over_deals(np.array([share for share, _ in matches]), np.ones(len(matches)))


def share_words(matches: list[tuple[float, float]]) -> str:
    """Write the share of victories with its interval."""
    found = share_of(matches)
    return f"{percent(found.value)} ({100 * (found.low or 0):.1f}–{100 * (found.high or 0):.1f})"


def coins_of(matches: list[tuple[float, float]]) -> tuple[float, float]:
    """By how many coins somebody led, and half the interval."""
    coins = np.array([coins for _, coins in matches])
    return float(coins.mean()), float(Z95 * coins.std(ddof=1) / math.sqrt(len(coins))) if len(coins) > 1 else 0.0


# --- The page -------------------------------------------------------------------------------------------------------
def percent(value: float, digits: int = 1) -> str:
    """Write a share."""
    return f"{100 * value:.{digits}f} %"


def signed(value: float) -> str:
    """Write a number with its sign."""
    return f"{value:+.1f}".replace("-", "−")


def tenths(value: float) -> str:
    """Write a very small number as a power of ten."""
    digit, _, exponent = f"{value:.0e}".partition("e")
    return f"{digit} · 10{str(int(exponent)).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def spread(values: list[float]) -> str:
    """Write the mean of shares, and between which they lie."""
    if not values:
        return "–"
    return f"{percent(float(np.mean(values)))} ({100 * min(values):.1f}–{100 * max(values):.1f})"


def mixture(shares: dict[str, float]) -> str:
    """Write a mixture."""
    return ", ".join(f"{name} {percent(share)}" for name, share in shares.items() if share > 1e-9)


def solved_words(told: list[Results]) -> str:
    """What is known of the solved caves."""
    return table(
        ("cave", "positions", "purses to split", "who leads the dwarves first wins", "most anybody gains", "solved in"),
        (
            (
                each["name"], f"{each['positions']:,}", f"{each['purses']:,}", percent(each["value"], 4),
                tenths(each["error"]), f"{each['seconds']:.0f} s",
            )
            for each in told
        ),
    ) + "".join(
        f"\n\n{each['name']}, the opening. Cards: {mixture(each['lay'])}. Niches: {mixture(each['place'])}."
        for each in told
    )  # fmt: skip


def tiny_words(settings: Settings, store: study.Store) -> str:
    """What the best adversary gains in the tiny cave."""
    return table(
        ("simulations", "thoughts a position", *PLAYERS),
        (
            (
                f"{simulations:,}",
                str(times),
                *(spread(gains(settings, store, player, simulations)) for player in PLAYERS),
            )
            for simulations, times in settings.tiny
        ),
    )


def gains(settings: Settings, store: study.Store, player: str, simulations: int) -> list[float]:
    """What the best adversary gained with each dice, as far as that is known."""
    names = (f"tiny, {player}, {simulations}, dice {seed}" for seed in settings.seeds)
    return [store.done[name] for name in names if name in store.done]


def stage_words(settings: Settings, store: study.Store) -> str:
    """What is given away in a stage, with its interval over positions."""
    kinds = ("cards", "niches", "splits", "guesses")
    lines = list[tuple[str, ...]]()
    for player in PLAYERS:
        for simulations, _ in settings.stages:
            if kept := store.done.get(f"stage, {player}, {simulations}"):
                lines.append((player, f"{simulations:,}", *(_loss(kept[kind]) for kind in kinds)))
    return table(("who", "simulations", *kinds), lines)


def _loss(losses: list[float]) -> str:
    """Write a mean loss with its interval."""
    error = Z95 * float(np.std(losses, ddof=1)) / math.sqrt(len(losses))
    return f"{100 * np.mean(losses):.2f} % ± {100 * error:.2f}"


def leaning_words(settings: Settings, store: study.Store) -> str:
    """What is gained and lost by leaving out more and more of the mixture."""
    lines = list[tuple[str, ...]]()
    for share in settings.shares:
        if found := store.done.get(f"leaning, {share:g}"):
            matches = store.done.get(f"leaning {share:g} against search", [])
            wins = share_words(matches) if matches else "–"
            lines.append((percent(share, 0), spread(found), wins, f"{2 * len(matches):,}" if matches else "–"))
    return table(
        ("left out: wanted less than", "an adversary gains in the tiny cave", "wins on the usual cave", "games"), lines
    )


def split_words(found: Results) -> str:
    """How purses are split best."""
    return table(
        (
            "coins", "purses", "all splits are as good", "halves are best", "all in one fist is best",
            "halves lose", "all in one loses",
        ),
        (
            (
                coins, f"{each['purses']:,}", percent(each["indifferent"], 0), percent(each["half"], 0),
                percent(each["one"], 0), percent(each["loss_half"], 2), percent(each["loss_one"], 2),
            )
            for coins, each in sorted(found.items(), key=lambda item: int(item[0]))
        ),
    )  # fmt: skip


def game_words(wanted: Iterable[Row], store: study.Store, who: str = "who", wins: str = "wins") -> str:
    """What was won on the usual cave."""
    lines = list[tuple[str, ...]]()
    for name, *_ in wanted:
        if kept := store.done.get(name):
            above, (coins, error) = 100 * share_of(kept).value - 50, coins_of(kept)
            ahead = f"{signed(coins)} ± {error:.1f}"
            lines.append((name, f"{2 * len(kept):,}", share_words(kept), signed(above), ahead))
    return table((who, "games", wins, "points above half", "coins ahead"), lines)


def curves(budgets: Iterable[tuple[int, int]], values: Callable[[str, int], list[float]]) -> list[Curve]:
    """Means of what is known, by simulations, as curves."""
    found = list[Curve]()
    for player in PLAYERS:
        known = {simulations: values(player, simulations) for simulations, _ in budgets}
        points = [(simulations, float(np.mean(each))) for simulations, each in known.items() if each]
        if len(points) > 1:
            found.append(Curve(player, points))
    return found


def draw(settings: Settings, store: study.Store) -> Iterator[tuple[str, str]]:
    """Draw what is known, by day and by night."""

    def losses(player: str, simulations: int) -> list[float]:
        kept = store.done.get(f"stage, {player}, {simulations}", {"cards": [], "niches": []})
        return [*kept["cards"], *kept["niches"]]

    by = "simulations a choice (both scales are logarithmic)"
    for light, suffix in ((DAY, ""), (NIGHT, "-night")):
        if found := curves(settings.tiny, lambda *which: gains(settings, store, *which)):
            title = "What the best adversary gains in the tiny cave, above half"
            yield f"certificate-tiny{suffix}.svg", chart(title, by, found, (5, 10, 20, 50), light)
        if found := curves(settings.stages, losses):
            title = "What cards and niches give away in one round of the solved cave"
            yield f"certificate-stages{suffix}.svg", chart(title, by, found, (0.1, 0.3, 1, 3, 10, 30), light)


def publish(settings: Settings, store: study.Store, part: str) -> None:
    """Write a part into the page, and draw it; or print it."""
    words = {
        "solved": lambda: solved_words(store.done["solved"]),
        "splits": lambda: split_words(store.done["splits"]),
        "stages": lambda: stage_words(settings, store),
        "tiny": lambda: tiny_words(settings, store),
        "leaning": lambda: leaning_words(settings, store),
        "games": lambda: game_words(rows(settings), store),
    }[part]()
    pictures = dict(draw(settings, store))
    if settings is QUICK:
        print(f"{words}\n")
        return
    REPORT.write_text(write_between(REPORT.read_text("utf-8"), part, words), "utf-8")
    for name, picture in pictures.items():
        (PICTURES / name).write_text(picture, "utf-8")


def main() -> None:
    """Measure what is missing, and write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a rough look, printed only")
    parser.add_argument(
        "--games", type=int, default=Settings.games, help="games a row on the usual cave (default: %(default)s)"
    )
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part of the page")
    chosen = parser.parse_args()
    if chosen.games < 2:
        parser.error("a match is two games: --games 2 at least")
    settings = QUICK if chosen.quick else Settings(games=chosen.games)
    files = [*cache.sources("dracotheque.games.dragons_cave.rules.actions")]
    files += sorted(path for path in Path(__file__).parent.glob("*cave*") if path.is_file())
    files += [cache.PACKAGE / "bots" / f"{name}.py" for name in ("search", "tree", "ways")]
    store = study.Store(key_of(files, str(settings.copies)), None if chosen.quick else KEPT)
    with store.timed():
        for part in chosen.part or PARTS:
            measure(settings, store, part)
            publish(settings, store, part)


def measure(settings: Settings, store: study.Store, part: str) -> None:
    """Measure what is missing of a part."""
    if part == "solved":
        store.keep("solved", [solve(settings.solved)[3], solve(cave.TINY)[3]])
    elif part == "splits":
        store.keep("splits", splits(*solve(settings.solved)[:3], 40 * settings.positions))
    elif part == "stages":
        staged(settings, store, *solve(settings.solved)[:3])
    elif part == "tiny":
        exploited(settings, store)
    elif part == "leaning":
        leaned(settings, store)
        played(store, leaning_rows(settings))
    else:
        played(store, rows(settings))


if __name__ == "__main__":
    main()
