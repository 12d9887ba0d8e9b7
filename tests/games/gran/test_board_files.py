"""A map as data: every fault is said in one sentence, and whatever has none can be played on."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dracotheque import DracothequeError, load_game
from dracotheque.engine.board_files import names
from dracotheque.games.gran import GAME
from dracotheque.games.gran.board_files import (
    KEYS,
    KINDS,
    KINGDOM_NAMES,
    Board,
    Point,
    parse_point,
    problems,
    read_lines,
)  # fmt: skip
from dracotheque.games.gran.rules import state as s
from tests.games.gran.position_builder import (
    FIELD,
    MAPS,
    QUARRY,
    Data,
    bits,
    choose,
    distances,
    drawn,
    interpreted,
    members,
    random_map,
)

LIKE_THIS = 'Write it like "t7 black tirad 480 120", or "w3 white 500 460": white points lie in no kingdom.'
POINT_LIST = '“points” should be a list, each written like "t7 black tirad 480 120" or "w3 white 500 460".'
LINE_LIST = '“lines” should be a list, each a row of points that are joined one to the next: "t1 t2 t3".'
ALL_KINDS = "There are black, white, crystal, city, dragon, magic and sword."
ALL_KINGDOMS = "There are tirad, urgad, galad and elgad."


def with_point(name: str, written: Any, board: Data = FIELD) -> Data:
    """Write one point of a map otherwise."""
    return board | {"points": [written if point.split()[0] == name else point for point in board["points"]]}


def with_kinds(board: Data = FIELD, /, **kinds: str) -> Data:
    """Make other kinds of some points."""
    for name, kind in kinds.items():
        _, _, *rest = next(point for point in board["points"] if point.split()[0] == name).split()
        *kingdom, x, y = rest
        where = "" if kind == "white" else f" {kingdom[0] if kingdom else 'tirad'}"
        board = with_point(name, f"{name} {kind}{where} {x} {y}", board)
    return board


def without_lines(*lines: str, board: Data = FIELD) -> Data:
    """Leave some lines away."""
    assert set(lines) <= set(board["lines"])
    return board | {"lines": [line for line in board["lines"] if line not in lines]}


def with_lines(*lines: Any) -> Data:
    """Draw more lines."""
    return FIELD | {"lines": [*FIELD["lines"], *lines]}


# --- One fault, one sentence ------------------------------------------------------------------------------------
@pytest.mark.rule("gran", "option.board")
@pytest.mark.parametrize("key", KEYS)
def test_a_missing_key_is_named(key: str) -> None:
    assert problems({known: value for known, value in FIELD.items() if known != key}) == [f"“{key}” is missing."]


@pytest.mark.parametrize(
    ("key", "hint"), [("point", " (did you mean “points”?)"), ("Ring", " (did you mean “ring”?)"), ("zz", "")]
)
def test_a_key_that_is_not_known_is_named_with_the_nearest(key: str, hint: str) -> None:
    said = f"“{key}” is no part of a map{hint}: it has name, start, ring, points and lines."
    assert problems(FIELD | {key: 1}) == [said]


@pytest.mark.parametrize("name", ["", "  ", "two\nlines", "bell\a", 7, None, ["a"], "\ud800"])
def test_a_name_is_a_text_of_one_line(name: Any) -> None:
    assert problems(FIELD | {"name": name}) == ["“name” should be a text of one line: what players call this map."]


@pytest.mark.parametrize("points", [[], "a1 white 1 1", None, 3, {"a1": 1}, ("a1 white 1 1",)])
def test_points_are_a_list(points: Any) -> None:
    assert problems(FIELD | {"points": points})[0] == POINT_LIST


def test_a_map_has_120_points_at_most() -> None:
    more = QUARRY["lines"] + ["z1 a10", "z1 l10"]
    found = problems(QUARRY | {"points": [*QUARRY["points"], "z1 black elgad 900 990"], "lines": more})
    assert found == ["The map has 121 points; 120 is the most."]


@pytest.mark.parametrize(
    "written",
    ["c3", "", "c3 black 111 270", "c3 black tirad 111", "c3 white tirad 111 270", "c3  black tirad 1 2", 7, None,
     "c3 black tirad 1 2 ", "c3 black tirad x 2", "c3 black tirad 1e2 2", "c-3 black tirad 1 2", ["c3"], True,
     "c3 black tirad 1 2 3", "c3 black tirad 1. 2"],
)  # fmt: skip
def test_a_point_is_written_with_name_kind_kingdom_and_place(written: Any) -> None:
    assert parse_point(written) is None
    assert f"Point 19 cannot be read: {written!r}. {LIKE_THIS}" in problems(with_point("c3", written))


@pytest.mark.parametrize(("kind", "hint"), [("blck", " (did you mean “black”?)"), ("zzz", "")])
def test_a_kind_of_point_is_one_of_seven(kind: str, hint: str) -> None:
    written = f"c3 {kind} tirad 111 270"
    said = f"Point 19 cannot be read: {written!r}. No kind of point is called “{kind}”{hint}. {ALL_KINDS}"
    assert said in problems(with_point("c3", written))


@pytest.mark.parametrize(("kingdom", "hint"), [("tirat", " (did you mean “tirad”?)"), ("zzz", "")])
def test_a_kingdom_is_one_of_four(kingdom: str, hint: str) -> None:
    written = f"c3 black {kingdom} 111 270"
    said = f"Point 19 cannot be read: {written!r}. No kingdom is called “{kingdom}”{hint}. {ALL_KINGDOMS}"
    assert said in problems(with_point("c3", written))


def test_points_are_read() -> None:
    assert parse_point("t7 black tirad 480 120.5") == Point("t7", s.BLACK, 0, 480, 120.5)
    assert parse_point("w3 white 500 460") == Point("w3", s.WHITE, s.KINGDOMS, 500, 460)
    assert parse_point("burg city elgad -5 0") == Point("burg", s.CITY, 3, -5, 0)
    for number, kind in enumerate(KINDS):
        point = parse_point("p white 1 2" if kind == "white" else f"p {kind} galad 1 2")
        assert point
        assert point.kind == number


@pytest.mark.parametrize("name", ["c3", "C3"])
def test_every_point_has_a_name_of_its_own(name: str) -> None:
    said = f"Two points are called “{name}”; capitals make no difference."
    assert said in problems(with_point("d3", f"{name} black tirad 148 270"))


@pytest.mark.parametrize("place", ["-1 270", "1001 270", "111 -0.5", "111 1000.5"])
def test_points_lie_on_the_sheet(place: str) -> None:
    said = "“c3” lies beside the sheet, which goes from 0 to 1000 and from 0 to 1000."
    assert problems(with_point("c3", f"c3 black tirad {place}")) == [said]


@pytest.mark.parametrize("place", ["0 0", "1000 1000", "0 1000"])
def test_its_edge_belongs_to_the_sheet(place: str) -> None:
    assert problems(with_point("c3", f"c3 black tirad {place}")) == []


@pytest.mark.parametrize(
    ("place", "too_near"), [("148 270", True), ("129 289", True), ("128 270", False), ("148 290", False)]
)
def test_points_lie_apart_from_each_other(place: str, too_near: bool) -> None:
    """The point d3 lies at 148, 270."""
    said = ["“c3” and “d3” lie on top of each other."] if too_near else []
    assert problems(with_point("c3", f"c3 black tirad {place}")) == said


@pytest.mark.parametrize("lines", [[], "a1 b1", None, 3, ["a1 b1", 7], [["a1", "b1"]]])
def test_lines_are_a_list_of_texts(lines: Any) -> None:
    assert problems(FIELD | {"lines": lines}) == [LINE_LIST]


@pytest.mark.parametrize(("name", "hint"), [("a11", " (did you mean “a1”?)"), ("zzz", "")])
def test_lines_lead_to_points_that_are_there(name: str, hint: str) -> None:
    assert problems(with_lines(f"c3 {name} h7", f"{name} h6")) == [
        f"A line leads to “{name}”, which is no point{hint}."
    ]


@pytest.mark.parametrize("key", ["start", "ring"])
@pytest.mark.parametrize(("value", "hint"), [("e77", " (did you mean “e7”?)"), (7, ""), (["d1"], None), (None, "")])
def test_start_and_ring_name_points(key: str, value: Any, hint: str | None) -> None:
    (said,) = problems(FIELD | {key: value})
    assert said.startswith(f"“{key}” should name a point, not {value!r}{hint or ''}")


@pytest.mark.parametrize("text", ["", "c3", "  "])
def test_a_line_needs_two_points(text: str) -> None:
    assert problems(with_lines(text)) == [f"A line needs two points at least, not {text!r}."]


def test_a_line_leads_from_one_point_to_another() -> None:
    assert problems(with_lines("c3 c3")) == ["A line leads from “c3” to itself."]


@pytest.mark.parametrize("text", ["c3 d3", "d3 c3", "b2 c3 d3"])
def test_two_points_are_joined_once(text: str) -> None:
    (said,) = problems(with_lines(text))
    assert said in ("“c3” and “d3” are joined twice.", "“d3” and “c3” are joined twice.")


def test_a_text_joins_points_one_after_the_other() -> None:
    assert list(read_lines(["a b c", "d e"])) == [("a", "b"), ("b", "c"), ("d", "e")]
    assert problems(with_lines("a1 b2 c3 d4")) == []


def test_knights_and_ring_begin_on_two_crystals() -> None:
    same = "Knights and ring begin on the same point: “start” and “ring” should be two crystals."
    assert problems(FIELD | {"ring": "e7"}) == [same]
    assert problems(FIELD | {"ring": "c3"}) == ["“ring” should be a crystal; “c3” is not."]
    assert problems(FIELD | {"start": "f5"}) == ["“start” should be a crystal; “f5” is not."]


@pytest.mark.parametrize(("kingdom", "city"), [("Tirad", "a1"), ("Urgad", "h1"), ("Galad", "f5"), ("Elgad", "a7")])
def test_every_kingdom_has_one_city(kingdom: str, city: str) -> None:
    said = f"{kingdom} should have one city, whose seal one can win; it has {{}}."
    assert problems(with_kinds(**{city: "black"})) == [said.format("none")]
    second = {"Tirad": "c2", "Urgad": "f2", "Galad": "f6", "Elgad": "c6"}[kingdom]
    both = " and ".join(sorted([city, second], key=lambda name: (name[1], name[0])))
    assert problems(with_kinds(**{second: "city"})) == [said.format(both)]


def test_outside_every_kingdom_there_is_always_room_for_the_ring() -> None:
    """Field has 9 points for the ring in Tirad, Urgad and Galad each, 8 in Elgad."""
    fewer = with_kinds(f6="sword", h5="sword", c5="sword")
    assert problems(fewer) == []
    found = problems(with_kinds(fewer, g5="sword"))
    said = "there are {} points for the ring to be laid on; with 16 stones and 6 knights about, 23 are needed."
    assert found == [f"Outside Tirad {said.format(22)}", f"Outside Urgad {said.format(22)}"]


def test_there_are_white_points_for_everybody() -> None:
    said = "There are 5 white points; 6 are needed, for 6 knights to be banished to."
    assert problems(with_kinds(b4="black")) == [said]


def test_every_point_can_be_reached() -> None:
    assert problems(without_lines("a1 b1", "a1 a2")) == ["No way leads from the start to “a1”."]
    found = problems(without_lines("g7 h7", "h6 h7", "a1 b1", "a1 a2"))
    assert found == ["No way leads from the start to “a1” and “h7”."]


def test_dragons_guard_no_point() -> None:
    found = problems(with_kinds(g7="dragon", h6="dragon"))
    assert found == ["Only dragons lead to “h7”: a knight without amulets could never leave."]


def test_no_dragon_lies_among_dragons_alone() -> None:
    nest = drawn(
        "Nest", "i8", "d1", "C..*....C...", "............", "....ooo.....", "....ooo.....", "..DDD.......",
        ".DDDDD......", "..DDD.......", "....C...*..C",
    )  # fmt: skip
    assert problems(nest) == ["Only dragons lead to “c6”, “d6” and “e6”: a knight without amulets could never leave."]


def test_no_single_stone_parts_the_map() -> None:
    found = problems(without_lines("a1 a2"))
    assert found == ["A single stone on “b1” would cut off “a1”: another line is needed."]
    assert problems(with_kinds(without_lines("a1 a2"), b1="sword")) == []  # no stone ever lies on a symbol
    white = without_lines("b3 b4", "b4 b5", "a4 b4")
    assert problems(white) == ["A single stone on “c4” would cut off “b4”: another line is needed."]


def test_several_faults_are_told_together() -> None:
    assert problems({}) == [f"“{key}” is missing." for key in KEYS]
    assert len(problems({"ring": 3, "rings": 4})) == 5
    found = problems(FIELD | {"name": "", "points": [*FIELD["points"], "x"], "lines": ["a1 zz", "a1"]})
    assert [fault.split()[0] for fault in found] == ["“name”", "Point", "A", "A"]
    found = problems(with_kinds(FIELD | {"ring": "c3"}, a1="black", b4="black"))
    assert [fault.split()[0] for fault in found] == ["“ring”", "Tirad", "There"]


# --- Maps that can be played on ---------------------------------------------------------------------------------
@pytest.mark.rule("gran", "option.board", "setup.map")
@pytest.mark.parametrize("source", [None, *names(GAME)])
def test_the_maps_of_the_box_are_faultless(source: str | None) -> None:
    board = load_game("gran", 3, board=source, interpreted=True).board
    assert problems(board.data) == []
    assert board.source == (source or "")


@pytest.mark.parametrize("board", MAPS, ids=lambda board: board["name"])
def test_the_maps_of_the_tests_are_faultless(board: Data) -> None:
    assert problems(board) == []


def laid_out(data: Data) -> np.void:
    """Lay a map into an empty record."""
    record = np.zeros(1, s.State)
    Board(data, "").write_to(record[0])
    return record[0]


@pytest.mark.rule("gran", "setup.map", "setup.knights", "setup.ring", "option.board")
@pytest.mark.parametrize("data", [*MAPS, random_map(1)], ids=lambda board: board["name"])
def test_a_map_comes_into_the_record_point_by_point(data: Data) -> None:
    record, written = laid_out(data), [point.split() for point in data["points"]]
    order = [name for name, *_ in written]
    assert (order[record["start"]], order[record["ring"]]) == (data["start"], data["ring"])
    for number, (name, kind, land, *_) in enumerate(written):
        assert record["kind"][number] == KINDS.index(kind)
        assert record["kingdom"][number] == (s.KINGDOMS if kind == "white" else KINGDOM_NAMES.index(land))
        joined = {other for line in data["lines"] for other in line.split() if name in line.split()} - {name}
        near = members(record["near"][number * s.WORDS :][: s.WORDS].tolist())
        assert {order[point] for point in near} == joined
    assert set(record["kingdom"][len(order) :]) <= {s.KINGDOMS}
    assert not record["near"][len(order) * s.WORDS :].any()
    kinds = {kind: {n for n, point in enumerate(written) if point[1] == kind} for kind in KINDS}
    for field, expected in (
        ("white", kinds["white"]),
        ("ground", kinds["white"] | kinds["black"]),
        ("cities", kinds["city"]),
        ("dragons", kinds["dragon"]),
    ):
        assert record[field].tolist() == bits(expected)
    for number, kingdom in enumerate(KINGDOM_NAMES):
        land = {n for n in kinds["black"] | kinds["crystal"] if written[n][2] == kingdom}
        assert record["land"][number * s.WORDS :][: s.WORDS].tolist() == bits(land)
    assert record["stones"].tolist() == [0, 0]


def test_a_board_knows_its_points_by_name_and_number() -> None:
    board = Board(FIELD, "field.toml")
    assert (board.name, board.source, board.data) == ("Field", "field.toml", FIELD)
    assert [board.points[number].name for number in board.number.values()] == list(board.number)
    assert (board.points[board.start].name, board.points[board.ring].name) == ("e7", "d1")
    assert len(board.lines) == len(FIELD["lines"])
    assert board.near[board.number["c3"]] == tuple(sorted(board.number[name] for name in ("b3", "d3", "c2", "c4")))
    assert board.names([9, 0]) == ["“a1”", "“b2”"]


def test_closed_points_part_others_from_the_start() -> None:
    board = Board(FIELD, "")
    assert board.parted(set()) == set()
    corner = {board.number[name] for name in ("g7", "h6")}
    assert board.parted(corner) == {board.number["h7"]}
    assert board.parted({board.start}) == set()
    assert board.parted(set(range(56))) == set()


# --- The box's map ----------------------------------------------------------------------------------------------
# What a map like the printed one, of which no picture was to be had, should be like.
USUAL = interpreted(3, None).board


def of_kind(*kinds: int, kingdom: int | None = None) -> list[int]:
    """Find the points of some kinds."""
    return [
        number for number, point in enumerate(USUAL.points) if point.kind in kinds and kingdom in (None, point.kingdom)
    ]


def test_it_has_70_to_100_points() -> None:
    assert 70 <= len(USUAL.points) <= 100


def test_its_crystals_lie_in_galad_and_tirad() -> None:
    assert KINGDOM_NAMES[USUAL.points[USUAL.start].kingdom] == "galad"
    assert KINGDOM_NAMES[USUAL.points[USUAL.ring].kingdom] == "tirad"
    assert len(of_kind(s.CRYSTAL)) == 2


def test_its_white_points_lie_together_and_touch_all_kingdoms() -> None:
    white = set(of_kind(s.WHITE))
    assert len(white) >= 6
    touched = {USUAL.points[other].kingdom for point in white for other in USUAL.near[point]}
    assert touched == {*range(s.KINGDOMS), s.KINGDOMS}
    seen, todo = set[int](), [min(white)]
    while todo:
        point = todo.pop()
        seen.add(point)
        todo += white & set(USUAL.near[point]) - seen
    assert seen == white


def test_every_city_is_three_steps_from_the_white_points_or_more() -> None:
    for city in of_kind(s.CITY):
        assert min(distances(USUAL)[city][white] for white in of_kind(s.WHITE)) >= 3


@pytest.mark.parametrize("kingdom", range(s.KINGDOMS))
def test_every_kingdom_has_its_share(kingdom: int) -> None:
    assert len(of_kind(s.BLACK, kingdom=kingdom)) >= 10
    assert len(of_kind(s.CITY, kingdom=kingdom)) == 1
    for kind in (s.DRAGON, s.MAGIC, s.SWORD):
        assert of_kind(kind, kingdom=kingdom)


def test_no_point_parts_it() -> None:
    for point in range(len(USUAL.points)):
        assert USUAL.parted({point}) == set()


def test_sixteen_stones_can_wall_the_ring_in() -> None:
    """Otherwise the rule against it would never be needed."""
    ground = set(of_kind(s.BLACK, s.WHITE))
    walls: list[int] = []
    for point in of_kind(s.BLACK, s.CRYSTAL):
        inside, todo = {point}, [point]
        while todo:
            new = set(USUAL.near[todo.pop()]) - ground - inside
            inside |= new
            todo += new
        walls.append(len({other for one in inside for other in USUAL.near[one]} & ground - inside))
    assert min(walls) <= s.STONES


# --- Files ------------------------------------------------------------------------------------------------------
def test_a_file_with_faults_is_refused_with_all_of_them(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "Mine"\nstart = "a"\nring = "b"\npoints = []\nlines = ["a b"]\n', "utf-8")
    with pytest.raises(DracothequeError) as caught:
        load_game("gran", board=path, interpreted=True)
    said = str(caught.value).splitlines()
    assert said[0] == f"Nobody can play on {path}:"
    assert said[1] == f"  - {POINT_LIST}"


# --- Anything at all --------------------------------------------------------------------------------------------
LETTERS = "a1 #\n\0\x1bé龍\ud800"
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(LETTERS, max_size=9)
    | st.sampled_from(["a1 white 1 1", "c3 dragon tirad 1 2", "a1 b2 c3", "c3", "c3 black tirad 99999 1"])
)
words = st.text(LETTERS, max_size=5) | st.sampled_from([*KEYS, *KINDS, "kind"])
anything = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=2), max_leaves=5
)


@settings(max_examples=60)
@given(st.dictionaries(words, anything, max_size=6))
def test_whatever_is_written_down_is_judged(data: Data) -> None:
    found = problems(data)
    assert found
    assert all(fault.endswith((".", "?")) for fault in found)


@settings(max_examples=60)
@given(st.data())
def test_a_map_with_anything_in_place_of_something_is_judged(data: st.DataObject) -> None:
    board: Data = FIELD | {"points": FIELD["points"].copy(), "lines": FIELD["lines"].copy()}
    for part in data.draw(st.lists(st.sampled_from(["map", "points", "lines"]), min_size=1, max_size=3)):
        if part == "map":
            board[data.draw(st.sampled_from(KEYS) | words)] = data.draw(anything)
        elif isinstance(board[part], list) and board[part]:
            board[part][data.draw(st.integers(0, len(board[part]) - 1))] = data.draw(anything)
    require_judged(board)


@pytest.mark.parametrize("seed", range(6))
def test_on_every_faultless_map_games_can_be_played(seed: int) -> None:
    assert problems(random_map(seed)) == []
    require_judged(random_map(seed))


def require_judged(board: Data) -> None:
    """See that a map has faults, or that one can play on it."""
    if problems(board):
        with pytest.raises(DracothequeError, match="Nobody can play on"):
            load_game("gran", board=board, interpreted=True)
        return
    state, chance = load_game("gran", 3, board=board, interpreted=True).new_initial_state(), random.Random(3)
    while not state.is_terminal() and state.move_number() < 100:
        state.apply_action(choose(state, chance))
