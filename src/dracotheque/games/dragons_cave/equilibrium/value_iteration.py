"""Values of positions of Dragon's Cave for two: in equilibrium, and of a best response to a known strategy.

`stop` is the probability that a game is stopped and shared when roles change.
"""

# What Numba compiles is not checked here.
# pyright: basic
from __future__ import annotations

from typing import Any

import numpy as np

from dracotheque.engine.jit.kernels import kernel, within
from dracotheque.games.dragons_cave.equilibrium.matrix_game import MAX_ACTIONS, best_split, solve
from dracotheque.games.dragons_cave.equilibrium.round_graph import FIRST, FISTS, NONE
from dracotheque.games.dragons_cave.rules.state import CHEST, KINDS

SPLITS = 64  # at least the splits of the largest purse


@within
def changed(value: float, stop: float) -> float:
    """Return a value discounted for a change of roles."""
    return 0.5 + (1.0 - stop) * (value - 0.5)


@within
def purse_value(purses: Any, after: Any, number: int, value: Any, stop: float, kept: Any) -> float:
    """Return the equilibrium value of a purse to be split, for the frightened player; `kept` is working memory."""
    first, coins = purses[number].first, purses[number].coins
    for lost in range(coins + 1):
        kept[lost] = changed(1.0 - value[after[first + lost]], stop)
    part = best_split(kept, coins)
    return (kept[part] + kept[coins - part]) / 2


@kernel
def stage(
    here: Any, purses: Any, after: Any, value: Any, stop: float, second: int, cards: Any, game: Any, kept: Any
) -> int:
    """Write the matrix game of a named dwarf, cards by niches, and which cards these are; return their number."""
    count = 0
    for card in range(KINDS):
        if here.ahead[second, card] != NONE:
            then = here.fright[second, card]
            back = (
                purse_value(purses, after, FISTS - then, value, stop, kept)
                if then <= FISTS
                else changed(1.0 - value[then], stop)
            )
            for niche in range(KINDS):
                game[count, niche] = back if niche == card else value[here.ahead[second, card]]
            cards[count] = card
            count += 1
    for niche in range(KINDS):
        game[count, niche] = changed(1.0 - value[here.chest], stop)
    cards[count] = CHEST
    return count + 1


@within
def may_name(here: Any, second: int) -> bool:
    """Whether a dwarf can be named: it is not home, there are cards, and it is not on the space of the first."""
    return np.max(here.ahead[second]) != NONE


@kernel
def sweep(graph: Any, purses: Any, after: Any, value: Any, stop: float) -> float:
    """Recompute every value from those it leads to, the latest positions first; return the largest change."""
    room = (
        np.zeros((MAX_ACTIONS + 1, 2 * MAX_ACTIONS)),
        np.zeros(MAX_ACTIONS, np.int64),
        np.zeros(MAX_ACTIONS),
        np.zeros(MAX_ACTIONS),
    )
    game, cards, kept, most = np.zeros((MAX_ACTIONS, KINDS)), np.zeros(MAX_ACTIONS, np.int64), np.zeros(SPLITS), 0.0
    for number in range(len(graph) - 1, FIRST - 1, -1):
        here = graph[number]
        best = changed(1.0 - value[here.chest], stop)
        for second in range(2):
            if may_name(here, second):
                count = stage(here, purses, after, value, stop, second, cards, game, kept)
                best = max(best, solve(game[:count], room[0], room[1], room[2], room[3]))
        most = max(most, abs(best - value[number]))
        value[number] = best
    return most


@kernel
def solve_round(here: Any, purses: Any, after: Any, value: Any, stop: float, lay: Any, place: Any, payoff: Any) -> None:
    """Write optimal strategies of a round, and the payoff of each card that can be played against each niche."""
    room = (
        np.zeros((MAX_ACTIONS + 1, 2 * MAX_ACTIONS)),
        np.zeros(MAX_ACTIONS, np.int64),
        np.zeros(MAX_ACTIONS),
        np.zeros(MAX_ACTIONS),
    )
    game, cards, kept, best = np.zeros((MAX_ACTIONS, KINDS)), np.zeros(MAX_ACTIONS, np.int64), np.zeros(SPLITS), -1.0
    payoff[0, CHEST] = changed(1.0 - value[here.chest], stop)
    lay[:] = 0.0
    lay[0, CHEST] = 1.0
    place[:] = 1.0 / KINDS
    for second in range(2):
        if may_name(here, second):
            count = stage(here, purses, after, value, stop, second, cards, game, kept)
            dwarf_value = solve(game[:count], room[0], room[1], room[2], room[3])
            place[second] = room[3][:KINDS]
            for row in range(count):
                payoff[second, cards[row]] = game[row]
            if dwarf_value > best:
                best = dwarf_value
                lay[:] = 0.0
                for row in range(count):
                    lay[second, cards[row]] = room[2][row]


@kernel
def optimal_strategies(
    graph: Any, purses: Any, after: Any, value: Any, stop: float, lay: Any, place: Any, split: Any, guess: Any
) -> None:
    """Write both optimal strategies: the card, by dwarf; the niche, by dwarf named; the left fist; and the guess."""
    payoff, kept = np.zeros((2, MAX_ACTIONS, KINDS)), np.zeros(SPLITS)
    for number in range(FIRST, len(graph)):
        solve_round(graph[number], purses, after, value, stop, lay[number], place[number], payoff)
    for number in range(1, len(purses)):
        first, coins = purses[number].first, purses[number].coins
        for lost in range(coins + 1):
            kept[lost] = changed(1.0 - value[after[first + lost]], stop)
        part = best_split(kept, coins)
        split[first : first + coins + 1] = 0.0
        split[first + part] += 0.5
        split[first + coins - part] += 0.5
        guess[number] = 0.5


# --- Best responses -----------------------------------------------------------------------------------------------
@within
def best_split_value(purses: Any, after: Any, number: int, dragon: Any, guess: Any, stop: float) -> float:
    """Return the value of a best split against a dragon whose guesses are known; the responder is the dragon next."""
    first, coins = purses[number].first, purses[number].coins
    best = 0.0
    for left in range(coins + 1):
        kept = guess[number] * dragon[after[first + left]] + (1.0 - guess[number]) * dragon[after[first + coins - left]]
        best = max(best, kept)
    return changed(best, stop)


@within
def best_guess_value(purses: Any, after: Any, number: int, dwarf: Any, split: Any, stop: float) -> float:
    """Return the value of a best guess at a purse whose split is known; the responder leads the dwarves next."""
    first, coins = purses[number].first, purses[number].coins
    by_left, by_right = 0.0, 0.0
    for left in range(coins + 1):
        by_left += split[first + left] * dwarf[after[first + left]]
        by_right += split[first + left] * dwarf[after[first + coins - left]]
    return changed(max(by_left, by_right), stop)


@within
def dwarf_best_response(
    here: Any, purses: Any, after: Any, dwarf: Any, dragon: Any, place: Any, guess: Any, stop: float
) -> float:
    """Return the value of a best response that leads the dwarves, to known niches for each dwarf."""
    best = changed(dragon[here.chest], stop)
    for second in range(2):
        for card in range(KINDS):
            if here.ahead[second, card] != NONE:
                then = here.fright[second, card]
                if then <= FISTS:
                    back = best_split_value(purses, after, FISTS - then, dragon, guess, stop)
                else:
                    back = changed(dragon[then], stop)
                caught = place[second, card]
                best = max(best, caught * back + (1.0 - caught) * dwarf[here.ahead[second, card]])
    return best


@within
def dragon_best_response(
    here: Any, purses: Any, after: Any, dwarf: Any, dragon: Any, lay: Any, split: Any, stop: float
) -> float:
    """Return the value of a best response that is the dragon, to known cards for each dwarf."""
    total = 0.0
    for second in range(2):
        safe, gain = lay[second, CHEST] * changed(dwarf[here.chest], stop), -1.0
        for card in range(KINDS):
            more = 0.0  # a niche whose card is not played changes nothing
            if lay[second, card] > 0.0:
                then = here.fright[second, card]
                if then <= FISTS:
                    back = best_guess_value(purses, after, FISTS - then, dwarf, split, stop)
                else:
                    back = changed(dwarf[then], stop)
                missed = dragon[here.ahead[second, card]]
                safe += lay[second, card] * missed
                more = lay[second, card] * (back - missed)
            gain = max(gain, more)
        total += safe + gain
    return total


@kernel
def best_response(
    graph: Any,
    purses: Any,
    after: Any,
    stop: float,
    lay: Any,
    place: Any,
    split: Any,
    guess: Any,
    dwarf: Any,
    dragon: Any,
) -> float:
    """Recompute all values of a best response, leading dwarves and as the dragon; return the largest change."""
    most = 0.0
    for number in range(len(graph) - 1, FIRST - 1, -1):
        here = graph[number]
        new = dwarf_best_response(here, purses, after, dwarf, dragon, place[number], guess, stop)
        most, dwarf[number] = max(most, abs(new - dwarf[number])), new
        new = dragon_best_response(here, purses, after, dwarf, dragon, lay[number], split, stop)
        most, dragon[number] = max(most, abs(new - dragon[number])), new
    return most
