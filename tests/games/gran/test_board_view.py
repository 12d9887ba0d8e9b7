"""The map as a board to play on: every place once, every piece on one, and only what moved has moved."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import cache
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dracotheque import State, load_game
from dracotheque.engine.plain_state import PlainState
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.games.gran import names as names_module
from dracotheque.games.gran.board_files import KINGDOM_NAMES, Board
from dracotheque.games.gran.board_svg import RESERVE
from dracotheque.games.gran.board_view import holdings, onward, pieces, places, standings, svg
from dracotheque.games.gran.map_layout import ACROSS, DOWN, FRAME
from dracotheque.games.gran.rules.state import FIRST, LIFT, NOBODY, NOWHERE, OVER, SEATS, SECOND, STAY, STONE, STONES
from dracotheque.presentation.pieces import Piece
from tests.games.gran.position_builder import members
from tests.games.gran.test_board_svg import boards
from tests.games.svg_reader import assert_stands_alone

BIGGEST = 60_000
BOARDS = (None, "small")
GAMES = [(None, 3, 1), (None, 6, 2), ("small", 4, 3), ("small", 5, 4)]
MOVES = 220
LEAST_NAME = 16  # about 9 pixels where a map has 700


@cache
def drawn(board: str | None, *, language: str = "en", night: bool = False) -> str:
    """Draw one of the maps of a game."""
    game = load_game("gran", players=4, board=board, interpreted=True)
    return svg(game.board, game.words(language), night=night)


def places_drawn(picture: str) -> list[dict[str, str]]:
    """Read the places of a map off its drawing."""
    root = ElementTree.fromstring(picture)
    return [dict(node.attrib) for node in root.iter() if "data-place" in node.attrib]


@cache
def moments(board: str | None, players: int, seed: int) -> list[tuple[PlainState, list[tuple[int, int]]]]:
    """Play a game by chance: the table before every move, and what could be chosen, each by its seat."""
    chance = Random(seed)
    state = load_game("gran", players=players, board=board, interpreted=True).new_initial_state()
    return [*itertools.islice(_played(state, chance), MOVES)]


def _played(state: State, chance: Random) -> Iterator[tuple[PlainState, list[tuple[int, int]]]]:
    """Play on by chance until the game is over."""
    while not state.is_terminal():
        choices = [(seat, action) for seat in range(state.game.players) for action in state.legal_actions(seat)]
        yield state.to_plain(), choices
        if state.is_chance_node():
            state.apply_action(state.sample_chance(chance))
        else:
            seat, action = chance.choice(choices)
            state.apply_action(action, seat)
    yield state.to_plain(), []


def test_in_these_games_everything_is_asked() -> None:
    assert {table.phase for game in GAMES for table, _ in moments(*game)} >= {*range(OVER)}


# --- The empty map --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("night", [False, True], ids=["day", "night"])
def test_every_point_and_the_reserve_are_places_of_the_map(board: str | None, night: bool) -> None:
    game, picture = load_game("gran", players=4, board=board, interpreted=True), drawn(board, night=night)
    found = places_drawn(picture)
    assert [place["data-place"] for place in found] == [*map(str, range(len(game.board.points))), RESERVE]
    assert all(place["class"] == "place" and place["role"] == "img" for place in found)
    _, _, wide, high = map(float, re.findall(r'viewBox="(\S+) (\S+) (\S+) (\S+)"', picture)[0])
    spots = [tuple(float(place[f"data-{name}"]) for name in "xyr") for place in found]
    assert all(r > 0 and r < x < wide - r and r < y < high - r for x, y, r in spots)
    near = min(max(abs(a - x), abs(b - y)) for (a, b, _), (x, y, _) in itertools.combinations(spots, 2))
    assert near > 36
    assert len({place["aria-label"] for place in found}) == len(found)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("night", [False, True], ids=["day", "night"])
def test_the_drawing_is_small_whole_and_keeps_its_names_to_itself(
    board: str | None, language: str, night: bool
) -> None:
    picture = drawn(board, language=language, night=night)
    root = ElementTree.fromstring(picture)
    assert len(picture.encode()) <= BIGGEST
    assert root.get("lang") == language
    assert root[0].tag.endswith("title")
    assert (root[0].text or "").startswith("Gran – ")
    assert_stands_alone(picture)


@pytest.mark.parametrize("board", BOARDS)
def test_every_name_is_written_as_large_as_one_can_read(board: str | None) -> None:
    root = ElementTree.fromstring(drawn(board))
    (names,) = [node for node in root.iter() if "a-names" in node.get("class", "").split()]
    sizes = [float(text.get("font-size") or names.attrib["font-size"]) for text in names]
    assert len(sizes) == len(load_game("gran", players=4, board=board, interpreted=True).board.points)
    assert min(sizes) >= LEAST_NAME


@settings(max_examples=4, deadline=None)
@given(boards(), st.booleans())
def test_on_any_map_all_points_are_places_inside_the_sheet(board: Board, night: bool) -> None:
    found = places_drawn(svg(board, load_game("gran", interpreted=True).words("en"), night=night))
    assert [place["data-place"] for place in found] == [*map(str, range(len(board.points))), RESERVE]
    assert all(FRAME < float(place["data-x"]) < ACROSS - FRAME for place in found)
    assert all(FRAME < float(place["data-y"]) < DOWN - FRAME for place in found)
    assert all(name in place["aria-label"] for name, place in zip(map_names(board), found, strict=False))


def map_names(board: Board) -> list[str]:
    """List the points' names as they stand on the map."""
    return [names_module.point_name(board, number) for number in range(len(board.points))]


@pytest.mark.parametrize("board", BOARDS)
def test_by_night_the_same_places_are_in_other_colours(board: str | None) -> None:
    day, night = drawn(board), drawn(board, night=True)
    assert places_drawn(day) == places_drawn(night)
    assert len({re.findall(r"\.a-land\{[^}]*\}", picture)[0] for picture in (day, night)}) == 2


@pytest.mark.parametrize(
    ("language", "city", "reserve"),
    [
        ("en", "T17 – city, Tirad", "obstacles in the reserve"),
        ("fr", "T17 – cité, Tirad", "pierres-obstacles en réserve"),
        ("it", "T17 – città, Tirad", "ostacoli nella riserva"),
        ("de", "T17 – Stadt, Tirad", "Sperrsteine im Vorrat"),
    ],
)
def test_places_are_named_in_every_language(language: str, city: str, reserve: str) -> None:
    names = [place["aria-label"] for place in places_drawn(drawn(None, language=language))]
    assert city in names
    assert names[-1] == reserve


# --- Pieces ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("board", "players", "seed"), GAMES)
def test_every_piece_stands_on_a_place_and_can_be_named(board: str | None, players: int, seed: int) -> None:
    keys = {place["data-place"] for place in places_drawn(drawn(board))}
    words = [load_game("gran", players=players, interpreted=True).words(language) for language in LANGUAGES]
    for table, _ in moments(board, players, seed):
        found = pieces(table, 0)
        assert found == pieces(table, -1)
        assert {piece.place for piece in found.values()} <= keys
        assert all(said.say(piece.label) for said in words for piece in found.values() if piece.label)
        assert all(piece.label for piece in found.values())
        stones = [piece for piece in found.values() if piece.kind == "stone"]
        assert len(stones) + found[RESERVE].value == STONES
        knights = [piece for piece in found.values() if piece.kind.startswith("knight")]
        assert sorted(piece.seat for piece in knights) == [*range(players)]
        assert all(piece.value == table.amulets[piece.seat] for piece in knights)
        assert [piece.seat for piece in knights if "ring" in piece.kind] == [table.bearer] * (table.bearer != NOBODY)
        assert ("ring" in found) == (table.ring != NOWHERE)


@pytest.mark.parametrize(("board", "players", "seed"), GAMES)
def test_a_move_changes_only_what_it_moves(board: str | None, players: int, seed: int) -> None:
    for (before, _), (after, _) in itertools.pairwise(moments(board, players, seed)):
        old, new = pieces(before, 0), pieces(after, 0)
        changed = {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}
        assert changed <= {*expected(before, after)}


def expected(before: PlainState, after: PlainState) -> Iterator[str]:
    """List the pieces that are not as they were, as the fields of the table tell."""
    for seat, crest in enumerate(names_module.CRESTS[: before.players]):
        fields = [
            (table.place[seat], table.amulets[seat], table.bearer == seat, table.collared >> seat & 1)
            for table in (before, after)
        ]
        if fields[0] != fields[1]:
            yield f"knight-{crest}"
    if before.ring != after.ring:
        yield "ring"
    if before.reserve != after.reserve:
        yield RESERVE
    yield from (f"stone-{point}" for point in {*members(before.stones)} ^ {*members(after.stones)})
    yield from (f"stone-{point}" for point in {before.lifted, after.lifted} - {NOWHERE})


def test_a_knight_keeps_its_name_and_shows_what_it_carries() -> None:
    table: PlainState = load_game("gran", players=SEATS, interpreted=True).new_initial_state().to_plain()
    table.bearer, table.ring, table.collared, table.amulets = 1, NOWHERE, 0b100, [3, 2, 0, 1, 1, 1]
    found, words = pieces(table, 0), load_game("gran", interpreted=True).words("en")
    assert [found[f"knight-{crest}"].kind for crest in names_module.CRESTS[:4]] == [
        "knight", "knight-ring", "knight-collar", "knight",
    ]  # fmt: skip
    said = [words.say(piece.label) for piece in found.values() if piece.label]
    assert said[:3] == [
        "Yellow – knight, 3 amulets", "Red – knight, 2 amulets, ring", "Purple – knight, no amulets, shackle",
    ]  # fmt: skip


def test_a_lifted_stone_lies_on_the_raft() -> None:
    table: PlainState = load_game("gran", interpreted=True).new_initial_state().to_plain()
    table.phase, table.lifted = STONE, 7
    assert pieces(table, 0)["stone-7"] == Piece("stone", RESERVE, label=pieces(table, 0)["stone-7"].label)
    assert places(table, 0, 9) == [RESERVE, "9"]


# --- Choices and holdings -------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("board", "players", "seed"), GAMES)
def test_every_choice_leads_to_a_place_of_its_own(board: str | None, players: int, seed: int) -> None:
    keys = {place["data-place"] for place in places_drawn(drawn(board))}
    for table, choices in moments(board, players, seed):
        paths = [places(table, seat, action) for seat, action in choices]
        assert {key for path in paths for key in path} <= keys
        assert len({path[-1] for path in paths}) == len(paths)
        for (seat, action), path in zip(choices, paths, strict=True):
            here = str(table.place[seat])
            if action == STAY:
                assert path == [here]
            elif table.phase in (FIRST, SECOND):
                assert path == [here, str(action)]
            elif table.phase == LIFT:
                assert path == [str(action)]
            else:
                assert path[1:] == [str(action)]


@pytest.mark.parametrize(("board", "players", "seed"), GAMES)
def test_where_a_first_step_may_go_on_to_is_what_the_next_prompt_offers(
    board: str | None, players: int, seed: int
) -> None:
    state, chance, ways = (
        load_game("gran", players=players, board=board, interpreted=True).new_initial_state(),
        Random(seed),
        0,
    )
    while not state.is_terminal() and state.move_number() < MOVES:
        seat, actions = state.current_player(), state.legal_actions()
        if seat >= 0:
            table = state.to_plain()
            promised = onward(table, seat, actions)
            assert table.phase == FIRST or not promised
            ends = [end for action in actions if table.phase == FIRST for end in _ends(state, seat, action)]
            told = [end for action in actions if table.phase == FIRST for end in _told(state, seat, action, promised)]
            assert sorted(told) == sorted(set(ends)), "every end is told once"
            ways += len(ends) - len(told)
        state = state.child(chance.choice(actions))
    assert ways > 0, "some ends can be reached on two ways"


End = tuple[int, int]


def _ends(state: State, seat: int, action: int) -> list[End]:
    """Where a knight can be after its move, and who bears the ring then."""
    if action == STAY:
        return []
    after = state.child(action)
    table = after.to_plain()
    if table.phase != SECOND or after.current_player() != seat:
        return [(action, _bearer(state, seat, action))]
    seconds = after.legal_actions()
    return [(action if second == STAY else second, _bearer(after, seat, second)) for second in seconds]


def _told(state: State, seat: int, action: int, promised: dict[int, dict[str, object]]) -> list[End]:
    """The ends that a choice is said to lead to; the next prompt offers each."""
    if action not in promised:
        return _ends(state, seat, action)
    after = state.child(action)
    table = after.to_plain()
    offered = {places(table, seat, second)[-1]: second for second in after.legal_actions()}
    return [(int(place), _bearer(after, seat, offered[place])) for place in promised[action]]


def _bearer(state: State, seat: int, action: int) -> int:
    """Who bears the ring as soon as a knight has taken a step."""
    table = state.to_plain()
    return seat if action != STAY and table.ring == action else table.bearer


def test_a_choice_that_is_no_point_of_the_map_has_no_place() -> None:
    table = load_game("gran", board="small", interpreted=True).new_initial_state().to_plain()
    assert places(table, 0, len(table.board.points)) == []


@pytest.mark.parametrize("players", range(3, SEATS + 1))
def test_everybody_sees_what_everybody_has(players: int) -> None:
    table: PlainState = load_game("gran", players=players, interpreted=True).new_initial_state().to_plain()
    table.seals = [0b0000, 0b0001, 0b1010, 0b1111, 0b0100, 0b0110]
    table.amulets, table.bearer, table.collared = [3, 0, 1, 2, 2, 2], 2, 0b010
    wanted = 3 if players < 5 else 2
    words = [load_game("gran", interpreted=True).words(language) for language in LANGUAGES]
    seals = [(each.kind, each.count, each.value) for each in standings(table, 0)]
    assert seals == [("score", count, wanted) for count in (0, 1, 2, 4, 1, 2)][:players]
    held = holdings(table, 0)
    assert held == holdings(table, -1)
    assert len(held) == players
    for seat, items in enumerate(held):
        kinds = {item.kind: item.count for item in items}
        won = [f"seal-{name}" for number, name in enumerate(KINGDOM_NAMES) if table.seals[seat] >> number & 1]
        assert [kind for kind in kinds if kind.startswith("seal-") and kind != "seal-wanted"] == won
        assert kinds.get("seal-wanted", 0) == max(wanted - len(won), 0)
        assert kinds["amulet"] == table.amulets[seat]
        assert ("ring" in kinds, "collar" in kinds) == (seat == 2, seat == 1)
        assert all(said.say(item.label) for said in words for item in items if item.label)
