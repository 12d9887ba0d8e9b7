"""The files of an earlier commit, beside which this one is measured."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def checkout(commit: str, build: Path) -> Path:
    """Return the files of a commit, unpacked once: compiled rules stay valid for the folder."""
    git = ["git", "-C", str(ROOT)]
    name = subprocess.run(
        [*git, "rev-parse", "--verify", f"{commit}^{{commit}}"], capture_output=True, text=True, check=False
    )
    if name.returncode:
        sys.exit(f"There is no commit {commit!r} in this checkout.")
    folder = build / name.stdout.strip()
    if not folder.is_dir():
        part = folder.with_suffix(".part")
        part.mkdir(parents=True, exist_ok=True)
        packed = subprocess.run(
            [*git, "archive", name.stdout.strip(), "src", "benchmarks"], capture_output=True, check=True
        )
        subprocess.run(["tar", "x", "-C", str(part)], input=packed.stdout, check=True)
        part.rename(folder)
    return folder
