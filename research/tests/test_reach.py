"""Which positions can come up: the first turn of a game by the compiled search and by playing every way it can go."""

from __future__ import annotations

import numpy as np

from dracotheque.engine.registry import load_game
from dracotheque.engine.state import State
from dracotheque.games.save_the_dragon.rules.duel_evaluator import SHAPE
from dracotheque.games.save_the_dragon.rules.state import DOOR, FLOOR, LANES, NOTCH, NOTCHED, SHUT
from dracotheque.games.save_the_dragon.tablebase import tablebase
from research.save_the_dragon import iterate, reach, stairs

SHUT_LANE, SHIELDS = 1, (1, 7, 22)  # a shield in the way of the first step, one a little higher, one out of the way
ABOVE = 2 * LANES  # spots that a one or two leads to: from there somebody acts


def searched() -> np.ndarray:
    """Find what seat 1 may see after the first turn of seat 0."""
    turns, walked = np.zeros(SHAPE, np.uint8), np.zeros(SHAPE, np.uint8)
    turns[0, FLOOR, FLOOR, SHIELDS, SHUT_LANE, 0, 0] = reach.FOUND
    workspace = np.zeros(1, stairs.State)
    assert reach.walk_on(workspace, 0, FLOOR, turns, walked) == len(SHIELDS)
    for spot in range(ABOVE):
        reach.act_on(workspace, 0, spot, turns, walked, *iterate.falls_of((0, spot)))
    return turns[1] == reach.FOUND


def played() -> set[tuple[int, ...]]:
    """Play every first turn in every way, and note how it ends."""
    found, waiting = set[tuple[int, ...]](), [load_game("save-the-dragon", players=2, starts="1").new_initial_state()]
    while waiting:
        state = waiting.pop()
        table = state.to_plain()
        if table.active == 1:
            found.add((table.place[1], table.place[0], table.shield, table.shut, table.tokens[1], table.tokens[0]))
        elif state.is_chance_node():
            waiting += [state.child(outcome) for outcome in outcomes(state)]
        else:
            waiting += [state.child(action) for action in state.legal_actions()]
    return found


def outcomes(state: State) -> list[int]:
    """What chance may bring; of the ways to set the game up only some."""
    phase = state.to_plain().phase
    if phase == DOOR:
        return [SHUT + SHUT_LANE]
    if phase == NOTCH:
        return [NOTCHED + shield for shield in SHIELDS]
    return [outcome for outcome, weight in state.chance_outcomes() if weight > 0]


def test_what_may_follow_the_first_turn_is_found() -> None:
    found = searched()
    assert {tuple(map(int, each)) for each in np.argwhere(found)} == played()
    assert not found[~np.broadcast_to(tablebase.possible()[..., None, None, None], SHAPE[1:])].any()


def test_a_mirror_image_counts_once() -> None:
    marks = np.zeros(SHAPE[1:], bool)
    marks[FLOOR, 1, 4, 1, 0, 2] = True  # its own mirror image
    assert tablebase.unlike(marks) == 1
    marks[3, FLOOR, 8, 0, 1, 0] = True
    assert tablebase.unlike(marks) == 2
    marks[5, FLOOR, 6, 2] = marks[3, FLOOR, 8, 0]
    assert (tablebase.unlike(marks), marks.sum()) == (2, 3)
    marks[5, FLOOR, 6, 1, 0, 0] = True
    assert tablebase.unlike(marks) == 3
