"""Play our search against OpenSpiel's own on our games, with the same time for every move; see `--help`.

OpenSpiel's search plays through our adapter, in C++ (`pyspiel.MCTSBot`): that makes about twice as many simulations as
its Python one, which is measured before every match. A simulation has one random rollout, since more of them leave
fewer simulations. Its clock is its own (`max_wall_clock_time`). It is given as long as our search has taken on average
so far, which is a little more than the time asked for, and it ends its last simulation after that.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import multiprocessing
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as Lines

from dracotheque.adapters import wide_name
from dracotheque.bots.mcts_bot import SearchBot, SearchBudget, SearchResult
from dracotheque.bots.player_view import PlayerView, player_view
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.registry import find_game
from dracotheque.simulation.statistics import Estimate, share_over_deals

GAMES = ("emerald", "save-the-dragon")  # for two players, with nothing hidden: OpenSpiel's MCTS knows no secrets
ENDLESS = 100_000  # moves: no game is broken off
MEMORY = 1_000  # MiB for a tree of OpenSpiel's: never reached
UNTIL_TIME_IS_UP = 1 << 30  # simulations
FEWEST = 2  # simulations, after which OpenSpiel's search has something to choose
REHEARSED = 10  # moves before the clock counts
TRIED = 100  # simulations that show how fast a search is
NO_CLOCK = -1.0  # with any other time, OpenSpiel's search does not count its simulations


@dataclass(frozen=True)
class Setting:
    """What is played."""

    game: str
    milliseconds: float
    seed: int = 1
    uct: float = 1.4
    """How much OpenSpiel's search explores."""
    solve: bool = True
    """Whether OpenSpiel's search looks for proven wins."""


@dataclass
class Effort:
    """What a side spent on its moves; where there is nothing to choose, no time is given and none counted."""

    moves: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    simulations: int = 0

    def add(self, other: Effort) -> None:
        """Add what was spent elsewhere."""
        self.moves += other.moves
        self.seconds += other.seconds
        self.longest = max(self.longest, other.longest)
        self.simulations += other.simulations

    def note(self, seconds: float, simulations: int) -> None:
        """Add a move."""
        self.add(Effort(1, seconds, seconds, simulations))

    @property
    def milliseconds(self) -> float:
        """The mean time of a move."""
        return 1000 * self.seconds / max(self.moves, 1)

    @property
    def simulations_a_move(self) -> float:
        """The mean number of simulations."""
        return self.simulations / max(self.moves, 1)


@dataclass(frozen=True)
class Pair:
    """Two games with the same dice, each side once in each seat."""

    number: int
    won: list[float]
    """Our share of the victory in each: 1, 0, or a half where it is shared."""
    ours: Effort
    theirs: Effort


# --- The two sides ------------------------------------------------------------------------------------------------
class CountingBot(SearchBot):
    """Our search as anybody gets it, which also remembers how many simulations it made."""

    simulations = 0

    def think(self, view: PlayerView) -> SearchResult:
        """Search, and count."""
        thought = super().think(view)
        self.simulations = thought.simulations
        return thought


class Ours:
    """Our search, with the game’s search parameters; what it learned for one move it keeps for the next."""

    def __init__(self, seconds: float, seed: int) -> None:
        """Begin a game."""
        self.bot, self.effort = CountingBot(seed, SearchBudget(seconds=seconds)), Effort()

    def move(self, state: Any) -> int:
        """Choose, by the clock."""
        began = time.perf_counter()
        action = self.bot.choose(player_view(state.position, state.current_player()))
        self.effort.note(time.perf_counter() - began, self.bot.simulations)
        return action


class Theirs:
    """OpenSpiel's search in C++, which begins a new tree for every move."""

    def __init__(self, table: Table, seed: int) -> None:
        """Begin a game."""
        self.table, self.random, self.effort = table, Random(seed), Effort()

    def move(self, state: Any) -> int:
        """Choose, by the clock."""
        seed = self.random.getrandbits(30)
        search = self.table.their_search(seed, seconds=self.table.pace())
        began = time.perf_counter()
        root = search.mcts_search(state)  # not `step`, which crashes on every game that is written in Python
        if not root.children:  # there was time for one simulation alone, which only looks at the root
            root = self.table.their_search(seed, simulations=FEWEST).mcts_search(state)
        action = root.best_child().action
        self.effort.note(time.perf_counter() - began, root.explore_count)
        return action


# --- A table ------------------------------------------------------------------------------------------------------
class Table:
    """Where games are played, in OpenSpiel's words, and how long our moves took there so far."""

    def __init__(self, setting: Setting) -> None:
        """Load the game, and let both sides choose a few times so that all is compiled and loaded."""
        from dracotheque.adapters.openspiel import pyspiel  # with our games registered, or a word on how to get it

        self.setting, self.spiel = setting, pyspiel
        self.game = pyspiel.load_game(f"{wide_name(setting.game)}(players=2,horizon={ENDLESS})")
        self.effort = Effort()
        state = self.first_choice()
        Ours(self.seconds, 0).move(state)
        ours = Ours(self.seconds, 0)
        for seed in range(REHEARSED):
            ours.move(state)
            Theirs(self, seed).move(state)
        self.effort.add(ours.effort)

    @property
    def seconds(self) -> float:
        """The time asked for."""
        return self.setting.milliseconds / 1000

    def pace(self) -> float:
        """The time OpenSpiel's search gets: as much as ours took on average, and never less than was asked for."""
        return max(self.seconds, self.effort.milliseconds / 1000)

    def their_search(self, seed: int, *, simulations: int = UNTIL_TIME_IS_UP, seconds: float = NO_CLOCK) -> Any:
        """Set up OpenSpiel's search in C++."""
        rollouts = self.spiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
        options = self.setting.uct, simulations, MEMORY, self.setting.solve, seed, False
        return self.spiel.MCTSBot(self.game, rollouts, *options, max_wall_clock_time=seconds)

    def first_choice(self) -> Any:
        """Begin a game, up to where somebody has a choice."""
        state, dice = self.game.new_initial_state(), Random(0)
        while len(state.legal_actions()) == 1 or state.is_chance_node():
            chance = state.is_chance_node()
            state.apply_action(state.position.sample_chance(dice) if chance else state.legal_actions()[0])
        return state

    def play_pair(self, number: int) -> Pair:
        """Play two games with the same dice, and the same seeds in both sides."""
        won, spent = [], (Effort(), Effort())
        for seat in range(2):
            seeds = Random(f"{self.setting.seed}/{number}/sides")
            sides = Ours(self.seconds, seeds.getrandbits(62)), Theirs(self, seeds.getrandbits(62))
            won.append(self.play(sides, seat, Random(f"{self.setting.seed}/{number}")))
            for total, side in zip(spent, sides, strict=True):
                total.add(side.effort)
            self.effort.add(sides[0].effort)
        return Pair(number, won, *spent)

    def play(self, sides: tuple[Ours, Theirs], seat: int, dice: Random) -> float:
        """Play a game with our side in a seat; say how much of the victory is ours."""
        state, (ours, theirs) = self.game.new_initial_state(), sides
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.position.sample_chance(dice))
                continue
            legal, mover = state.legal_actions(), ours if state.current_player() == seat else theirs
            state.apply_action(legal[0] if len(legal) == 1 else mover.move(state))
        winners = state.position.winners()
        return (seat in winners) / len(winners) if winners else 0.5


def their_speeds(table: Table) -> dict[str, float]:
    """Measure how many simulations a second OpenSpiel's two searches make from the first choice of a game."""
    from open_spiel.python.algorithms import mcts

    random = np.random.RandomState(1)
    rollouts = mcts.RandomRolloutEvaluator(1, random)
    searches = {
        "C++": table.their_search(1, simulations=TRIED),
        "Python": mcts.MCTSBot(table.game, table.setting.uct, TRIED, rollouts, table.setting.solve, random),
    }
    state, found = table.first_choice(), {}
    for name, search in searches.items():
        began = time.perf_counter()
        root = search.mcts_search(state)
        found[name] = root.explore_count / (time.perf_counter() - began)
    return found


# --- A match ------------------------------------------------------------------------------------------------------
@dataclass
class Match:
    """The pairs that are played."""

    setting: Setting
    speeds: dict[str, float]
    """Simulations a second of OpenSpiel's searches, in C++ and in Python."""
    pairs: list[Pair] = field(default_factory=list)

    def share(self) -> Estimate:
        """Our share of wins with its 95 % interval; games of a pair share their dice, so only pairs count as chance."""
        won = np.array([sum(pair.won) for pair in self.pairs])
        return share_over_deals(won, np.full(len(won), 2.0))

    def effort(self, side: str) -> Effort:
        """Add up what a side, `ours` or `theirs`, spent."""
        total = Effort()
        for pair in self.pairs:
            total.add(getattr(pair, side))
        return total

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        versions = {name: importlib.metadata.version(name) for name in ("dracotheque", "open_spiel", "numpy", "numba")}
        return {
            "setting": asdict(self.setting),
            "versions": versions,
            "their_simulations_a_second": self.speeds,
            "games": 2 * len(self.pairs),
            "share": self.share().as_dict(),
            "ours": asdict(self.effort("ours")),
            "theirs": asdict(self.effort("theirs")),
            "pairs": [asdict(pair) for pair in sorted(self.pairs, key=lambda pair: pair.number)],
        }


_table: Table | None = None  # at which a process of ours plays


def sit_down(setting: Setting) -> None:
    """Set up a table in a new process."""
    global _table
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one decides when to stop
    _table = Table(setting)


def play_seated(number: int) -> Pair:
    """Play a pair in a process that has sat down."""
    assert _table is not None
    return _table.play_pair(number)


def in_processes(setting: Setting, pairs: int, processes: int) -> Iterator[Pair]:
    """Play pairs side by side; they come as they are finished."""
    pool = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), sit_down, (setting,))
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # new processes do not hear Ctrl-C, even while they import
    waiting = [pool.submit(play_seated, number) for number in range(pairs)]
    signal.signal(signal.SIGINT, before)
    try:
        for future in as_completed(waiting):
            yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            child.terminate()  # or a pair under way would be waited for


def play_match(
    setting: Setting, pairs: int, processes: int = 1, tell: Callable[[Match], None] = lambda match: None
) -> Match:
    """Play a match; `tell` hears of progress, and Ctrl-C ends it with what is done so far."""
    table = Table(setting)
    match = Match(setting, their_speeds(table))
    played = map(table.play_pair, range(pairs)) if processes == 1 else in_processes(setting, pairs, processes)
    try:
        for pair in played:
            match.pairs.append(pair)
            tell(match)
    except KeyboardInterrupt:
        pass
    return match


# --- The command --------------------------------------------------------------------------------------------------
def shown(match: Match) -> Lines:
    """Make the table of a match."""
    setting, share = match.setting, match.share()
    definition, games = find_game(setting.game), 2 * len(match.pairs)
    title = f"{definition.title}, 2 players: {games} games, {setting.milliseconds:g} ms a move"
    lines = Lines(title=title, header_style="bold")
    headings = ("", "share of wins", "95 %", "moves with a choice", "ms a move", "longest", "simulations a move")
    for number, heading in enumerate(headings):
        lines.add_column(heading, justify="right" if number else "left")
    low, high = share.low or 0.0, share.high or 0.0
    sides = {"ours": (share.value, low, high), "theirs": (1 - share.value, 1 - high, 1 - low)}
    names = {"ours": "our search", "theirs": "OpenSpiel’s MCTS, C++"}
    for side, (value, least, most) in sides.items():
        spent = match.effort(side)
        lines.add_row(
            names[side], f"{value:.1%}", f"{least:.1%} – {most:.1%}", f"{spent.moves:,}", f"{spent.milliseconds:.2f}",
            f"{1000 * spent.longest:.1f}", f"{spent.simulations_a_move:,.1f}",
        )  # fmt: skip
    return lines


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description="Our search against OpenSpiel’s MCTS through our adapter: two players, the same time for every "
        "move, every pair of games with the same dice and seats changed. Ctrl-C shows what is done."
    )
    parser.add_argument("game", choices=GAMES, metavar="GAME", help=" or ".join(GAMES))
    parser.add_argument("--games", type=int, default=400, help="how many, played in pairs (400)")
    parser.add_argument("--milliseconds", type=float, default=20, metavar="MS", help="time for a move (20)")
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="play side by side; 1 disturbs least (1)")
    parser.add_argument("--seed", type=int, default=1, help="of dice and sides (1)")
    parser.add_argument("--uct", type=float, default=Setting.uct, metavar="C",
                        help=f"how much OpenSpiel’s search explores ({Setting.uct:g})")  # fmt: skip
    parser.add_argument("--no-solve", dest="solve", action="store_false",
                        help="do not let OpenSpiel’s search look for proven wins")  # fmt: skip
    parser.add_argument("--save", type=Path, metavar="FILE.json", help="write everything there")
    asked = parser.parse_args()
    if min(asked.games, asked.milliseconds, asked.processes) <= 0:
        parser.error("--games, --milliseconds and --processes are more than 0")
    return asked


def main() -> None:
    """Play, print, write."""
    asked, console = options(), Console()
    if console.width < 110:
        console = Console(width=110)
    setting, pairs = Setting(asked.game, asked.milliseconds, asked.seed, asked.uct, asked.solve), -(-asked.games // 2)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, refresh_per_second=1) as progress:  # drawing costs both sides a little
        bar = progress.add_task("Getting ready", total=2 * pairs)

        def tell(match: Match) -> None:
            said = f"{setting.game}: ours won {match.share().value:.0%}"
            progress.update(bar, description=said, completed=2 * len(match.pairs))

        match = play_match(setting, pairs, asked.processes, tell)
    speeds = " and ".join(f"{rate:,.0f} in {name}" for name, rate in match.speeds.items())
    console.print(f"OpenSpiel’s search makes so many simulations a second: {speeds}; it plays in C++.")
    if not match.pairs:
        sys.exit("Stopped before the first two games were over.")
    console.print(shown(match))
    if asked.save:
        asked.save.write_text(json.dumps(match.as_dict(), indent=1) + "\n", "utf-8")
        console.print(f"Written to {asked.save}.")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("Stopped before anything was played.")
    except (DracothequeError, ImportError) as error:
        sys.exit(str(error))
