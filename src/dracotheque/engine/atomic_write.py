"""Writing a file whole or not at all."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_write(path: Path) -> Generator[Path]:
    """Name a place beside a file to write it to; what fails or is stopped in between leaves the file as it was."""
    partial = path.with_name(f"{path.name}.partial")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
