"""Save the Dragon: every rule as a small function, in the order of the rulebook."""

from __future__ import annotations

from typing import Any

from dracotheque.engine.dispatch import TERMINAL
from dracotheque.engine.kit import ask, await_chance, next_seat, seats
from dracotheque.engine.rule import compiled, rule
from dracotheque.games.save_the_dragon.state import (
    ACTION, ACTION_FROM, CHAMBER, CHANGE, DIE, DOOR, DRAGON_FREE, FALLING, FATE, FLOOR, FROM_HIGHER, FROM_LOWER, GONE,
    LANE, LANES, LONG, LOTS, NOTCH, NOWHERE, OVER, PASSED, SEATS, SIDE, SPOTS, STANDS, STEPS, STRAIGHT, STRUCK, THROW,
    TOKENS, WALK,
)  # fmt: skip
from dracotheque.games.save_the_dragon.walks import doors_in_reach


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
    """What follows by itself, until somebody or chance must decide."""
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
    return game.youngest == 1 or game.youngest == seat + 2


@rule("option.youngest")
def leave_both(game: Any) -> None:
    """Shield and door stay where they are."""
    game.phase = PASSED


@rule("change.shield")
def taken_spots(game: Any) -> int:
    """A bit for every spot where shield or pawn stands: the shield goes to another, one without a pawn."""
    taken = 1 << game.shield
    for seat in range(seats(game)):
        taken |= 1 << game.place[seat]
    return taken


@compiled
def pawn_on(game: Any, spot: int) -> int:
    """Whose pawn stands on a spot; SEATS where there is none."""
    found = SEATS
    for seat in range(seats(game)):
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
    """The rock is let go through a door that is open, and falls from step to step."""
    game.step = STEPS + 1
    game.lane = lane
    game.course = STRAIGHT
    game.unseen = 0
    for seat in range(seats(game)):
        game.fate[seat] = STANDS
        if game.place[seat] < SPOTS:
            game.unseen |= 1 << game.place[seat]
    next_step(game)


@rule("rock.fall")
def next_step(game: Any) -> None:
    """The rock comes to the next step; when no pawn stands there or further down, the fall is over."""
    game.step -= 1
    game.above = game.lane
    game.hit = SEATS
    if game.unseen == 0:
        right_pawns(game)
    elif game.lane == GONE:
        game.phase = FALLING
    else:
        await_chance(game, LANE)


@rule("rock.fall", "rock.shield")
def ahead(game: Any) -> int:
    """What stands in the rock's way: nothing, a pawn, or the shield."""
    spot = (game.step - 1) * LANES + game.lane
    if spot == game.shield:
        return 2
    return game.unseen >> spot & 1


@rule("rock.fall", "rock.gone")
def roll_in(game: Any, lane: int) -> None:
    """The rock passes a step in a lane, straight on or turned aside; one that stops is taken away."""
    came = game.course % STRUCK
    if lane != game.lane:
        came = FROM_LOWER if game.lane < lane else FROM_HIGHER
    elif came % (LONG + 1) < LONG:
        came += 1
    game.course = ahead(game) * STRUCK + came
    game.lane = lane
    game.phase = FALLING


@rule("rock.pawn")
def fall_on(game: Any) -> None:
    """The pawns of a step meet their fate one after the other, from left to right; then the rock comes further down."""
    while game.phase == FALLING:
        seat = next_hit(game)
        if seat == SEATS:
            next_step(game)
        else:
            game.hit = seat
            game.unseen &= ~(1 << game.place[seat])
            await_chance(game, FATE)


@compiled
def next_hit(game: Any) -> int:
    """The first pawn of the rock's step that it has not come to yet; SEATS where there is none."""
    first = (game.step - 1) * LANES
    row = game.unseen >> first
    if row & 7 == 0:
        return SEATS
    return pawn_on(game, first + (0 if row & 1 else 1 if row & 2 else 2))


@compiled
def lanes_off(lane: int, rock: int) -> int:
    """How many lanes a pawn is away from the rock; GONE where it comes no more."""
    return GONE if rock == GONE else abs(rock - lane)


@rule("rock.pawn", "rock.shield")
def relation(game: Any, seat: int) -> int:
    """How a pawn stands to the rock: lanes off before and now, behind the shield or not, below another pawn or not."""
    place = game.place[seat] + 0
    lane = place % LANES
    passed = lanes_off(lane, game.above + 0) * (GONE + 1) + lanes_off(lane, game.lane + 0)
    sheltered = game.shield == place + LANES or game.shield == place + 2 * LANES
    below_pawn = pawn_on(game, place + LANES) < SEATS and place + LANES < SPOTS
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
    for seat in range(seats(game)):
        if game.fate[seat] == game.place[seat]:
            game.fate[seat] = STANDS
        elif game.fate[seat] != STANDS:
            game.place[seat] = NOWHERE
    seat = highest(game)
    while seat < SEATS:
        stand_up(game, seat, step_of(game.fate[seat] + 0), game.fate[seat] % LANES)
        game.fate[seat] = STANDS
        seat = highest(game)
    game.step = 0
    game.above = 0
    game.lane = 0
    game.course = STRAIGHT
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
    for seat in range(seats(game)):
        lies = game.fate[seat] + 0
        if lies != STANDS and step_of(lies) > top:
            found, top = seat, step_of(lies)
    return found


@rule("right.step", "right.below")
def stand_up(game: Any, seat: int, step: int, lane: int) -> None:
    """A pawn stands up on its spot, else on the nearest free one of its step, else a step further down."""
    while step > 0 and game.place[seat] == NOWHERE:
        for distance in range(LANES):
            for side in range(-distance, distance + 1, 2 * max(distance, 1)):
                if game.place[seat] == NOWHERE and 0 <= lane + side < LANES:
                    take_spot(game, seat, (step - 1) * LANES + lane + side)
        step -= 1
    if game.place[seat] == NOWHERE:
        land(game, seat)


@rule("right.own")
def take_spot(game: Any, seat: int, spot: int) -> None:
    """A spot without shield and pawn is free."""
    if spot != game.shield and pawn_on(game, spot) == SEATS:
        game.place[seat] = spot


@rule("token.earn", "token.three")
def land(game: Any, seat: int) -> None:
    """Whoever comes down to the floor gets a token, but never has more than three."""
    game.place[seat] = FLOOR
    if game.tokens[seat] < TOKENS:
        game.tokens[seat] += 1
