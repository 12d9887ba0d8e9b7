"""Games are found: ours, installed ones, registered ones; what cannot be offered is left out with its reason."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from dracotheque import DracothequeError, GameDefinition, cli, register_game
from dracotheque.engine import registry
from dracotheque.engine.registry import games
from dracotheque.games import BUILT_IN, gran
from dracotheque.games.emerald import GAME as EMERALD
from tests.engine import toy

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Put packages on the path with their metadata, as an installed plug-in has them, and forget what was found."""
    monkeypatch.syspath_prepend(tmp_path)
    for name, value in (("_games", {}), ("_left_out", {}), ("_found", False)):
        monkeypatch.setattr(registry, name, value)

    def installed(**entries: str) -> None:
        folder = tmp_path / "plugins-1.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: plugins\nVersion: 1\n")
        lines = "".join(f"{name.replace('_', '-')} = {value}\n" for name, value in entries.items())
        (folder / "entry_points.txt").write_text(f"[{registry.GROUP}]\n{lines}")

    return installed


def test_ours_come_in_the_order_of_the_lobby() -> None:
    assert [game.package.rpartition(".")[2] for game in games().values()][: len(BUILT_IN)] == list(BUILT_IN)
    assert registry.find_game(" Save_the Dragon").name == "save-the-dragon"


def test_a_list_of_games_imports_no_rules() -> None:
    program = (
        "import sys, dracotheque; dracotheque.registered_games()\n"
        "print([name for name in sys.modules if name.startswith('dracotheque.games.') and name.count('.') > 2])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_usual_number_of_players_is_three_or_as_near_as_the_game_allows() -> None:
    def usual(fewest: int, most: int, default: int = 0) -> int:
        return GameDefinition(
            name="x", title="X", package="x", min_players=fewest, max_players=most, default_players=default
        ).default_players

    assert [usual(2, 5), usual(2, 2), usual(4, 6), usual(2, 6, 5)] == [3, 2, 4, 5]


def test_an_installed_game_is_found(install: Install) -> None:
    install(toy="tests.engine.toy:GAME")
    assert list(games())[-1] == "toy"
    assert registry.find_game("Toy") is toy.GAME
    assert not registry.left_out()


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("nowhere_at_all:GAME", "cannot be imported: ModuleNotFoundError"),
        ("tests.engine.toy:GAMES", "cannot be imported: AttributeError"),
        ("tests.engine.toy:__name__", "should name a GameDefinition, not 'tests.engine.toy'"),
    ],
)
def test_a_game_that_cannot_be_read_is_left_out_with_its_reason(
    install: Install, value: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    install(another="tests.engine.toy:GAME", broken=value)
    with pytest.warns(registry.GameLeftOutWarning, match=reason):
        assert list(games()) == ["emerald", "dragons-cave", "gran", "save-the-dragon", "toy"]
    assert reason in registry.left_out()["broken"]
    cli.main(["games"])
    assert "The game 'broken' is left out. Its entry point" in capsys.readouterr().err


def test_two_games_of_one_name_are_both_named(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    twin = replace(toy.GAME, name="emerald")
    monkeypatch.setattr(toy, "TWIN", twin, raising=False)
    install(emerald="tests.engine.toy:TWIN")
    both = rf"called 'emerald': those of the packages {EMERALD.package} and tests\.engine\.toy\. Give one"
    with pytest.warns(registry.GameLeftOutWarning, match=both):
        assert games()["emerald"] is EMERALD
    with pytest.raises(DracothequeError, match=both):
        register_game(twin)
    assert games()["emerald"] is EMERALD


def test_a_program_registers_a_game_of_its_own(install: Install) -> None:
    register_game(toy.GAME)
    assert games()["toy"] is toy.GAME
    register_game(replace(toy.GAME, title="Toy again"))  # a notebook runs its cell twice
    assert games()["toy"].title == "Toy again"


def test_a_server_offers_every_game(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    register_game(toy.GAME)
    assert list(registry.offered_games()) == [*games()]
    assert "toy" in registry.offered_games()
    monkeypatch.setenv(registry.OFFERED, "toy")
    assert list(registry.offered_games()) == ["toy"]


def test_a_server_offers_what_the_environment_names(monkeypatch: pytest.MonkeyPatch) -> None:
    assert registry.offered_games() == games()
    monkeypatch.setenv(registry.OFFERED, "gran, emerald")
    assert list(registry.offered_games()) == ["gran", "emerald"]
    assert registry.offered_games()["gran"] is gran.GAME
    monkeypatch.setenv(registry.OFFERED, "emrald")
    with pytest.raises(DracothequeError, match=r"DRACOTHEQUE_GAMES should name games.*Did you mean 'emerald'"):
        registry.offered_games()
