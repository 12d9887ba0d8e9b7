"""Where compiled rules are kept: one folder for each copy and state of the sources, so that no rule is ever stale."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import shutil
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from dracotheque.engine.errors import DracothequeError

PACKAGE = Path(__file__).parents[1]
NEVER_COMPILED = {
    "board.py", "boards.py", "errors.py", "files.py", "game.py", "log.py", "nature.py", "playthrough.py", "record.py",
    "rock.py", "rulebook.py", "scene.py", "terminal_board.py", "warm.py", "words.py",
}  # fmt: skip
DRAWINGS = ("drawing", "picture")
"""How the names of files begin that only draw."""
KEPT = 4  # folders of earlier sources kept, for people who switch between branches


def sources(game: str = "*") -> list[Path]:
    """List the files that compiled code is made of: the engine, and the rules of a game (or of all)."""
    files = [*PACKAGE.glob("engine/*.py"), *PACKAGE.glob(f"games/{game}/*.py")]
    return sorted(path for path in files if path.name not in NEVER_COMPILED and not path.name.startswith(DRAWINGS))


def digest(paths: list[Path], start: str = "") -> str:
    """Hash files, their names included."""
    total = hashlib.sha256(start.encode())
    for path in paths:
        total.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()[:16]


@functools.cache
def fingerprint() -> str:
    """Hash everything that shapes the machine code, or where Numba looks for it: the place of the sources, too."""
    files = [*sources(), *sorted(PACKAGE.glob("solve/*.py"))]  # solvers call each other across files, as rules do
    return digest(files, f"{sys.version_info[:2]} {version('numba') if has_numba() else None} {PACKAGE}")


def has_numba() -> bool:
    """Say whether Numba is installed, without importing it (that takes half a second)."""
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


def folder() -> Path:
    """Name the cache folder of the sources as they are now."""
    return root() / fingerprint()


@functools.cache
def numba() -> ModuleType:
    """Import Numba, told to keep its machine code in our folder."""
    if not has_numba():
        raise DracothequeError("Compiled rules need Numba: pip install numba, or load_game(..., interpreted=True).")
    import numba

    here = folder()
    here.mkdir(parents=True, exist_ok=True)
    os.utime(here)
    numba.config.CACHE_DIR = str(here)  # type: ignore[attr-defined]
    _forget_old()
    return numba


def _forget_old() -> None:
    """Remove the caches of sources that are long gone, and nothing else that may lie beside them."""
    ours = [f for f in root().iterdir() if f.is_dir() and re.fullmatch("[0-9a-f]{16}", f.name)]
    with contextlib.suppress(FileNotFoundError):  # another process is cleaning up, too
        for old in sorted(ours, key=lambda f: f.stat().st_mtime)[:-KEPT]:
            shutil.rmtree(old, ignore_errors=True)
