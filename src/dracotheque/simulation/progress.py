"""Progress bars for long work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


@contextmanager
def bar(total: int, text: str) -> Iterator[Callable[[int], None]]:
    """Show a plain bar."""
    with progress_bar(False) as shown:
        task = shown.add_task(text, total=total)
        yield lambda count: shown.advance(task, count)


def progress_bar(quiet: bool) -> Progress:
    """Set up a bar on the error stream, so that the output stays clean."""
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        TextColumn("left"), TimeRemainingColumn(),
    )  # fmt: skip
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet)
