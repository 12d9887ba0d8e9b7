"""The board of any game: a slot for each field without a value per seat, and the holdings of each seat."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from random import Random
from xml.etree import ElementTree

import pytest

from dracotheque import State
from dracotheque.engine.game import Game
from dracotheque.presentation.generic_board import board_view_of
from tests.plugins import ROOT

Open = Callable[[str, int], Game]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Open:
    """Open a game from outside."""
    monkeypatch.setattr(
        sys, "path", [*sys.path, str(ROOT / "examples" / "dragon-dice"), str(ROOT / "tests" / "hoard-bluff")]
    )
    return lambda name, players: Game(import_module(name).GAME, players, {}, interpreted=True)


def said(state: State, viewer: int) -> tuple[dict[str, str], list[list[str]]]:
    """Return the pieces on the board and the holdings of each seat, as a viewer sees them."""
    view, seen, say = board_view_of(state.game), state.observation(viewer), state.game.words().say
    pieces = {name: say(piece.label) for name, piece in view.pieces(seen, viewer).items()}
    return pieces, [[say(each.label) for each in holding] for holding in view.holdings(seen, viewer)]


def test_numbers_stand_in_their_slots_and_before_their_seats(opened: Open) -> None:
    state = opened("dragon_dice", 2).new_initial_state()
    for move in (0, 5, 1, 0, 3):
        state.apply_action(move)
    view, seen = board_view_of(state.game), state.observation(0)
    assert view.pieces(seen, 0)["field-loot"].value == 4
    assert [[held.count for held in holding] for holding in view.holdings(seen, 0)] == [[6], [0]]
    assert [(each.kind, each.count) for each in view.standings(seen, 0)] == [("score", 6), ("score", 0)]
    assert said(state, 0) == ({"field-loot": "4"}, [["gold: 6"], ["gold: 0"]])
    assert view.places(seen, 0, 0) == []


@pytest.mark.parametrize("night", [False, True])
def test_every_piece_has_its_place_on_the_empty_board(opened: Open, night: bool) -> None:
    for name in ("dragon_dice", "hoard_bluff"):
        game = opened(name, 2)
        view = board_view_of(game)
        root = ElementTree.fromstring(view.svg(None, game.words(), night=night))
        places = {each.attrib["data-place"] for each in root.iter() if "data-place" in each.attrib}
        table = game.new_initial_state().observation(-1)
        assert places == {piece.place for piece in view.pieces(table, -1).values()}
        assert len(places) == 1


def test_nobody_sees_the_cards_of_others(opened: Open) -> None:
    random, state = Random(2), opened("hoard_bluff", 2).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.sample_chance(random))
    _, mine = said(state, 0)
    assert mine[0][0] != "hand (a b c d e f): 0 0 0 0 0 0"
    assert mine[1][0] == "hand (a b c d e f): 0 0 0 0 0 0"
    assert mine[1][1] == "card shown: –"
    assert {str(said(state.resample_from_infostate(0, Random(seed)), 0)) for seed in range(9)} == {str(said(state, 0))}
