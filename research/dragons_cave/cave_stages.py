"""How far a mixture is from best in one stage, everything after it played as well as can be."""

from __future__ import annotations

from random import Random

import numpy as np

from dracotheque.games.dragons_cave.equilibrium.round_graph import FIRST, FISTS, NONE
from dracotheque.games.dragons_cave.equilibrium.value_iteration import ROOM, stage
from dracotheque.games.dragons_cave.rules.state import CARDS, CHEST, HOLD, KINDS, LEFT_FIST, NICHE
from research.dragons_cave.cave import HURRIES, Array, Cave, Strategy

Weights = dict[int, float]
"""How much every choice is wanted."""


class Stages:
    """The matrix games of a solved cave."""

    def __init__(self, cave: Cave, value: Array) -> None:
        """Take what positions are worth."""
        self.cave, self.value = cave, value

    def game(self, number: int, second: int) -> tuple[Array, list[int]]:
        """Cards by niches, as who leads the dwarves has it, once a dwarf is named; and which cards these are."""
        cards, game = np.zeros(CARDS, np.int64), np.zeros((CARDS, KINDS))
        cave = self.cave
        place = cave.graph[number], cave.purses, cave.after, self.value, HURRIES[-1], second
        count = stage(*place, cards, game, np.zeros(ROOM))
        return game[:count], cards[:count].tolist()

    def purse(self, purse: int) -> Array:
        """Splits by guesses, as who is frightened has it: left fist from empty to full, guessed left or right."""
        first, coins = int(self.cave.purses[purse]["first"]), int(self.cave.purses[purse]["coins"])
        kept = 1.0 - self.value[self.cave.after[first : first + coins + 1]]
        return np.stack([kept, kept[::-1]], axis=1)

    def dwarves(self, number: int) -> list[int]:
        """The dwarves that can be named."""
        return [second for second in range(2) if (self.cave.graph[number]["ahead"][second] != NONE).any()]

    # --- What a mixture gives away ----------------------------------------------------------------------------------
    def laid(self, number: int, mixture: Weights) -> float:
        """What cards mixed like this give away to a dragon who knows it."""
        got = 0.0
        for second in self.dwarves(number):
            game, cards = self.game(number, second)
            got += float(np.min(np.array([mixture.get(second * CARDS + card, 0.0) for card in cards]) @ game))
        if len(self.dwarves(number)) == 1:  # the same cards for a dwarf in the same place
            other = 1 - self.dwarves(number)[0]
            game, cards = self.game(number, 1 - other)
            got += float(np.min(np.array([mixture.get(other * CARDS + card, 0.0) for card in cards]) @ game))
        return float(self.value[number]) - got

    def placed(self, number: int, mixtures: dict[int, Weights]) -> float:
        """What niches mixed like this, for each dwarf that may be named, give away to who leads the dwarves."""
        got = [
            np.max(self.game(number, second)[0] @ [mixed[NICHE + niche] for niche in range(KINDS)])
            for second, mixed in mixtures.items()
        ]
        return float(max(got) - self.value[number])

    def split(self, purse: int, mixture: Weights) -> float:
        """What a purse split like this gives away to a dragon who knows it."""
        game = self.purse(purse)
        mixed = np.array([mixture[HOLD + left] for left in range(len(game))])
        return float(game.mean(1).max() - np.min(mixed @ game))

    def guessed(self, purse: int, mixture: Weights) -> float:
        """What guesses mixed like this give away to who splits."""
        game = self.purse(purse)
        return float(np.max(game @ [mixture[LEFT_FIST], mixture[LEFT_FIST + 1]]) - game.mean(1).max())


def met(cave: Cave, mixed: Strategy, games: int, seed: int, whim: float = 0.2) -> tuple[list[int], list[int]]:
    """Positions and purses of games between two who mix best, but make some choices at random."""
    chance, positions, purses = Random(seed), dict[int, None](), dict[int, None]()
    for _ in range(games):
        number = FIRST
        while number >= FIRST:
            here = cave.graph[number]
            if (here["ahead"] != NONE).any():
                positions[number] = None
            number, purse = _round(cave, mixed, number, chance, whim)
            if purse:
                purses[purse] = None
    return [*positions], [*purses]


def _round(cave: Cave, mixed: Strategy, number: int, chance: Random, whim: float) -> tuple[int, int]:
    """Play a round; say where it leads, and which purse was split, 0 for none."""
    here, lay = cave.graph[number], mixed.lay[number].ravel().tolist()
    choices = [at for at in range(2 * CARDS) if at % CARDS == CHEST or here["ahead"][at // CARDS, at % CARDS] != NONE]
    at = chance.choice(choices) if chance.random() < whim else chance.choices(range(2 * CARDS), lay)[0]
    second, card = divmod(at, CARDS)
    if card == CHEST:
        return int(here["chest"]), 0
    random = chance.random() < whim
    niche = chance.randrange(KINDS) if random else chance.choices(range(KINDS), mixed.place[number, second].tolist())[0]
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
