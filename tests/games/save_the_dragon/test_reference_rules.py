"""Our rules and a second version of them, written from the printed ones alone, play the same games."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from dracotheque import State
from dracotheque.engine.game import Game
from dracotheque.games.save_the_dragon.rules import rock_model
from dracotheque.games.save_the_dragon.rules import state as s
from tests.games.save_the_dragon.position_builder import (
    DOORS,
    PLACES,
    SPOTS,
    TEMPERS,
    choices,
    choose,
    evening,
    interpreted,
    name_of,
    put,
    read_move,
)
from tests.games.save_the_dragon.reference_rules import SaveTheDragon

PHASES = (
    "lots", "shut", "shield", "die", "walk", "action", "change", "throw", "lane", "fate", "side", "over",
)  # fmt: skip


def laid_out(state: State) -> dict[str, object]:
    """Everything our version has on the table."""
    table = state.to_plain()
    phase = PHASES[table.phase]
    chance = state.is_chance_node()
    outcomes = state.chance_outcomes() if chance else []
    return {
        "phase": phase,
        "to move": state.current_player(),
        "choices": {name_of(-1, outcome) for outcome, _ in outcomes} if chance else choices_of(state),
        "likely": {name_of(-1, outcome): pytest.approx(likely) for outcome, likely in outcomes},
        "pawns": [PLACES[place] for place in table.place[: table.players]],
        "tokens": table.tokens[: table.players],
        "die": table.die,
        "shut": None if phase in ("shut",) else DOORS[table.shut],
        "shield": None if phase in ("shut", "shield") else SPOTS[table.shield],
        "active": table.active,
        "rock on step": table.step,
        "hit": table.hit if phase in ("fate", "side") else None,
    }


def choices_of(state: State) -> set[str]:
    """What may be chosen, nothing when the game is over."""
    return set() if state.is_terminal() else choices(state)


def laid_out_again(told: SaveTheDragon) -> dict[str, object]:
    """The same, as the second version has it."""
    total = sum(told.weights.values())
    return {
        "phase": told.phase,
        "to move": told.mover,
        "choices": told.wants,
        "likely": {outcome: weight / total for outcome, weight in told.weights.items()},
        "pawns": told.pawns,
        "tokens": told.tokens,
        "die": told.face,
        "shut": told.shut,
        "shield": told.shield,
        "active": told.active,
        "rock on step": told.step,
        "hit": told.fallen if told.phase in ("fate", "side") else None,
    }


def compare(
    state: State, told: SaveTheDragon, chance: Random, tempers: tuple[str, ...], moves: int = 1500, odd: float = 0.2
) -> Counter[str]:
    """Play on at both tables, comparing them after every move; now and then chance brings what is unlikely."""
    seen = Counter[str]()
    assert laid_out(state) == laid_out_again(told)
    while not state.is_terminal() and moves:
        moves -= 1
        seen[told.phase] += 1
        action = choose(state, chance, tempers)
        if state.is_chance_node() and chance.random() < odd:
            action = chance.choice([outcome for outcome, _ in state.chance_outcomes()])
        name = name_of(state.current_player(), action)
        state.apply_action(action)
        told.do(name)
        assert laid_out(state) == laid_out_again(told)
    if state.is_terminal():
        seen["over"] += 1
        assert (state.ending(), state.scores(), state.winners()) == ("end.door", told.scores(), told.winners())
    return seen


def compare_from_the_start(game: Game, seed: int, tempers: tuple[str, ...]) -> Counter[str]:
    """Play a game at both tables."""
    told = SaveTheDragon(game.players, rock_model, game.options["youngest"], game.options["starts"])
    return compare(game.new_initial_state(), told, Random(seed), tempers)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("temper", TEMPERS)
def test_both_play_the_same_games(players: int, temper: str) -> None:
    seen = Counter[str]()
    for seed in range(4):
        seen += compare_from_the_start(interpreted(players), seed, (temper, temper, "anything"))
    assert set(seen) == set(PHASES)


@pytest.mark.parametrize("number", range(24))
def test_both_play_the_same_games_whatever_was_agreed(number: int) -> None:
    table = evening(number)
    compare_from_the_start(table.game, number, table.tempers)


# --- From the middle of a game ----------------------------------------------------------------------------------
def thrown_together(players: int, chance: Random) -> tuple[State, SaveTheDragon]:
    """Set up both tables alike, anyhow: all close together, on a crowded step or at the top."""
    game = interpreted(players, chance.choice(["nobody", "everybody", "1", "2"]))
    told, state = SaveTheDragon(players, rock_model, game.options["youngest"]), game.new_initial_state()
    low, high = sorted(chance.choices([0, 0, 8, 7, *range(9)], k=2))
    near = SPOTS[low * 3 : high * 3 + 3]
    spots = chance.sample(near, min(players + 1, len(near)))
    shield = spots.pop()
    places = [chance.choice([spot, spot, spot, spot, "floor"]) for spot in spots]
    places += ["floor"] * (players - len(places))
    held = [chance.randrange(4) for _ in places]
    for name in (f"shut {chance.choice(DOORS)}", f"shield {shield}", "first lion"):
        told.do(name)
        state.apply_action(next(outcome for outcome, _ in state.chance_outcomes() if name_of(-1, outcome) == name))
    told.pawns, told.tokens = places, held
    table = state.to_plain()
    table.place = [PLACES.index(place) for place in places] + table.place[players:]
    table.tokens = held + table.tokens[players:]
    return put(state, table), told


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("temper", ["pest", "stroller"])
def test_both_go_on_alike_from_positions_thrown_together(players: int, temper: str) -> None:
    chance = Random(players)
    for _ in range(120):
        state, told = thrown_together(players, chance)
        compare(state, told, chance, (temper, "anything"), moves=16, odd=0.6)


def thrown_at(told: SaveTheDragon, chance: Random) -> str:
    """Choose so that a rock is thrown, not through a door oneself, and lanes of the rock are all as likely."""
    wants = sorted(told.wants)
    if told.phase == "walk":
        wants = [name for name in wants if not name.startswith("door")] or wants
    elif told.phase in ("die", "action"):
        wants = ["die 1" if told.phase == "die" else "action rock"]
    elif told.phase == "lane" and chance.random() < 0.9:
        wants = ["rock a", "rock b", "rock c"]
    return chance.choice(wants)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_both_follow_the_rock_alike_however_it_comes_to_a_pawn(players: int) -> None:
    chance, ways, relations, falls = Random(players), set[object](), set[object](), 0
    while falls < 1000:
        state, told = thrown_together(players, chance)
        while told.phase not in ("lane", "over"):
            falls += told.phase == "throw"
            step_at_both(state, told, thrown_at(told, chance))
        while told.phase in ("lane", "fate", "side"):
            if told.phase == "lane":
                ways.add(told.way())
            elif told.phase == "fate":
                relations.add(told.relation(told.pawns[told.fallen]))
            step_at_both(state, told, thrown_at(told, chance))
    assert len(ways) > 62, "most of the 69 ways that a rock can come"
    assert len(relations) > 65


def step_at_both(state: State, told: SaveTheDragon, name: str) -> None:
    """Do the same at both tables, and compare them."""
    _, action = read_move(f"chance: {name}" if state.is_chance_node() else f"lion: {name}")
    state.apply_action(action)
    told.do(name)
    assert laid_out(state) == laid_out_again(told)


def test_everything_is_asked_somewhere() -> None:
    assert len(PHASES) == s.OVER + 1
