"""The help of every command at 80 columns; `python -m tests.wording.command_help` writes it to `command_help.txt`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dracotheque.cli import make_parser

FILE = Path(__file__).with_name("command_help.txt")
COLUMNS = 80


def command_parsers() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of every command by its name."""
    (commands,) = (each for each in make_parser()._actions if isinstance(each, argparse._SubParsersAction))
    return dict(commands.choices)


@contextmanager
def _columns() -> Iterator[None]:
    """Let argparse write for a terminal of 80 columns without colours."""
    kept = {name: os.environ.get(name) for name in ("COLUMNS", "NO_COLOR")}
    os.environ.update(COLUMNS=str(COLUMNS), NO_COLOR="1")
    try:
        yield
    finally:
        for name, value in kept.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def helps() -> str:
    """Return the help of `dracotheque` and of all its commands, one after the other."""
    with _columns():
        parsers = {"": make_parser(), **command_parsers()}
        parts = (
            f"$ {f'dracotheque {name}'.rstrip()} --help\n{parser.format_help()}" for name, parser in parsers.items()
        )
        return "\n\n".join(parts)


def main() -> None:
    """Write the file again."""
    FILE.write_text(helps(), "utf-8")


if __name__ == "__main__":
    main()
