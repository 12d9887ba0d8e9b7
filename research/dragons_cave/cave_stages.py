"""The loss of a mixed strategy in one stage, if everything after it is played optimally."""

from __future__ import annotations

from random import Random

import numpy as np

from dracotheque.games.dragons_cave.equilibrium.round_graph import FIRST, FISTS, NONE
from dracotheque.games.dragons_cave.equilibrium.value_iteration import SPLITS, stage
from dracotheque.games.dragons_cave.rules.state import CARDS, CHEST, HOLD, KINDS, LEFT_FIST, NICHE
from research.dragons_cave.cave import STOP_PROBABILITIES, Array, Cave, Strategy

Weights = dict[int, float]
"""A weight for every action."""


class Stages:
    """The matrix games of a solved board."""

    def __init__(self, cave: Cave, value: Array) -> None:
        """Use the values of its positions."""
        self.cave, self.value = cave, value

    def game(self, number: int, second: int) -> tuple[Array, list[int]]:
        """Return the payoffs of cards by niches to the leader, once a dwarf is named, and these cards."""
        cards, game = np.zeros(CARDS, np.int64), np.zeros((CARDS, KINDS))
        cave = self.cave
        place = cave.graph[number], cave.purses, cave.after, self.value, STOP_PROBABILITIES[-1], second
        count = stage(*place, cards, game, np.zeros(SPLITS))
        return game[:count], cards[:count].tolist()

    def purse(self, purse: int) -> Array:
        """Return the payoffs of splits by guesses to the frightened player: the left fist from empty to full."""
        first, coins = int(self.cave.purses[purse]["first"]), int(self.cave.purses[purse]["coins"])
        kept = 1.0 - self.value[self.cave.after[first : first + coins + 1]]
        return np.stack([kept, kept[::-1]], axis=1)

    def dwarves(self, number: int) -> list[int]:
        """Return the dwarves that can be named."""
        return [second for second in range(2) if (self.cave.graph[number]["ahead"][second] != NONE).any()]

    # --- Losses ------------------------------------------------------------------------------------
    def laid(self, number: int, strategy: Weights) -> float:
        """Return the loss of a strategy of cards against a best response of the dragon."""
        got = 0.0
        for second in self.dwarves(number):
            game, cards = self.game(number, second)
            got += float(np.min(np.array([strategy.get(second * CARDS + card, 0.0) for card in cards]) @ game))
        if len(self.dwarves(number)) == 1:  # the same cards for a dwarf in the same place
            other = 1 - self.dwarves(number)[0]
            game, cards = self.game(number, 1 - other)
            got += float(np.min(np.array([strategy.get(other * CARDS + card, 0.0) for card in cards]) @ game))
        return float(self.value[number]) - got

    def placed(self, number: int, strategies: dict[int, Weights]) -> float:
        """Return the loss of strategies of niches, one for each dwarf, against a best response of the leader."""
        got = [
            np.max(self.game(number, second)[0] @ [mixed[NICHE + niche] for niche in range(KINDS)])
            for second, mixed in strategies.items()
        ]
        return float(max(got) - self.value[number])

    def split(self, purse: int, strategy: Weights) -> float:
        """Return the loss of a strategy of splits against a best response of the dragon."""
        game = self.purse(purse)
        mixed = np.array([strategy[HOLD + left] for left in range(len(game))])
        return float(game.mean(1).max() - np.min(mixed @ game))

    def guessed(self, purse: int, strategy: Weights) -> float:
        """Return the loss of a strategy of guesses against a best response of the player who splits."""
        game = self.purse(purse)
        return float(np.max(game @ [strategy[LEFT_FIST], strategy[LEFT_FIST + 1]]) - game.mean(1).max())


def met(cave: Cave, mixed: Strategy, games: int, seed: int, random_share: float = 0.2) -> tuple[list[int], list[int]]:
    """Return positions and purses of games in the equilibrium, with some choices at random."""
    chance, positions, purses = Random(seed), dict[int, None](), dict[int, None]()
    for _ in range(games):
        number = FIRST
        while number >= FIRST:
            here = cave.graph[number]
            if (here["ahead"] != NONE).any():
                positions[number] = None
            number, purse = _round(cave, mixed, number, chance, random_share)
            if purse:
                purses[purse] = None
    return [*positions], [*purses]


def _round(cave: Cave, mixed: Strategy, number: int, chance: Random, random_share: float) -> tuple[int, int]:
    """Play a round; return the position it leads to, and the purse that was split, 0 for none."""
    here, lay = cave.graph[number], mixed.lay[number].ravel().tolist()
    choices = [at for at in range(2 * CARDS) if at % CARDS == CHEST or here["ahead"][at // CARDS, at % CARDS] != NONE]
    at = chance.choice(choices) if chance.random() < random_share else chance.choices(range(2 * CARDS), lay)[0]
    second, card = divmod(at, CARDS)
    if card == CHEST:
        return int(here["chest"]), 0
    at_random = chance.random() < random_share
    niche = (
        chance.randrange(KINDS) if at_random else chance.choices(range(KINDS), mixed.place[number, second].tolist())[0]
    )
    if niche != card:
        return int(here["ahead"][second, card]), 0
    then = int(here["fright"][second, card])
    if then > FISTS:
        return then, 0
    purse = FISTS - then
    first, coins = int(cave.purses[purse]["first"]), int(cave.purses[purse]["coins"])
    left = chance.choices(range(coins + 1), mixed.split[first : first + coins + 1].tolist())[0]
    lost = left if chance.random() < 0.5 else coins - left
    return int(cave.after[first + lost]), purse
