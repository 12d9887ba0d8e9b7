"""Emerald: what may be chosen now, why anything else may not, and what each choice sets going."""

from __future__ import annotations

from typing import Any

from dracotheque.rules import (
    compiled, seats,
)  # fmt: skip
from dracotheque.games.emerald.rules.mechanics import (
    bribe, capture, colours_of, fly, go_on, may_pass, move_knight, moved_differs, next_turn, pick_up, resting, revealed,
    standing, start_with,
)  # fmt: skip
from dracotheque.games.emerald.rules.state import (
    CAPTURE, CAPTURE_MOVED, CARD, CAVES, CHAMBER, CHOOSE_VICTIM, COLOURS, DIE, FIRST_CAVE,
    FIRST_PLAYER, GAME_OVER, GEM, KINDS, KNIGHTS, LOST, LOTS, MOVE, MOVE_FIRST, NOT_YOUR_TURN, NOWHERE,
    NO_KNIGHT, NO_SUCH_GOLD, ONE_COLOUR_EACH, OTHER_COLOUR, OVER, OWNER_DECIDES, PASS, PAY, RESTING,
    REVEAL, ROLL, SAME_KNIGHT, SECOND_COLOUR, SECOND_COMPULSORY, SURRENDER, TAKE_FACE_UP, TAKE_GEM, TAKE_GOLD,
    VALUES, VICTIM,
)  # fmt: skip

# How a card plays it best: games that begin together go alike for long, so none is begun between them; and more than
# ten blocks at once would not fit its caches.
CUDA_LAUNCH = 1_000, 10


@compiled
def may_act(game: Any, seat: int) -> bool:
    """Only one seat at a time has a choice in Emerald."""
    return game.to_move == seat


# --- Chance -----------------------------------------------------------------------------------------------------
@compiled
def chance_outcomes(game: Any, out: Any, weights: Any) -> int:
    """The die, the lot for the first player, or one of the unseen cards."""
    if game.phase == DIE:
        for face in range(3):
            out[face] = ROLL + face
            weights[face] = 1
        return 3
    if game.phase == LOTS:
        for seat in range(seats(game)):
            out[seat] = FIRST_PLAYER + seat
            weights[seat] = 1
        return seats(game)
    first, last = (0, KINDS) if game.turning < CAVES else (KINDS, KINDS + VALUES)
    count = 0
    for card in range(first, last):
        out[count] = GEM + card
        weights[count] = game.unseen[card]
        count += game.unseen[card] > 0
    return count


# --- The players' choices ---------------------------------------------------------------------------------------
@compiled
def legal_actions(game: Any, seat: int, out: Any) -> int:
    """List what the seat may choose; nothing when it is not asked."""
    if game.to_move != seat:
        return 0
    if game.phase == MOVE:
        return legal_moves(game, seat, out)
    if game.phase == CARD:
        out[0] = TAKE_GEM
        out[1] = TAKE_GOLD
        return 2
    if game.phase == VICTIM:
        return legal_victims(game, out)
    out[0] = SURRENDER
    count = 1
    for value in range(VALUES):
        out[count] = PAY + value
        count += game.gold[seat][value] > 0
    return count


@compiled
def legal_moves(game: Any, seat: int, out: Any) -> int:
    """List the places of knights that may move, and the end of the turn where that is allowed."""
    count = 0
    for second in range(colours_of(game)):
        colour = seat + second * game.players
        if game.moves == 0 or colour == game.colour:
            before = NOWHERE
            fellows = 0
            for i in range(KNIGHTS):
                place = game.knights[colour][i]
                fellows = fellows + 1 if place == before else 1
                before = place
                # A place is listed once: by its first knight that is not resting.
                out[count] = second * SECOND_COLOUR + place
                count += place < CHAMBER and fellows == resting(game, place) + 1
    if may_pass(game):
        out[count] = PASS
        count += 1
    return count


@compiled
def legal_victims(game: Any, out: Any) -> int:
    """List the colours in the cave of the dragon, and the knight just moved where it is a choice of its own."""
    place = FIRST_CAVE + game.dragon
    count = 0
    for colour in range(COLOURS):
        out[count] = CAPTURE + colour
        count += standing(game, colour, place) > 0
    if moved_differs(game, place):
        out[count] = CAPTURE_MOVED
        count += 1
    return count


@compiled
def apply_action(game: Any, seat: int, action: int) -> None:
    """Carry out a legal choice, and what follows from it by itself."""
    if game.phase == MOVE:
        if action == PASS:
            next_turn(game)
        elif action < SECOND_COLOUR:
            move_knight(game, seat, action)
        else:
            move_knight(game, seat + game.players, action - SECOND_COLOUR)
    elif game.phase == CARD:
        cave = game.moved - FIRST_CAVE
        pick_up(game, cave if action == TAKE_GEM else CAVES + cave)
    elif game.phase == VICTIM:
        moved = action == CAPTURE_MOVED
        capture(game, game.colour if moved else action - CAPTURE, moved)
    elif action == SURRENDER:
        game.phase = LOST
    else:
        bribe(game, action - PAY)
    go_on(game)


@compiled
def apply_chance(game: Any, outcome: int) -> None:
    """Carry out what chance decided, and what follows from it by itself."""
    if game.phase == REVEAL:
        revealed(game, outcome - GEM)
    elif game.phase == DIE:
        fly(game, outcome - ROLL + 1)
    else:
        start_with(game, outcome - FIRST_PLAYER)
    go_on(game)


# --- Why not? ---------------------------------------------------------------------------------------------------
@compiled
def refusal(game: Any, seat: int, action: int) -> int:
    """Name the rule that forbids a choice, or 0 where it is allowed."""
    if game.phase == OVER:
        return GAME_OVER
    if game.to_move != seat:
        return NOT_YOUR_TURN
    if game.phase == MOVE:
        if action == PASS:
            return refused_pass(game)
        return refused_move(game, seat, action) if action < PASS else MOVE_FIRST
    if game.phase == CARD:
        return 0 if TAKE_GEM <= action <= TAKE_GOLD else TAKE_FACE_UP
    if game.phase == VICTIM:
        return refused_victim(game, action)
    if action == SURRENDER:
        return 0
    if action < PAY:
        return OWNER_DECIDES
    return 0 if game.gold[seat][action - PAY] > 0 else NO_SUCH_GOLD


@compiled
def refused_pass(game: Any) -> int:
    """The first move is never left out, the second only where the table allows it."""
    if may_pass(game):
        return 0
    return MOVE_FIRST if game.moves == 0 else SECOND_COMPULSORY


@compiled
def refused_move(game: Any, seat: int, action: int) -> int:
    """A knight of mine must stand there, of this turn's colour, and not be resting."""
    second, place = action // SECOND_COLOUR, action % SECOND_COLOUR
    if second >= colours_of(game):
        return ONE_COLOUR_EACH
    colour = seat + second * game.players
    knights = standing(game, colour, place)
    if knights == 0:
        return NO_KNIGHT
    if game.moves == 1 and colour != game.colour:
        return OTHER_COLOUR
    if knights > resting(game, place):
        return 0
    return SAME_KNIGHT if place == game.moved else RESTING


@compiled
def refused_victim(game: Any, action: int) -> int:
    """The victim stands on the cave of the dragon; the knight just moved is named apart only where that matters."""
    place = FIRST_CAVE + game.dragon
    if action == CAPTURE_MOVED and moved_differs(game, place):
        return 0
    if CAPTURE <= action < CAPTURE + COLOURS and standing(game, action - CAPTURE, place) > 0:
        return 0
    return CHOOSE_VICTIM
