"""What the studies share: shares with their intervals, what is kept of an unfinished run, and writing into a report."""

from __future__ import annotations

import hashlib
import json
import platform
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dracotheque.engine.atomic_write import atomic_write
from dracotheque.simulation.simulate import wilson


@dataclass(frozen=True)
class Share:
    """A share of games with its 95 % interval."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, count: float, games: int, scale: float = 1.0) -> Share:
        """Count games; `scale` 3 gives parts of a fair share among three."""
        low, high = wilson(count, games)
        return cls(count / games * scale, low * scale, high * scale)


class Store:
    """What is done so far, kept on disk, so that an interrupted study goes on where it was."""

    def __init__(self, key: str, file: Path | None) -> None:
        """Take up what was played under the same key: by the same players, with the same rules."""
        self.file = file
        self.key = key
        self.done: dict[str, Any] = {}
        self.seconds = [0.0, 0.0]
        if file and file.exists():
            kept = json.loads(file.read_text("utf-8"))
            if kept["key"] == self.key:
                self.done, self.seconds = kept["done"], kept["seconds"]

    def keep(self, name: str, done: Any) -> None:
        """Remember a job."""
        self.done[name] = done
        self.save()

    def save(self) -> None:
        """Write everything down."""
        if self.file:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(self.file) as partial:
                partial.write_text(json.dumps({"key": self.key, "seconds": self.seconds, "done": self.done}), "utf-8")

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Add up the time by the clock, and that of the processor."""
        clock, processor = time.perf_counter(), time.process_time()
        before = self.seconds
        try:
            yield
        finally:
            self.seconds = [before[0] + time.perf_counter() - clock, before[1] + time.process_time() - processor]
            self.save()


def key_of(files: Iterable[Path], settings: str = "") -> str:
    """Hash what figures come from."""
    total = hashlib.sha256(settings.encode())
    for file in files:
        total.update(file.read_bytes())
    return total.hexdigest()[:16]


# --- Words and tables ---------------------------------------------------------------------------------------------
def percent(share: Share, digits: int = 0) -> str:
    """Write a share of games with its interval."""
    return f"{100 * share.value:.{digits}f} ({100 * share.low:.{digits}f}–{100 * share.high:.{digits}f})"


def fair(share: Share) -> str:
    """Write a part of a fair share with its interval."""
    return f"{share.value:.2f} ({share.low:.2f}–{share.high:.2f})"


def table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Lay out a table."""
    heads = list(headings)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [heads, ["---"] * len(heads), *rows])


def processor() -> str:
    """Name the machine's processor."""
    info = Path("/proc/cpuinfo")
    found = re.search(r"^model name\s*:\s*(.+)$", info.read_text(), re.MULTILINE) if info.exists() else None
    return re.sub(r"\((R|TM)\)", "", found[1] if found else platform.processor() or platform.machine())


def write_between(page: str, name: str, words: str) -> str:
    """Replace what stands between a page's two marks of that name."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    before, _, rest = page.partition(begin)
    after = rest.partition(end)[2]
    return f"{before}{begin}\n{words}\n{end}{after}"
