"""Plug-ins that cannot be played: a server starts with all other games and says why one is left out, in a sentence."""

from __future__ import annotations

import asyncio
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import Mock

import pytest

from dracotheque.engine.registry import games
from dracotheque.server import precompiler
from dracotheque.tables.errors import CommandError
from tests.plugins import ROOT, Installed, installed, write_metadata
from tests.server.guests import Guest, serving

EXAMPLE = ROOT / "examples" / "dragon-dice"
OURS = ["emerald", "dragons-cave", "gran", "save-the-dragon"]


@dataclass(frozen=True)
class Broken:
    """A copy of a sound game in which something is replaced, and what is said of it."""

    name: str
    file: str
    old: str
    new: str
    reason: str


BROKEN = [
    Broken("no-function", "rules.py", "def scores(", "def points(", "needs a function scores(game, out): Write every"),
    Broken(
        "wrong-type", "rules.py", 'REFUSALS = ("",', "REFUSALS = (0,", "needs REFUSALS, a tuple of rule ids such as"
    ),
    Broken(
        "crashes", "rules.py", "GOAL = 1, 2, 6, 20", "GOAL = 1, 2, 6, 20 / 0", "ZeroDivisionError: division by zero"
    ),
    Broken(
        "illegal-state", "rules.py", "game.to_move = game.turn\n\n", "game.to_move = 7\n\n", "to_move is 7: it should"
    ),
    Broken(
        "no-rule",
        "rulebook/en.md",
        "{#bank.nothing}",
        "{#bank.empty}",
        "lacks a rule: add a heading “### Its title {#b",
    ),
    Broken("no-words", "locale/en.toml", 'promise = "', "promise = ", "/locale/en.toml cannot be read: "),
    Broken(
        "emerald", "rules.py", "", "", "Two games are called 'emerald': those of the packages dracotheque.games.emerald"
    ),
]


@pytest.fixture(scope="module")
def plugins(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Install a sound game and, beside it, all that are broken."""
    folder = tmp_path_factory.mktemp("site")
    for broken in BROKEN:
        package = f"broken_{broken.name.replace('-', '_')}"
        shutil.copytree(EXAMPLE / "dragon_dice", folder / package, ignore=shutil.ignore_patterns("__pycache__"))
        replace(folder / package / "__init__.py", '"dragon-dice"', f'"{broken.name}"')
        replace(folder / package / broken.file, broken.old, broken.new)
        write_metadata(folder, package, "1.0", {broken.name: f"{package}:GAME"})
    return installed(folder, EXAMPLE)


def replace(path: Path, old: str, new: str) -> None:
    """Replace something that a file has."""
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1) if old else text, "utf-8")


def test_a_server_starts_with_all_other_games(plugins: Installed, tmp_path: Path) -> None:
    environment = plugins.environment(DRACOTHEQUE_INTERPRETED="1")
    with serving(tmp_path / "tables.db", environment=environment) as server:
        guest, written = Guest(server), server.written()
        assert [game["name"] for game in guest.get("/api/games")["games"]] == [*OURS, "dragon-dice"]
        table = guest.open("dragon-dice", {"kind": "me"}, {"kind": "bot", "level": "hatchling"})
        assert guest.get(f"/api/tables/{table}")["prompt"]["choices"]
        answer = guest.post("/api/tables", {"game": "crashes", "seats": [{"kind": "me"}] * 2}, 422)
        assert answer["code"] == "no_such_game"
        assert "Traceback" not in server.written()
    for broken in BROKEN:
        assert written.count(f"The game {broken.name!r} is left out. ") == 1
        assert broken.reason in written


def test_check_says_what_to_do(plugins: Installed) -> None:
    program = (
        "import sys; from dracotheque import cli; sys.stderr = sys.stdout\n"
        "for name in {names}:\n"
        "    try: cli.main(['check', name])\n"
        "    except SystemExit as end: print(f'[{{name}} {{end.code}}]')"
    )
    names = [broken.name for broken in BROKEN]
    rest = plugins.python(program.format(names=names), DRACOTHEQUE_INTERPRETED="1")
    for broken in BROKEN:
        said, _, rest = rest.partition(f"[{broken.name} 1]")
        assert broken.reason in said.rpartition("is left out.")[2]


def test_a_game_that_cannot_be_opened_is_left_out_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precompiler, "warm_up", lambda game: 1 / (game.name != "gran"))
    monkeypatch.setenv("DRACOTHEQUE_INTERPRETED", "1")
    work = precompiler.Precompiler([games()[name] for name in ("gran", "emerald")])
    monkeypatch.setattr(precompiler, "gc", Mock())  # this process goes on with other tests

    async def run() -> None:
        await work.run()
        await work.wait("emerald")
        with pytest.raises(CommandError, match=r"gran does not work on this server\."):
            await work.wait("gran")

    asyncio.run(run())
    assert work.failed == {"gran"}
    assert work.is_ready("gran")


def test_tables_of_a_game_that_is_gone_wait_for_it(plugins: Installed, tmp_path: Path) -> None:
    database, squire = tmp_path / "tables.db", {"kind": "bot", "level": "squire"}
    with serving(database, environment=plugins.environment(DRACOTHEQUE_INTERPRETED="1")) as server:
        guest = Guest(server, "Ann")
        tables = [guest.open(game, {"kind": "me"}, squire, turn_timeout=60) for game in ("dragon-dice", "emerald")]
        assert server.stop() == 0
    without = {"DRACOTHEQUE_INTERPRETED": "1", "DRACOTHEQUE_GAMES": "emerald"}
    with serving(database, environment=os.environ | without) as server:
        again = Guest(server)
        again.http.cookies = guest.http.cookies
        assert {each["table"] for each in again.get("/api/me/tables")["tables"]} == {*tables}
        assert "dragon-dice" in again.get(f"/api/tables/{tables[0]}", 422)["text"]
        assert again.get(f"/api/tables/{tables[1]}")["prompt"]["choices"]
        assert '"level": "error"' not in server.written()
