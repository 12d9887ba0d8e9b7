"""Progress and tables for the laboratory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console, Group
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from dracotheque.bots import is_known
from dracotheque.lab.simulate import Report


@contextmanager
def progress(games: int, quiet: bool = False) -> Iterator[Callable[[Report], None]]:
    """Show a bar with the rate and the time left while games are played."""
    with _progress(quiet) as shown:
        task = shown.add_task("", total=games)

        def tell(report: Report) -> None:
            rate = report.games / report.seconds if report.seconds else 0
            shown.update(task, completed=report.games, description=f"{rate:,.0f} games/s")

        yield tell


@contextmanager
def bar(total: int, text: str) -> Iterator[Callable[[int], None]]:
    """Show a plain bar."""
    with _progress(False) as shown:
        task = shown.add_task(text, total=total)
        yield lambda count: shown.advance(task, count)


def _progress(quiet: bool) -> Progress:
    """Set up a bar on the error stream, so that the output stays clean."""
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        TextColumn("left"), TimeRemainingColumn(),
    )  # fmt: skip
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet)


def table(report: Report) -> Group:
    """Lay out what the games added up to."""
    game = report.game
    board = f" ({game.board.name})" if game.board and game.board.source else ""
    head = f"{game.box.title}{board}, {game.players} players, {report.games:,} games"
    if report.games < report.wanted:
        head += f" of {report.wanted:,}: stopped early"
    seats = Table(title=head, title_justify="left")
    for heading in ("seat", "bot", "wins", "share", "95 % interval", "mean points", "± sd"):
        seats.add_column(heading, justify="left" if heading in ("seat", "bot") else "right")
    rows = zip(report.wins(), report.win_shares(), report.intervals(), report.mean_scores(), strict=True)
    for seat, (wins, share, (low, high), (mean, spread)) in enumerate(rows):
        interval = f"{100 * low:.2f} – {100 * high:.2f} %"
        name = game.scene.CRESTS[seat]
        bot = report.bots[seat] if is_known(report.bots[seat]) else report.bots[seat].rpartition(":")[2]
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
