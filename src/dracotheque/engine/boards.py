"""Boards that are data: a TOML file a board, so that owners of a printed one can type theirs in.

A game whose box says `board=True` has a module `board` with `faults(data)`, which says in words what is wrong with a
board, and `Board(data, source)`, whose `lay_out(record)` writes the board into an empty record.
"""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dracotheque.engine.errors import DracothequeError, near, unknown

if TYPE_CHECKING:
    from dracotheque.engine.game import Box

Source = str | Path | Mapping[str, Any]
"""The name of one of the box's boards, a file, or a board's data as a stored game has it."""


def open_board(box: Box, source: Source | None) -> Any:
    """Read a board and see that it can be played on; None is the box's usual one."""
    if not box.board:
        if source is not None:
            raise DracothequeError(f"{box.title} has only one board.")
        return None
    module = importlib.import_module(f"{box.package}.board")
    if isinstance(source, Mapping):
        data = dict(source)
        called = str(data.get("name", "the stored board"))
    else:
        path = _find(box, source)
        data = _read(path)
        called = path.name if source is None else str(source)
    faults: list[str] = module.faults(data)
    if faults:
        listed = "".join(f"\n  - {fault}" for fault in faults)
        raise DracothequeError(f"Nobody can play on {called}:{listed}")
    return module.Board(data, "" if source is None else called)


def names(box: Box) -> list[str]:
    """Name the other boards that come with a box."""
    return sorted(path.stem for path in (box.folder / "boards").glob("*.toml"))


# --- What every board's `faults` begins with ----------------------------------------------------------------------
def key_faults(data: Mapping[str, Any], keys: tuple[str, ...], what: str) -> list[str]:
    """Say which keys a board lacks, and which it should not have."""
    missing = [f"“{key}” is missing." for key in keys if key not in data]
    strange = [
        f"“{key}” is no part of a {what}{near(key, keys)}: it has {listed(keys)}." for key in data if key not in keys
    ]
    return missing + strange


def name_faults(name: Any, what: str) -> Iterator[str]:
    """A board needs a name that can be shown."""
    if not (isinstance(name, str) and name.strip() and name.isprintable()):
        yield f"“name” should be a text of one line: what players call this {what}."


def listed(names: Iterable[object]) -> str:
    """Write names one after the other."""
    *first, last = [str(name) for name in names]
    return f"{', '.join(first)} and {last}" if first else last


def _find(box: Box, source: str | Path | None) -> Path:
    """Find the file of a board by its name or path."""
    if source is None:
        return box.folder / "board.toml"
    if str(source) in names(box):
        return box.folder / "boards" / f"{source}.toml"
    path = Path(source).expanduser()
    if path.suffix != ".toml":
        raise unknown(f"board of {box.title}", str(source), [*names(box), "FILE.toml"])
    return path


def _read(path: Path) -> dict[str, Any]:
    """Read a TOML file."""
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise DracothequeError(f"There is no file {path}.") from None
    except OSError as error:
        raise DracothequeError(f"{path} cannot be read: {error.strerror}.") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise DracothequeError(f"{path} is not written in TOML: {error}.") from error
