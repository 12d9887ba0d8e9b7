"""Boards as TOML files, so that owners of a printed board can enter theirs.

A game with such a board has a module `board_files` with `problems(data)`, which lists in sentences what is wrong with a
board, and `Board(data, source)`, whose `write_to(record)` writes the board into an empty record.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dracotheque.engine import registry
from dracotheque.engine.errors import DracothequeError, near, unknown

if TYPE_CHECKING:
    from dracotheque.engine.definition import GameDefinition

Source = str | Path | Mapping[str, Any]
"""The name of one of the game's boards, a file, or a board's data as a stored game has it."""


def open_board(definition: GameDefinition, source: Source | None) -> Any:
    """Return a board after checking it; None stands for the default board."""
    if not definition.has_board_files:
        if source is not None:
            raise DracothequeError(f"{definition.title} has only one board. Name no other.")
        return None
    module = registry.part(definition, "board_files", registry.no_defaults)
    if isinstance(source, Mapping):
        data = dict(source)
        called = str(data.get("name", "the stored board"))
    else:
        path = _find(definition, source)
        data = _read(path)
        called = path.name if source is None else str(source)
    problems: list[str] = module.problems(data)
    if problems:
        listed = "".join(f"\n  - {fault}" for fault in problems)
        raise DracothequeError(f"Nobody can play on {called}:{listed}")
    return module.Board(data, "" if source is None else called)


def names(definition: GameDefinition) -> list[str]:
    """Return the names of the other boards that come with a game."""
    return sorted(path.stem for path in (definition.folder / "boards").glob("*.toml"))


# --- What every board's `problems` begins with ----------------------------------------------------------------------
def key_problems(data: Mapping[str, Any], keys: tuple[str, ...], what: str) -> list[str]:
    """Return which keys a board lacks, and which it should not have."""
    missing = [f"“{key}” is missing." for key in keys if key not in data]
    strange = [
        f"“{key}” is no part of a {what}{near(key, keys)}: it has {listed(keys)}." for key in data if key not in keys
    ]
    return missing + strange


def name_problems(name: Any, what: str) -> Iterator[str]:
    """A board needs a name that can be shown."""
    if not (isinstance(name, str) and name.strip() and name.isprintable()):
        yield f"“name” should be a text of one line: what players call this {what}."


def listed(names: Iterable[object]) -> str:
    """Join names with commas and “and”."""
    *first, last = [str(name) for name in names]
    return f"{', '.join(first)} and {last}" if first else last


def _find(definition: GameDefinition, source: object) -> Path:
    """Find the file of a board by its name or path."""
    if source is None:
        return definition.folder / "board.toml"
    if str(source) in names(definition):
        return definition.folder / "boards" / f"{source}.toml"
    if not isinstance(source, str | Path):
        raise DracothequeError(f"A board is a name, a file, or a board’s data, not {source!r}.")
    path = Path(source).expanduser()
    if path.suffix != ".toml":
        raise unknown(f"{definition.title} board", str(source), [*names(definition), "FILE.toml"])
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
