"""The tutorial and the guide for games lead from an empty folder to the browser: every block of them is run."""

from __future__ import annotations

import random
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.server.guests import ME, PATIENCE, SQUIRE, Guest
from tests.walkthrough import Reader, blocks, matches

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "dragon-dice"
GUIDE = ROOT / "docs" / "how-to" / "add-a-game.md"
TUTORIAL = ROOT / "docs" / "tutorial" / "your-own-game.md"
pytestmark = pytest.mark.xdist_group("tutorial")  # the package of the fixture is made once


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """Someone who has followed the tutorial up to the browser."""
    place = tmp_path_factory.mktemp("tutorial")
    follower = Reader(place / "dragon-dice", place / "site")
    for folder in (follower.folder, follower.site):
        folder.mkdir()
    for block in blocks(TUTORIAL):
        follower.follow(block)
    return follower


def files(folder: Path) -> dict[str, str]:
    """Return the texts of a project by their names, without what running it leaves behind."""
    caches = {"__pycache__", ".pytest_cache"}
    found = (path for path in folder.rglob("*") if path.is_file() and not caches & set(path.parts))
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in found}


def test_the_tutorial_makes_the_example_file_by_file(reader: Reader) -> None:
    made = {name: text for name, text in files(reader.folder).items() if not name.startswith(("build/", "dist/"))}
    assert made == files(EXAMPLE)


def test_the_guide_goes_on_from_the_example(tmp_path: Path) -> None:
    follower = Reader(tmp_path / "dragon-dice", tmp_path / "site")
    shutil.copytree(EXAMPLE, follower.folder, ignore=shutil.ignore_patterns("__pycache__"))
    follower.site.mkdir()
    follower.install()
    for block in blocks(GUIDE):
        follower.follow(block)
    assert len(files(follower.folder)) == len(files(EXAMPLE)) + 2  # the suite, and bots.py


def test_the_first_commands_make_the_empty_folder(tmp_path: Path) -> None:
    (setup,) = (block.text for block in blocks(TUTORIAL) if block.language == "sh")
    (tmp_path / "dracotheque").mkdir()
    (tmp_path / "dracotheque" / ".venv").symlink_to(sys.prefix, target_is_directory=True)
    script = f"set -e\n{setup}pwd\ncommand -v dracotheque"
    done = subprocess.run(
        ["bash", "-c", script], check=True, capture_output=True, text=True, cwd=tmp_path / "dracotheque"
    )
    folder, program = done.stdout.split()
    assert Path(folder) == tmp_path / "dragon-dice"
    assert list(Path(folder).iterdir()) == []
    assert Path(program).resolve().samefile(Path(sys.prefix) / "bin" / "dracotheque")


def wait_until_ready(url: str) -> None:
    """Wait until a server answers."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            if httpx.get(f"{url}/healthz", timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            pass
        assert time.monotonic() < deadline, "the server does not answer"
        time.sleep(0.05)


@contextmanager
def playing(reader: Reader, database: Path) -> Iterator[str]:
    """Run `dracotheque play` as the tutorial does, but with no browser; yield the address that it prints."""
    (command,) = reader.left_for_later
    process = subprocess.Popen(
        [sys.executable, "-m", *command.split(), "--no-browser", "--port", "0", "--database", str(database)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=reader.folder,
        env=reader.environment(DRACOTHEQUE_INTERPRETED="1"),
    )
    try:
        assert process.stdout is not None
        address = re.search(r"http://[^/ ]+", process.stdout.readline())
        assert address is not None
        url = address[0].replace("localhost", "127.0.0.1")
        wait_until_ready(url)
        yield url
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)


def test_the_server_of_the_tutorial_plays_the_game(reader: Reader, tmp_path: Path) -> None:
    shown = re.findall(r"\*\*(.+?)\*\*", TUTORIAL.read_text("utf-8").partition("## Play in the browser")[2])
    words = tomllib.loads((EXAMPLE / "dragon_dice" / "locale" / "en.toml").read_text("utf-8"))
    assert shown == [*words["action"].values()]  # the page's buttons say what the catalogue does
    with playing(reader, tmp_path / "tables.db") as address:
        guest = Guest(address)
        assert "dragon-dice" in {game["name"] for game in guest.get("/api/games")["games"]}
        table = guest.open("dragon-dice", ME, SQUIRE)
        with guest.socket(table) as seat:
            assert seat.board is not None
            assert seat.board["pieces"].keys() == {"field-loot"}
            seat.play(random.Random(1))
            assert seat.result


def test_the_comparison_of_outputs_notices_a_difference() -> None:
    assert matches("one  \ntwo 12 s\n", "one\ntwo … s\n")
    assert matches("a\nb\nc\nd\n", "a\n…\nd\n")
    assert not matches("one\ntwo\n", "one\n")
    assert not matches("one\n", "one\ntwo\n")
    assert not matches("one 12 s\n", "two … s\n")
