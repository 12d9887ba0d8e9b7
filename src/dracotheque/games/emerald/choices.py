"""Emerald: what may be chosen now, why anything else may not, and what each choice sets going."""

from __future__ import annotations

from typing import Any

from dracotheque.engine.draws import choose, happen
from dracotheque.engine.foresight import expect
from dracotheque.engine.kit import ending, one_hot, reopen, seats, to_move
from dracotheque.engine.mind import mind_type
from dracotheque.engine.rule import compiled, rule
from dracotheque.games.emerald.advice import outlook, worth
from dracotheque.games.emerald.rules import (
    bribe, capture, colours_of, fly, go_on, may_pass, move_knight, moved_differs, next_turn, pick_up, resting,
    revealed, setup, standing, start_with,
)  # fmt: skip
from dracotheque.games.emerald.scoring import scores, winners
from dracotheque.games.emerald.state import (
    ACTIONS, BRIBE, CAPTURE, CAPTURE_MOVED, CARD, CAVES, CHAMBER, CHOOSE_VICTIM, COLOURS, DIE, ENDINGS, FIRST_CAVE,
    FIRST_PLAYER, GAME_OVER, GEM, KINDS, KNIGHTS, LAST_ROD, LOST, LOTS, MOVE, MOVE_FIRST, NEST, NOT_YOUR_TURN,
    NOWHERE, NO_KNIGHT, NO_SUCH_GOLD, ONE_COLOUR_EACH, OTHER_COLOUR, OUTCOMES, OVER, OWNER_DECIDES, PASS, PAY,
    REFUSALS, RESTING, REVEAL, ROLL, SAME_KNIGHT, SEATS, SECOND_COLOUR, SECOND_COMPULSORY, SURRENDER, TAKE_FACE_UP,
    TAKE_GEM, TAKE_GOLD, TREASURES, VALUES, VERSION, VICTIM, State,
)  # fmt: skip

# How a card plays it best: games that begin together go alike for long, so none is begun between them; and more than
# ten blocks at once would not fit its caches.
LAUNCH = 1_000, 10

__all__ = [
    "ACTIONS", "ENDINGS", "OUTCOMES", "REFUSALS", "VERSION", "State", "choose", "ending", "expect", "happen", "outlook",
    "reopen", "scores", "setup", "to_move", "winners", "worth",
]  # fmt: skip


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
    """List the colours on the dragon's cave, and the knight just moved where it is a choice of its own."""
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
def apply(game: Any, seat: int, action: int) -> None:
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
def resolve(game: Any, outcome: int) -> None:
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
    """The victim stands on the dragon's cave; the knight just moved is named apart only where that matters."""
    place = FIRST_CAVE + game.dragon
    if action == CAPTURE_MOVED and moved_differs(game, place):
        return 0
    if CAPTURE <= action < CAPTURE + COLOURS and standing(game, action - CAPTURE, place) > 0:
        return 0
    return CHOOSE_VICTIM


# --- What a viewer knows ----------------------------------------------------------------------------------------
@rule("gold.laid-away")
def observe(game: Any, viewer: int) -> None:
    """Nothing in Emerald is secret: gold was seen by all when it was taken, unseen cards are undecided."""


@compiled
def imagine(game: Any, viewer: int, stream: Any) -> None:
    """Nothing is hidden, so nothing needs to be imagined."""


@compiled
def seat_tensor(game: Any, seat: int, out: Any, at: int) -> int:
    """Write what lies before a player: gems, gold, treasures, the bonus, and whether it is their choice or turn."""
    for kind in range(KINDS):
        out[at + kind] = game.gems[seat][kind] / 6
    for value in range(VALUES):
        out[at + KINDS + value] = game.gold[seat][value] / 5
    at += KINDS + VALUES
    out[at] = game.treasures[seat] / TREASURES
    out[at + 1] = game.four_gems == seat + 1
    out[at + 2] = game.active == seat
    out[at + 3] = game.to_move == seat
    return at + 4


@compiled
def colour_tensor(game: Any, colour: int, out: Any, at: int) -> int:
    """Write where the knights of a colour stand, which of them moved or rests, and which is captured."""
    for place in range(CHAMBER):
        mine = game.colour == colour
        out[at + place] = standing(game, colour, place) / KNIGHTS
        out[at + CHAMBER + place] = mine and game.moved == place
        out[at + 2 * CHAMBER + place] = mine and game.ransomed == place
    at += 3 * CHAMBER
    out[at] = standing(game, colour, CHAMBER) / TREASURES
    out[at + 1] = standing(game, colour, NEST) / KNIGHTS
    out[at + 2] = game.phase == BRIBE and game.victim == colour
    out[at + 3] = game.phase == BRIBE and game.victim == colour and game.victim_moved == 1
    return at + 4


@compiled
def tensor(game: Any, viewer: int, out: Any) -> None:
    """Write everything on the table as numbers from 0 to 1, the viewer's seat and colours first."""
    at = one_hot(out, 0, SEATS + 1, game.players)
    at = one_hot(out, at, OVER + 1, game.phase)
    at = one_hot(out, at, CAVES, game.dragon)
    at = one_hot(out, at, LAST_ROD + 1, game.rod)
    out[at] = game.facing > 0
    out[at + 1] = game.second_move
    out[at + 2] = game.moves / 2
    out[at + 3] = game.took
    out[at + 4] = game.treasures_left / TREASURES
    out[at + 5] = game.dealt / (2 * CAVES)
    at += 6
    for cave in range(CAVES):
        gems = game.pile[cave]
        gold = game.pile[CAVES + cave]
        out[at] = gems / 3
        out[at + 1] = gold / 3
        at = one_hot(out, at + 2, KINDS, game.top[cave] if gems > 0 else KINDS)
        at = one_hot(out, at, VALUES, game.top[CAVES + cave] if gold > 0 else VALUES)
    for card in range(KINDS + VALUES):
        out[at + card] = game.unseen[card] / 6
    at += KINDS + VALUES
    for place in range(COLOURS):
        # A spectator (-1) sees seat 0 first; empty seats and colours stay zero.
        colour = place
        if place < game.players * colours_of(game):
            turned = (place + max(viewer, 0)) % game.players
            colour = turned + place // game.players * game.players
        at = colour_tensor(game, colour, out, at)
        at = seat_tensor(game, colour, out, at)


TENSOR_SIZE = (SEATS + 1) + (OVER + 1) + CAVES + (LAST_ROD + 1) + 6 + CAVES * (2 + KINDS + VALUES) + (KINDS + VALUES)
TENSOR_SIZE += COLOURS * (3 * CHAMBER + 4 + KINDS + VALUES + 4)
Mind = mind_type(TENSOR_SIZE)
