"""Our rules and a second version of them, written from the printed ones alone, play the same games."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from dracotheque import State
from dracotheque.engine.game import Game
from dracotheque.engine.plain_state import PlainState
from dracotheque.games.gran.board_files import KINGDOM_NAMES
from dracotheque.games.gran.rules import state as s
from tests.games.gran.position_builder import (
    LADDER,
    LAIRS,
    MAPS,
    TEMPERS,
    Data,
    bits,
    choose,
    interpreted,
    members,
    put,
    random_map,
)
from tests.games.gran.reference_rules import DECK, Gran

PHASES = ("lots", "first", "second", "exile", "duel", "die", "drop", "stone", "lift", "over")
FOUR = interpreted(3, None).board.data
"""The box's own map."""
GAMES = 12


def laid_out(state: State) -> dict[str, object]:
    """Everything our version has on the table."""
    table = state.to_plain()
    seats = range(table.players)
    return {
        "phase": PHASES[table.phase],
        "to move": state.current_player(),
        "choices": [] if state.is_terminal() else state.legal_actions(),
        "active": table.active,
        "places": table.place[: table.players],
        "amulets": table.amulets[: table.players],
        "collared": {seat for seat in seats if table.collared >> seat & 1},
        "waiting": {seat for seat in seats if table.waiting >> seat & 1},
        "seals": [{KINGDOM_NAMES[k] for k in range(s.KINGDOMS) if table.seals[seat] >> k & 1} for seat in seats],
        "ring": None if table.ring == s.NOWHERE else table.ring,
        "bearer": None if table.bearer == s.NOBODY else table.bearer,
        "stones": set(members(table.stones)),
        "reserve": table.reserve,
        "deck": dict(zip(s.STRENGTHS, table.deck, strict=True)),
    }


def laid_out_again(model: Gran) -> dict[str, object]:
    """The same, as the second version has it."""
    return {
        "phase": model.phase,
        "to move": model.mover,
        "choices": model.wants,
        "active": model.active,
        "places": model.places,
        "amulets": model.amulets,
        "collared": model.collared,
        "waiting": model.unstarted,
        "seals": model.seals,
        "ring": model.ring,
        "bearer": model.bearer,
        "stones": model.stones,
        "reserve": model.reserve,
        "deck": model.deck,
    }


def compare(state: State, model: Gran, chance: Random, tempers: tuple[str, ...], moves: int = 1500) -> Counter[str]:
    """Play on at both tables, comparing them after every move; count what happened."""
    seen = Counter[str]()
    assert laid_out(state) == laid_out_again(model)
    while not state.is_terminal() and moves:
        moves -= 1
        seen[model.phase] += 1
        action = choose(state, chance, tempers)
        state.apply_action(action)
        model.do(action)
        assert laid_out(state) == laid_out_again(model)
    if state.is_terminal():
        seen["over"] += 1
        assert (state.ending(), state.scores(), state.winners()) == (
            "end.seals",
            model.scores(),
            model.winners(),
        )
    return seen


def compare_from_the_start(game: Game, seed: int) -> Counter[str]:
    """Play a game at both tables, everybody with a temper of their own."""
    chance = Random(seed)
    tempers = tuple(chance.choices(TEMPERS, k=3))
    model = Gran(game.players, game.board.data, game.options["seals"], game.options["starts"])
    return compare(game.new_initial_state(), model, chance, tempers)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("board", [FOUR, *MAPS], ids=lambda board: board["name"])
def test_both_play_the_same_games(board: Data, players: int) -> None:
    seen = Counter[str]()
    for seed in range(4):
        seen += compare_from_the_start(interpreted(players, board), seed)
    assert set(seen) <= set(PHASES) - ({"stone", "lift"} if board is LAIRS else set())
    assert seen["over"]


@pytest.mark.parametrize("seals", ["usual", "two", "three", "four"])
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_both_play_the_same_games_whatever_was_agreed(players: int, seals: str) -> None:
    compare_from_the_start(interpreted(players, LADDER, seals=seals, starts=str(players)), players)


@pytest.mark.parametrize("seed", range(12))
def test_both_play_the_same_games_on_maps_drawn_at_random(seed: int) -> None:
    compare_from_the_start(interpreted(3 + seed % 4, random_map(seed)), seed)


# --- From the middle of a game ----------------------------------------------------------------------------------
def thrown_together(game: Game, chance: Random) -> tuple[State, Gran]:
    """Set up both tables alike, anyhow: much that games seldom come to, and some that none can."""
    model, state = Gran(game.players, game.board.data), game.new_initial_state()
    land = [point for point, kind in enumerate(model.kinds) if kind in ("black", "crystal")]
    ground = [point for point, kind in enumerate(model.kinds) if kind in ("black", "white")]
    model.unstarted = {seat for seat in model.unstarted if chance.random() < 0.2}
    for seat in set(range(game.players)) - model.unstarted:
        model.places[seat] = chance.choice(
            [p for p in range(len(model.kinds)) if p not in (model.start, *model.places)]
        )
        model.collared |= {seat} if model.kinds[model.places[seat]] == "dragon" and chance.random() < 0.5 else set()
    model.amulets = [chance.randrange(chance.choice([1, 4])) for _ in model.amulets]
    if chance.random() < 0.4:
        model.ring, model.bearer = None, chance.randrange(game.players)
    else:
        model.ring = chance.choice([point for point in land if point not in model.places])
    for near in (model.places, [model.ring or model.start], range(len(model.kinds))):
        beside = {point for place in near for point in model.lines[place]} & set(ground)
        free = sorted(beside - {*model.places, model.ring} - model.stones)
        model.stones |= set(chance.sample(free, min(len(free), chance.randrange(17 - len(model.stones)))))
    model.reserve = 16 - len(model.stones)
    model.deck = {strength: chance.randrange(2) for strength in DECK} | {chance.choice(list(DECK)): 1}
    model.seals = [set(chance.sample(KINGDOM_NAMES, chance.randrange(model.target))) for _ in model.seals]
    return put(state, as_our_table(state, model)), model


def as_our_table(state: State, model: Gran) -> PlainState:
    """Write the second version's table as ours has it."""
    table, empty = state.to_plain(), [0] * (s.SEATS - model.players)
    table.place = model.places + table.place[model.players :]
    table.amulets = model.amulets + empty
    table.seals = [sum(1 << KINGDOM_NAMES.index(kingdom) for kingdom in seals) for seals in model.seals] + empty
    table.collared = sum(1 << seat for seat in model.collared)
    table.waiting = sum(1 << seat for seat in model.unstarted)
    table.ring = s.NOWHERE if model.ring is None else model.ring
    table.bearer = s.NOBODY if model.bearer is None else model.bearer
    table.stones, table.reserve = bits(model.stones), model.reserve
    table.deck = list(model.deck.values())
    return table


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("board", [FOUR, *MAPS], ids=lambda board: board["name"])
def test_both_go_on_alike_from_positions_thrown_together(board: Data, players: int) -> None:
    chance = Random(players)
    for _ in range(GAMES):
        state, model = thrown_together(interpreted(players, board), chance)
        compare(state, model, chance, tuple(chance.choices(TEMPERS, k=2)), moves=30)
