"""Emerald: the heuristic values of a choice, and of how a seat stands; a point counts 100."""

from typing import Any

from dracotheque.rules import compiled, seats
from dracotheque.games.emerald.rules.mechanics import owner
from dracotheque.games.emerald.rules.scoring import gem_cards, majority
from dracotheque.games.emerald.rules.state import CAPTURE, CAPTURE_MOVED, CAVES, CHAMBER, FIRST_CAVE, FIRST_FIELD, KINDS
from dracotheque.games.emerald.rules.state import KNIGHTS, PASS, PAY, SECOND_COLOUR, TAKE_GEM, VALUES


@compiled
def card(game: Any, seat: int, pile: int) -> int:
    """Gold counts as printed; a gem more where the most of its kind is at stake, or all four kinds."""
    gems, top, most = game.gems[seat], game.top[pile] + 0, 0
    if pile >= CAVES or game.pile[pile] == 0:
        return 100 * (top + 1) * (game.pile[pile] > 0)
    kinds = (gems[0] > 0) + (gems[1] > 0) + (gems[2] > 0) + (gems[3] > 0)
    for other in range(seats(game)):
        most = max(most, game.gems[other][top] + 0 if other != seat else 0)
    bonus = 0 if gems[top] > 0 or game.four_gems > 0 else 400 if kinds == KINDS - 1 else 100
    return bonus + (300 if abs(gems[top] + 0 - most) < 2 else 150)


@compiled
def walk(game: Any, seat: int, place: int, steps: int) -> int:
    """A treasure, the better card, or ground won: the mouth of the caves is the best place to stand."""
    start, cave = max(place, FIRST_FIELD - 1), min(max(place, FIRST_FIELD - 1) + steps, CHAMBER) - FIRST_CAVE
    prize = 500 if cave == CAVES else max(card(game, seat, cave), card(game, seat, CAVES + cave)) if cave >= 0 else 0
    return prize + (200 if prize > 0 else 0) + 15 * (abs(start - FIRST_CAVE) - abs(cave))


@compiled
def action_heuristic(game: Any, seat: int, action: int) -> int:
    """First the knight that takes nothing, then the one that does; spare my own knights; pay only small coins."""
    value, place, best = 250 - 100 * (action - PAY) if action >= PAY else 0, action % SECOND_COLOUR, 0
    if action < PASS:
        colour, target = seat + seats(game) * (action // SECOND_COLOUR), max(place, FIRST_FIELD - 1) + game.crowd[place]
        value = walk(game, seat, place, game.crowd[place] + 0)
        for i in range(KNIGHTS if game.moves == 0 and value < 150 else 0):
            other = game.knights[colour][i] + 0
            if place != other < CHAMBER:
                best = max(best, walk(game, seat, other, game.crowd[other] + (other == target)))
    elif PASS < action < CAPTURE_MOVED:
        pile = game.moved - FIRST_CAVE + CAVES * (action - TAKE_GEM)
        value = card(game, seat, pile) if action < CAPTURE else 100 * (owner(game, action - CAPTURE) != seat)
    return 500_000 + 100 * (value + best)


@compiled
def state_heuristic(game: Any, seat: int) -> int:
    """Points ahead of the best of the others, or behind."""
    mine, best = 0, 0
    for other in range(seats(game)):
        points = 5 * game.treasures[other] + gem_cards(game, other) + 4 * (game.four_gems == other + 1)
        for i in range(VALUES):
            points += (i + 1) * game.gold[other][i] + 4 * (i < KINDS and majority(game, i) == other)
        mine, best = (points, best) if other == seat else (mine, max(best, points))
    return max(0, min(1000, 500 + 20 * (mine - best)))
