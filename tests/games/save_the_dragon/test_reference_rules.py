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
    game_setup,
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


def laid_out_again(model: SaveTheDragon) -> dict[str, object]:
    """The same, as the second version has it."""
    total = sum(model.weights.values())
    return {
        "phase": model.phase,
        "to move": model.mover,
        "choices": model.wants,
        "likely": {outcome: weight / total for outcome, weight in model.weights.items()},
        "pawns": model.pawns,
        "tokens": model.tokens,
        "die": model.face,
        "shut": model.shut,
        "shield": model.shield,
        "active": model.active,
        "rock on step": model.step,
        "hit": model.fallen if model.phase in ("fate", "side") else None,
    }


def compare(
    state: State,
    model: SaveTheDragon,
    chance: Random,
    tempers: tuple[str, ...],
    moves: int = 1500,
    odd: float = 0.2,
) -> Counter[str]:
    """Play on at both tables, comparing them after every move; now and then chance brings what is unlikely."""
    seen = Counter[str]()
    assert laid_out(state) == laid_out_again(model)
    while not state.is_terminal() and moves:
        moves -= 1
        seen[model.phase] += 1
        action = choose(state, chance, tempers)
        if state.is_chance_node() and chance.random() < odd:
            action = chance.choice([outcome for outcome, _ in state.chance_outcomes()])
        name = name_of(state.current_player(), action)
        state.apply_action(action)
        model.do(name)
        assert laid_out(state) == laid_out_again(model)
    if state.is_terminal():
        seen["over"] += 1
        assert (state.ending(), state.scores(), state.winners()) == (
            "end.door",
            model.scores(),
            model.winners(),
        )
    return seen


def compare_from_the_start(game: Game, seed: int, tempers: tuple[str, ...]) -> Counter[str]:
    """Play a game at both tables."""
    model = SaveTheDragon(game.players, rock_model, game.options["youngest"], game.options["starts"])
    return compare(game.new_initial_state(), model, Random(seed), tempers)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("temper", TEMPERS)
def test_both_play_the_same_games(players: int, temper: str) -> None:
    seen = Counter[str]()
    for seed in range(4):
        seen += compare_from_the_start(interpreted(players), seed, (temper, temper, "anything"))
    assert set(seen) == set(PHASES)


@pytest.mark.parametrize("number", range(24))
def test_both_play_the_same_games_whatever_was_agreed(number: int) -> None:
    table = game_setup(number)
    compare_from_the_start(table.game, number, table.tempers)


# --- From the middle of a game ----------------------------------------------------------------------------------
def thrown_together(players: int, chance: Random) -> tuple[State, SaveTheDragon]:
    """Set up both tables alike, anyhow: all close together, on a crowded step or at the top."""
    game = interpreted(players, chance.choice(["nobody", "everybody", "1", "2"]))
    model, state = SaveTheDragon(players, rock_model, game.options["youngest"]), game.new_initial_state()
    low, high = sorted(chance.choices([0, 0, 8, 7, *range(9)], k=2))
    near = SPOTS[low * 3 : high * 3 + 3]
    spots = chance.sample(near, min(players + 1, len(near)))
    shield = spots.pop()
    places = [chance.choice([spot, spot, spot, spot, "floor"]) for spot in spots]
    places += ["floor"] * (players - len(places))
    held = [chance.randrange(4) for _ in places]
    for name in (f"shut {chance.choice(DOORS)}", f"shield {shield}", "first lion"):
        model.do(name)
        state.apply_action(next(outcome for outcome, _ in state.chance_outcomes() if name_of(-1, outcome) == name))
    model.pawns, model.tokens = places, held
    table = state.to_plain()
    table.place = [PLACES.index(place) for place in places] + table.place[players:]
    table.tokens = held + table.tokens[players:]
    return put(state, table), model


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("temper", ["pest", "stroller"])
def test_both_go_on_alike_from_positions_thrown_together(players: int, temper: str) -> None:
    chance = Random(players)
    for _ in range(120):
        state, model = thrown_together(players, chance)
        compare(state, model, chance, (temper, "anything"), moves=16, odd=0.6)


def thrown_at(model: SaveTheDragon, chance: Random) -> str:
    """Choose so that a rock is thrown, not through a door oneself, and lanes of the rock are all as likely."""
    wants = sorted(model.wants)
    if model.phase == "walk":
        wants = [name for name in wants if not name.startswith("door")] or wants
    elif model.phase in ("die", "action"):
        wants = ["die 1" if model.phase == "die" else "action rock"]
    elif model.phase == "lane" and chance.random() < 0.9:
        wants = ["rock a", "rock b", "rock c"]
    return chance.choice(wants)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_both_follow_the_rock_alike_however_it_comes_to_a_pawn(players: int) -> None:
    chance, paths, relations, falls = Random(players), set[object](), set[object](), 0
    while falls < 1000:
        state, model = thrown_together(players, chance)
        while model.phase not in ("lane", "over"):
            falls += model.phase == "throw"
            step_at_both(state, model, thrown_at(model, chance))
        while model.phase in ("lane", "fate", "side"):
            if model.phase == "lane":
                paths.add(model.way())
            elif model.phase == "fate":
                relations.add(model.relation(model.pawns[model.fallen]))
            step_at_both(state, model, thrown_at(model, chance))
    assert len(paths) > 62, "most of the 69 paths that a rock can come"
    assert len(relations) > 65


def step_at_both(state: State, model: SaveTheDragon, name: str) -> None:
    """Do the same at both tables, and compare them."""
    _, action = read_move(f"chance: {name}" if state.is_chance_node() else f"lion: {name}")
    state.apply_action(action)
    model.do(name)
    assert laid_out(state) == laid_out_again(model)


def test_everything_is_asked_somewhere() -> None:
    assert len(PHASES) == s.OVER + 1
