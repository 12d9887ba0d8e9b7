"""Gran: what may be chosen now, why anything else may not, and what each choice sets going."""

from __future__ import annotations

from typing import Any

from dracotheque.rules import (
    compiled, rule, seats,
)  # fmt: skip
from dracotheque.games.gran.rules.bitsets import free_exile, has, is_in, listed, lowest, walls_in, way_to_ring
from dracotheque.games.gran.rules.mechanics import (
    banish, drop, drops, fight, first_step, go_on, ground_for_ring, ground_for_stone, lay_stone, lift, may_lift,
    may_step, second_step, start_with, stops, turn_card, why_not_stop,
)  # fmt: skip
from dracotheque.games.gran.rules.state import (
    ARRIVED, BITS, CARD, DROP, DUEL, EXILE, FACES, FIRST, FIRST_PLAYER, GAME_OVER,
    LIFT, LOTS, MOST_POINTS, MUST_MOVE, NOT_EXILE, NOT_FOR_RING, NOT_FOR_STONE, NOWHERE, NO_LIFT, NO_LINE,
    OUT_OF_TURN, OVER, PASSED, RING_UNREACHABLE, RING_WALLED_IN, ROLL, SECOND,
    SIDES, STAY, STONE, WORDS,
)  # fmt: skip


@rule("turn.order")
def may_act(game: Any, seat: int) -> bool:
    """The seat whose turn it is, and nobody else."""
    return game.to_move == seat


@compiled
def chance_outcomes(game: Any, out: Any, weights: Any) -> int:
    """The lot for the first player, the dragon cards face down, or the die."""
    if game.phase == DUEL:
        count = 0
        for face in range(FACES):
            out[count] = CARD + face
            weights[count] = game.deck[face]
            count += game.deck[face] > 0
        return count
    first, count = (FIRST_PLAYER, seats(game)) if game.phase == LOTS else (ROLL, SIDES)
    for i in range(count):
        out[i] = first + i
        weights[i] = 1
    return count


# --- The players' choices ---------------------------------------------------------------------------------------
@compiled
def legal_actions(game: Any, seat: int, out: Any) -> int:
    """List what the seat may choose; nothing when it is not asked."""
    if not may_act(game, seat):
        return 0
    if game.phase == FIRST:
        return legal_first_steps(game, seat, out)
    if game.phase == SECOND:
        return legal_second_steps(game, seat, out)
    if game.phase == STONE:
        return legal_stones(game, out)
    if game.phase == LIFT:
        return legal_lifts(game, out)
    if game.phase == DROP:
        low, high = drops(game, seat)
    else:
        low, high = free_exile(game, 0, seat), free_exile(game, 1, seat)
    return listed(high, 1, out, listed(low, 0, out, 0))


@compiled
def legal_first_steps(game: Any, seat: int, out: Any) -> int:
    """List the points a move may begin with; the winner of a duel may stay."""
    here, count = game.place[seat] + 0, 0
    low, high = stops(game, seat, here, 0), stops(game, seat, here, 1)
    for word in range(WORDS):
        bits = game.near[here * WORDS + word] + 0
        while bits != 0:
            out[count] = word * BITS + lowest(bits)
            bits &= bits - 1
            count += may_step(game, seat, out[count] + 0, low, high)
    out[count] = STAY
    return count + game.flies


@compiled
def legal_second_steps(game: Any, seat: int, out: Any) -> int:
    """List the points a move may go on to, and staying where the first step led."""
    here, point = game.origin + 0, game.place[seat] + 0
    low, high = stops(game, seat, here, 0), stops(game, seat, here, 1)
    count = listed(game.near[point * WORDS] & low, 0, out, 0)
    count = listed(game.near[point * WORDS + 1] & high, 1, out, count)
    out[count] = STAY
    return count + is_in(low, high, point)


@compiled
def legal_stones(game: Any, out: Any) -> int:
    """List the points for a stone."""
    lifted, count = game.lifted + 0, 0
    low, high = way_to_ring(game, NOWHERE, NOWHERE)
    for word in range(WORDS):
        bits = ground_for_stone(game, word, lifted)
        while bits != 0:
            out[count] = word * BITS + lowest(bits)
            bits &= bits - 1
            point = out[count] + 0
            count += not (is_in(low, high, point) and walls_in(game, point, NOWHERE))
    return count


@compiled
def legal_lifts(game: Any, out: Any) -> int:
    """List the stones that may be lifted."""
    low, high = way_to_ring(game, NOWHERE, NOWHERE)
    count = 0
    for word in range(WORDS):
        bits = game.stones[word] + 0
        while bits != 0:
            out[count] = word * BITS + lowest(bits)
            bits &= bits - 1
            count += may_lift(game, out[count] + 0, low, high)
    return count


@compiled
def apply_action(game: Any, seat: int, action: int) -> None:
    """Carry out a legal choice, and what follows from it by itself."""
    if game.phase == FIRST:
        if action == STAY:
            game.phase = PASSED
        else:
            first_step(game, seat, action)
    elif game.phase == SECOND:
        if action == STAY:
            game.phase = ARRIVED
        else:
            second_step(game, seat, action)
    elif game.phase == EXILE:
        banish(game, action)
    elif game.phase == DROP:
        drop(game, seat, action)
    elif game.phase == STONE:
        lay_stone(game, action)
    else:
        lift(game, seat, action)
    go_on(game)


@compiled
def apply_chance(game: Any, outcome: int) -> None:
    """Carry out what chance decided."""
    if game.phase == LOTS:
        start_with(game, outcome - FIRST_PLAYER)
    elif game.phase == DUEL:
        turn_card(game, outcome - CARD)
    else:
        fight(game, game.active + 0, outcome - ROLL + 1)
    go_on(game)


# --- Why not? ---------------------------------------------------------------------------------------------------
@compiled
def refusal(game: Any, seat: int, action: int) -> int:
    """Name the rule that forbids a choice, or 0 where it is allowed."""
    if game.phase == OVER:
        return GAME_OVER
    if game.to_move != seat:
        return OUT_OF_TURN
    if game.phase == FIRST:
        return refused_first_step(game, seat, action)
    if game.phase == SECOND:
        return refused_second_step(game, seat, action)
    if game.phase == EXILE:
        free = is_in(free_exile(game, 0, seat), free_exile(game, 1, seat), action)
        return 0 if is_point(action) and free else NOT_EXILE
    if game.phase == DROP:
        return refused_drop(game, seat, action)
    return refused_stone(game, action) if game.phase == STONE else refused_lift(game, action)


@compiled
def joined(game: Any, here: int, point: int) -> bool:
    """Whether a line leads from one point to another."""
    return is_in(game.near[here * WORDS] + 0, game.near[here * WORDS + 1] + 0, point)


@compiled
def is_point(action: int) -> bool:
    """Whether a choice is a point at all."""
    return 0 <= action < MOST_POINTS


@compiled
def refused_first_step(game: Any, seat: int, action: int) -> int:
    """A knight must move along a line; only the winner of a duel may stay."""
    here = game.place[seat] + 0
    if not is_point(action):
        return 0 if game.flies == 1 else MUST_MOVE
    if not joined(game, here, action):
        return NO_LINE
    allowed = may_step(game, seat, action, stops(game, seat, here, 0), stops(game, seat, here, 1))
    return 0 if allowed else why_not_stop(game, seat, here, action)


@compiled
def refused_second_step(game: Any, seat: int, action: int) -> int:
    """A knight goes on along a line, or stays where it may."""
    here, point = game.origin + 0, game.place[seat] + 0
    if not is_point(action):
        return why_not_stop(game, seat, here, point)
    return why_not_stop(game, seat, here, action) if joined(game, point, action) else NO_LINE


@compiled
def refused_drop(game: Any, seat: int, action: int) -> int:
    """The ring is laid on a free point of another kingdom, within reach."""
    low, high = drops(game, seat)
    if is_point(action) and is_in(low, high, action):
        return 0
    kingdom = game.kingdom[game.place[seat]] + 0
    free = is_in(ground_for_ring(game, 0, kingdom), ground_for_ring(game, 1, kingdom), action)
    return RING_UNREACHABLE if is_point(action) and free else NOT_FOR_RING


@compiled
def refused_stone(game: Any, action: int) -> int:
    """A stone lies on a free black or white point and never walls the ring in."""
    lifted = game.lifted + 0
    fits = is_in(ground_for_stone(game, 0, lifted), ground_for_stone(game, 1, lifted), action)
    if not is_point(action) or not fits:
        return NOT_FOR_STONE
    return RING_WALLED_IN if game.ring != NOWHERE and walls_in(game, action, NOWHERE) else 0


@compiled
def refused_lift(game: Any, action: int) -> int:
    """A stone is lifted that can lie elsewhere without walling the ring in."""
    if not is_point(action) or not has(game.stones, action):
        return NO_LIFT
    low, high = way_to_ring(game, NOWHERE, NOWHERE)
    return 0 if may_lift(game, action, low, high) else RING_WALLED_IN
