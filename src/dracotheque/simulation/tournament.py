"""Tournaments: every seating of a field plays the same dice, deal after deal; who wins, how often, and how sure it is.

In a script of your own that plays in several processes, guard the call by `if __name__ == "__main__":`, since every
process begins by importing the script.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import multiprocessing
import shlex
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from dracotheque.bots import Bot, make_bot
from dracotheque.bots.player_view import PlayerView, player_view
from dracotheque.engine.atomic_write import atomic_write
from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Game
from dracotheque.engine.jit import cache
from dracotheque.engine.registry import find_game
from dracotheque.simulation.simulate import asked, play_with_bots
from dracotheque.simulation.statistics import Estimate, Tally, ratings, share_over_deals

Seating = tuple[int, ...]
"""A seating: for each seat an index into the field."""
Winners = list[list[int]]
"""The seats that won a deal, seating by seating."""

FORMAT = 1  # of saved tournaments


# --- Settings -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Settings:
    """All that determines the games of a tournament; only deals of equal settings are added up."""

    game: str
    rules: int
    players: int
    options: dict[str, str]
    board: str | None
    board_data: dict[str, Any] | None
    bots: list[str]
    seed: int
    code: str
    """A hash of the rules and the bots: figures of a bot that has changed since would be figures of two bots."""

    @cached_property
    def names(self) -> list[str]:
        """The names in the field, each once."""
        return list(dict.fromkeys(self.bots))

    @cached_property
    def seatings(self) -> list[Seating]:
        """Every combination of the field in every rotation; where names are repeated, one of several equal seatings."""
        found: dict[tuple[str, ...], Seating] = {}
        for table in itertools.combinations(range(len(self.bots)), self.players):
            for turn in range(self.players):
                seating = table[turn:] + table[:turn]
                found.setdefault(tuple(self.bots[place] for place in seating), seating)
        return list(found.values())

    @property
    def fair(self) -> float:
        """The share of wins of a bot among its equals."""
        return 1 / self.players

    def command(self, deals: range) -> str:
        """The command line that plays these deals again."""
        usual = {name: option.values[0] for name, option in find_game(self.game).options.items()}
        options = [f"--option={name}={value}" for name, value in self.options.items() if usual.get(name) != value]
        board = [f"--board={self.board}"] if self.board else []
        first = ["--first-deal", str(deals.start)] if deals.start else []
        table = [self.game, "--bots", ",".join(self.bots), "--players", str(self.players), *options, *board]
        return shlex.join(
            ["dracotheque", "tournament", *table, "--deals", str(len(deals)), *first, "--seed", str(self.seed)]
        )


def settle(game: Game, bots: Sequence[str], seed: int) -> Settings:
    """Return the settings of a tournament; an unknown bot, or fewer bots than players, raises an error."""
    if len(bots) < game.players:
        raise DracothequeError(
            f"--bots must name {game.players} bots or more for {game.players} players (got {len(bots)})."
            f" A name may be repeated: --bots {','.join(['greedy', *['random'] * (game.players - 1)])}."
        )
    for bot in bots:
        make_bot(bot, seed, game)
    own = game.board if game.board and game.board.source else None
    return Settings(
        game=game.name,
        rules=game.rules_version,
        players=game.players,
        options=dict(game.options),
        board=own.source if own else None,
        board_data=own.data if own else None,
        bots=list(bots),
        seed=seed,
        code=_hash_of_code(game, bots),
    )


def _hash_of_code(game: Game, bots: Iterable[str]) -> str:
    """Hash the engine, the game's rules, all bots with their weights, and the files of bots that are named by file."""
    folders = (cache.PACKAGE / "bots", game.definition.folder)
    shipped = [path for folder in folders for kind in ("*.py", "*.npz") for path in folder.rglob(kind)]
    rules = cache.sources(game.rules.__name__)
    total = hashlib.sha256(cache.digest([*rules, *sorted(shipped)]).encode())
    for file in dict.fromkeys(bot.rpartition(":")[0] for bot in bots):
        if file.endswith(".py"):
            total.update(Path(file).read_bytes())
    return total.hexdigest()[:16]


# --- Deals -------------------------------------------------------------------------------------------------------
@dataclass
class Times:
    """How much time a bot used."""

    decisions: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def add(self, other: Times) -> None:
        """Add what another measured."""
        self.decisions += other.decisions
        self.seconds += other.seconds
        self.longest = max(self.longest, other.longest)


@dataclass(frozen=True)
class Deal:
    """One seed of the dice, played in every seating."""

    number: int
    winners: Winners
    times: dict[str, Times]
    seconds: float


@dataclass
class Tournament:
    """The deals of a tournament that are played."""

    settings: Settings
    wanted: range = range(0)
    deals: dict[int, Winners] = field(default_factory=dict)
    times: dict[str, Times] = field(default_factory=dict)
    seconds: float = 0.0
    """Time of play, that of all processes together."""

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.deals) * len(self.settings.seatings)

    @property
    def missing(self) -> list[int]:
        """The deals that are wanted and not yet played."""
        return [number for number in self.wanted if number not in self.deals]

    def add(self, deal: Deal) -> None:
        """Add a deal."""
        self.deals[deal.number] = deal.winners
        self.seconds += deal.seconds
        self.add_times(deal.times)

    def add_times(self, times: dict[str, Times]) -> None:
        """Add the times of the bots."""
        for name, added in times.items():
            self.times.setdefault(name, Times()).add(added)

    def commands(self) -> list[str]:
        """The command lines that play all this again: one, unless there are gaps between the deals."""
        runs = itertools.groupby(enumerate(sorted(self.deals)), lambda pair: pair[1] - pair[0])
        blocks = [[number for _, number in run] for _, run in runs]
        return [self.settings.command(range(block[0], block[-1] + 1)) for block in blocks]

    def as_dict(self) -> dict[str, object]:
        """Everything, ready for JSON."""
        return {
            "tournament": FORMAT,
            "settings": asdict(self.settings),
            "games": self.games,
            "seconds": round(self.seconds, 6),
            "fair_share": round(self.settings.fair, 6),
            "standings": [standing.as_dict() for standing in standings(self)],
            "pairs": [pair.as_dict() for pair in pairs(self)],
            "commands": self.commands(),
            "times": {name: asdict(times) for name, times in self.times.items()},
            "deals": {str(number): self.deals[number] for number in sorted(self.deals)},
        }


# --- Playing -------------------------------------------------------------------------------------------------------
class TimedBot:
    """A bot whose time is measured."""

    def __init__(self, bot: Bot, times: Times) -> None:
        """Add the time of every choice to `times`."""
        self.bot, self.times = bot, times

    def choose(self, view: PlayerView) -> int:
        """Choose as the bot does."""
        began = time.perf_counter()
        action = self.bot.choose(view)
        taken = time.perf_counter() - began
        self.times.add(Times(1, taken, taken))
        return action


def play_deal(game: Game, settings: Settings, number: int) -> Deal:
    """Play one deal in every seating: the same dice, and the same chance in every bot, whatever seat it has."""
    began = time.perf_counter()
    times = {name: Times() for name in settings.names}
    winners: Winners = []
    for seating in settings.seatings:
        bots = [_bot(game, settings, number, place, times) for place in seating]
        state, _ = play_with_bots(game, bots, Random(f"{settings.seed}/{number}"))
        winners.append(state.winners())
    return Deal(number, winners, times, time.perf_counter() - began)


def _bot(game: Game, settings: Settings, deal: int, place: int, times: dict[str, Times]) -> Bot:
    """Make the bot of a place in the field, with the seed of a deal."""
    name = settings.bots[place]
    seed = Random(f"{settings.seed}/{deal}/{place}").getrandbits(62)
    return TimedBot(make_bot(name, seed, game), times[name])


def rehearse(game: Game, settings: Settings) -> None:
    """Let every bot choose once, so that all is compiled and loaded before times are measured."""
    state, chance = game.new_initial_state(), Random(0)
    while not state.is_terminal():
        if state.current_player() == CHANCE:
            state.apply_action(state.sample_chance(chance))
            continue
        seat = asked(state)[0]
        shown = player_view(state, seat)
        if len(shown.legal_actions) > 1:
            for name in settings.names:
                make_bot(name, settings.seed, game).choose(shown)
            return
        state.apply_action(shown.legal_actions[0], seat)


def play(
    game: Game,
    done: Tournament,
    processes: int = 1,
    keep: Callable[[Deal], None] = lambda deal: None,
    tell: Callable[[Tournament], None] = lambda done: None,
) -> None:
    """Play the deals that are missing; the results do not depend on the number of processes.

    `keep` is called with every deal, `tell` with the progress, and Ctrl-C ends it with what is done so far.
    """
    missing = done.missing
    workers = min(processes, len(missing))
    try:
        tell(done)
        if workers == 1:
            dealt = (play_deal(game, done.settings, number) for number in missing)
        else:
            dealt = _in_processes(game, done.settings, missing, workers)
        for deal in dealt:
            keep(deal)
            done.add(deal)
            tell(done)
    except KeyboardInterrupt:
        pass


_worker: tuple[Game, Settings] | None = None  # what a worker process plays


def _start_worker(settings: Settings, interpreted: bool) -> None:
    """Load the game in a new process."""
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one decides when to stop
    definition = find_game(settings.game)
    game = Game(definition, settings.players, settings.options, board=settings.board_data, interpreted=interpreted)
    rehearse(game, settings)
    _worker = game, settings


def _play_in_worker(number: int) -> Deal:
    """Play a deal in a worker process."""
    assert _worker is not None
    return play_deal(*_worker, number)


def _in_processes(game: Game, settings: Settings, numbers: Sequence[int], processes: int) -> Iterator[Deal]:
    """Play deals side by side; they come as they are finished."""
    if not numbers:
        return
    others = set(multiprocessing.active_children())
    # Spawned, not forked: this process has threads (the progress bar, perhaps a bot's), which a fork would tear apart.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, context, _start_worker, (settings, game.runtime.interpreted))
    todo = iter(numbers)
    try:
        with _interrupts_ignored():
            waiting = {pool.submit(_play_in_worker, number) for number in itertools.islice(todo, 2 * processes)}
        while waiting:
            finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            waiting |= {pool.submit(_play_in_worker, number) for number in itertools.islice(todo, len(finished))}
            for future in finished:
                yield future.result()
    except BrokenProcessPool:
        raise DracothequeError(
            "A process ended, perhaps for lack of memory. Use fewer: --processes 1 shows its error."
        ) from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()  # or a bot that searches for long would be waited for


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Ignore Ctrl-C, also in the processes that are started here, from their first import on."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


# --- Keeping -------------------------------------------------------------------------------------------------------
class Store:
    """The files of a tournament: FILE.json when it is finished; FILE.json.part, deal by deal, while it is played."""

    def __init__(self, path: Path) -> None:
        """Name the files; nothing is written yet."""
        self.path = path
        self.part = path.with_name(path.name + ".part")

    def resume(self, settings: Settings) -> Tournament:
        """Read what is done already; a file of another tournament is refused."""
        done = Tournament(settings)
        if self.path.exists():
            done = read(self.path)
            require_same(self.path, done.settings, settings)
        if self.part.exists():
            for deal in self._unfinished(settings):
                if deal.number not in done.deals:
                    done.add(deal)
        return done

    def _unfinished(self, settings: Settings) -> list[Deal]:
        """Read the deals of a tournament that was stopped; a line that was not written to its end is no deal."""
        head, *lines = _whole_lines(self.part) or [json.dumps({"tournament": FORMAT, "settings": asdict(settings)})]
        with _explained(self.part):
            require_same(self.part, _settings(json.loads(head)), settings)
            return [_deal(json.loads(line), settings) for line in lines]

    @contextmanager
    def writing(self, settings: Settings) -> Iterator[Callable[[Deal], None]]:
        """Open the part for one deal after another."""
        kept = "".join(f"{line}\n" for line in _whole_lines(self.part)) if self.part.exists() else ""
        with self.part.open("r+" if self.part.exists() else "w", encoding="utf-8", newline="\n") as file:
            file.seek(len(kept.encode()))
            file.truncate()

            def write(entry: dict[str, object]) -> None:
                file.write(json.dumps(entry, separators=(",", ":")) + "\n")
                file.flush()

            if not kept:
                write({"tournament": FORMAT, "settings": asdict(settings)})
            yield lambda deal: write(asdict(deal))

    def finish(self, done: Tournament) -> None:
        """Write everything into one file, and remove the part."""
        with atomic_write(self.path) as partial:
            partial.write_text(json.dumps(done.as_dict()) + "\n", "utf-8")
        self.part.unlink(missing_ok=True)


def _whole_lines(path: Path) -> list[str]:
    """The lines of a file that were written to their end."""
    return path.read_text("utf-8").split("\n")[:-1]


def read(path: Path) -> Tournament:
    """Read a saved tournament."""
    with _explained(path):
        document = json.loads(path.read_text("utf-8"))
        done = Tournament(_settings(document), seconds=float(document["seconds"]))
        done.add_times(_times(document["times"]))
        done.deals = {int(number): _checked(winners, done.settings) for number, winners in document["deals"].items()}
    return done


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn errors of reading into a sentence about the file."""
    try:
        yield
    except FileNotFoundError:
        raise DracothequeError(f"There is no file {path}.") from None
    except DracothequeError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError):
        raise DracothequeError(f"{path} is not a saved tournament, or it is damaged. Name another file.") from None


def _settings(document: dict[str, Any]) -> Settings:
    """Read the settings from a file's head."""
    if document["tournament"] != FORMAT:
        raise ValueError
    return Settings(**document["settings"])


def _deal(entry: dict[str, Any], settings: Settings) -> Deal:
    """Read a deal."""
    winners = _checked(entry["winners"], settings)
    return Deal(int(entry["number"]), winners, _times(entry["times"]), float(entry["seconds"]))


def _times(entries: dict[str, Any]) -> dict[str, Times]:
    """Read the times of the bots."""
    return {name: Times(**entry) for name, entry in entries.items()}


def _checked(winners: Winners, settings: Settings) -> Winners:
    """Refuse winners that do not fit the seatings."""
    seats = range(settings.players)
    if len(winners) != len(settings.seatings) or any(seat not in seats for won in winners for seat in won):
        raise ValueError
    return winners


def require_same(path: Path, there: Settings, here: Settings) -> None:
    """Raise an error that says what differs for a file of another tournament."""
    differs = [f.name for f in fields(Settings) if getattr(there, f.name) != getattr(here, f.name)]
    if differs == ["code"]:
        raise DracothequeError(f"{path} was played by other code: rules or bots have changed since. Name another file.")
    if differs:
        shown = [name for name in differs if name not in ("code", "board_data")] or ["board"]
        listed = "; ".join(f"{name} {getattr(there, name)} there, {getattr(here, name)} here" for name in shown)
        raise DracothequeError(f"{path} is another tournament: {listed}. Name another file.")


def merge(paths: Sequence[Path]) -> Tournament:
    """Add saved tournaments up: the same settings, and no deal twice."""
    first, *others = [read(path) for path in paths]
    for path, other in zip(paths[1:], others, strict=True):
        require_same(path, other.settings, first.settings)
        if twice := sorted(first.deals.keys() & other.deals.keys()):
            raise DracothequeError(f"Deal {twice[0]} of {path} is also in another file. Name each deal once.")
        first.deals |= other.deals
        first.seconds += other.seconds
        first.add_times(other.times)
    return first


# --- Summing up ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Standing:
    """The results of the bots of one name."""

    bot: str
    seats: int
    wins: float
    share: Estimate
    times_fair: Estimate
    rating: Estimate
    bound: str
    """`<` where no game was won, so that the rating is only known to be less; `>` where none was lost; else empty."""
    times: Times

    @property
    def mean_ms(self) -> float:
        """Mean milliseconds for a decision."""
        return 1000 * self.times.seconds / max(self.times.decisions, 1)

    @property
    def longest_ms(self) -> float:
        """Milliseconds for the longest decision."""
        return 1000 * self.times.longest

    def as_dict(self) -> dict[str, object]:
        """Ready for JSON."""
        return {
            "bot": self.bot,
            "seats": self.seats,
            "wins": round(self.wins, 4),
            "share": self.share.as_dict(),
            "times_fair": self.times_fair.as_dict(),
            "rating": self.rating.as_dict() | {"bound": self.bound or None},
            "decisions": self.times.decisions,
            "mean_ms": round(self.mean_ms, 4),
            "longest_ms": round(self.longest_ms, 4),
        }


@dataclass(frozen=True)
class Pair:
    """Of two bots, how often the one beat the other where one of them won alone."""

    bot: str
    other: str
    games: int
    share: Estimate

    def as_dict(self) -> dict[str, object]:
        """Ready for JSON."""
        return {"bot": self.bot, "other": self.other, "games": self.games, "share": self.share.as_dict()}


def tally(done: Tournament) -> Tally:
    """Count the wins of every deal."""
    settings = done.settings
    seated = [[settings.names.index(settings.bots[place]) for place in seating] for seating in settings.seatings]
    tables = sorted({tuple(sorted(names)) for names in seated})
    table_of = [tables.index(tuple(sorted(names))) for names in seated]
    won = np.zeros((len(done.deals), len(tables), len(settings.names)))
    alone = np.zeros_like(won)
    for row, number in enumerate(sorted(done.deals)):
        for table, names, winners in zip(table_of, seated, done.deals[number], strict=True):
            for seat in winners:
                won[row, table, names[seat]] += 1 / len(winners)
                alone[row, table, names[seat]] += len(winners) == 1
    counts = np.array([np.bincount(names, minlength=len(settings.names)) for names in tables])
    return Tally(counts, np.bincount(table_of, minlength=len(tables)), won, alone)


def standings(done: Tournament) -> list[Standing]:
    """Return the results of every bot, the best first; before the first deal the list is empty."""
    if not done.deals:
        return []
    settings, counted = done.settings, tally(done)
    seats = counted.played @ counted.tables
    rated = ratings(counted)
    found: list[Standing] = []
    for name, bot in enumerate(settings.names):
        won = counted.won[:, :, name].sum(1)
        share = share_over_deals(won, np.full(len(won), seats[name]))
        seated, wins = int(seats[name]) * len(won), float(won.sum())
        measured = done.times.get(bot, Times())
        found.append(Standing(bot, seated, wins, share, share.times(settings.players), *rated[name], measured))
    return sorted(found, key=lambda standing: (-standing.rating.value, -standing.share.value))


def pairs(done: Tournament) -> list[Pair]:
    """Return the results of pairs, for two players and more than two names."""
    names = done.settings.names
    if done.settings.players != 2 or len(names) < 3 or not done.deals:
        return []
    counted = tally(done)
    found: list[Pair] = []
    for one, other in itertools.permutations(range(len(names)), 2):
        met = (counted.tables[:, one] == 1) & (counted.tables[:, other] == 1)
        won, lost = (counted.alone[:, met, name].sum(1) for name in (one, other))
        found.append(Pair(names[one], names[other], int((won + lost).sum()), share_over_deals(won, won + lost)))
    return found
