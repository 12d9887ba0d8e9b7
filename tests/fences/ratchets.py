"""Count what may only become less in the sources; `python -m tests.fences.ratchets` prints each count and where.

`--lower` writes counts that have fallen to `limits.toml`; a limit is never raised by it.
"""

from __future__ import annotations

import argparse
import ast
import re
import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

SOURCES = Path(__file__).parents[2] / "src" / "dracotheque"
LIMITS = Path(__file__).with_name("limits.toml")
MAX_MODULE_LINES = 600
MAX_FUNCTION_LINES = 60

TEXT_SUFFIXES = (".css", ".html", ".js", ".py", ".ts")
MODULE_SUFFIXES = (".js", ".py", ".ts")
GENERATED = ("ptx/**", "**/vendor/**", "**/three.js", "**/*.d.ts", "**/rock_model.py")

# Where `Any` needs no reason, since Numba finds the types: functions with these decorators, and these files.
COMPILED_BY = {
    "compiled", "exported", "internal", "intrinsic", "kernel", "overload", "register_pass", "rule", "within",
}  # fmt: skip
KNOWS_NUMBA = (
    "engine/jit/**",
    "games/*/rules/**",
)


class Place(NamedTuple):
    """A file below the sources, a line of it (0: the file itself) and what stands there."""

    path: str
    line: int
    what: str

    def __str__(self) -> str:
        """Write it as editors and terminals understand it."""
        return f"{self.path}:{self.line}: {self.what}" if self.line else f"{self.path}: {self.what}"


@cache
def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def _parse(path: Path) -> ast.Module:
    return ast.parse(_read(path), str(path))


def _files(root: Path, suffixes: tuple[str, ...] = ()) -> Iterator[tuple[Path, str]]:
    """Yield every file below the root that is written by hand, with its path from there."""
    for path in sorted(root.rglob("*")):
        where = path.relative_to(root).as_posix()
        wanted = not suffixes or path.suffix in suffixes
        if wanted and path.is_file() and "__pycache__" not in path.parts and not _matches(where, GENERATED):
            yield path, where


def _matches(path: str, patterns: tuple[str, ...]) -> bool:
    """Tell whether one of the patterns fits; `*` stays within a folder, `**` does not."""
    return any(_pattern(each).fullmatch(path) for each in patterns)


@cache
def _pattern(glob: str) -> re.Pattern[str]:
    parts = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}
    return re.compile("".join(parts.get(each) or re.escape(each) for each in re.split(r"(\*\*/|\*\*|\*)", glob)))


def game_names(root: Path = SOURCES) -> Iterator[Place]:
    """Find names of a game outside its folder, in text and in the names of files; not what BUILT_IN lists."""
    folders = sorted(each.parent.name for each in (root / "games").glob("*/__init__.py"))
    names = {folder: _name(folder) for folder in folders}
    any_name = re.compile("|".join(each.pattern for each in names.values()), re.IGNORECASE)
    for path, where in _files(root):
        elsewhere = {game: name for game, name in names.items() if not where.startswith(f"games/{game}/")}
        yield from (Place(where, 0, f"a file named after {game}") for game in elsewhere if names[game].search(where))
        if path.suffix not in TEXT_SUFFIXES or not any_name.search(_read(path)):
            continue
        built_in = set(_built_in(path)) if where == "games/__init__.py" else set[int]()
        for number, line in enumerate(_read(path).splitlines(), 1):
            if number not in built_in:
                for name in elsewhere.values():
                    yield from (Place(where, number, found[0]) for found in name.finditer(line))


def _name(folder: str) -> re.Pattern[str]:
    """Match a game's name in every spelling: as folder, id, title and identifier (dragons_cave, Dragon’s Cave …)."""
    words = [re.sub("s$", "['’]?s", word) for word in folder.split("_")]
    return re.compile(rf"(?<![^\W_])(?:{'[-_ ]?'.join(words)})(?![^\W_])", re.IGNORECASE)


def _built_in(path: Path) -> Iterator[int]:
    """Yield the lines of the one list that names all games."""
    for node in _parse(path).body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        if any(isinstance(each, ast.Name) and each.id == "BUILT_IN" for each in targets):
            yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)


def long_modules(root: Path = SOURCES) -> Iterator[Place]:
    """Return modules of more than 600 lines; generated and vendored files may be longer."""
    for path, where in _files(root, MODULE_SUFFIXES):
        lines = len(_read(path).splitlines())
        if lines > MAX_MODULE_LINES:
            yield Place(where, 0, f"{lines} lines")


def long_functions(root: Path = SOURCES) -> Iterator[Place]:
    """Find functions of more than 60 lines, from `def` to the last, docstring included."""
    for path, where in _files(root, (".py",)):
        ahead: list[ast.AST] = [_parse(path)]
        while ahead:
            node = ahead.pop()
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > MAX_FUNCTION_LINES:
                    yield Place(where, node.lineno, f"{node.name}, {lines} lines")
            ahead.extend(each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.expr))


def uses_of_any(root: Path = SOURCES) -> Iterator[Place]:
    """Find uses of `typing.Any`, also in annotations written as strings, outside of what Numba compiles."""
    for path, where in _files(root, (".py",)):
        if "Any" in _read(path) and not _matches(where, KNOWS_NUMBA):
            tree = _parse(path)
            yield from (Place(where, line, "Any") for line in sorted(_lines_of_any(tree, *_names_of_any(tree))))


def _names_of_any(tree: ast.Module) -> tuple[set[str], set[str]]:
    """Return how a module calls `Any`, and how it calls `typing`."""
    names, modules = set[str](), set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in ("typing", "typing_extensions"):
            names |= {each.asname or each.name for each in node.names if each.name == "Any"}
        elif isinstance(node, ast.Import):
            modules |= {each.asname or each.name for each in node.names if each.name == "typing"}
    return names, modules


def _lines_of_any(tree: ast.AST, names: set[str], modules: set[str]) -> Iterator[int]:
    """Yield the line of each use, leaving out compiled functions."""
    ahead = [tree]
    while ahead:
        node = ahead.pop()
        if isinstance(node, ast.Name):
            if node.id in names:
                yield node.lineno
            continue
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr == "Any" and node.value.id in modules:
                yield node.lineno
            continue
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not COMPILED_BY.isdisjoint(_decorators(node)):
            continue
        for text, line in _quoted_types(node):
            with suppress(SyntaxError):
                yield from (line for _ in _lines_of_any(ast.parse(text, mode="eval"), names, modules))
        ahead.extend(ast.iter_child_nodes(node))


def _quoted_types(node: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield the strings in a node's own annotations and in the type that `cast` is given, each with its line."""
    types: list[ast.expr | None] = []
    if isinstance(node, ast.arg | ast.AnnAssign):
        types = [node.annotation]
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        types = [node.returns]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "cast":
        types = [*node.args[:1]]
    for each in types:
        for inside in ast.walk(each) if each else ():
            if isinstance(inside, ast.Constant) and isinstance(inside.value, str):
                yield inside.value, inside.lineno


def _decorators(node: ast.FunctionDef | ast.ClassDef) -> Iterator[str]:
    """Yield the last name of each decorator: `internal` of `@linking.internal(…)`."""
    for each in node.decorator_list:
        called = each.func if isinstance(each, ast.Call) else each
        if isinstance(called, ast.Attribute | ast.Name):
            yield called.attr if isinstance(called, ast.Attribute) else called.id


class Ratchet(NamedTuple):
    """What is counted, by which function, and what to do where it became more."""

    title: str
    find: Callable[[Path], Iterator[Place]]
    advice: str


RATCHETS = {
    "game_names": Ratchet(
        "names of a game outside its folder",
        game_names,
        "Move what only this game needs into games/NAME, and ask the game for it; in an example or a comment, say it of"
        " no particular game.",
    ),
    "long_modules": Ratchet(
        f"modules over {MAX_MODULE_LINES} lines", long_modules, "Split it: a file has one job. Or delete something."
    ),
    "long_functions": Ratchet(
        f"functions over {MAX_FUNCTION_LINES} lines", long_functions, "Split it where a comment would name a part."
    ),
    "uses_of_any": Ratchet(
        "uses of Any outside rules",
        uses_of_any,
        "Name the type, or write a Protocol. A function that Numba compiles says so by its decorator.",
    ),
}


def limits() -> dict[str, int]:
    """Return the numbers that no count may pass."""
    return tomllib.loads(_read(LIMITS))


def complaint(name: str, places: list[Place], limit: int) -> str:
    """Return what is wrong with a count, and what to do; nothing if it is the limit."""
    ratchet, count = RATCHETS[name], len(places)
    if count > limit:
        listed = "".join(f"\n  {place}" for place in places)
        return f"{count} {ratchet.title}, and {limit} are the limit. {ratchet.advice} All of them:{listed}"
    if count < limit:
        return (
            f"Only {count} {ratchet.title} are left, and the limit is {limit}. Write `{name} = {count}` in"
            " tests/fences/limits.toml, in the same commit (`python -m tests.fences.ratchets --lower` does it)."
        )
    return ""


def lower(text: str, counts: dict[str, int]) -> str:
    """Return the text of `limits.toml` with every limit that was higher than its count lowered to it."""

    def limit(line: re.Match[str]) -> str:
        return f"{line[1]} = {min(int(line[2]), counts[line[1]])}"

    return re.sub(r"^(\w+) = (\d+)$", limit, text, flags=re.MULTILINE)


def main() -> None:
    """Print every count and its places."""
    parser = argparse.ArgumentParser(prog="python -m tests.fences.ratchets", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which of {', '.join(RATCHETS)} (all)")
    parser.add_argument("--lower", action="store_true", help="write counts that have fallen to limits.toml")
    parser.add_argument("--brief", action="store_true", help="print the counts alone")
    chosen = parser.parse_args()
    found = {name: list(RATCHETS[name].find(SOURCES)) for name in RATCHETS if name in (chosen.names or RATCHETS)}
    for name, places in found.items():
        print(f"{name}: {len(places)} {RATCHETS[name].title}, the limit is {limits()[name]}")
        for place in () if chosen.brief else places:
            print(f"  {place}")
    if chosen.lower:
        counts = limits() | {name: len(places) for name, places in found.items()}
        LIMITS.write_text(lower(_read(LIMITS), counts), encoding="utf-8")


if __name__ == "__main__":
    main()
