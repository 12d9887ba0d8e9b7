"""The picture of Save the Dragon: every place is drawn once, every piece stands on one, every choice touches some."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, fromstring

import pytest

from dracotheque.engine.plain_state import PlainState
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.games.save_the_dragon import board_svg, board_view
from dracotheque.games.save_the_dragon.rules import state as s
from dracotheque.presentation.pieces import Holding
from tests.games.random_games import Moment, kept
from tests.games.save_the_dragon.position_builder import (
    ACTIONS,
    SPOTS,
    fall,
    game_setup,
    interpreted,
    play,
    played,
    situation,
)  # fmt: skip

PLACES = {*SPOTS, "floor", "chamber", "rock", "door-a", "door-b", "door-c", "die-steps", "die-action"}
FALL = (s.LANE, s.FATE, s.SIDE)

every_drawing = pytest.mark.parametrize(("language", "night"), list(itertools.product(LANGUAGES, (False, True))))


def drawn(language: str = "en", *, night: bool = False) -> str:
    """Draw the empty stairs."""
    return board_view.svg(None, interpreted().words(language), night=night)


def places(svg: str) -> list[Element]:
    """List the places of a drawing."""
    return [element for element in fromstring(svg).iter() if element.get("class") == "place"]


@functools.cache
def games() -> list[list[Moment]]:
    """Play some game_setups, once for all tests."""
    return [[*map(kept, played(game_setup(number), 160))] for number in range(12)]


def moments() -> Iterator[Moment]:
    """Go through every moment of every game."""
    return itertools.chain.from_iterable(games())


def changed(before: PlainState, after: PlainState) -> set[str]:
    """List the pieces that came, went or are another way than before."""
    one, other = board_view.pieces(before, -1), board_view.pieces(after, -1)
    return {name for name in one | other if one.get(name) != other.get(name)}


def where(table: PlainState) -> dict[str, str]:
    """Return where every piece is."""
    return {name: piece.place for name, piece in board_view.pieces(table, -1).items()}


# --- The drawing ------------------------------------------------------------------------------------------------
@every_drawing
def test_every_place_is_drawn_once_inside_the_picture_and_has_a_name(language: str, night: bool) -> None:
    found = places(drawn(language, night=night))
    assert sorted(place.get("data-place", "") for place in found) == sorted(PLACES)
    names = [place.get("aria-label") for place in found]
    assert all(names)
    assert len(set(names)) == len(names)
    for place in found:
        x, y, room = (float(place.get(f"data-{name}", "nan")) for name in "xyr")
        assert 30 < room < x < board_svg.WIDTH - room
        assert room < y < board_svg.HEIGHT - 40


@every_drawing
def test_a_drawing_is_small_and_all_its_names_are_its_own(language: str, night: bool) -> None:
    svg = drawn(language, night=night)
    assert len(svg.encode()) < 60_000
    ids = re.findall(r' id="([^"]+)"', svg)
    assert all(name.startswith("a-") for name in ids)
    assert len(set(ids)) == len(ids)
    assert set(re.findall(r'href="#([^"]+)"', svg) + re.findall(r"url\(#([^)]+)\)", svg)) <= set(ids)
    used = {name for names in re.findall(r'class="([^"]+)"', svg) for name in names.split()}
    assert used - {"place"} <= set(re.findall(r"\.([\w-]+)(?=[,{])", svg))
    assert "http" not in svg.replace('xmlns="http://www.w3.org/2000/svg"', "")


def test_names_are_in_the_language_and_night_is_another_picture() -> None:
    labels = {language: {place.get("aria-label") for place in places(drawn(language))} for language in LANGUAGES}
    assert {"door a", "bottom", "b7", "movement die"} <= labels["en"]
    assert {"porte\u00a0a", "en bas", "dé d’action"} <= labels["fr"]
    assert {"porta\u00a0b", "dado azione"} <= labels["it"]
    assert {"Tür\u00a0c", "unten", "Kammer"} <= labels["de"]
    assert drawn() == drawn()
    assert drawn(night=True) != drawn()


def test_spots_stand_in_three_lanes_each_step_above_the_last_and_give_each_other_room() -> None:
    at = {
        place.get("data-place", ""): [float(place.get(f"data-{name}", 0)) for name in "xyr"]
        for place in places(drawn())
    }
    for left, right in (("a", "b"), ("b", "c")):
        for step in range(1, 10):
            (x, y, room), (further, same, _) = at[f"{left}{step}"], at[f"{right}{step}"]
            assert y == same
            assert further - x > 2 * room
    for one, other in itertools.pairwise(f"b{step}" for step in range(1, 10)):
        assert at[one][1] - at[other][1] > 1.9 * at[other][2]
    assert at["floor"][1] > at["b1"][1]
    assert at["b9"][1] > at["door-b"][1] > at["chamber"][1]


# --- Pieces -----------------------------------------------------------------------------------------------------
def test_every_piece_stands_on_a_place_and_has_a_label_in_every_language() -> None:
    for table, *_ in moments():
        for piece in board_view.pieces(table, -1).values():
            assert piece.place in PLACES
            assert piece.label is not None
            assert all(interpreted().words(language).say(piece.label) for language in LANGUAGES)


def test_every_pawn_is_there_with_its_seat_and_so_are_shield_and_door_once_they_are_settled() -> None:
    crests = ("lion", "tower", "star", "oak")
    for table, *_ in moments():
        found = board_view.pieces(table, 0)
        assert [piece.seat for piece in found.values()][: table.players] == list(range(table.players))
        assert [*found][: table.players] == [f"pawn-{crest}" for crest in crests[: table.players]]
        assert "rock" in found
        assert ("door" in found) == (table.phase != s.DOOR)
        assert ("shield" in found) == (table.phase not in (s.DOOR, s.NOTCH))
        assert ("die-steps" in found) == (table.die > 0)


def test_a_choice_moves_only_what_it_says() -> None:
    walks = changes = throws = 0
    for game in games():
        for (before, mover, *_), (after, _, _, action) in itertools.pairwise(game):
            assert action is not None
            if before.phase == s.WALK:
                own = f"pawn-{('lion', 'tower', 'star', 'oak')[mover]}"
                assert changed(before, after) - {"die-steps"} <= {own}
                walks += 1
            elif before.phase == s.CHANGE:
                moved = changed(before, after) - {"die-steps", "die-action"}
                assert moved == ({"shield"} if action < s.SHUT_DOOR else set() if action == s.NO_CHANGE else {"door"})
                changes += 1
            elif before.phase == s.THROW and after.step:
                assert changed(before, after) == {"rock"}
                throws += 1
            elif before.phase in (s.DIE, s.ACTION):
                assert changed(before, after) <= {"die-steps", "die-action"}
    assert min(walks, changes, throws) > 5


def test_a_rock_changes_only_itself_the_dice_and_pawns() -> None:
    for game in games():
        for (before, *_), (after, *_) in itertools.pairwise(game):
            if before.phase in FALL:
                moved = changed(before, after)
                assert not moved & {"door", "shield"}
                # Of the pawns it is the one that is struck, until all that lie are righted together.
                pawns = {name for name in moved if name.startswith("pawn-")}
                assert after.step == 0 or len(pawns) <= 2


def test_the_rock_comes_from_its_ledge_through_the_door_and_goes_back() -> None:
    state = situation(at={"lion": "b7", "tower": "a3"}, shield="c1", shut="a", action="rock")
    assert where(state.to_plain())["rock"] == "rock"
    assert where(state.to_plain())["die-action"] == "die-action"
    play(state, "lion: throw b")
    assert where(state.to_plain())["rock"] == "door-b"
    play(state, "chance: rock b")
    assert where(state.to_plain())["rock"] == "b7"
    assert board_view.pieces(state.to_plain(), -1)["pawn-lion"].kind == "struck"
    play(state, "chance: fate 2", "chance: side c")
    lion = board_view.pieces(state.to_plain(), -1)["pawn-lion"]
    assert (lion.kind, lion.place) == ("fallen", "c5")
    assert where(state.to_plain())["rock"] == "b7"
    play(state, "chance: rock gone")
    assert where(state.to_plain())["rock"] == "rock"


def test_who_is_through_the_door_stands_in_the_chamber() -> None:
    state = situation(at={"lion": "b9"}, shut="a", die=1)
    play(state, "lion: door b")
    assert where(state.to_plain())["pawn-lion"] == "chamber"
    assert where(state.to_plain())["pawn-tower"] == "floor"


def test_everybody_sees_the_same() -> None:
    for table, *_ in moments():
        assert all(board_view.pieces(table, viewer) == board_view.pieces(table, -1) for viewer in range(table.players))


# --- Choices and tokens -----------------------------------------------------------------------------------------
def test_every_choice_touches_places_that_are_drawn_the_first_with_the_piece_that_goes() -> None:
    kinds: set[str] = set()
    for table, _, legal, _ in moments():
        at = set(where(table).values())
        for seat, action in ((seat, action) for seat, actions in enumerate(legal) for action in actions):
            found = board_view.places(table, seat, action)
            assert set(found) <= PLACES
            assert (found == []) == (action in (s.STAY, s.NO_CHANGE))
            assert len(set(found)) == len(found)
            assert not found or found[0] in at
            kinds.add(ACTIONS[action].split()[0][:1])
    assert kinds >= {"a", "b", "c", "d", "s", "t"}


@pytest.mark.parametrize(
    ("action", "places"),
    [
        ("b4 +1", ["b3", "b4"]),
        ("door c", ["b3", "door-c"]),
        ("shield a9", ["c4", "a9"]),
        ("shut b", ["door-a", "door-b"]),
        ("throw c", ["rock", "door-c"]),
        ("stay", []),
        ("leave it", []),
    ],
)
def test_the_places_of_a_choice(action: str, places: list[str]) -> None:
    table = situation(at={"lion": "b3"}, shield="c4", shut="a").to_plain()
    assert board_view.places(table, 0, ACTIONS.index(action)) == places


def test_tokens_lie_before_their_seats() -> None:
    table = situation(3, tokens={"tower": 2, "star": 1}).to_plain()
    lion, tower, star = board_view.holdings(table, 0)
    assert lion == []
    assert [(held.kind, held.count) for held in (*tower, *star)] == [("token", 2), ("token", 1)]
    assert all(isinstance(held, Holding) and held.label for held in (*tower, *star))
    assert interpreted().words("en").say(tower[0].label or "") == "2 tokens"


def test_the_score_is_the_step_of_the_pawn() -> None:
    table = situation(3, at={"tower": "b7"}).to_plain()
    assert [(each.count, each.value) for each in board_view.standings(table, 0)] == [(0, 9), (7, 9), (0, 9)]
    table.place[0] = s.CHAMBER
    assert board_view.standings(table, 0)[0].count == 9


def test_a_pawn_that_falls_to_the_floor_lies_there_until_the_rock_is_down() -> None:
    state = situation(at={"lion": "b5", "tower": "b2"}, shield="c1", shut="a", action="rock")
    play(state, "lion: throw b", "chance: rock b", "chance: fate floor")
    lion = board_view.pieces(state.to_plain(), -1)["pawn-lion"]
    assert (lion.kind, lion.place) == ("fallen", "floor")
    other = situation(at={"lion": "b5", "tower": "b2"}, shield="c1", shut="a", action="rock")
    fall(other, "b", lion="floor", tower="stands")
    righted = board_view.pieces(other.to_plain(), -1)["pawn-lion"]
    assert (righted.kind, righted.place) == ("pawn", "floor")
