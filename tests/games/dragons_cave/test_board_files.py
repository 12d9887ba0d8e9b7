"""A cave as data: every fault is said in one sentence, and whatever has none can be played in."""

from __future__ import annotations

import datetime
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dracotheque import DracothequeError, load_game
from dracotheque.engine.board_files import names
from dracotheque.games.dragons_cave import GAME
from dracotheque.games.dragons_cave.board_files import KEYS, Board, parse_space, pictures, problems
from tests.games.dragons_cave.position_builder import BOARDS, CAVE, COLOURS, CROOKED, PICTURES, Data, cave, choose

ALL_PICTURES = f"There are {', '.join(pictures()[:-1])} and {pictures()[-1]}."
LIKE_THIS = 'should be written like "rope 1", picture and coins, not'


def with_kinds(**kinds: Any) -> Data:
    """Change or add kinds; None takes one away."""
    changed = {picture: colour for picture, colour in (COLOURS | kinds).items() if colour is not None}
    return CAVE | {"kinds": changed}


def with_space(written: Any, at: int = 5) -> Data:
    """Write one space of the path otherwise."""
    return CAVE | {"path": [*CAVE["path"][: at - 1], written, *CAVE["path"][at:]]}


# --- One fault, one sentence ------------------------------------------------------------------------------------
@pytest.mark.rule("dragons-cave", "option.board")
@pytest.mark.parametrize("key", KEYS)
def test_a_missing_key_is_named(key: str) -> None:
    assert problems({known: value for known, value in CAVE.items() if known != key}) == [f"“{key}” is missing."]


@pytest.mark.parametrize(
    ("key", "hint"), [("tresure", " (did you mean “treasure”?)"), ("Lair", " (did you mean “lair”?)"), ("zz", "")]
)
def test_a_key_that_is_not_known_is_named_with_the_nearest(key: str, hint: str) -> None:
    said = f"“{key}” is no part of a board{hint}: it has name, treasure, lair, path and kinds."
    assert problems(CAVE | {key: 1}) == [said]


@pytest.mark.parametrize("name", ["", "  ", "two\nlines", "bell\a", 7, None, ["a"], "\ud800"])
def test_a_name_is_a_text_of_one_line(name: Any) -> None:
    assert problems(CAVE | {"name": name}) == ["“name” should be a text of one line: what players call this cave."]


NO_NUMBERS = [-1, 61, 10**30, True, False, 4.0, "4", None, [4], {"coins": 4}, float("nan")]


@pytest.mark.parametrize("value", [0, *NO_NUMBERS])
def test_a_treasure_is_1_to_60_coins(value: Any) -> None:
    said = f"“treasure” should be a number of coins from 1 to 60, not {value!r}."
    assert problems(CAVE | {"treasure": value}) == [said]


@pytest.mark.parametrize("value", NO_NUMBERS)
def test_a_lair_pays_0_to_60_coins(value: Any) -> None:
    said = f"“lair” should be a number of coins from 0 to 60, not {value!r}."
    assert problems(CAVE | {"lair": value}) == [said]


@pytest.mark.parametrize(("treasure", "lair"), [(1, 0), (60, 60), (44, 4)])
def test_few_and_many_coins_are_allowed(treasure: int, lair: int) -> None:
    assert problems(CAVE | {"treasure": treasure, "lair": lair}) == []


@pytest.mark.parametrize("kinds", [["rope", "barrel"], "rope", 5, None, False])
def test_kinds_are_a_table(kinds: Any) -> None:
    said = "“kinds” should be a table: the five pictures, each with its colour."
    assert problems(CAVE | {"kinds": kinds}) == [said]


def test_there_are_five_kinds() -> None:
    said = "There should be 5 kinds of space, one for every card of a hand, not {}."
    four = with_kinds(crystal=None)
    four["path"] = ["pickaxe 0", "lantern 0", "rope 1", "barrel 2"]
    assert problems(four) == [said.format(4)]
    sixth = next(picture for picture in pictures() if picture not in PICTURES)
    six = with_kinds(**{sixth: "#000000"})
    six["path"] = [*six["path"], f"{sixth} 1"]
    assert problems(six) == [said.format(6)]


@pytest.mark.parametrize(("picture", "hint"), [("ropes", " (did you mean “rope”?)"), ("ZZZ", ""), ("", "")])
def test_a_picture_has_a_name_in_every_language(picture: str, hint: str) -> None:
    kinds = {known: colour for known, colour in COLOURS.items() if known != "rope"} | {picture: "#000000"}
    found = problems(CAVE | {"kinds": kinds})
    assert found[0] == f"No picture is called “{picture}”{hint}. {ALL_PICTURES}"
    assert sum("shows “rope”, which is none of the kinds" in fault for fault in found) == 4
    assert found[-1] == f"No space of the path shows “{picture}”: its card would lead straight into the lair."


@pytest.mark.parametrize(
    "colour", ["red", "#12345", "#1234567", "1f7a5c", "#12345g", "#1f7a5c\n", 7, None, ["#000000"]]
)
def test_a_colour_is_written_with_six_digits(colour: Any) -> None:
    kinds = COLOURS | {"rope": colour}
    said = f'The colour of “rope” should be written like "#1f7a5c", not {colour!r}.'
    assert problems(CAVE | {"kinds": kinds}) == [said]


@pytest.mark.parametrize("colour", ["#1f7a5c", "#1F7A5C"])
def test_every_kind_has_a_colour_of_its_own(colour: str) -> None:
    said = "Two kinds have the same colour: nobody could tell them apart at a glance."
    assert problems(with_kinds(rope=colour)) == [said]
    assert problems(with_kinds(lantern=colour)) == []


@pytest.mark.parametrize("path", [[], "rope 1", None, 3, {"rope": 1}, ("rope 1",)])
def test_a_path_is_a_list_of_spaces(path: Any) -> None:
    said = '“path” should be a list of spaces from the entrance to the lair, each written like "rope 1".'
    assert problems(CAVE | {"path": path}) == [said]


def test_a_path_has_40_spaces_at_most() -> None:
    assert problems(CAVE | {"path": CAVE["path"] * 2}) == []
    assert problems(CAVE | {"path": [*CAVE["path"] * 2, "rope 1"]}) == ["The path has 41 spaces; 40 is the most."]


@pytest.mark.parametrize(
    "written", ["rope", "rope1", "rope  1", " rope 1", "rope 1 ", "rope -1", "rope 1000", "rope 1.5", "", "rope 1\n",
                "the rope 1", 7, None, ["rope", 1], {"rope": 1}, True, datetime.date(2019, 10, 9)]
)  # fmt: skip
def test_a_space_is_written_as_picture_and_coins(written: Any) -> None:
    assert problems(with_space(written)) == [f"Space 5 of the path {LIKE_THIS} {written!r}."]
    assert parse_space(written) is None


def test_a_space_is_read_as_picture_and_coins() -> None:
    assert [parse_space(written) for written in ("rope 0", "rope 60", "bat 007", "x-y 999")] == [
        ("rope", 0),
        ("rope", 60),
        ("bat", 7),
        ("x-y", 999),
    ]


@pytest.mark.parametrize(("written", "hint"), [("ropes 1", " (did you mean “rope”?)"), ("zzz 1", ""), ("bat 1", "")])
def test_a_space_shows_one_of_the_kinds(written: str, hint: str) -> None:
    said = f"Space 20 of the path shows “{written[:-2]}”, which is none of the kinds{hint}."
    assert problems(with_space(written, 20)) == [said]


def test_a_space_shows_60_coins_at_most() -> None:
    assert problems(with_space("crystal 60")) == []
    assert problems(with_space("crystal 61")) == ["Space 5 of the path shows 61 coins; 60 is the most."]


@pytest.mark.parametrize("picture", PICTURES)
def test_every_picture_is_on_the_path(picture: str) -> None:
    spaces = [written for written in CAVE["path"] if not written.startswith(picture)]
    said = f"No space of the path shows “{picture}”: its card would lead straight into the lair."
    assert problems(CAVE | {"path": spaces}) == [said]


def test_several_faults_are_told_together() -> None:
    found = problems(
        {"name": "", "treasure": 0, "lair": -1, "path": ["rope 99"], "kinds": with_kinds(rope="red")["kinds"]}
    )
    assert [fault.split()[0] for fault in found] == ["“name”", "“treasure”", "“lair”", "The", "Space", *["No"] * 4]
    assert problems({}) == [f"“{key}” is missing." for key in KEYS]
    assert len(problems({"lair": 3, "liar": 4})) == 5


# --- Boards that can be played on -------------------------------------------------------------------------------
@pytest.mark.rule("dragons-cave", "option.board", "setup.board", "setup.treasure")
@pytest.mark.parametrize("source", [None, *names(GAME)])
def test_the_boards_of_the_box_are_faultless(source: str | None) -> None:
    board = load_game("dragons-cave", 3, board=source, interpreted=True).board
    assert problems(board.data) == []
    assert board.source == (source or "")
    assert set(board.path) == set(range(5))


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board["name"])
def test_the_boards_of_the_tests_are_faultless(board: Data) -> None:
    assert problems(board) == []


@pytest.mark.rule("dragons-cave", "setup.board", "option.board")
def test_a_board_numbers_its_pictures_as_they_come_on_the_path_whatever_the_order_of_its_kinds() -> None:
    data = CROOKED | {"kinds": dict(reversed(COLOURS.items()))}
    board = Board(data, "crooked.toml")
    assert (board.name, board.treasure, board.lair, board.source) == ("Crooked", 25, 6, "crooked.toml")
    assert board.kinds == Board(CROOKED, "").kinds == ("rope", "crystal", "pickaxe", "barrel", "lantern")
    assert board.colours == tuple(COLOURS[kind] for kind in board.kinds)
    assert board.path == (0, 0, 1, 2, 2, 2, 3, 4, 0, 1, 1)
    assert board.coins == (3, 0, 1, 2, 0, 7, 1, 0, 1, 2, 0)
    assert board.data == data
    table = load_game("dragons-cave", 3, board=data, interpreted=True).new_initial_state().to_plain()
    assert table.kind == [0, *board.path, *[0] * 30]
    assert table.coins == [0, *board.coins, 6, *[0] * 29]
    assert (table.length, table.treasure) == (11, 25)
    assert table.board.name == "Crooked"


def test_the_longest_board_fits_into_the_record() -> None:
    data = cave([f"{picture} 60" for picture in PICTURES] * 8, treasure=60, lair=60)
    table = load_game("dragons-cave", 4, board=data, interpreted=True).new_initial_state().to_plain()
    assert table.kind == [0, *[0, 1, 2, 3, 4] * 8, 0]
    assert table.coins == [0, *[60] * 41]


# --- Files ------------------------------------------------------------------------------------------------------
def refused(path: Path) -> str:
    """Open a file that is no board, and give the reason."""
    with pytest.raises(DracothequeError) as caught:
        load_game("dragons-cave", board=path, interpreted=True)
    return str(caught.value)


def test_a_file_with_faults_is_refused_with_all_of_them(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "Mine"\ntreasure = "many"\nlair = 4\npath = ["rope 1"]\nkinds = 3\n', "utf-8")
    assert refused(path) == (
        f"Nobody can play on {path}:\n"
        "  - “treasure” should be a number of coins from 1 to 60, not 'many'.\n"
        "  - “kinds” should be a table: the five pictures, each with its colour."
    )


@pytest.mark.parametrize("text", ["name = ", "[kinds", 'name = "a"\nname = "b"', "path = [,]"])
def test_a_file_with_broken_toml_is_explained(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(text, "utf-8")
    assert refused(path).startswith(f"{path} is not written in TOML: ")


def test_an_empty_file_lacks_everything(tmp_path: Path) -> None:
    path = tmp_path / "empty.toml"
    path.touch()
    assert refused(path).count("is missing") == 5


# --- Anything at all --------------------------------------------------------------------------------------------
LETTERS = "a1 #\n\0\x1bé龍\ud800"
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(LETTERS, max_size=9)
    | st.just(datetime.date(2019, 10, 9))
    | st.sampled_from(["rope 1", "crystal 2", "#1f7a5c", "rope", "lantern 61", "bat 1"])
)
words = st.text(LETTERS, max_size=5) | st.sampled_from([*KEYS, *pictures(), "kind", "coins"])
anything = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=2), max_leaves=5
)


@settings(max_examples=100)
@given(st.dictionaries(words, anything, max_size=6))
def test_whatever_is_written_down_is_judged(data: Data) -> None:
    found = problems(data)
    assert found
    assert all(fault.endswith((".", "?")) for fault in found)


@settings(max_examples=100)
@given(st.data())
def test_a_board_with_anything_in_place_of_something_is_judged(data: st.DataObject) -> None:
    board: Data = {**CAVE, "kinds": COLOURS.copy(), "path": CAVE["path"].copy()}
    kinds, path = board["kinds"], board["path"]
    for part in data.draw(st.lists(st.sampled_from(["board", "kinds", "path"]), min_size=1, max_size=3)):
        if part == "path":
            path[data.draw(st.integers(0, 19))] = data.draw(anything)
        else:
            where = board if part == "board" else kinds
            where[data.draw(st.sampled_from(sorted(where)) | words)] = data.draw(anything)
    require_judged(board)


@st.composite
def caves(draw: st.DrawFn) -> Data:
    """Draw a cave that can be played in."""
    kinds = draw(st.permutations(pictures()))[:5]
    coins = draw(st.sampled_from([2, 5, 60]))
    more = draw(st.lists(st.sampled_from(kinds), max_size=35))
    order = draw(st.permutations([*kinds, *more]))
    colours = draw(st.lists(st.integers(0, 0xFFFFFF), min_size=5, max_size=5, unique=True))
    return {
        "name": draw(st.sampled_from(["Mine", "龍の洞窟", "L’antre du dragon"])),
        "treasure": draw(st.integers(1, 60)),
        "lair": draw(st.integers(0, 60)),
        "path": [f"{picture} {draw(st.integers(0, coins))}" for picture in order],
        "kinds": {picture: f"#{colour:06x}" for picture, colour in zip(kinds, colours, strict=True)},
    }


@settings(max_examples=60)
@given(caves())
def test_in_every_faultless_cave_games_come_to_an_end(board: Data) -> None:
    assert problems(board) == []
    require_judged(board)


def require_judged(board: Data) -> None:
    """See that a board has faults, or that games on it end."""
    if problems(board):
        with pytest.raises(DracothequeError, match="Nobody can play on"):
            load_game("dragons-cave", board=board, interpreted=True)
        return
    for players in (2, 3, 4):
        state = load_game("dragons-cave", players, board=board, interpreted=True).new_initial_state()
        chance = random.Random(players)
        while not state.is_terminal():
            seat, action = choose(state, chance)
            state.apply_action(action, seat)
        assert sum(state.scores()) + state.to_plain().treasure == board["treasure"]
