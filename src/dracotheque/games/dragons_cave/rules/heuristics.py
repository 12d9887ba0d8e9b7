"""Dragon's Cave: heuristic values of actions and of positions; a coin counts 100."""

from typing import Any

from dracotheque.rules import compiled, seats
from dracotheque.games.dragons_cave.rules.mechanics import ahead, behind, coins_at, dwarves_of, home
from dracotheque.games.dragons_cave.rules.scoring import progress
from dracotheque.games.dragons_cave.rules.state import CHEST, HOLD, KINDS, LEFT_FIST, NICHE, SECOND_DWARF

NEVER = -5000


@compiled(inline=False)
def stake(game: Any, seat: int, second: int, kind: int, success: int, fright: int) -> int:
    """In fifths: success brings coins and steps, fright costs half the purse and the way back."""
    place = game.place[seat + 2 * second] + 0
    if home(game, seat + 2 * second) or not game.hand[seat] >> kind & 1:
        return NEVER
    target = ahead(game, place, kind)
    gain = 100 * coins_at(game, target) + 15 * (min(target, game.length + 1) - place)
    loss = 50 * game.purse[seat] + 15 * (place - behind(game, place, kind))
    return (success * gain + fright * loss) // 5


@compiled
def action_heuristic(game: Any, seat: int, action: int) -> int:
    """Draw one of the two best cards, bank before being caught costs more, place the dragon where it gains most."""
    value, best, next_best = 0, NEVER, NEVER
    if action < NICHE:
        for kind in range(KINDS):
            first, second = stake(game, seat, 0, kind, 4, -1), stake(game, seat, dwarves_of(game) - 1, kind, 4, -1)
            best, next_best = max(best, first, second), max(next_best, min(best, max(first, second)))
        value = min(stake(game, seat, action // SECOND_DWARF, action % SECOND_DWARF, 4, -1), next_best)
        if action % SECOND_DWARF == CHEST:
            value = 9000 if 100 * game.purse[seat] - 100 > best else NEVER
    elif action < LEFT_FIST:
        for other in range(seats(game)):
            if other != seat:
                value += max(stake(game, other, game.named + 0, action - NICHE, 5, 5), 0)
    elif action >= HOLD:
        value = -abs(2 * (action - HOLD) - game.purse[seat])
    return max(0, min(1_000_000, 500_000 + 50 * value))


@compiled
def state_heuristic(game: Any, seat: int) -> int:
    """Coins in the chest count in full, those on the purse three quarters; a step counts an eighth of a coin."""
    mine, best = 0, 0
    for other in range(seats(game)):
        points = 8 * game.chest[other] + 6 * game.purse[other] + progress(game, other)
        mine, best = (points, best) if other == seat else (mine, max(best, points))
    return max(0, min(1000, 500 + 4 * (mine - best)))
