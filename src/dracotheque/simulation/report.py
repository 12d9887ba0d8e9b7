"""The results of simulations and tournaments as tables."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Group
from rich.table import Table
from rich.text import Text

from dracotheque.bots import is_known
from dracotheque.engine.registry import find_game
from dracotheque.presentation.level_names import level_name
from dracotheque.simulation.progress import progress_bar
from dracotheque.simulation.simulate import Report
from dracotheque.simulation.statistics import Estimate
from dracotheque.simulation.tournament import Standing, Tournament, pairs, standings


@contextmanager
def progress(games: int, quiet: bool = False) -> Iterator[Callable[[Report], None]]:
    """Show a bar with the rate and the time left while games are played."""
    with progress_bar(quiet) as shown:
        task = shown.add_task("", total=games)

        def tell(report: Report) -> None:
            rate = report.games / report.seconds if report.seconds else 0
            shown.update(task, completed=report.games, description=f"{rate:,.0f} games/s")

        yield tell


@contextmanager
def tournament_progress(quiet: bool = False) -> Iterator[Callable[[Tournament], None]]:
    """Show a bar while a tournament is played; games of an earlier run count as done, but not for the rate."""
    with progress_bar(quiet) as shown:
        task = shown.add_task("")
        first: list[tuple[int, float]] = []  # the games before this run, and when it began

        def tell(done: Tournament) -> None:
            if not first:
                first.append((done.games, time.perf_counter()))
                shown.update(task, total=done.games + len(done.missing) * len(done.settings.seatings))
            before, began = first[0]
            rate = (done.games - before) / max(time.perf_counter() - began, 1e-9)
            words = f"{rate:,.1f} games/s" if rate < 10 else f"{rate:,.0f} games/s"
            shown.update(task, completed=done.games, description=words)

        yield tell


def table(report: Report) -> Group:
    """Return the totals of the games as a table."""
    game = report.game
    board = f" ({game.board.name})" if game.board and game.board.source else ""
    head = f"{game.definition.title}{board}, {game.players} players, {report.games:,} games"
    if report.games < report.wanted:
        head += f" of {report.wanted:,}: stopped early"
    seats = Table(title=head, title_justify="left")
    for heading in ("seat", "bot", "wins", "share", "95 % interval", "mean points", "± sd"):
        seats.add_column(heading, justify="left" if heading in ("seat", "bot") else "right")
    rows = zip(report.wins(), report.win_shares(), report.intervals(), report.mean_scores(), strict=True)
    for seat, (wins, share, (low, high), (mean, spread)) in enumerate(rows):
        interval = f"{100 * low:.2f} – {100 * high:.2f} %"
        name = game.words("en").entry(f"crest.{game.text.CRESTS[seat]}")
        bot = short_name(report.bots[seat])
        cells = (f"{seat + 1} {name}", bot, f"{wins:,.0f}", f"{100 * share:.2f} %", interval)
        seats.add_row(*cells, f"{mean:.2f}", f"{spread:.2f}")
    length, spread = report.length()
    lines = [f"decisions in a game: {length:.1f} ± {spread:.1f}"]
    book = game.rulebook()
    for rule, count in report.endings().items():
        if count:
            lines.append(f"ended by “{book[rule].title}”: {100 * count / report.games:.1f} %")
    if report.seconds:
        rate, decisions = report.games / report.seconds, report.decisions / report.seconds
        lines.append(f"{report.seconds:.2f} s: {rate:,.0f} games/s, {decisions:,.0f} decisions/s, seed {report.seed}")
    return Group(seats, Text("\n".join(lines)))


def short_name(bot: str) -> str:
    """Return a short name of a bot: the word for a level; for a bot from a file that of its class."""
    return level_name(bot) if is_known(bot) else bot.rpartition(":")[2]


# --- Tournaments ---------------------------------------------------------------------------------------------------
def tournament_table(done: Tournament) -> Group:
    """Return the results of the bots as a table."""
    settings = done.settings
    board = f" ({settings.board_data['name']})" if settings.board_data else ""
    head = f"{find_game(settings.game).title}{board}, {settings.players} players, {done.games:,} games"
    if left := len(done.missing):
        head += f" of {done.games + left * len(settings.seatings):,}: stopped early"
    rows = standings(done)
    shown: list[Table | Text] = [_standings_table(head, rows)]
    if len(settings.names) > 2 and settings.players == 2:
        shown.append(_pairs_table(done, [row.bot for row in rows]))
    lines = [
        f"fair share {100 * settings.fair:.1f} %; {len(done.deals):,} deals, each in {len(settings.seatings)} seatings",
        f"{done.seconds:,.1f} s of play, all processes together; brackets: 95 % intervals",
    ]
    if any(row.bound for row in rows):
        lines.append("< no game won, > no game lost: the rating is less, or more, than that")
    return Group(*shown, Text("\n".join(lines)))


def _standings_table(head: str, rows: list[Standing]) -> Table:
    """Return a table with a row for each bot."""
    table = Table(title=head, title_justify="left")
    for heading in ("bot", "seats", "share of wins", "× fair", "rating", "ms", "longest"):
        table.add_column(heading, justify="left" if heading == "bot" else "right", overflow="fold")
    for row in rows:
        rating = f"{row.bound} {row.rating.value:.0f}" if row.bound else with_interval(row.rating, 0)
        table.add_row(
            short_name(row.bot), f"{row.seats:,}", with_interval(row.share.times(100), 1, " %"),
            with_interval(row.times_fair, 2), rating, f"{row.mean_ms:,.2f}", f"{row.longest_ms:,.1f}",
        )  # fmt: skip
    return table


def _pairs_table(done: Tournament, bots: list[str]) -> Table:
    """Return the table of pairs: of the games that one of the two won alone, its share."""
    met = {(pair.bot, pair.other): pair for pair in pairs(done)}
    table = Table("beats", title="Who beat whom, in % of decided games", title_justify="left")
    for bot in bots:
        table.add_column(short_name(bot), justify="right", overflow="fold")
    for bot in bots:
        shares = [met[bot, other].share.times(100) if (bot, other) in met else None for other in bots]
        table.add_row(short_name(bot), *("" if share is None else with_interval(share, 1) for share in shares))
    return table


def with_interval(estimate: Estimate, digits: int, unit: str = "") -> str:
    """Write a value with its interval."""
    value = f"{estimate.value:.{digits}f}{unit}"
    if estimate.low is None or estimate.high is None:
        return value
    return f"{value} ({estimate.low:.{digits}f}–{estimate.high:.{digits}f})"
