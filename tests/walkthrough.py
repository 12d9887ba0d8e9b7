"""Pages that are followed as a reader would: files are written, commands run, and their output compared."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

CONTINUED = ", continued"
FENCE = re.compile(r'^( *)```(\w+)(?: title="([^"]+)")?\n(.*?)^ *```$', re.MULTILINE | re.DOTALL)
TYPED = re.compile(r"^ (?:Your choice|Save the game)[^:]*: (\S+)$", re.MULTILINE)
INSTALL = "pip install --quiet --editable ."
DOCTEST = "import doctest, sys; sys.exit(doctest.testfile(sys.argv[1], module_relative=False).failed)"


@dataclass(frozen=True)
class Block:
    """A fenced block of a page; those with a title are files."""

    language: str
    title: str
    text: str

    def commands(self) -> Iterator[tuple[str, str]]:
        """Yield the commands of a console session, each with the output that is shown."""
        for part in re.split(r"^\$ ", self.text, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of a page in their order, the indentation of lists taken off."""
    found = FENCE.finditer(page.read_text("utf-8"))
    return [Block(each[2], each[3] or "", re.sub(f"^{each[1]}", "", each[4], flags=re.MULTILINE)) for each in found]


@dataclass
class Reader:
    """Someone who follows a page in a folder of their own."""

    folder: Path
    site: Path
    """Where `pip` puts what it writes about the installed package."""

    left_for_later: list[str] = field(default_factory=list[str])
    """Commands that run until they are stopped: a test of its own runs them."""

    def environment(self, **more: str) -> dict[str, str]:
        """Return the environment of a shell in which the virtual environment is active."""
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        packages = os.pathsep.join([str(self.folder), str(self.site)])
        return {**os.environ, "PATH": path, "PYTHONPATH": packages, "COLUMNS": "80", "LANG": "en_GB.UTF-8", **more}

    def follow(self, block: Block) -> None:
        """Do what a block asks for."""
        if block.title:
            self.write(block)
        elif block.language == "console":
            for command, shown in block.commands():
                self.enter(command, shown)
        elif block.language == "pycon":
            session = self.site / "session.txt"
            session.write_text(block.text, "utf-8")
            done = self.run([sys.executable, "-c", DOCTEST, str(session)])
            assert done.returncode == 0, done.stdout + done.stderr

    def write(self, block: Block) -> None:
        """Save a file, or add to it what continues it."""
        path = self.folder / block.title.removesuffix(CONTINUED)
        continued = block.title.endswith(CONTINUED)
        assert path.is_file() == continued, f"{block.title}: a file is written once, then continued"
        path.parent.mkdir(parents=True, exist_ok=True)
        gap = "" if not continued else "\n\n" if path.suffix == ".py" else "\n"
        path.write_text((path.read_text("utf-8") if continued else "") + gap + block.text, "utf-8")

    def enter(self, command: str, shown: str) -> None:
        """Run a command, and compare its output with what the page shows."""
        if command == INSTALL:
            self.install()
        elif command == "dracotheque play":
            self.left_for_later.append(command)
        else:
            done = self.run(["bash", "-c", command], "".join(f"{word}\n" for word in TYPED.findall(shown)))
            failed = "cannot be played" in shown
            assert done.returncode == int(failed), done.stdout + done.stderr
            output = done.stderr if failed else done.stdout  # the other one may say that rules are being compiled
            assert matches(output, shown), f"$ {command}\n{output}"

    def install(self) -> None:
        """Install the project as an editable one: pip builds it, and only what it writes about it is kept."""
        offline = ["--no-index", "--no-build-isolation", "--no-deps", "--disable-pip-version-check"]
        done = self.run([sys.executable, "-m", "pip", "install", *offline, "--target", str(self.site), "."])
        assert done.returncode == 0, done.stderr
        for package in self.site.iterdir():
            if package.suffix != ".dist-info":
                shutil.rmtree(package)

    def run(self, command: list[str], typed: str = "") -> subprocess.CompletedProcess[str]:
        """Run a command in the folder."""
        return subprocess.run(
            command,
            check=False,
            capture_output=True,
            text=True,
            cwd=self.folder,
            env=self.environment(),
            input=typed,
            timeout=300,
        )


def matches(output: str, shown: str) -> bool:
    """Return whether an output is the one shown: “…” stands for part of a line, alone on a line for any lines.

    How wide columns are does not count: it depends on the figures in them.
    """
    pattern = "".join(
        r"(?:.*\n)*?" if line == "…" else ".*?".join(map(re.escape, line.split("…"))) + r"\n" for line in lines(shown)
    )
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in lines(output))) is not None


def lines(text: str) -> list[str]:
    """Return the lines of a text, runs of spaces made one."""
    return [re.sub(" +", " ", line).strip() for line in text.splitlines()]
