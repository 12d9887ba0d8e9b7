"""Boards that are data: by name, by file, as a stored table; and every wrong one is answered in words."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dracotheque import DracothequeError, State, load_game
from dracotheque.engine import board_files, registry
from tests.games.dragons_cave.position_builder import CAVE

CAVE_BOX, ONE_BOARD = registry.games()["dragons-cave"], registry.games()["emerald"]


def written(folder: Path, data: dict[str, Any], name: str = "mine.toml") -> Path:
    """Write a board as a TOML file; for plain texts and numbers JSON is TOML."""
    lines = [f"{key} = {json.dumps(data[key], ensure_ascii=False)}" for key in ("name", "treasure", "lair", "path")]
    kinds = [f"{picture} = {json.dumps(colour)}" for picture, colour in data["kinds"].items()]
    path = folder / name
    path.write_text("\n".join([*lines, "[kinds]", *kinds]), "utf-8")
    return path


def refused(source: Any, name: str = "dragons-cave") -> str:
    """Ask for a board that cannot be had, and give the answer."""
    with pytest.raises(DracothequeError) as caught:
        load_game(name, board=source, interpreted=True)
    return str(caught.value)


def played(state: State) -> State:
    """Play a game to its end."""
    random = Random(3)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.sample_chance(random))
            continue
        seat = next(seat for seat in range(state.game.players) if state.legal_actions(seat))
        state.apply_action(random.choice(state.legal_actions(seat)), seat)
    return state


# --- Boards that are there --------------------------------------------------------------------------------------
def test_without_a_word_it_is_the_usual_board() -> None:
    game = load_game("dragons-cave", interpreted=True)
    assert game.board.source == ""
    assert "board" not in repr(game)
    assert board_files.open_board(CAVE_BOX, None).data == game.board.data


def test_the_boxs_other_boards_have_names() -> None:
    assert board_files.names(CAVE_BOX) == sorted(path.stem for path in (CAVE_BOX.folder / "boards").iterdir())
    assert "small" in board_files.names(CAVE_BOX)
    assert board_files.names(ONE_BOARD) == []
    game = load_game("dragons-cave", board="small", interpreted=True)
    assert game.board.source == "small"
    assert game.board.data != load_game("dragons-cave", interpreted=True).board.data
    assert repr(game).endswith(", board='small')")
    assert eval(repr(game)).board.data == game.board.data  # that is the promise


@pytest.mark.parametrize("as_text", [True, False])
def test_a_board_may_be_a_file_of_ones_own(tmp_path: Path, as_text: bool) -> None:
    path = written(tmp_path, CAVE)
    game = load_game("dragons-cave", board=str(path) if as_text else path, interpreted=True)
    assert game.board.data == CAVE
    assert game.board.source == str(path)
    assert list(game.board.data["kinds"]) == list(CAVE["kinds"])
    assert eval(repr(game)).board.data == CAVE
    assert played(game.new_initial_state()).winners()


def test_a_file_in_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    written(tmp_path, CAVE)
    assert load_game("dragons-cave", board="~/mine.toml", interpreted=True).board.data == CAVE


def test_a_board_may_be_a_table_as_stored_games_have_it() -> None:
    game = load_game("dragons-cave", board=CAVE, interpreted=True)
    assert game.board.data == CAVE
    assert game.board.source == game.board.name == "The tests’ own cave"


def test_the_same_board_is_the_same_game_however_it_came(tmp_path: Path) -> None:
    from_file = load_game("dragons-cave", board=written(tmp_path, CAVE), interpreted=True)
    from_table = load_game("dragons-cave", board=CAVE, interpreted=True)
    assert from_file.start() == from_table.start()
    assert played(from_file.new_initial_state()) == played(from_table.new_initial_state())
    assert from_file.start() != load_game("dragons-cave", interpreted=True).start()


def test_a_table_shows_the_board_it_is_played_on() -> None:
    state = load_game("dragons-cave", board=CAVE, interpreted=True).new_initial_state()
    assert state.to_plain().board is state.game.board
    assert state.observation(0).board is state.game.board
    assert load_game("emerald", interpreted=True).new_initial_state().to_plain().board is None


# --- Boards that are not ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("source", ["small", CAVE, Path("mine.toml")])
def test_a_game_with_one_board_refuses_another(source: Any) -> None:
    assert refused(source, "emerald") == "Emerald has only one board. Name no other."
    assert board_files.open_board(ONE_BOARD, None) is None


def test_a_name_that_is_not_known_is_answered_with_the_nearest() -> None:
    known = ", ".join([*board_files.names(CAVE_BOX), "FILE.toml"])
    assert refused("smal") == f"Unknown Dragon’s Cave board 'smal'. Did you mean 'small'? Valid: {known}."
    assert refused("zzzzz") == f"Unknown Dragon’s Cave board 'zzzzz'. Valid: {known}."
    assert refused("") == f"Unknown Dragon’s Cave board ''. Valid: {known}."
    assert "Unknown Dragon’s Cave board 'mine.json'" in refused("mine.json")
    assert "Unknown Dragon’s Cave board '../board'" in refused("../board")


def test_a_file_that_is_not_there_or_cannot_be_read(tmp_path: Path) -> None:
    assert refused(tmp_path / "none.toml") == f"There is no file {tmp_path / 'none.toml'}."
    (tmp_path / "folder.toml").mkdir()
    assert refused(tmp_path / "folder.toml") == f"{tmp_path / 'folder.toml'} cannot be read: Is a directory."
    (tmp_path / "text").touch()
    within = tmp_path / "text" / "mine.toml"
    assert refused(within) == f"{within} cannot be read: Not a directory."


def test_a_file_that_is_no_toml_or_no_text(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("treasure = 44 coins", "utf-8")
    assert refused(path).startswith(f"{path} is not written in TOML: Expected newline or end of document")
    path.write_bytes(bytes(range(128, 256)))
    assert refused(path).startswith(f"{path} is not written in TOML: 'utf-8' codec can't decode")


def test_a_board_with_faults_is_called_by_what_was_asked_for(tmp_path: Path) -> None:
    fault = "\n  - “treasure” should be a number of coins from 1 to 60, not 0."
    faulty = CAVE | {"treasure": 0}
    path = written(tmp_path, faulty)
    assert refused(path) == f"Nobody can play on {path}:{fault}"
    assert refused(faulty) == f"Nobody can play on The tests’ own cave:{fault}"
    assert refused({}).startswith("Nobody can play on the stored board:\n  - “name” is missing.")
