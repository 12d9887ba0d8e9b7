"""A stored game: small, replayed without dice, and honest about damage."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest

from dracotheque import DracothequeError, State, load_game
from dracotheque.engine import log
from dracotheque.engine.log import CorruptLogError, GameLog
from tests.games.dragons_cave.position_builder import CAVE


@pytest.fixture(scope="module")
def state() -> State:
    state, random = load_game("emerald", 4, gold="open").new_initial_state(), Random(8)
    while not state.is_terminal():
        chance = state.is_chance_node()
        state.apply_action(state.sample_chance(random) if chance else random.choice(state.legal_actions()))
    return state


@pytest.fixture(scope="module")
def text(state: State) -> str:
    return GameLog.of(state, ["Ada", "Björn", "Chloé", "Dante"]).dumps()


def failure(text: str) -> CorruptLogError:
    with pytest.raises(CorruptLogError) as caught:
        log.loads(text)
    return caught.value


def test_a_log_brings_the_game_back(state: State, text: str, tmp_path: Path) -> None:
    kept = log.loads(text)
    assert kept.play() == state
    assert kept.seats[2] == "Chloé"
    kept.save(tmp_path / "game.json")
    assert (tmp_path / "game.json").read_text("utf-8") == text
    assert log.load(tmp_path / "game.json").moves == state.full_history()
    assert list(tmp_path.iterdir()) == [tmp_path / "game.json"]
    assert len(text) < 6_000


def test_an_unfinished_game_is_a_game(state: State) -> None:
    half = state.game.new_initial_state()
    for player, action in state.full_history()[:50]:
        half.apply_action(action, player)
    kept = log.loads(GameLog.of(half).dumps())
    assert kept.play() == half
    assert json.loads(kept.dumps())["result"] is None


def changed(text: str, number: int, move: str) -> str:
    """The log with one move replaced, its old check kept."""
    document = json.loads(text)
    check = document["moves"][number - 1].rpartition(":")[2]
    document["moves"][number - 1] = f"{move}:{check}"
    return json.dumps(document)


def test_every_changed_move_is_found_where_it_was_changed(state: State, text: str) -> None:
    random = Random(2)
    for number in random.sample(range(1, state.move_number() + 1), 40):
        player, action = state.full_history()[number - 1]
        error = failure(changed(text, number, f"{player}:{(action + 1) % 17}"))
        assert error.move == number
        assert f"Move {number} " in str(error)


def test_a_changed_move_that_breaks_a_rule_names_the_rule(state: State, text: str) -> None:
    number = next(n for n, (player, _) in enumerate(state.full_history(), 1) if player >= 0)
    error = failure(changed(text, number, f"{state.full_history()[number - 1][0]}:40"))
    assert "turn.one-or-two" in str(error)
    error = failure(changed(text, number, "9:3"))
    assert f"Move {number} was changed" in str(error)
    assert "There is no seat 9" in str(error)


def test_a_lost_move_is_found(text: str) -> None:
    document = json.loads(text)
    del document["moves"][30]
    assert failure(json.dumps(document)).move == 31
    document = json.loads(text)
    document["moves"] = document["moves"][:-1]
    error = failure(json.dumps(document))
    assert "moves are missing at the end, or the result was changed" in str(error)


def test_a_changed_result_or_head_is_found(text: str) -> None:
    document = json.loads(text)
    document["result"]["winners"] = [0, 1, 2, 3]
    assert "the result was changed" in str(failure(json.dumps(document)))
    document = json.loads(text)
    document["options"]["gold"] = "face-down"
    assert failure(json.dumps(document)).move == 1


@pytest.mark.parametrize(
    ("change", "answer"),
    [
        ({"format": "chess"}, "not the log of a game"),
        ({"version": 99}, "version 99; this library reads 1"),
        ({"rules": 7}, "rules version 7"),
        ({"game": "emerlad"}, "Did you mean 'emerald'"),
        ({"players": 9}, "2 to 5 players, not 9"),
        ({"players": "four"}, "should be a number"),
        ({"options": []}, "should be a number"),
        ({"options": {"interpreted": True}}, "Unknown Emerald option 'interpreted'"),
        ({"options": {"gold": "silver"}}, "Invalid value 'silver' for option gold"),
        ({"seats": ["a"]}, "should name 4 players"),
        ({"seats": ["a", "b", "c", "\x1b[2J"]}, "in printable letters"),
        ({"seats": ["a", "b", "c", "\ud800"]}, "in printable letters"),
        ({"moves": "all of them"}, "should be a list"),
        ({"moves": ["-1:0"]}, "Move 1 is written '-1:0', not as player:action:check"),
        ({"moves": [["-1", 0]]}, "not as player:action:check"),
        ({"moves": [f"-1:{10**40}:0000"]}, "Move 1 was changed"),
    ],
)
def test_bad_files_are_explained(text: str, change: dict[str, object], answer: str) -> None:
    assert re.search(re.escape(answer), str(failure(json.dumps(json.loads(text) | change))))


@pytest.mark.parametrize(
    "junk", ["", "{", "[]", "null", "[" * 100_000, '{"players": ' + "9" * 5000 + "}", '{"format": "dracotheque-game"}']
)
def test_junk_is_explained(junk: str) -> None:
    failure(junk)


def test_a_file_that_is_not_there_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(DracothequeError, match="There is no file"):
        log.load(tmp_path / "nothing.json")
    (tmp_path / "picture.json").write_bytes(bytes(range(128, 256)))
    with pytest.raises(CorruptLogError, match="cannot be read as a game"):
        log.load(tmp_path / "picture.json")
    with pytest.raises(CorruptLogError, match="cannot be read"):
        log.load(tmp_path)
    with pytest.raises(CorruptLogError, match="cannot be read"):
        log.load(tmp_path / "picture.json" / "more.json")


# --- A board in the log -----------------------------------------------------------------------------------------
def on_board(board: object, moves: int = 10_000) -> State:
    """Play Dragon's Cave on a board, to the end or so many moves."""
    state, random = load_game("dragons-cave", 3, board=board).new_initial_state(), Random(4)  # type: ignore[arg-type]
    while not state.is_terminal() and state.move_number() < moves:
        if state.is_chance_node():
            state.apply_action(state.sample_chance(random))
            continue
        seat = random.choice([seat for seat in range(3) if state.legal_actions(seat)])
        state.apply_action(random.choice(state.legal_actions(seat)), seat)
    return state


@pytest.fixture(scope="module")
def cave_text() -> str:
    return GameLog.of(on_board(CAVE)).dumps()


@pytest.mark.parametrize("board", [CAVE, "small"], ids=["a table", "a name"])
def test_a_board_that_is_not_the_usual_one_is_written_out(board: object) -> None:
    state = on_board(board)
    document = json.loads(GameLog.of(state).dumps())
    assert document["board"] == state.game.board.data
    again = log.loads(json.dumps(document))
    assert again.play() == state
    assert again.game.board.data == state.game.board.data
    assert again.dumps() == GameLog.of(state).dumps()


def test_the_order_of_keys_does_not_matter_in_a_board_either() -> None:
    state = on_board(CAVE)
    document = json.loads(GameLog.of(state).dumps())
    document["board"]["kinds"] = dict(reversed(document["board"]["kinds"].items()))
    assert log.loads(json.dumps(document, sort_keys=True)).play() == state


def test_the_usual_board_is_not_written_out() -> None:
    state = on_board(None)
    text = GameLog.of(state).dumps()
    assert "board" not in json.loads(text)
    assert log.loads(text).play() == state


def test_a_log_needs_no_file_of_its_board(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    kinds = "".join(f"{picture} = {colour!r}\n" for picture, colour in CAVE["kinds"].items())
    path.write_text(f"name = 'Mine'\ntreasure = 20\nlair = 4\npath = {CAVE['path']}\n[kinds]\n{kinds}", "utf-8")
    state = on_board(path)
    text = GameLog.of(state).dumps()
    path.unlink()
    assert str(tmp_path) not in text
    assert log.loads(text).play() == state


@pytest.mark.parametrize(
    ("key", "value"),
    [("name", "Another"), ("treasure", 43), ("lair", 5), ("path", ["rope 2", *CAVE["path"][1:], "pickaxe 0"])],
)
def test_a_changed_board_is_found(cave_text: str, key: str, value: object) -> None:
    document = json.loads(cave_text)
    document["board"][key] = value
    error = failure(json.dumps(document))
    assert error.move == 1
    assert "the head of the file or this move was changed" in str(error)


def test_a_lost_board_is_found(cave_text: str) -> None:
    document = json.loads(cave_text)
    del document["board"]
    assert failure(json.dumps(document)).move == 1
    added = json.loads(GameLog.of(on_board(None)).dumps()) | {"board": CAVE}
    assert failure(json.dumps(added)).move == 1


@pytest.mark.parametrize(
    ("board", "answer"),
    [
        ([], "“board” should be a table."),
        ("small", "“board” should be a table."),
        (7, "“board” should be a table."),
        ({}, "Nobody can play on the stored board:\n  - “name” is missing."),
        (CAVE | {"lair": -1}, "“lair” should be a number of coins from 0 to 60, not -1."),
    ],
)
def test_a_stored_board_that_is_none_is_explained(cave_text: str, board: object, answer: str) -> None:
    assert answer in str(failure(json.dumps(json.loads(cave_text) | {"board": board})))


def test_a_board_in_the_log_of_a_game_with_one_board(text: str) -> None:
    assert "Emerald has only one board." in str(failure(json.dumps(json.loads(text) | {"board": CAVE})))
