"""Gran: what each seat sees, how what is hidden is filled in, and the numbers of the observation tensor."""

from __future__ import annotations

from typing import Any

from dracotheque.rules import (
    TensorField, TensorGroup, compiled, evaluator_type, one_hot, rule, seats, tensor_size,
)  # fmt: skip
from dracotheque.games.gran.rules.bitsets import has
from dracotheque.games.gran.rules.mechanics import (
    wanted_seals,
)  # fmt: skip
from dracotheque.games.gran.rules.state import (
    AMULETS, CARDS, FACES, KINGDOMS, MOST_POINTS, OVER, PATIENCE, SEATS, SIDES, STONES,
)  # fmt: skip
from dracotheque.games.gran.rules.actions import may_act


# --- What a viewer knows ----------------------------------------------------------------------------------------
@rule("setup.cards")
def observe(game: Any, viewer: int) -> None:
    """Everything lies open; nobody, not even the program, knows the order of the cards face down."""


@compiled
def determinize(game: Any, viewer: int, stream: Any) -> None:
    """Nothing is hidden, so nothing is resampled."""


@compiled
def seat_tensor(game: Any, seat: int, out: Any, at: int) -> None:
    """Write what a player has: the turn, amulets, collar, ring, seals."""
    out[at] = game.active == seat
    out[at + 1] = may_act(game, seat)
    out[at + 2] = game.amulets[seat] / AMULETS
    out[at + 3] = (game.collared >> seat) & 1
    out[at + 4] = (game.waiting >> seat) & 1
    out[at + 5] = game.bearer == seat
    out[at + 6] = game.victim == seat
    for kingdom in range(KINGDOMS):
        out[at + 7 + kingdom] = (game.seals[seat] >> kingdom) & 1


@compiled
def observation_tensor(game: Any, viewer: int, out: Any) -> None:
    """Write everything on the map as numbers from 0 to 1, the viewer's seat first; the map belongs to the game."""
    at = one_hot(out, 0, SEATS + 1, game.players)
    at = one_hot(out, at, OVER + 1, game.phase)
    out[at] = wanted_seals(game) / KINGDOMS
    out[at + 1] = game.reserve / STONES
    out[at + 2] = game.strength / SIDES
    out[at + 3] = game.flies
    out[at + 4] = game.cut_off / PATIENCE
    at += 5
    for face in range(FACES):
        out[at + face] = game.deck[face] / CARDS[face]
    at += FACES
    points = at + SEATS * SEAT_SIZE
    # A spectator (-1) sees seat 0 first; empty seats stay zero.
    for place in range(seats(game)):
        seat = (place + max(viewer, 0)) % seats(game)
        seat_tensor(game, seat, out, at + place * SEAT_SIZE)
        out[points + game.place[seat] * POINT_SIZE + place] = 1
    for point in range(MOST_POINTS):
        at = points + point * POINT_SIZE + SEATS
        out[at] = has(game.stones, point)
        out[at + 1] = game.ring == point
        out[at + 2] = game.origin == point
        out[at + 3] = game.lifted == point


TENSOR_SEATS = TensorGroup("seats", SEATS, "seats", (
    TensorField("active", 1, "has the turn"),
    TensorField("may_act", 1, "may choose now"),
    TensorField("amulets", 1, "amulets ÷ 3"),
    TensorField("collar", 1, "wears the collar"),
    TensorField("waiting", 1, "has not set out"),
    TensorField("ring", 1, "carries the ring"),
    TensorField("attacked", 1, "was just attacked"),
    TensorField("seals", KINGDOMS, "the seal of each kingdom"),
))  # fmt: skip
TENSOR_POINTS = TensorGroup("points", MOST_POINTS, "points of the map", (
    TensorField("knights", SEATS, "the knights that stand there, the viewer’s first"),
    TensorField("stone", 1, "a stone"),
    TensorField("ring", 1, "the ring"),
    TensorField("origin", 1, "this move began there"),
    TensorField("lifted", 1, "the stone in hand came from there"),
))  # fmt: skip
TENSOR_LAYOUT = (
    TensorField("players", SEATS + 1, "one-hot: number of players, 0–6"),
    TensorField("phase", OVER + 1, "one-hot: lots, first, second, exile, duel, die, drop, stone, lift, over"),
    TensorField("seals_wanted", 1, "seals wanted ÷ 4"),
    TensorField("reserve", 1, "stones in reserve ÷ 16"),
    TensorField("strength", 1, "strength of the dragon card just turned ÷ 6"),
    TensorField("flies", 1, "the extra move of a duel’s winner"),
    TensorField("cut_off", 1, "rounds without a way to the ring ÷ 5"),
    TensorField(
        "deck", FACES, "dragon cards face down, by strength (0, 2, 3, 4, 5, 6), each as a share of all there are"
    ),
    TENSOR_SEATS,
    TENSOR_POINTS,
)
SEAT_SIZE, POINT_SIZE, TENSOR_SIZE = TENSOR_SEATS.length, TENSOR_POINTS.length, tensor_size(TENSOR_LAYOUT)
Evaluator = evaluator_type(TENSOR_SIZE)
