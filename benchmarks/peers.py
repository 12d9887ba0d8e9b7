"""The peers' own throw-away environment, `.venv-bench`: made once, used again, safe to delete."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from rich.console import Console

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".venv-bench"
PYTHON = FOLDER / "bin" / "python"
WANTED = {"open_spiel": "2.0.2", "pgx": "2.6.0", "chess": "1.11.2"}
ALSO = ("jax", "jaxlib", "numpy")
VERSIONS = """
import importlib.metadata, json, platform, sys
found = {"Python": platform.python_version()}
for name in sys.argv[1:]:
    try:
        found[name] = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        pass
print(json.dumps(found))
"""


def versions(python: Path, *names: str) -> dict[str, str]:
    """Which versions of these packages a Python has; what is missing is left out."""
    try:
        answer = subprocess.run([python, "-c", VERSIONS, *names], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return {}
    return json.loads(answer.stdout)


def prepare(console: Console) -> tuple[dict[str, str], dict[str, str]]:
    """Make sure of the environment; say which versions it has, and why each missing peer is missing."""
    found = versions(PYTHON, *WANTED, *ALSO)
    missing = [name for name, version in WANTED.items() if found.get(name) != version]
    if not missing:
        console.print(f"The peers are ready in {FOLDER.name} (delete the folder to install them again).")
        return found, {}
    if not found and (why := _make()):
        console.print(f"[yellow]No environment for the peers:[/] {why} Only Dracothèque is measured.")
        return {}, dict.fromkeys(WANTED, why)
    reasons = {}
    for name in missing:
        with console.status(f"Installing {name} {WANTED[name]} into {FOLDER.name}, once, up to a minute …"):
            why = _install(f"{name}=={WANTED[name]}")
        if why:
            reasons[name] = why
            console.print(f"[yellow]{name} could not be installed:[/] {why} Going on without it.")
        else:
            console.print(f"Installed {name} {WANTED[name]} into {FOLDER.name}.")
    return versions(PYTHON, *WANTED, *ALSO), reasons


def _make() -> str | None:
    """Make an empty environment; say why where that fails."""
    answer = subprocess.run([sys.executable, "-m", "venv", "--clear", FOLDER], capture_output=True, check=False)
    return None if answer.returncode == 0 else "Python cannot make a virtual environment here (python3 -m venv)."


def _install(requirement: str) -> str | None:
    """Install a package; say why where that fails."""
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    ready = ["--only-binary", "open_spiel,jaxlib,numpy,scipy"]  # from source they take an hour: better no row than that
    answer = subprocess.run([*pip, *ready, requirement], capture_output=True, text=True, check=False)
    if answer.returncode == 0:
        return None
    errors = [line.removeprefix("ERROR:").strip() for line in answer.stderr.splitlines() if line.startswith("ERROR:")]
    return f"{errors[-1] if errors else 'pip failed'}."
