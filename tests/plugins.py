"""Packages put on the path with their metadata, as installed plug-ins have them."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
GROUP = "dracotheque.games"


@dataclass(frozen=True)
class Installed:
    """Plug-ins as an installer leaves them: folders on the path, one of which has their metadata."""

    path: tuple[Path, ...]

    def environment(self, **more: str) -> dict[str, str]:
        """Return an environment in which the plug-ins are found."""
        return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (*self.path, ROOT / "src"))), **more}

    def python(self, program: str, **more: str) -> str:
        """Run a program that must end well; return what it printed."""
        return self._run([sys.executable, "-c", program], 0, more).stdout

    def dracotheque(self, *arguments: str, code: int = 0, typed: str = "", **more: str) -> str:
        """Run a command; return what it printed, errors too."""
        done = self._run([sys.executable, "-m", "dracotheque", *arguments], code, more, typed)
        return done.stdout + done.stderr

    def _run(
        self, command: list[str], code: int, more: dict[str, str], typed: str = ""
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            command,
            check=False,
            capture_output=True,
            text=True,
            env=self.environment(COLUMNS="200", **more),
            input=typed,
            timeout=300,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done


def write_metadata(folder: Path, name: str, version: str, entries: dict[str, str]) -> Path:
    """Write what an installer writes beside a package: its name and its entry points."""
    metadata = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", "utf-8")
    lines = "".join(f"{key} = {value}\n" for key, value in entries.items())
    (metadata / "entry_points.txt").write_text(f"[{GROUP}]\n{lines}", "utf-8")
    return folder


def installed(folder: Path, *projects: Path) -> Installed:
    """Install projects, each a folder with a pyproject.toml, into a folder for their metadata."""
    for project in projects:
        described = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]
        write_metadata(folder, described["name"], described["version"], described["entry-points"][GROUP])
    return Installed((folder, *projects))
