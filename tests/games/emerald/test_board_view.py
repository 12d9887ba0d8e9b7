"""Emerald's drawn board: every place is in it once, every piece stands somewhere, a move moves only what it should."""

from __future__ import annotations

import functools
import random
import re
from collections import Counter
from collections.abc import Iterator
from importlib import resources
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from dracotheque import State, load_game
from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.phrases import phrase
from dracotheque.engine.plain_state import PlainState
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.games.emerald import board_view
from dracotheque.games.emerald.names import CRESTS
from dracotheque.games.emerald.rules import state as s
from dracotheque.presentation.pieces import Piece, part_of_score, score

EMERALD = load_game("emerald", interpreted=True)
LARGEST = 60_000
PLAYERS = (2, 3, 4, 5)


# --- The empty board ------------------------------------------------------------------------------------------------
@functools.cache
def _drawn(language: str = "en", *, night: bool = False) -> tuple[str, ElementTree.Element]:
    """Draw the board, and read the drawing."""
    drawing = board_view.svg(None, EMERALD.words(language), night=night)
    return drawing, ElementTree.fromstring(drawing)


def _places(language: str = "en") -> list[ElementTree.Element]:
    """List the places of the picture."""
    return [node for node in _drawn(language)[1].iter() if "data-place" in node.attrib]


NAMES = Counter(node.attrib["data-place"] for node in _places())


@pytest.mark.parametrize("night", [False, True])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_board_is_a_small_and_whole_drawing(language: str, night: bool) -> None:
    drawing, root = _drawn(language, night=night)
    assert len(drawing.encode()) < LARGEST
    assert "@" not in drawing
    assert root.tag.endswith("svg")
    assert root.attrib["viewBox"] == "0 0 1200 740"
    ids = [node.attrib["id"] for node in root.iter() if "id" in node.attrib]
    assert len(set(ids)) == len(ids)
    assert all(name.startswith("a-") for name in ids)
    used = {node.attrib["href"] for node in root.iter() if "href" in node.attrib}
    assert used <= {f"#{name}" for name in ids}


def test_every_place_is_there_once() -> None:
    beside = [f"{kind}-{cave}" for kind in ("gem", "gold", "perch", "track") for cave in range(1, s.CAVES + 1)]
    treasures = [f"treasure-{number}" for number in range(1, s.TREASURES + 1)]
    assert Counter([str(place) for place in range(s.NEST + 1)] + beside + treasures) == NAMES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_place_has_room_in_the_picture_and_a_name_of_its_own(language: str) -> None:
    for node in _places(language):
        x, y, room = (float(node.attrib[f"data-{name}"]) for name in "xyr")
        assert 0 < x - room / 2 < x + room / 2 < 1200
        assert 0 < y - room / 2 < y + room / 2 < 740
    labels = [node.attrib["aria-label"] for node in _places(language)]
    assert len(set(labels)) == len(labels)


def test_night_has_other_colours_and_the_same_places() -> None:
    (day, _), (dark, root) = _drawn(), _drawn(night=True)
    assert day != dark
    assert Counter(node.attrib["data-place"] for node in root.iter() if "data-place" in node.attrib) == NAMES


# --- Pieces ---------------------------------------------------------------------------------------------------------
def _moments(players: int, seed: int) -> Iterator[tuple[State, int, int]]:
    """Play a game at random: every state with who chooses what in it; the last with nobody and nothing."""
    game = load_game("emerald", players, interpreted=True)
    state, chance = game.new_initial_state(), random.Random(seed)
    while not state.is_terminal():
        at_chance = state.is_chance_node()
        seat = CHANCE if at_chance else state.current_player()
        action = state.sample_chance(chance) if at_chance else chance.choice(state.legal_actions())
        yield state.clone(), seat, action
        state.apply_action(action, seat)
    yield state, CHANCE, -1


def _knights(table: PlainState, crest: str) -> Counter[str]:
    """Count where the knights of a crest stand in the picture."""
    return Counter(piece.place for piece in board_view.pieces(table, 0).values() if piece.kind == f"knight-{crest}")


@pytest.mark.parametrize("players", PLAYERS)
def test_every_piece_stands_at_a_place_of_the_picture(players: int) -> None:
    for state, _, _ in _moments(players, seed=players):
        table = state.to_plain()
        pieces = board_view.pieces(table, 0)
        assert {piece.place for piece in pieces.values()} <= set(NAMES)
        for colour, crest in enumerate(CRESTS):
            assert _knights(table, crest) == Counter(str(place) for place in table.knights[colour] if place != s.BOX)
        cards = Counter(piece.place for piece in pieces.values() if "-" in piece.place)
        for cave in range(s.CAVES):
            assert (cards[f"gem-{cave + 1}"], cards[f"gold-{cave + 1}"]) == (table.pile[cave], table.pile[9 + cave])
        assert sum(piece.kind == "treasure" for piece in pieces.values()) == table.treasures_left
        assert pieces["dragon"].place == f"perch-{table.dragon + 1}"
        rod = [f"track-{table.rod + link}" for link in (1, 2, 3, 4)]
        assert [pieces[f"rod-{link}"].place for link in (1, 2, 3, 4)] == rod


def test_every_kind_of_piece_and_holding_is_drawn_on_the_page() -> None:
    page = resources.files("dracotheque") / "games/emerald/web/pieces.svg"
    symbols = set(re.findall(r'<symbol\s+id="p-([a-z0-9-]+)"', page.read_text("utf-8")))
    kinds: set[str] = set()
    for state, _, _ in _moments(5, seed=8):
        for piece in board_view.pieces(state.to_plain(), 0).values():
            kinds |= {f"{piece.kind}{ending}" for ending in _endings(piece)}
        kinds |= {held.kind for seat in board_view.holdings(state.to_plain(), 0) for held in seat}
    assert len(kinds) > len(CRESTS)
    assert kinds <= symbols


def _endings(piece: Piece) -> tuple[str, ...]:
    """List how the symbol of a piece's kind may end: by its value, or by the way it looks."""
    if piece.kind == "card-gold":
        return (f"-{piece.value}",)
    return ("-left", "-right") if piece.kind in ("dragon", "rod-end") else ("",)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_move_moves_one_knight_and_what_follows_from_it(players: int) -> None:
    for (before, _, action), (after, _, _) in pairwise(_moments(players, seed=10 + players)):
        changed = [crest for crest in CRESTS if _knights(before.to_plain(), crest) != _knights(after.to_plain(), crest)]
        assert len(changed) <= 1
        first, then = board_view.pieces(before.to_plain(), 0), board_view.pieces(after.to_plain(), 0)
        assert set(then) <= set(first), "pieces are taken away, none comes out of nothing"
        if before.is_chance_node() or action >= s.PASS or not changed:
            continue
        left, arrived = (_knights(one.to_plain(), changed[0]) for one in (before, after))
        left, arrived = left - arrived, arrived - left
        if left.total() == 1 and str(s.NEST) not in arrived:
            assert [*left, *arrived] == board_view.places(before.to_plain(), before.current_player(), action)
        moved = {name for name in then if then[name].place != first[name].place}
        assert all(name.startswith((f"knight-{changed[0]}", "rod", "dragon")) for name in moved)


def test_only_the_uppermost_card_of_a_pile_is_seen() -> None:
    for state, _, _ in _moments(3, seed=7):
        table = state.to_plain()
        pieces = board_view.pieces(table, 0)
        for name, piece in pieces.items():
            if not name.startswith(("gem", "gold")):
                continue
            family, cave, height = name.split("-")
            pile = int(cave) - 1 + s.CAVES * (family == "gold")
            hidden = int(height) < table.pile[pile] or pile >= table.dealt
            hidden |= table.phase == s.REVEAL and table.turning == pile
            assert piece.kind.endswith("back") == hidden
            if piece.kind == "card-gold":
                assert piece.value == table.top[pile] + 1


@pytest.mark.parametrize(
    ("cave", "facing", "look"),
    [
        (0, s.LAIRWARD, board_view.RIGHT),
        (2, s.PLAINWARD, board_view.LEFT),
        (3, s.LAIRWARD, board_view.LEFT),
        (3, s.PLAINWARD, board_view.RIGHT),
        (8, s.LAIRWARD, board_view.RIGHT),
    ],
)
def test_the_dragon_looks_along_the_winding_road(cave: int, facing: int, look: int) -> None:
    table = EMERALD.new_initial_state().to_plain()
    table.dragon, table.facing = cave, facing
    assert board_view.pieces(table, 0)["dragon"].value == look


# --- Choices --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", PLAYERS)
def test_every_choice_touches_places_of_the_picture(players: int) -> None:
    bare = set()
    for state, _, _ in _moments(players, seed=20 + players):
        if state.is_terminal() or state.is_chance_node():
            continue
        seat = state.current_player()
        for action in state.legal_actions():
            places = board_view.places(state.to_plain(), seat, action)
            assert set(places) <= set(NAMES)
            if not places:
                bare.add(action)
    assert bare <= {s.PASS, *range(s.PAY, s.ACTIONS)}


def test_choices_touch_where_they_begin_and_where_they_lead() -> None:
    table = EMERALD.new_initial_state().to_plain()
    table.moved, table.dragon = s.FIRST_CAVE + 4, 6
    crowd = table.crowd[0]
    assert board_view.places(table, 0, 0) == ["0", str(s.FIRST_FIELD - 1 + crowd)]
    assert board_view.places(table, 0, s.TAKE_GEM) == ["gem-5"]
    assert board_view.places(table, 0, s.TAKE_GOLD) == ["gold-5"]
    assert board_view.places(table, 0, s.CAPTURE_MOVED) == [str(s.FIRST_CAVE + 6), str(s.NEST)]
    assert board_view.places(table, 0, s.SURRENDER) == [str(s.FIRST_CAVE + 6), str(s.NEST)]
    assert board_view.places(table, 0, s.PASS) == []
    table.crowd[s.CHAMBER - 1] = 5
    assert board_view.places(table, 0, s.CHAMBER - 1)[-1] == str(s.CHAMBER)


# --- What lies before the players -----------------------------------------------------------------------------------
def test_gold_of_others_is_only_counted_until_the_end() -> None:
    table = EMERALD.new_initial_state().to_plain()
    table.gold[1][0], table.gold[1][4] = 1, 2
    seen = {
        viewer: [(held.count, held.value) for held in board_view.holdings(table, viewer)[1]] for viewer in (-1, 0, 1)
    }
    assert seen == {-1: [(3, None)], 0: [(3, None)], 1: [(3, 11)]}
    table.open_gold = 1
    assert board_view.holdings(table, 0)[1][0].value == 11
    table.open_gold, table.phase = 0, s.OVER
    assert board_view.holdings(table, 0)[1][0].value == 11


def test_points_are_shown_without_gold_that_is_face_down() -> None:
    table = EMERALD.new_initial_state().to_plain()
    table.treasures[1], table.gems[1][2], table.four_gems, table.gold[1][3] = 1, 3, 2, 2
    for viewer, gold in ((-1, None), (0, None), (1, 8)):
        assert board_view.standings(table, viewer)[1] == part_of_score(12, phrase("end.amount", count=12), gold)
        assert board_view.standings(table, viewer)[0] == score(0, phrase("end.amount", count=0))
    table.open_gold = 1
    assert board_view.standings(table, 0)[1] == score(20, phrase("end.amount", count=20))
    table.open_gold, table.phase = 0, s.OVER
    assert board_view.standings(table, 0)[1].count == 24  # with the bonus card for most gems of a kind


def test_every_holding_is_listed_and_can_be_said() -> None:
    table = EMERALD.new_initial_state().to_plain()
    table.treasures[0], table.four_gems = 2, 1
    for kind in range(s.KINDS):
        table.gems[0][kind] = kind + 1
    held = board_view.holdings(table, 0)[0]
    kinds = [("treasure", 2), ("ruby", 1), ("emerald", 2), ("garnet", 3), ("turquoise", 4), ("bonus", 1)]
    assert [(each.kind, each.count) for each in held] == kinds
    assert board_view.holdings(table, 0)[1] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_has_a_label_can_be_said(language: str) -> None:
    words = EMERALD.words(language)
    for state, _, _ in _moments(3, seed=30):
        table = state.to_plain()
        labels = [piece.label for piece in board_view.pieces(table, 0).values()]
        labels += [held.label for seat in board_view.holdings(table, 1) for held in seat]
        assert all(words.say(label) for label in labels if label is not None)
