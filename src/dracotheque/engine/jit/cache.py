"""The cache of compiled code: a folder for each module and hash of its sources, so that code is never stale."""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from dracotheque.engine.errors import DracothequeError

PACKAGE = Path(__file__).parents[2]
ENGINE = f"{PACKAGE.name}.engine"
KEPT = 4  # folders of earlier sources kept, for people who switch between branches


@functools.cache
def sources(*modules: str) -> tuple[Path, ...]:
    """Return the files that compiled code of modules is made of: these, what they import of their packages, the engine.

    Imports are followed in the text, so nothing is executed; `dracotheque` counts as a package of each.
    """
    waiting = [_full_name(name) for name in modules]
    tops = {PACKAGE.name} | {name.partition(".")[0] for name in waiting}
    files: dict[str, Path] = {}
    while waiting:
        name = waiting.pop()
        path = None if f"{name}.".startswith(f"{ENGINE}.") else _file(name)
        if path and name not in files:
            files[name] = path
            waiting += [each for each in _imported(name, path) if each.partition(".")[0] in tops]
    return (*sorted((PACKAGE / "engine").rglob("*.py")), *(files[name] for name in sorted(files)))


def _full_name(module: str) -> str:
    """Return the name by which a module can be found: that of `python -m` for the program that is run."""
    spec = getattr(sys.modules.get(module), "__spec__", None)
    return spec.name if spec else module


@functools.cache
def _file(module: str) -> Path | None:
    """Find a module's source; None for what is no module, such as a function that is imported by name."""
    top, *rest = module.split(".")
    if not rest:
        loaded = sys.modules.get(module)  # a program that is run is loaded, and cannot be found
        place = getattr(loaded, "__file__", None) if loaded else getattr(find_spec(top), "origin", None)
        return Path(place) if place else None
    found = _file(top)
    inside = found.parent.joinpath(*rest) if found and found.name == "__init__.py" else None
    candidates = [inside.with_name(f"{inside.name}.py"), inside / "__init__.py"] if inside else []
    return next((path for path in candidates if path.is_file()), None)


def _imported(name: str, path: Path) -> Iterator[str]:
    """Yield what a module imports anywhere in its text."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            start = ".".join(filter(None, [*above, node.module]))
            for alias in node.names:
                whole = f"{start}.{alias.name}"
                yield whole if _file(whole) else start


def digest(paths: Iterable[Path], start: str = "") -> str:
    """Hash files, their names included; the place of the library is no part of them."""
    total = hashlib.sha256(start.encode())
    for path in paths:
        name = path.relative_to(PACKAGE).as_posix() if path.is_relative_to(PACKAGE) else path.name
        total.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()[:16]


@functools.cache
def fingerprint(*modules: str) -> str:
    """Hash everything that shapes the machine code, or where Numba looks for it: the place of the sources, too."""
    versions = f"{sys.version_info[:2]} {version('numba') if has_numba() else None} {PACKAGE}"
    return digest(sources(*modules), versions)


def has_numba() -> bool:
    """Return whether Numba is installed, without importing it (that takes half a second)."""
    return find_spec("numba") is not None


def root() -> Path:
    """Name the folder of all caches: $DRACOTHEQUE_CACHE, or the user's cache folder."""
    chosen = os.environ.get("DRACOTHEQUE_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "dracotheque"


def folder(*modules: str) -> Path:
    """Name the cache folder of the machine code of modules as their sources are now."""
    return root() / f"{modules[0]}-{fingerprint(*modules)}"


@functools.cache
def numba() -> ModuleType:
    """Import Numba, or say how to get it."""
    if not has_numba():
        raise DracothequeError("Compiled rules need Numba: pip install numba, or load_game(..., interpreted=True).")
    import numba

    return numba


@functools.cache
def ready_folder(*modules: str) -> Path:
    """Make the cache folder of modules, and clear those away that were made of much earlier sources."""
    here = folder(*modules)
    here.mkdir(parents=True, exist_ok=True)
    os.utime(here)
    _forget_old(modules[0])
    return here


def _forget_old(module: str) -> None:
    """Remove the caches of a module's sources that no longer exist, and no other folder."""
    ours = [f for f in root().iterdir() if f.is_dir() and re.fullmatch(f"{re.escape(module)}-[0-9a-f]{{16}}", f.name)]
    with contextlib.suppress(FileNotFoundError):  # another process is cleaning up, too
        for old in sorted(ours, key=lambda f: f.stat().st_mtime)[:-KEPT]:
            shutil.rmtree(old, ignore_errors=True)
