"""The defaults for a game's rules: a function here is used where a game's rules leave it out.

Nothing here may know a game; functions are compiled for each as if its rules defined them.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableSequence
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from dracotheque.engine.definition import MAX_SEATS, GameDefinition
from dracotheque.engine.dispatch import SIMULTANEOUS, refusal, scores
from dracotheque.engine.sampling import sample_action, play_chance
from dracotheque.engine.rule_helpers import ending, withdraw_sealed, seats, to_move
from dracotheque.engine.plain_state import PlainState
from dracotheque.engine.rule import compiled
from dracotheque.engine.tensor_layout import Field

NEUTRAL = 500_000
"""The action heuristic of every choice where rules define none: half of the maximum."""


@compiled
def setup(game: Any) -> None:
    """Every field begins at zero."""


@compiled
def may_act(game: Any, seat: int) -> bool:
    """The seat to move has a choice; of several that choose in secret, each with an action that is not refused."""
    if game.to_move == seat:
        return True
    if game.to_move == SIMULTANEOUS:
        for action in range(action_count(game)):
            if refusal(game, seat, action) == 0:
                return True
    return False


@compiled
def legal_actions(game: Any, seat: int, out: Any) -> int:
    """Every action that is not refused is legal."""
    count = 0
    for action in range(action_count(game)):
        if refusal(game, seat, action) == 0:
            out[count] = action
            count += 1
    return count


@compiled
def chance_outcomes(game: Any, out: Any, weights: Any) -> int:
    """Nothing is left to chance."""
    return 0


@compiled
def apply_chance(game: Any, outcome: int) -> None:
    """Chance never decides."""


@compiled
def winners(game: Any, points: Any, out: Any) -> None:
    """The seats with most points win."""
    best = 0
    for seat in range(seats(game)):
        best = max(best, points[seat] + 0)
    for seat in range(seats(game)):
        out[seat] = points[seat] == best


@compiled
def only_ending(game: Any) -> int:
    """There is one ending."""
    return 0


@compiled
def observe(game: Any, viewer: int) -> None:
    """Hide nothing."""


@compiled
def determinize(game: Any, viewer: int, stream: Any) -> None:
    """Nothing is hidden, so nothing has to be filled in."""


@compiled
def is_secret_choice(game: Any) -> bool:
    """Choices that several seats make at once are secret until all are made."""
    return game.to_move == SIMULTANEOUS


@compiled
def equivalent_action(game: Any, seat: int, action: int) -> int:
    """No two choices differ by name alone."""
    return action


@compiled
def turn_seat(game: Any) -> int:
    """It is the turn of the seat to move, or of the first one while none is."""
    return max(game.to_move + 0, 0)


@compiled
def action_heuristic(game: Any, seat: int, action: int) -> int:
    """All choices are equally good."""
    return NEUTRAL


@compiled
def state_heuristic(game: Any, seat: int) -> int:
    """Return a seat's share of all points, from 0 to 1,000; one point more for each seat makes 0 to 0 even."""
    points, total = scratch(game).numbers, 0
    scores(game, points)
    for other in range(seats(game)):
        total += points[other]
    return 1000 * (points[seat] + 1) // (total + seats(game))


@compiled
def observation_tensor(game: Any, viewer: int, out: Any) -> None:
    """Write whose view it is, then every number of the record, its type's whole range scaled to 0 to 1."""
    write_numbers(game, viewer, out)


def write_numbers(game: PlainState, viewer: int, out: MutableSequence[float]) -> None:
    """Write every number of a record for a viewer; compiled, the same is in `jit.numba_dispatch`."""
    for seat in range(MAX_SEATS):
        out[seat] = 1.0 if seat == viewer else 0.0
    at, data = MAX_SEATS, game.bytes()
    for offset, count, size, half in zip(*number_runs(game._rules.State), strict=True):
        for number in range(count):
            value = 0.0
            for byte in range(size - 1, -1, -1):
                value = value * 256.0 + data[offset + number * size + byte]
            if half > 0.0:
                value = value - half if value >= half else value + half
            out[at] = value / (256.0**size - 1.0)
            at += 1


def action_count(game: PlainState) -> int:
    """Return how many actions there are; compiled, it is a constant (`jit.numba_dispatch`)."""
    return game._rules.ACTIONS


def scratch(game: PlainState) -> SimpleNamespace:
    """Return `numbers`, one for every seat; compiled, they are on the stack (`jit.numba_dispatch`)."""
    return SimpleNamespace(numbers=[0] * MAX_SEATS)


Runs = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[float, ...]]


def number_runs(state: np.dtype[np.void]) -> Runs:
    """Return where a record has its numbers: of every field the offset, count, size, and half the range if signed."""
    runs: list[tuple[int, int, int, float]] = []
    for field, offset in (each[:2] for each in (state.fields or {}).values()):
        base, shape = field.subdtype or (field, ())
        if field.itemsize:
            half = 256.0**base.itemsize / 2 if base.kind == "i" else 0.0
            runs.append((offset, int(np.prod(shape, dtype=int)), base.itemsize, half))
    offsets, counts, sizes, halves = zip(*runs, strict=True)
    return offsets, counts, sizes, halves


def tensor_layout(state: np.dtype[np.void]) -> tuple[Field, ...]:
    """Return what the numbers of the default observation tensor mean."""
    viewer = Field("viewer", MAX_SEATS, "1 for the seat whose view it is; all 0 for spectators")
    names = (name for name, field in (state.fields or {}).items() if field[0].itemsize)
    counts = zip(names, number_runs(state)[1], strict=True)
    return viewer, *(Field(name, count, "the range of the field’s type, scaled to 0 to 1") for name, count in counts)


def defaults(definition: GameDefinition, rules: ModuleType) -> Mapping[str, object]:
    """Return the default of each name that a module `rules` may leave out."""
    layout = {} if hasattr(rules, "observation_tensor") else {"TENSOR_LAYOUT": tensor_layout(rules.State)}
    return layout | {
        "DEFINITION": definition,
        "OUTCOMES": 0,
        "TENSOR_SIZE": MAX_SEATS + sum(number_runs(rules.State)[1]),
        "setup": setup,
        "to_move": to_move,
        "may_act": may_act,
        "legal_actions": legal_actions,
        "chance_outcomes": chance_outcomes,
        "apply_chance": apply_chance,
        "play_chance": play_chance,
        "sample_action": sample_action,
        "winners": winners,
        "ending": ending if "ended" in (rules.State.names or ()) else only_ending,
        "observe": observe,
        "determinize": determinize,
        "withdraw_sealed": withdraw_sealed,
        "is_secret_choice": is_secret_choice,
        "equivalent_action": equivalent_action,
        "turn_seat": turn_seat,
        "action_heuristic": action_heuristic,
        "state_heuristic": state_heuristic,
        "observation_tensor": observation_tensor,
    }
