"""What positions of Dragon's Cave for two are worth: to two who mix best, and to one who knows how the other mixes."""

# What Numba compiles is not checked here.
# pyright: basic
from __future__ import annotations

from typing import Any

import numpy as np

from dracotheque.engine.jit.kernels import kernel, within
from dracotheque.games.dragons_cave.equilibrium.matrix_game import MOST, best_split, solve
from dracotheque.games.dragons_cave.equilibrium.round_graph import FIRST, FISTS, NONE
from dracotheque.games.dragons_cave.rules.state import CHEST, KINDS

ROOM = 64  # coins of a purse, and none


@within
def changed(value: float, hurry: float) -> float:
    """What is left of a value when roles are changed: with a chance of `hurry` the game is called off and shared."""
    return 0.5 + (1.0 - hurry) * (value - 0.5)


@within
def purse_value(purses: Any, after: Any, number: int, value: Any, hurry: float, worth: Any) -> float:
    """What a frightened player has of a purse, if both mix best."""
    first, coins = purses[number].first, purses[number].coins
    for lost in range(coins + 1):
        worth[lost] = changed(1.0 - value[after[first + lost]], hurry)
    part = best_split(worth, coins)
    return (worth[part] + worth[coins - part]) / 2


@kernel
def stage(
    here: Any, purses: Any, after: Any, value: Any, hurry: float, second: int, cards: Any, game: Any, worth: Any
) -> int:
    """Write the stage of a named dwarf, cards by niches, and which cards these are; say how many."""
    count = 0
    for card in range(KINDS):
        if here.ahead[second, card] != NONE:
            then = here.fright[second, card]
            back = (
                purse_value(purses, after, FISTS - then, value, hurry, worth)
                if then <= FISTS
                else changed(1.0 - value[then], hurry)
            )
            for niche in range(KINDS):
                game[count, niche] = back if niche == card else value[here.ahead[second, card]]
            cards[count] = card
            count += 1
    for niche in range(KINDS):
        game[count, niche] = changed(1.0 - value[here.chest], hurry)
    cards[count] = CHEST
    return count + 1


@within
def may_name(here: Any, second: int) -> bool:
    """Whether a dwarf can be named: it is on its way, there are cards, and it stands elsewhere than the first."""
    return np.max(here.ahead[second]) != NONE


@kernel
def sweep(graph: Any, purses: Any, after: Any, value: Any, hurry: float) -> float:
    """Work every value out from those it leads to, the latest positions first; say by how much one changed at most."""
    room = np.zeros((MOST + 1, 2 * MOST)), np.zeros(MOST, np.int64), np.zeros(MOST), np.zeros(MOST)
    game, cards, worth, most = np.zeros((MOST, KINDS)), np.zeros(MOST, np.int64), np.zeros(ROOM), 0.0
    for number in range(len(graph) - 1, FIRST - 1, -1):
        here = graph[number]
        best = changed(1.0 - value[here.chest], hurry)
        for second in range(2):
            if may_name(here, second):
                count = stage(here, purses, after, value, hurry, second, cards, game, worth)
                best = max(best, solve(game[:count], room[0], room[1], room[2], room[3]))
        most = max(most, abs(best - value[number]))
        value[number] = best
    return most


@kernel
def mix(here: Any, purses: Any, after: Any, value: Any, hurry: float, lay: Any, place: Any, payoff: Any) -> None:
    """Write how both mix best in a round, and what each card that can be played is worth against each niche."""
    room = np.zeros((MOST + 1, 2 * MOST)), np.zeros(MOST, np.int64), np.zeros(MOST), np.zeros(MOST)
    game, cards, kept, best = np.zeros((MOST, KINDS)), np.zeros(MOST, np.int64), np.zeros(ROOM), -1.0
    payoff[0, CHEST] = changed(1.0 - value[here.chest], hurry)
    lay[:] = 0.0
    lay[0, CHEST] = 1.0
    place[:] = 1.0 / KINDS
    for second in range(2):
        if may_name(here, second):
            count = stage(here, purses, after, value, hurry, second, cards, game, kept)
            found = solve(game[:count], room[0], room[1], room[2], room[3])
            place[second] = room[3][:KINDS]
            for row in range(count):
                payoff[second, cards[row]] = game[row]
            if found > best:
                best = found
                lay[:] = 0.0
                for row in range(count):
                    lay[second, cards[row]] = room[2][row]


@kernel
def mixtures(
    graph: Any, purses: Any, after: Any, value: Any, hurry: float, lay: Any, place: Any, split: Any, guess: Any
) -> None:
    """Write both optimal strategies: the card, by dwarf; the niche, by dwarf named; the left fist; and the guess."""
    payoff, worth = np.zeros((2, MOST, KINDS)), np.zeros(ROOM)
    for number in range(FIRST, len(graph)):
        mix(graph[number], purses, after, value, hurry, lay[number], place[number], payoff)
    for number in range(1, len(purses)):
        first, coins = purses[number].first, purses[number].coins
        for lost in range(coins + 1):
            worth[lost] = changed(1.0 - value[after[first + lost]], hurry)
        part = best_split(worth, coins)
        split[first : first + coins + 1] = 0.0
        split[first + part] += 0.5
        split[first + coins - part] += 0.5
        guess[number] = 0.5


# --- Who knows how the other mixes --------------------------------------------------------------------------------
@within
def hidden_purse(purses: Any, after: Any, number: int, dragon: Any, guess: Any, hurry: float) -> float:
    """What the adversary keeps of a purse against a dragon whose guesses it knows; it is the dragon next."""
    first, coins = purses[number].first, purses[number].coins
    best = 0.0
    for left in range(coins + 1):
        kept = guess[number] * dragon[after[first + left]] + (1.0 - guess[number]) * dragon[after[first + coins - left]]
        best = max(best, kept)
    return changed(best, hurry)


@within
def found_purse(purses: Any, after: Any, number: int, dwarf: Any, split: Any, hurry: float) -> float:
    """What the adversary, being the dragon, has of a purse whose split it knows; it leads the dwarves next."""
    first, coins = purses[number].first, purses[number].coins
    by_left, by_right = 0.0, 0.0
    for left in range(coins + 1):
        by_left += split[first + left] * dwarf[after[first + left]]
        by_right += split[first + left] * dwarf[after[first + coins - left]]
    return changed(max(by_left, by_right), hurry)


@within
def reply_of_dwarf(
    here: Any, purses: Any, after: Any, dwarf: Any, dragon: Any, place: Any, guess: Any, hurry: float
) -> float:
    """What an adversary has that leads the dwarves and knows how niches are mixed for each dwarf."""
    best = changed(dragon[here.chest], hurry)
    for second in range(2):
        for card in range(KINDS):
            if here.ahead[second, card] != NONE:
                then = here.fright[second, card]
                if then <= FISTS:
                    back = hidden_purse(purses, after, FISTS - then, dragon, guess, hurry)
                else:
                    back = changed(dragon[then], hurry)
                caught = place[second, card]
                best = max(best, caught * back + (1.0 - caught) * dwarf[here.ahead[second, card]])
    return best


@within
def reply_of_dragon(
    here: Any, purses: Any, after: Any, dwarf: Any, dragon: Any, lay: Any, split: Any, hurry: float
) -> float:
    """What an adversary has that is the dragon and knows how cards are mixed for each dwarf."""
    total = 0.0
    for second in range(2):
        safe, gain = lay[second, CHEST] * changed(dwarf[here.chest], hurry), -1.0
        for card in range(KINDS):
            more = 0.0  # a niche whose card is not played changes nothing
            if lay[second, card] > 0.0:
                then = here.fright[second, card]
                if then <= FISTS:
                    back = found_purse(purses, after, FISTS - then, dwarf, split, hurry)
                else:
                    back = changed(dwarf[then], hurry)
                missed = dragon[here.ahead[second, card]]
                safe += lay[second, card] * missed
                more = lay[second, card] * (back - missed)
            gain = max(gain, more)
        total += safe + gain
    return total


@kernel
def reply(
    graph: Any,
    purses: Any,
    after: Any,
    hurry: float,
    lay: Any,
    place: Any,
    split: Any,
    guess: Any,
    dwarf: Any,
    dragon: Any,
) -> float:
    """Work out once more what an adversary has everywhere, leading dwarves or as the dragon; say what changed most."""
    most = 0.0
    for number in range(len(graph) - 1, FIRST - 1, -1):
        here = graph[number]
        new = reply_of_dwarf(here, purses, after, dwarf, dragon, place[number], guess, hurry)
        most, dwarf[number] = max(most, abs(new - dwarf[number])), new
        new = reply_of_dragon(here, purses, after, dwarf, dragon, lay[number], split, hurry)
        most, dragon[number] = max(most, abs(new - dragon[number])), new
    return most
