"""A pupil in Dragon's Cave for two: it learned to beat one bot that mixes, and plays others that it knows as well.

Two networks say what positions are worth to it, one for when it leads the dwarves and one for when it is the dragon
(`research/training/cave_reply.py`). It is told how the bot mixes in the round at hand, and takes what brings most.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from dracotheque.bots import evaluators
from dracotheque.bots.player_view import PlayerView
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Game
from dracotheque.games.dragons_cave.equilibrium.bot import Numbers, nearer
from dracotheque.games.dragons_cave.equilibrium.round_graph import State, key_of
from dracotheque.games.dragons_cave.rules.state import CARDS, CHEST, HOLD, KINDS, SEAL, SPLIT
from dracotheque.training import devices
from dracotheque.training.network import Weights, as_columns
from research.dragons_cave.cave_adversary import Known, Reckoner
from research.training import cave_reply
from research.training.cave import Rounds, judged, splits
from research.training.cave_reply import GUARDS, LEADS, folders, of_adversary
from research.training.cave_steps import STEPS

KEPT = Path(cave_reply.__file__).with_name("pupil")


class Pupil(Reckoner):
    """Knows how a bot mixes, and replies by what it learned about positions against such a bot."""

    def __init__(self, seed: int, known: Known, game: Game, place: Path = KEPT) -> None:
        """Remember what was learned; the bot is thought to split a purse as `mixer:1` does."""
        super().__init__(seed, known, 1)
        self.nets = [_read(each, game) for each in folders(place)]
        self.bot = _read(game.definition.folder, game)
        self.rounds = Rounds(devices.CpuDevice(game, STEPS), game)
        self.halves = np.zeros((2, KINDS), np.int64)
        """Coins in one fist, should a card of a dwarf be met, as of the last round that was led."""
        self.laid = 0, 0

    def choose(self, view: PlayerView) -> int:
        """Reply; a purse is split as was thought best when the card was laid."""
        if view.state.phase == SPLIT:
            part = int(self.halves[self.laid])
            return HOLD + self.own.random.choice((part, view.state.purse[view.seat] - part))
        action = super().choose(view)
        if view.state.phase == SEAL and action % CARDS != CHEST:
            self.laid = action // CARDS ^ nearer(view.state, view.seat), action % CARDS
        return action

    def payoff(self, view: PlayerView) -> Numbers:
        """Say what the round is worth to who leads the dwarves, as it was learned from the pupil's side."""
        ahead = self.rounds.ahead(np.array([int(key_of(np.frombuffer(view.state.bytes(), State)[0]))]))
        role = LEADS if view.state.phase == SEAL else GUARDS
        worth = of_adversary(np, self.nets, ahead, np.array([role]))
        tossed = splits(np, ahead.purse, worth.kept)[0]
        chosen = tossed if role == LEADS else splits(np, ahead.purse, judged(np, self.bot, ahead).kept)[0]
        half = chosen.argmax(1)
        met, well = tossed[np.arange(len(half)), half].reshape(2, KINDS), worth.well[0].reshape(2, KINDS)
        if role == LEADS:
            self.halves = half.reshape(2, KINDS)
        payoff = np.zeros((2, CARDS, KINDS))
        payoff[:, :KINDS] = np.where(np.eye(KINDS, dtype=bool), met[:, :, None], well[:, :, None])
        payoff[:, CHEST] = worth.bank[0]
        possible = np.ones((2, CARDS), bool)
        possible[:, :KINDS] = ahead.possible[0].reshape(2, KINDS)
        return np.where(possible[:, :, None], payoff if role == LEADS else 1 - payoff, -1.0)


def _read(folder: Path, game: Game) -> Weights:
    """Read what was learned, as columns."""
    weights = evaluators.learned(folder, game.name, game.rules_version).get(2)
    if weights is None:
        raise DracothequeError(f"{folder} holds nothing that was learned under these rules.")
    return as_columns(weights)
