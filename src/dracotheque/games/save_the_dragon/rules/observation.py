"""Save the Dragon: what each seat sees, how what is hidden is filled in, and the numbers of the observation tensor."""

from __future__ import annotations

from typing import Any

from dracotheque.rules import (
    TensorField, TensorGroup, compiled, one_hot, rule, seats, tensor_size,
)  # fmt: skip
from dracotheque.games.save_the_dragon.rules.mechanics import (
    may_skip,
)  # fmt: skip
from dracotheque.games.save_the_dragon.rules.state import (
    COURSES, LANES, OVER, SEATS, SPOTS, STANDS, STEPS, STEP_FACES, TOKENS,
)  # fmt: skip
from dracotheque.games.save_the_dragon.rules.actions import may_act


# --- What a viewer knows ----------------------------------------------------------------------------------------
@rule("setup.stairs")
def observe(game: Any, viewer: int) -> None:
    """Everything stands open on the stairs."""


@compiled
def determinize(game: Any, viewer: int, stream: Any) -> None:
    """Nothing is hidden, so nothing is resampled."""


@compiled
def seat_tensor(game: Any, seat: int, out: Any, at: int) -> None:
    """Write what there is to know of a player: the turn, tokens, where the pawn stands and what the rock did to it."""
    out[at] = game.active == seat
    out[at + 1] = may_act(game, seat)
    out[at + 2] = may_skip(game, seat)
    out[at + 3] = game.hit == seat
    at = one_hot(out, at + 4, TOKENS + 1, game.tokens[seat] + 0)
    at = one_hot(out, at, PLACES, game.place[seat] + 0)
    one_hot(out, at, STANDS + 1, game.fate[seat] + 0)


@compiled
def observation_tensor(game: Any, viewer: int, out: Any) -> None:
    """Write everything on the stairs as numbers from 0 to 1, the viewer's seat first."""
    at = one_hot(out, 0, SEATS + 1, game.players + 0)
    at = one_hot(out, at, OVER + 1, game.phase + 0)
    at = one_hot(out, at, len(STEP_FACES) + 1, game.die + 0)
    at = one_hot(out, at, SPOTS, game.shield + 0)
    at = one_hot(out, at, LANES, game.shut + 0)
    at = one_hot(out, at, STEPS + 1, game.step + 0)
    at = one_hot(out, at, STEPS + 1, game.down + 0)
    at = one_hot(out, at, LANES + 1, game.above + 0)
    at = one_hot(out, at, LANES + 1, game.lane + 0)
    at = one_hot(out, at, COURSES, game.course + 0)
    at = one_hot(out, at, STEPS, game.depth + 0)
    # A spectator (-1) sees seat 0 first; empty seats stay zero.
    for place in range(seats(game)):
        seat_tensor(game, (place + max(viewer, 0)) % seats(game), out, at + place * SEAT_SIZE)


PLACES = STANDS + 2
TENSOR_SEATS = TensorGroup("seats", SEATS, "seats", (
    TensorField("active", 1, "has the turn"),
    TensorField("may_act", 1, "may choose now"),
    TensorField("youngest", 1, "may leave shield and door alone"),
    TensorField("hit", 1, "its pawn was just hit"),
    TensorField("tokens", TOKENS + 1, "one-hot: tokens, 0–3"),
    TensorField("place", PLACES, "one-hot: its pawn’s place: 27 spots, floor, none, chamber"),
    TensorField("fate", STANDS + 1, "one-hot: what the rock did to its pawn: the spot where it lies, floor, nothing"),
))  # fmt: skip
TENSOR_LAYOUT = (
    TensorField("players", SEATS + 1, "one-hot: number of players, 0–4"),
    TensorField(
        "phase", OVER + 1, "one-hot: lots, door, notch, die, walk, action, change, throw, lane, fate, side, over"
    ),
    TensorField("die", len(STEP_FACES) + 1, "one-hot: the movement die, 0 before it is rolled"),
    TensorField("shield", SPOTS, "one-hot: the shield’s spot"),
    TensorField("shut", LANES, "one-hot: the lane of the shut door"),
    TensorField("step", STEPS + 1, "one-hot: the stair to which the falling rock comes, 0 when none falls"),
    TensorField("down", STEPS + 1, "one-hot: how many stairs below where it was seen before"),
    TensorField("above", LANES + 1, "one-hot: the rock’s lane up there"),
    TensorField("lane", LANES + 1, "one-hot: the rock’s lane at this stair, once it is seen"),
    TensorField(
        "course", COURSES, "one-hot: what the rock struck last, how it came into its lane, and whether just now"
    ),
    TensorField("depth", STEPS, "one-hot: how many stairs the pawn that was hit has come down"),
    TENSOR_SEATS,
)
SEAT_SIZE, TENSOR_SIZE = TENSOR_SEATS.length, tensor_size(TENSOR_LAYOUT)
