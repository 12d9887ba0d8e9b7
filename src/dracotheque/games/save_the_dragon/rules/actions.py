"""Save the Dragon: what may be chosen now, why anything else may not, and what each choice sets going."""

from __future__ import annotations

from typing import Any

from dracotheque.rules import (
    bit_count, compiled, nth_bit, random_below, rule, seats,
)  # fmt: skip
from dracotheque.games.save_the_dragon.rules.mechanics import (
    FULL, act, come_down, go_on, hang_door, leave_both, let_go, lie_down, may_skip, move_door, move_shield, pass_on,
    place_shield, relation, roll, roll_in, start_with, taken_spots, travel_row, walk_through, walk_to, walked,
)  # fmt: skip
from dracotheque.games.save_the_dragon.rules.state import (
    ACTION, ACTIONS, CHANGE, DIE, DOOR, DOOR_SHUT, DOWN, FAR, FATE, FATES, FELL, GAME_OVER, HALF,
    HEAPED_ACTIONS, HEAPED_STEPS, LANE, LANES, LET_GO, MUST_CHANGE, MUST_WALK, NOTCH, NOTCHED, NOT_FOR_DOOR,
    NOT_FOR_SHIELD, NOT_FULL, NO_CHANGE, NO_THROW, NO_TOKEN, NO_WAY, OCCUPIED, OUT_OF_TURN, OVER, PASSED,
    PUT_SHIELD, ROCK, ROCK_IN, ROLL, SHIELD_THERE, SHIFT, SHUT, SHUT_DOOR, SIDE, SPOTS, STAY,
    THROUGH, TO_SIDE, TRAVEL, WALK,
)  # fmt: skip
from dracotheque.games.save_the_dragon.rules.reachability import (
    DOORS, ON_STAIRS, STAIRS, doors_in_reach, free_places, longest, open_places, reached, start, step_on,
)  # fmt: skip


@rule("turn.order")
def may_act(game: Any, seat: int) -> bool:
    """The seat whose turn it is, and nobody else."""
    return game.to_move == seat


# --- Chance -----------------------------------------------------------------------------------------------------
@compiled
def chance_outcomes(game: Any, out: Any, weights: Any) -> int:
    """The rock's path and what it does to a pawn, the dice, or how the game is set up."""
    if game.phase == LANE:
        return weighed(TRAVEL, travel_row(game) * (LANES + 1), ROCK_IN, LANES + 1, out, weights)
    if game.phase == FATE:
        return fates(game, out, weights)
    if game.phase == SIDE:
        return weighed(SHIFT, shift_row(game) * LANES, TO_SIDE, LANES, out, weights)
    if game.phase == DIE:
        return weighed(HEAPED_STEPS, 0, ROLL, 3, out, weights)
    if game.phase == ACTION:
        return weighed(HEAPED_ACTIONS, 0, ROCK, 2, out, weights)
    if game.phase == DOOR:
        return even(SHUT, LANES, out, weights)
    return even(NOTCHED, SPOTS, out, weights) if game.phase == NOTCH else even(0, seats(game), out, weights)


@compiled
def play_chance(game: Any, workspace: Any) -> None:
    """Draw what chance brings and carry it out: the same as by a list, in half the time."""
    if game.phase == LANE:
        roll_in(game, drawn(TRAVEL, travel_row(game) * (LANES + 1), LANES + 1, workspace.stream))
    elif game.phase == FATE:
        come_down(game, drawn(FELL, relation(game, game.hit + 0) * FATES, FATES, workspace.stream))
    elif game.phase == SIDE:
        lie_down(game, drawn(SHIFT, shift_row(game) * LANES, LANES, workspace.stream))
    elif game.phase == DIE:
        roll(game, drawn(HEAPED_STEPS, 0, 3, workspace.stream) + 1)
    elif game.phase == ACTION:
        act(game, drawn(HEAPED_ACTIONS, 0, 2, workspace.stream) == 0)
    elif game.phase == DOOR:
        hang_door(game, random_below(workspace.stream, LANES))
    elif game.phase == NOTCH:
        place_shield(game, random_below(workspace.stream, SPOTS))
    else:
        start_with(game, random_below(workspace.stream, seats(game)))
    go_on(game)


@compiled
def drawn(heaped: Any, start: int, count: int, stream: Any) -> int:
    """Draw a place in a row of heaped weights."""
    height, place = random_below(stream, int(heaped[start + count - 1])), 0
    while height >= heaped[start + place]:
        place += 1
    return place


@compiled
def weighed(heaped: Any, start: int, first: int, count: int, out: Any, weights: Any) -> int:
    """List outcomes with the weights of a row, which are heaped each on those before it."""
    before = 0
    for i in range(count):
        out[i] = first + i
        weights[i] = heaped[start + i] - before
        before = heaped[start + i] + 0
    return count


@compiled
def shift_row(game: Any) -> int:
    """The row of SHIFT for a pawn that comes to lie: how many steps down, and from which lane."""
    return min(game.depth + 0, FAR) * LANES + game.place[game.hit] % LANES


@compiled
def even(first: int, count: int, out: Any, weights: Any) -> int:
    """List outcomes that are all as likely."""
    for i in range(count):
        out[i] = first + i
        weights[i] = 1
    return count


@rule("rock.pawn")
def fates(game: Any, out: Any, weights: Any) -> int:
    """A pawn stands, lies on its step or further down, or on the floor, where all that is too low ends up."""
    start, steps = relation(game, game.hit + 0) * FATES, game.place[game.hit] // LANES + 1
    count = weighed(FELL, start, DOWN, steps + 1, out, weights)
    out[count] = DOWN + FATES - 1
    weights[count] = FELL[start + FATES - 1] - FELL[start + steps]
    return count + 1


# --- The players' choices ---------------------------------------------------------------------------------------
@compiled
def legal_actions(game: Any, seat: int, out: Any) -> int:
    """List what the seat may choose; nothing when it is not asked."""
    if not may_act(game, seat):
        return 0
    first, low, high = legal_set(game, seat)
    return listed(high, first + HALF, out, listed(low, first, out, 0))


@compiled
def sample_action(game: Any, seat: int, workspace: Any) -> int:
    """Draw one of the legal actions, each as likely: the same as by their list, in half the time."""
    first, low, high = legal_set(game, seat)
    lower = bit_count(low)
    n = random_below(workspace.stream, lower + bit_count(high))
    return first + (nth_bit(low, n) if n < lower else HALF + nth_bit(high, n - lower))


@compiled
def listed(actions: int, first: int, out: Any, count: int) -> int:
    """Write the actions of a set, a bit each, and say how many are written in all."""
    while actions != 0:
        out[count] = first
        count += actions & 1
        actions >>= 1
        first += 1
    return count


@compiled
def legal_set(game: Any, seat: int) -> tuple[int, int, int]:
    """What the seat that is asked may choose, a bit for each action from a first one on, in two halves."""
    if game.phase == WALK:
        low, high = legal_walks(game, seat)
        return 0, low, high
    if game.phase == CHANGE:
        return PUT_SHIELD, legal_changes(game, seat), 0
    return LET_GO, open_doors(game), 0


@rule("move.full", "token.spend", "move.stuck")
def legal_walks(game: Any, seat: int) -> tuple[int, int]:
    """The ends of the longest walks, of full ones with tokens, the doors in reach, and staying if one must."""
    risen, left, right = start(game, seat), 0, 0
    ground, free = open_places(game), free_places(game)
    longest_ends, doors, low, high = 0, 0, 0, 0
    for length in range(1, game.die + game.tokens[seat] + 1):
        risen, left, right = step_on(risen, left, right, ground)
        ends = (risen | left | right) & free
        doors |= ends >> DOORS
        if ends != 0 or length > game.die:
            longest_ends = ends
        spots, spent = (longest_ends & ON_STAIRS) >> STAIRS, length - game.die
        if spent == 0 and longest_ends == 0:
            high |= 1 << STAY - HALF
        if 0 <= spent < 2:
            low |= spots << spent * SPOTS
        elif spent >= 2:
            high |= spots << (spent - 2) * SPOTS
    return low, high | doors << THROUGH - HALF


@rule("change.must", "change.shield", "change.door", "option.youngest")
def legal_changes(game: Any, seat: int) -> int:
    """The spots for the shield and the openings for the door; the youngest may leave both alone."""
    spots = ~taken_spots(game) & (1 << SPOTS) - 1
    return spots | open_doors(game) << SHUT_DOOR - PUT_SHIELD | may_skip(game, seat) << NO_CHANGE - PUT_SHIELD


@rule("change.door", "rock.throw")
def open_doors(game: Any) -> int:
    """The two openings without the door."""
    return FULL & ~(1 << game.shut)


@compiled
def apply_action(game: Any, seat: int, action: int) -> None:
    """Carry out a legal choice, and what follows from it by itself."""
    if action < THROUGH:
        walk_to(game, seat, action % SPOTS, action // SPOTS)
    elif action < STAY:
        walk_through(game, seat, action - THROUGH)
    elif action == STAY:
        walked(game)
    elif action < SHUT_DOOR:
        move_shield(game, action - PUT_SHIELD)
    elif action < NO_CHANGE:
        move_door(game, action - SHUT_DOOR)
    elif action == NO_CHANGE:
        leave_both(game)
    else:
        let_go(game, action - LET_GO)
    if game.phase == PASSED:
        pass_on(game)


@compiled
def apply_chance(game: Any, outcome: int) -> None:
    """Carry out what chance decided."""
    if game.phase == LANE:
        roll_in(game, outcome - ROCK_IN)
    elif game.phase == FATE:
        come_down(game, outcome - DOWN)
    elif game.phase == SIDE:
        lie_down(game, outcome - TO_SIDE)
    elif game.phase == DIE:
        roll(game, outcome - ROLL + 1)
    elif game.phase == ACTION:
        act(game, outcome == ROCK)
    elif game.phase == DOOR:
        hang_door(game, outcome - SHUT)
    elif game.phase == NOTCH:
        place_shield(game, outcome - NOTCHED)
    else:
        start_with(game, outcome)
    go_on(game)


# --- Why not? ---------------------------------------------------------------------------------------------------
@compiled
def refusal(game: Any, seat: int, action: int) -> int:
    """Name the rule that forbids a choice, or 0 where it is allowed."""
    if game.phase == OVER:
        return GAME_OVER
    if game.to_move != seat:
        return OUT_OF_TURN
    if game.phase == WALK:
        return refused_walk(game, seat, action)
    if game.phase == CHANGE:
        return refused_change(game, seat, action)
    return 0 if LET_GO <= action < ACTIONS and action - LET_GO != game.shut else NO_THROW


@compiled
def refused_walk(game: Any, seat: int, action: int) -> int:
    """A pawn walks as far as it must, to a free spot in reach, or through an open door."""
    if not 0 <= action <= STAY:
        return MUST_WALK
    if action == STAY:
        return MUST_WALK if longest(game, seat, game.die + 0) > 0 else 0
    if action >= THROUGH:
        return refused_door(game, seat, action - THROUGH)
    spent, spot = action // SPOTS, action % SPOTS
    if spent > game.tokens[seat]:
        return NO_TOKEN
    if spot == game.shield:
        return SHIELD_THERE
    steps, within = game.die + spent, 0
    for length in range(1, steps + 1):
        within |= reached(game, seat, length)
    if not within >> STAIRS + spot & 1:
        return NO_WAY
    if not free_places(game) >> STAIRS + spot & 1:
        return OCCUPIED
    length = steps if spent > 0 else longest(game, seat, steps)
    return 0 if reached(game, seat, length) >> STAIRS + spot & 1 else NOT_FULL


@rule("move.door", "door.shut")
def refused_door(game: Any, seat: int, lane: int) -> int:
    """An open door in reach may always be taken."""
    if lane == game.shut:
        return DOOR_SHUT
    return 0 if doors_in_reach(game, seat, game.die + game.tokens[seat]) >> lane & 1 else NO_WAY


@compiled
def refused_change(game: Any, seat: int, action: int) -> int:
    """The shield goes to a free spot elsewhere, the door to another opening; only the youngest may do neither."""
    if PUT_SHIELD <= action < SHUT_DOOR:
        return NOT_FOR_SHIELD if taken_spots(game) >> action - PUT_SHIELD & 1 else 0
    if SHUT_DOOR <= action < NO_CHANGE:
        return 0 if action - SHUT_DOOR != game.shut else NOT_FOR_DOOR
    return 0 if action == NO_CHANGE and may_skip(game, seat) else MUST_CHANGE
