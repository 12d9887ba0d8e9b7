"""Games that were begun under any rules version so far can be finished by this library."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from dracotheque import games, load_game
from dracotheque.engine import log, registry
from tests.tables.playing import dice, play_on
from tests.tables.versions.freeze import freeze
from tests.tables.versions.make import FINISHED, UNFINISHED, kept

FIRST = {"emerald": 1, "dragons-cave": 1, "gran": 2, "save-the-dragon": 2}
"""The version with which each game first came to tables."""

EVERY = [
    (name, version)
    for name in registry.games()
    for version in range(FIRST.get(name, 1), load_game(name).rules_version + 1)
]


@pytest.mark.parametrize(("name", "version"), EVERY)
def test_a_finished_game_of_every_version_is_replayed(name: str, version: int) -> None:
    path = kept(name, version, FINISHED)
    assert path.exists(), f"keep a game of this version: python -m tests.tables.versions.make {name}"
    stored = log.load(path)
    assert (stored.game.name, stored.game.rules_version) == (name, version)
    assert stored.play().is_terminal()
    assert stored.dumps() == path.read_text("utf-8")


@pytest.mark.parametrize(("name", "version"), EVERY)
def test_an_unfinished_game_of_every_version_is_played_to_its_end(name: str, version: int) -> None:
    stored = log.load(kept(name, version, UNFINISHED))
    state = stored.play()
    assert (state.game.name, state.game.rules_version) == (name, version)
    assert not state.is_terminal()
    before = state.full_history()
    play_on(state, dice(), Random(1))
    assert state.is_terminal()
    assert state.winners()
    assert state.full_history()[: len(before)] == before
    again = log.loads(log.GameLog.of(state).dumps())
    assert (again.game.rules_version, again.play()) == (version, state)


def test_no_kept_game_is_of_a_version_that_nobody_knows() -> None:
    known = {kept(name, version, what) for name, version in EVERY for what in (FINISHED, UNFINISHED)}
    assert set(kept("any", 1, FINISHED).parent.glob("*.json")) == known


@pytest.mark.parametrize("name", registry.games())
def test_a_frozen_copy_plays_the_same_games(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What CONTRIBUTING asks for before rules change: the copy stands on its own, whatever becomes of the original."""
    monkeypatch.setenv("DRACOTHEQUE_INTERPRETED", "1")
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path)])
    box = registry.games()[name]
    version, frozen = load_game(name).rules_version, freeze(name, tmp_path)
    monkeypatch.setitem(registry.games(), name, replace(box, previous_versions={version: frozen}))

    stored = log.load(kept(name, version, FINISHED))
    assert stored.game.definition.package == frozen
    assert stored.game.rules.__name__ == f"{frozen}.rules"
    assert stored.game.text.__package__ == frozen
    assert stored.game.definition.folder == tmp_path / frozen.rpartition(".")[2]
    assert stored.dumps() == kept(name, version, FINISHED).read_text("utf-8")
    state = play_on(log.load(kept(name, version, UNFINISHED)).play(), dice(), Random(1))
    assert state.is_terminal()
    monkeypatch.setitem(registry.games(), name, box)
    twin = play_on(log.load(kept(name, version, UNFINISHED)).play(), dice(), Random(1))
    assert twin.full_history() == state.full_history()
    assert twin.game.definition is box
