"""The cave on the page: every place is there, every piece stands on one, and nothing sealed is shown."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from dracotheque import State, load_game
from dracotheque.engine.game import Game
from dracotheque.engine.phrases import Phrase
from dracotheque.engine.plain_state import PlainState
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.games import dragons_cave
from dracotheque.games.dragons_cave.board_files import pictures
from dracotheque.games.dragons_cave.board_view import holdings, pieces, places, standings, svg
from dracotheque.games.dragons_cave.rules import state as s
from dracotheque.presentation.pieces import Piece
from tests.games.svg_reader import assert_stands_alone

BOARDS = ("", "small")
WEB = Path(dragons_cave.__file__).with_name("web")
DRAWN = (WEB / "pieces.svg").read_text("utf-8")
COUNTED = (WEB / "board.js").read_text("utf-8")
"""The pieces that the page draws, and the script that makes those with a number."""
MOST_BYTES = 60_000
DRAWN_AS = ("d", "p-card", "p-peek", "p-hand", "p-door", "p-pip", "p-spent")
PARTS = ("card", "left", "right", "chest")
"""What has a place on the banner of a seat."""


def opened(players: int, board: str = "", **options: str) -> Game:
    """Load the game with one of its boards."""
    return load_game("dragons-cave", players, board=board or None, interpreted=True, **options)


def places_drawn(drawn: str) -> dict[str, dict[str, str]]:
    """Find every place of a drawing, each once."""
    found = [node.attrib for node in ElementTree.fromstring(drawn).iter() if "data-place" in node.attrib]
    assert max(Counter(place["data-place"] for place in found).values()) == 1
    return {place["data-place"]: place for place in found}


def moments(players: int, seed: int, board: str = "", **options: str) -> Iterator[State]:
    """Play a game by chance; give the state before every move and after the last."""
    chance, state = random.Random(seed), opened(players, board, **options).new_initial_state()
    yield state
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.sample_chance(chance))
        else:
            seat = chance.choice([seat for seat in range(players) if state.legal_actions(seat)])
            state.apply_action(chance.choice(state.legal_actions(seat)), seat)
        yield state


# --- The drawing --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("night", [False, True], ids=["day", "night"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("board", BOARDS)
def test_every_place_is_drawn_once_and_named(board: str, language: str, night: bool) -> None:
    game = opened(4, board)
    drawn = svg(game.board, game.words(language), night=night)
    found = places_drawn(drawn)
    wanted = {str(number) for number in range(len(game.board.path) + 1)} | {f"niche-{kind}" for kind in range(s.KINDS)}
    wanted |= {"bed", "treasure"} | {f"{part}-{seat}" for part, seat in itertools.product(PARTS, range(s.SEATS))}
    wanted |= {f"over-{kind}" for kind in range(s.KINDS)}
    assert set(found) == wanted
    assert len({place["aria-label"] for place in found.values()}) == len(found)
    assert all(place["aria-label"] and place["role"] == "img" and place["class"] == "place" for place in found.values())
    width, height = map(float, ElementTree.fromstring(drawn).attrib["viewBox"].split()[2:])
    for place in found.values():
        x, y, room = (float(place[f"data-{name}"]) for name in "xyr")
        assert 0 < x - room / 2 < x + room / 2 < width
        assert 0 < y - room / 2 < y + room / 2 < height
    assert len(drawn.encode()) <= MOST_BYTES


@pytest.mark.parametrize("board", BOARDS)
def test_every_seat_has_a_banner_that_a_page_can_take_away(board: str) -> None:
    game = opened(4, board)
    drawn = ElementTree.fromstring(svg(game.board, game.words("en"), night=False))
    banners = [node for node in drawn.iter() if "data-mat" in node.attrib]
    heights = [float(banner.attrib["data-mat"]) for banner in banners]
    assert len(banners) == s.SEATS
    assert heights == sorted(heights)
    for seat, banner in enumerate(banners):
        held = {node.attrib["data-place"] for node in banner.iter() if "data-place" in node.attrib}
        assert held == {f"{part}-{seat}" for part in PARTS}


def test_the_drawing_is_as_wide_as_a_screen_beside_a_column() -> None:
    game = opened(3)
    drawn = ElementTree.fromstring(svg(game.board, game.words("en"), night=False))
    width, height = map(float, drawn.attrib["viewBox"].split()[2:])
    assert width == 1200
    assert height <= 1120


@pytest.mark.parametrize("board", BOARDS)
def test_the_drawing_stands_alone(board: str) -> None:
    game = opened(2, board)
    assert_stands_alone(svg(game.board, game.words("en"), night=False))


def test_a_cave_may_be_called_anything() -> None:
    data = opened(2).board.data | {"name": 'a "<deep>" & dark cave'}
    game = load_game("dragons-cave", 2, board=data, interpreted=True)
    assert "0" in places_drawn(svg(game.board, game.words("en"), night=False))


def is_drawn(kind: str) -> bool:
    """Return whether the page has a symbol for a kind of piece, by itself, for each seat or for each number."""
    return f'id="p-{kind}"' in DRAWN or f'id="p-{kind}-0"' in DRAWN or f"symbol(`{kind}-${{" in COUNTED


# --- Pieces -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("players", "board"), list(itertools.product((2, 3, 4), BOARDS)))
def test_pieces_stand_at_places_and_choices_lead_to_places(players: int, board: str) -> None:
    game = opened(players, board)
    there = set(places_drawn(svg(game.board, game.words("en"), night=False)))
    tongues = [game.words(language) for language in LANGUAGES]
    for state in moments(players, players, board):
        for viewer in range(-1, players):
            table = state.observation(viewer)
            for piece in pieces(table, viewer).values():
                assert piece.place in there
                assert is_drawn(piece.kind)
                assert isinstance(piece.label, Phrase)
                assert all(words.say(piece.label) for words in tongues)
            held = holdings(table, viewer)
            assert len(held) == players
            assert all(is_drawn(each.kind) for row in held for each in row)
            assert all(words.say(each.label) for words in tongues for row in held for each in row if each.label)
        for seat in range(players):
            for action in state.legal_actions(seat):
                led = places(state.observation(seat), seat, action)
                assert set(led) <= there
                assert (led == []) == (action >= s.HOLD)


def changed(before: dict[str, Piece], after: dict[str, Piece]) -> set[str]:
    """List the pieces that came, went or are not what or where they were."""
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_move_changes_only_the_pieces_it_moves(players: int) -> None:
    crests = ("lion", "tower", "star", "oak")
    shown: tuple[PlainState, dict[str, Piece]] | None = None
    for state in moments(players, 10 + players):
        table = state.to_plain()
        now = pieces(table, -1)
        if shown is not None:
            before, then = shown
            moved = changed(then, now)
            dwarves = {name for name in moved if name.startswith("dwarf-")}
            both = range(2 if players == 2 else 1)
            assert dwarves == {
                f"dwarf-{crests[seat]}-{second + 1}"
                for seat, second in itertools.product(range(players), both)
                if before.place[seat + 2 * second] != table.place[seat + 2 * second]
            }
            assert ("dragon" in moved) == (before.dragon != table.dragon)
            assert ("treasure" in moved) == (before.treasure != table.treasure)
            if before.phase == s.SEAL:
                seats = [seat for seat in range(players) if before.card[seat] != table.card[seat]]
                cards = {f"card-{crests[seat]}" for seat in seats}
                assert {name for name in moved if not name.startswith("suspect-")} == cards
                assert moved == cards or table.phase == s.PLACE  # then the dragon player sees who can have what
            if before.phase == s.SPLIT:
                seats = [seat for seat in range(players) if before.left[seat] != table.left[seat]]
                assert moved == {f"{part}-{crests[seat]}" for part in ("left", "right") for seat in seats}
        shown = table, now


def test_the_dragon_and_the_first_dwarf_stand_where_the_rules_say() -> None:
    for state in moments(3, 5):
        table = state.to_plain()
        found = pieces(table, -1)
        assert found["dragon"].place == ("bed" if table.dragon == s.KINDS else f"niche-{table.dragon}")
        at = table.place[0]
        assert found["dwarf-lion-1"].place == (str(at) if at <= table.length else f"niche-{at - table.length - 1}")
        assert found["treasure"].value == table.treasure


def test_a_card_leads_from_its_dwarf_to_the_space_it_shows() -> None:
    table = opened(3, first_dragon="1").new_initial_state().to_plain()
    assert places(table, 1, 2) == ["0", "3"]
    table.place[1] = 18
    assert places(table, 1, 2) == ["18", "niche-2"]
    assert places(table, 1, s.CHEST) == ["chest-1"]
    assert places(table, 1, s.SECOND_DWARF + 2) == []
    assert places(table, 0, s.NICHE + 4) == ["bed", "niche-4"]
    table.dragon = 4
    assert places(table, 0, s.NICHE + 4) == ["niche-4"]
    table.guessing = 2
    assert places(table, 0, s.LEFT_FIST) == ["left-2"]
    assert places(table, 0, s.RIGHT_FIST) == ["right-2"]


def test_coins_in_a_closed_chest_do_not_count_for_anybody() -> None:
    table = next(iter(moments(3, 40))).to_plain()
    table.purse[1], table.chest[1] = 4, 7
    for viewer in (-1, 0, 1):
        shown = standings(table, viewer)[1]
        assert (shown.kind, shown.count, shown.value) == ("score-part", 4, None)
    table.open_chests = 1
    assert [(each.kind, each.count) for each in standings(table, 0)][1] == ("score", 11)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everyone_can_count_whose_cards_are_played(players: int) -> None:
    """Six signs a seat, always in the same order: which cards it can still play, and which not."""
    for state in moments(players, 20 + players):
        table = state.to_plain()
        names = (*table.board.kinds, "chest")
        for seat, held in enumerate(holdings(table, -1)):
            signs = [f"{'pip' if table.hand[seat] >> card & 1 else 'spent'}-{name}" for card, name in enumerate(names)]
            assert [each.kind for each in held][2:8] == signs


@pytest.mark.parametrize("players", [2, 3, 4])
def test_over_each_niche_stand_those_who_can_have_its_card(players: int) -> None:
    met = 0
    for state in moments(players, 30 + players):
        table = state.to_plain()
        over = sorted(
            (one.place, one.seat, one.value)
            for one in pieces(table, table.dragon_seat).values()
            if one.kind == "suspect"
        )
        assert over == sorted(
            (f"over-{kind}", seat, table.purse[seat])
            for kind, seat in itertools.product(range(s.KINDS), range(players))
            if table.phase == s.PLACE and seat != table.dragon_seat and table.hand[seat] >> kind & 1
        )
        met += bool(over)
    assert met


# --- Secrets ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", [2, 3, 4])
def test_nobody_else_can_tell_a_sealed_card_or_a_split(players: int) -> None:
    met: set[int] = set()
    for seed in range(6):
        for state in moments(players, seed):
            table = state.to_plain()
            for seat, other in twins(table):
                met.add(table.phase)
                for viewer in set(range(-1, players)) - {seat}:
                    assert encoded(table, viewer) == encoded(other, viewer)
                assert encoded(table, seat) != encoded(other, seat)
    assert {s.PLACE, s.GUESS} <= met


def twins(table: PlainState) -> Iterator[tuple[int, PlainState]]:
    """Make the same table with another secret of one seat."""
    for seat in range(table.players):
        sealed = table.phase in (s.SEAL, s.PLACE) and table.card[seat] < s.CARDS and table.hand[seat] != s.ONLY_CHEST
        hand = [card for card in range(s.CARDS) if table.hand[seat] >> card & 1 and card != table.card[seat]]
        if sealed and hand:
            yield seat, written(table, "card", seat, hand[0])
        if table.left[seat] <= s.MOST_COINS:
            yield seat, written(table, "left", seat, (table.left[seat] + 1) % (table.purse[seat] + 1))


def written(table: PlainState, row: str, seat: int, secret: int) -> PlainState:
    """Copy a table with one number changed."""
    other = type(table)(s.State, None, table.bytes(), table.board)
    getattr(other, row)[seat] = secret
    return other


def encoded(table: PlainState, viewer: int) -> bytes:
    """Write everything the page is sent of a table that is not yet an observation: nothing may lean on that."""
    return msgspec.json.encode([pieces(table, viewer), holdings(table, viewer)])


@pytest.mark.parametrize("chests", ["closed", "open"])
def test_a_closed_chest_is_opened_at_the_end(chests: str) -> None:
    banked = False
    for state in moments(4, 3, chests=chests):
        table = state.to_plain()
        looks_in = chests == "open" or table.phase == s.OVER
        banked = banked or any(table.chest)
        found, held = pieces(table, 0), holdings(table, 0)
        for seat, crest in enumerate(("lion", "tower", "star", "oak")):
            chest = next(each for each in held[seat] if each.kind.startswith("chest"))
            assert chest.kind == ("chest" if looks_in else "chest-closed")
            assert chest.value == (table.chest[seat] if looks_in else None)
            assert found[f"chest-{crest}"].value == (table.chest[seat] if looks_in else 0)
    assert banked


# --- The page's drawings --------------------------------------------------------------------------------------------
def test_every_picture_a_cave_can_show_is_drawn_on_the_page() -> None:
    assert all(f'id="{prefix}-{name}"' in DRAWN for name in pictures() for prefix in DRAWN_AS)
    assert all(f'id="p-{prefix}-chest"' in DRAWN for prefix in ("card", "peek", "hand", "pip", "spent"))
