"""Save the Dragon: every rule as a small function, in the order of the rulebook."""

from __future__ import annotations

from typing import Any

from dracotheque.rules import TERMINAL, ask, await_chance, compiled, next_seat, rule
from dracotheque.games.save_the_dragon.rules.state import (
    ACTION, ACTION_FROM, CHAMBER, CHANGE, DIE, DOOR, DRAGON_FREE, FALLING, FATE, FLOOR, FROM_HIGHER, FROM_LOWER,
    FURTHER, GONE, LANE, LANES, LONG_AGO, LOTS, NOTCH, NOWHERE, OVER, PASSED, SEATS, SIDE, STANDS, STEPS, THROW, THROWN,
    TOKENS, WALK, WAYS, YOUNGEST_SET,
)  # fmt: skip
from dracotheque.games.save_the_dragon.rules.reachability import doors_in_reach, pawns

FULL = (1 << LANES) - 1  # all three spots of a step, a bit each


# --- Set-up -----------------------------------------------------------------------------------------------------
@rule("setup.pawns", "setup.stairs")
def setup(game: Any) -> None:
    """All pawns stand on the floor below the stairs; nobody has a token."""
    for seat in range(SEATS):
        game.place[seat] = FLOOR if seat < game.players else NOWHERE
        game.fate[seat] = STANDS
    game.hit = SEATS
    await_chance(game, DOOR)


@rule("setup.door")
def hang_door(game: Any, lane: int) -> None:
    """Chance decides which of the three doors is shut."""
    game.shut = lane
    await_chance(game, NOTCH)


@rule("setup.shield")
def place_shield(game: Any, spot: int) -> None:
    """Chance decides where the shield stands at first."""
    game.shield = spot
    choose_first_player(game)


@rule("setup.first-player")
def choose_first_player(game: Any) -> None:
    """The table names the first player or draws lots."""
    if game.starts > 0:
        start_with(game, game.starts - 1)
    else:
        await_chance(game, LOTS)


@rule("setup.first-player")
def start_with(game: Any, seat: int) -> None:
    """The first player is known and rolls the die."""
    game.active = seat
    await_chance(game, DIE)


@compiled
def go_on(game: Any) -> None:
    """What follows by itself, until someone or chance must decide."""
    if game.phase == FALLING:
        fall_on(game)
    if game.phase == PASSED:
        pass_on(game)


@rule("turn.order")
def pass_on(game: Any) -> None:
    """The player on the left rolls the die."""
    game.active = next_seat(game, game.active + 0)
    game.die = 0
    await_chance(game, DIE)


# --- The walk ---------------------------------------------------------------------------------------------------
@rule("turn.die")
def roll(game: Any, steps: int) -> None:
    """The movement die says how many steps the player walks."""
    game.die = steps
    ask(game, game.active + 0, WALK)


@rule("move.steps", "token.spend")
def walk_to(game: Any, seat: int, spot: int, spent: int) -> None:
    """A pawn walks to a spot; the tokens used for it go back to the supply."""
    game.place[seat] = spot
    game.tokens[seat] -= spent
    walked(game)


@rule("turn.action", "move.stuck")
def walked(game: Any) -> None:
    """After a one or a two on the movement die the action die is rolled, whether the pawn could walk or not."""
    if game.die <= ACTION_FROM:
        await_chance(game, ACTION)
    else:
        game.phase = PASSED


@rule("move.door", "end.door", "token.spend")
def walk_through(game: Any, seat: int, lane: int) -> None:
    """A pawn that goes through an open door frees the dragon, and the game is over; no token is wasted."""
    length = 1
    while not doors_in_reach(game, seat, length) >> lane & 1:
        length += 1
    game.tokens[seat] -= max(length - game.die, 0)
    game.place[seat] = CHAMBER
    game.ended = DRAGON_FREE
    game.phase = OVER
    game.to_move = TERMINAL


# --- The action die ---------------------------------------------------------------------------------------------
@rule("turn.action", "change.must", "rock.throw")
def act(game: Any, rock: bool) -> None:
    """The action die shows the rock, or shield and door."""
    ask(game, game.active + 0, THROW if rock else CHANGE)


@rule("option.youngest")
def may_skip(game: Any, seat: int) -> bool:
    """The youngest need move neither shield nor door."""
    several = max(game.youngest - YOUNGEST_SET, 0)  # a bit for each seat
    return game.youngest == 1 or game.youngest == seat + 2 or (several >> seat) & 1 == 1


@rule("option.youngest")
def leave_both(game: Any) -> None:
    """Shield and door stay where they are."""
    game.phase = PASSED


@rule("change.shield", "right.own")
def taken_spots(game: Any) -> int:
    """A bit for every spot where shield or pawn stands: the shield goes to another, one without a pawn."""
    return pawns(game) | 1 << game.shield


@compiled
def pawn_on(game: Any, spot: int) -> int:
    """Whose pawn stands on a spot; SEATS where there is none."""
    found = SEATS
    for seat in range(SEATS):
        if game.place[seat] == spot:
            found = seat
    return found


@rule("change.shield")
def move_shield(game: Any, spot: int) -> None:
    """The shield stands elsewhere now."""
    game.shield = spot
    game.phase = PASSED


@rule("change.door")
def move_door(game: Any, lane: int) -> None:
    """The door closes another of the three openings."""
    game.shut = lane
    game.phase = PASSED


# --- The rock ---------------------------------------------------------------------------------------------------
@rule("rock.throw")
def let_go(game: Any, lane: int) -> None:
    """The rock is let go through a door that is open; on empty stairs it does nothing."""
    game.unseen = pawns(game)
    if game.unseen == 0:
        game.phase = PASSED
        return
    game.step = STEPS + 1
    game.lane = lane
    next_stop(game)


@rule("rock.fall")
def next_stop(game: Any) -> None:
    """The rock comes to the next step with a pawn or the shield."""
    game.hit = SEATS
    step, stops = game.step - 1, game.unseen | 1 << game.shield
    while stops >> (step - 1) * LANES & FULL == 0:
        step -= 1
    game.down = game.step - step
    game.step = step
    game.above = game.lane
    if game.lane == GONE:
        game.phase = FALLING
    else:
        await_chance(game, LANE)


@rule("rock.shield")
def shield_lane(game: Any) -> int:
    """The lane of the shield if it stands on the step to which the rock comes, else LANES."""
    return game.shield % LANES if game.shield // LANES == game.step - 1 else LANES


@rule("rock.fall", "rock.shield")
def travel_row(game: Any) -> int:
    """The row of TRAVEL for a rock on its way: its course, how far it comes down, its lane, and the shield's."""
    way = game.down - 1
    if game.course != THROWN:
        way = STEPS + (game.course - 1) * FURTHER + min(game.down + 0, FURTHER) - 1
    return (way * LANES + game.lane) * (LANES + 1) + shield_lane(game)


@rule("rock.fall", "rock.gone")
def roll_in(game: Any, lane: int) -> None:
    """The rock passes a step in a lane, straight on or turned aside; one that stops is taken away."""
    came = game.course % WAYS | LONG_AGO
    if lane != game.lane:
        came = FROM_LOWER if game.lane < lane else FROM_HIGHER
    game.course = struck(game, lane) * WAYS + came
    game.lane = lane
    game.phase = FALLING


@rule("rock.pawn", "rock.shield")
def struck(game: Any, lane: int) -> int:
    """What the rock strikes as it comes into a lane: 1 for a pawn there, 2 for the shield before it, else 0."""
    if lane != GONE and game.unseen >> (game.step - 1) * LANES + lane & 1:
        return 1
    return 2 if shield_lane(game) == game.lane else 0


@rule("rock.pawn")
def fall_on(game: Any) -> None:
    """The pawns of a step meet their fate, from left to right; then the rock comes to the next, while any are left."""
    while game.phase == FALLING:
        seat = next_hit(game)
        if seat < SEATS:
            game.hit = seat
            game.unseen &= ~(1 << game.place[seat])
            await_chance(game, FATE)
        elif game.unseen != 0:
            next_stop(game)
        else:
            right_pawns(game)


@compiled
def next_hit(game: Any) -> int:
    """The first pawn of the rock's step that it has not come to yet; SEATS where there is none."""
    first = (game.step - 1) * LANES
    row = game.unseen >> first
    if row & FULL == 0:
        return SEATS
    return pawn_on(game, first + (0 if row & 1 else 1 if row & 2 else 2))


@compiled
def lanes_off(lane: int, rock: int) -> int:
    """How many lanes a pawn is away from the rock; GONE where it comes no more."""
    return GONE if rock == GONE else abs(rock - lane)


@rule("rock.pawn", "rock.shield")
def relation(game: Any, seat: int) -> int:
    """How a pawn stands to the rock: how it comes, lanes off before and now, below shield or pawn or not."""
    place = game.place[seat] + 0
    lane = place % LANES
    came = 0 if game.step + game.down > STEPS else 1 if game.down == 1 else 2
    passed = (came * (GONE + 1) + lanes_off(lane, game.above + 0)) * (GONE + 1) + lanes_off(lane, game.lane + 0)
    sheltered = game.shield == place + LANES or game.shield == place + 2 * LANES
    below_pawn = pawns(game) >> place + LANES & 1
    return (passed * 2 + sheltered) * 2 + below_pawn


@rule("rock.pawn")
def come_down(game: Any, down: int) -> None:
    """A pawn stands as before, falls to the floor, or lies some steps further down: its lane is still to be seen."""
    seat = game.hit + 0
    game.phase = FALLING
    if down == 0:
        game.fate[seat] = STANDS
    elif down > game.place[seat] // LANES + 1:
        game.fate[seat] = FLOOR
    else:
        game.depth = down - 1
        await_chance(game, SIDE)


@rule("rock.pawn")
def lie_down(game: Any, lane: int) -> None:
    """A pawn lies in a lane."""
    seat = game.hit + 0
    game.fate[seat] = (game.place[seat] // LANES - game.depth) * LANES + lane
    game.depth = 0
    game.phase = FALLING


# --- Righting pawns ---------------------------------------------------------------------------------------------
@rule("right.order", "right.own")
def right_pawns(game: Any) -> None:
    """Pawns that lie where they stood keep their spots; the others are righted from the top down, lower seats first."""
    for seat in range(SEATS):
        if game.fate[seat] == game.place[seat]:
            game.fate[seat] = STANDS
        elif game.fate[seat] != STANDS:
            game.place[seat] = NOWHERE
    seat = 0
    while seat < SEATS:
        seat = highest(game)
        if seat < SEATS:
            stand_up(game, seat, step_of(game.fate[seat] + 0), game.fate[seat] % LANES)
            game.fate[seat] = STANDS
    game.step = 0
    game.down = 0
    game.above = 0
    game.lane = 0
    game.course = THROWN
    game.hit = SEATS
    game.phase = PASSED


@compiled
def step_of(spot: int) -> int:
    """The step of a spot; 0 on the floor."""
    return 0 if spot == FLOOR else spot // LANES + 1


@rule("right.order")
def highest(game: Any) -> int:
    """Of the pawns that lie somewhere the one highest up, of two on a step the lower seat; SEATS where none lies."""
    found, top = SEATS, -1
    for seat in range(SEATS):
        lies = game.fate[seat] + 0
        if lies != STANDS and step_of(lies) > top:
            found, top = seat, step_of(lies)
    return found


@rule("right.step", "right.below")
def stand_up(game: Any, seat: int, step: int, lane: int) -> None:
    """A pawn stands up on its spot, else on the nearest free one of its step, else a step further down."""
    taken = taken_spots(game)
    while step > 0 and taken >> (step - 1) * LANES & FULL == FULL:
        step -= 1
    if step == 0:
        land(game, seat)
    else:
        game.place[seat] = (step - 1) * LANES + nearest(taken >> (step - 1) * LANES & FULL, lane)


@rule("right.own", "right.step")
def nearest(taken: int, lane: int) -> int:
    """The lane where a pawn stands up on a step with room: its own, else the next, of two the left one."""
    if not taken >> lane & 1:
        return lane
    if lane != 1:
        return 2 - lane if taken & 2 else 1
    return 2 if taken & 1 else 0


@rule("token.earn", "token.three")
def land(game: Any, seat: int) -> None:
    """Who comes down to the floor gets a token, but never has more than three."""
    game.place[seat] = FLOOR
    if game.tokens[seat] < TOKENS:
        game.tokens[seat] += 1
