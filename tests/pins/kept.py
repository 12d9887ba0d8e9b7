"""Files of recorded lines, compressed where they are long, and differences between two of them."""

from __future__ import annotations

import lzma
from collections.abc import Sequence
from difflib import unified_diff
from itertools import islice
from pathlib import Path

FOLDER = Path(__file__).with_name("data")
MAX_PLAIN_BYTES = 20_000
MAX_COMPARED_LINES, MAX_SHOWN_LINES = 2_000, 40


def path(name: str) -> Path:
    """Return the path of a pin."""
    short = FOLDER / f"{name}.txt"
    return short if short.is_file() else FOLDER / f"{name}.txt.xz"


def exists(name: str) -> bool:
    """Return whether a pin has a file."""
    return path(name).is_file()


def read(name: str) -> list[str]:
    """Return the lines of a pin."""
    file = path(name)
    data = file.read_bytes()
    return (lzma.decompress(data) if file.suffix == ".xz" else data).decode().splitlines()


def write(name: str, lines: Sequence[str]) -> int:
    """Write a pin; return its size in bytes."""
    path(name).unlink(missing_ok=True)
    data = "".join(f"{line}\n" for line in lines).encode()
    if len(data) <= MAX_PLAIN_BYTES:
        return (FOLDER / f"{name}.txt").write_bytes(data)
    return (FOLDER / f"{name}.txt.xz").write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))


def difference(name: str, was: Sequence[str], now: Sequence[str]) -> str:
    """Return a readable difference from the first other line on, empty where there is none."""
    if was == now:
        return ""
    first = next((n for n, (old, new) in enumerate(zip(was, now, strict=False)) if old != new), min(len(was), len(now)))
    start = max(first - 3, 0)
    lines = unified_diff(
        was[start : first + MAX_COMPARED_LINES], now[start : first + MAX_COMPARED_LINES], n=3, lineterm=""
    )
    where = ", ".join(filter(None, (last_with(sign, was[: first + 1]) for sign in ("==", "--"))))
    shown = list(islice(lines, 2, MAX_SHOWN_LINES))
    return "\n".join([
        f"{name} is not what it was, from line {first + 1} on{f' ({where})' if where else ''}:",
        *shown,
        f"If that is meant, write it anew and say why in the commit: python -m tests.pins.make {name}",
    ])  # fmt: skip


def last_with(sign: str, lines: Sequence[str]) -> str:
    """Return the last line that begins with a sign, or an empty one."""
    return next((line for line in reversed(lines) if line.startswith(sign)), "")
