"""Fair dice: a table commits to a secret seed before the first seat is taken, and shows it after the game.

docs/explanation/fair-dice.md has the formula.

    number = the first 4 bytes of HMAC-SHA256(seed, "TABLE/MOVE/LUCK"), the highest first
    outcome = the one at (number × sum of the weights) >> 32 in the list of what chance may bring

The number of the move is that in the list of all moves, counted from 0, so a draw depends on nothing that came before:
it can be made again at any time, after a restart or by anyone who has the log.
"""

from __future__ import annotations

import functools
import hashlib
import hmac
import importlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Game
from dracotheque.engine.log import FairnessRecord, GameLog
from dracotheque.engine.phrases import Phrase, phrase, words
from dracotheque.engine.state import State

__all__ = ["Dice", "FairnessRecord", "FairnessVerdict", "NotRevealed", "commit", "new_seed", "verify"]

SEED_BYTES = 32


class NotRevealed(DracothequeError):  # noqa: N818 - it is what was found
    """A log whose dice cannot be checked: it has no dice record, or the seed is not published."""


def new_seed() -> bytes:
    """Draw the secret seed of a table."""
    return os.urandom(SEED_BYTES)


def commit(seed: bytes) -> str:
    """Return what is published of a seed before the first seat is taken."""
    return hashlib.sha256(seed).hexdigest()


@functools.lru_cache(maxsize=1024)
def _require_written(table: str, promised: str, luck: str) -> None:
    """Refuse now what no log could tell later; dice are taken up for every choice."""
    FairnessRecord(table, promised, luck)


@functools.lru_cache(maxsize=1024)
def _keyed(seed: bytes) -> hmac.HMAC:
    """Begin HMAC-SHA256 with a seed, once: `hmac.digest` would let another thread take over for every draw."""
    return hmac.new(seed, digestmod="sha256")


# --- Drawing ------------------------------------------------------------------------------------------------------
class Dice:
    """The dice of one table; as a source of chance it stands at the move it was last asked for."""

    def __init__(self, seed: bytes, table: str, luck: str) -> None:
        """Take the table's seed, its id, and what its seats brought along, joined with “/”."""
        if len(seed) != SEED_BYTES:
            raise DracothequeError(f"A seed has {SEED_BYTES} bytes, not {len(seed)}.")
        _require_written(table, commit(seed), luck)
        self._seed, self._table, self._luck = seed, table, luck
        self._number = 0
        self._game: Game | None = None
        self._bring: Callable[[State], int] = self._begin

    def outcome(self, state: State) -> int:
        """Return what chance brings at a chance node."""
        self._number = state.move_number()
        return (self._bring if state.game is self._game else self._begin)(state)

    def _begin(self, state: State) -> int:
        """Find how chance decides in a game, and say what it brings."""
        self._game, self._bring = state.game, state.game.outcome_source(self)
        return self._bring(state)

    def at(self, number: int) -> Dice:
        """Turn to the move of a number, counted from 0."""
        self._number = number
        return self

    def random(self) -> float:
        """Draw a number from 0 to below 1 that is a whole number of 2⁻³² parts."""
        return int.from_bytes(self._digest()[:4], "big") / 4294967296

    def getrandbits(self, k: int, /) -> int:
        """Draw a whole number of up to 64 bits, from other bytes than `random`."""
        if not 0 <= k <= 64:
            raise ValueError(f"A draw has 0 to 64 bits, not {k}.")
        return int.from_bytes(self._digest()[4:12], "big") >> (64 - k)

    def _digest(self) -> bytes:
        """Draw for the present move."""
        drawn = _keyed(self._seed).copy()
        drawn.update(f"{self._table}/{self._number}/{self._luck}".encode())
        return drawn.digest()


# --- Verifying ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class FairnessVerdict:
    """What came of checking a game's dice."""

    game: Game
    dice: FairnessRecord
    draws: int
    """How many draws were looked at: all, or those up to the first wrong one."""

    commit_fits: bool
    """Whether the seed is the one that was promised."""

    wrong: int | None = None
    """The first move, counted from 1, at which chance brought something else than the seed says."""

    brought: int | None = None
    """What chance brought there according to the log …"""

    expected: int | None = None
    """… and what it should have brought."""

    @property
    def fair(self) -> bool:
        """Whether every draw follows from the promised seed."""
        return self.commit_fits and self.wrong is None

    def phrases(self, language: str = "en") -> list[Phrase]:
        """Return what was found; outcomes are named in a language, since their words are the game's."""
        found = [phrase("commit.fits" if self.commit_fits else "commit.differs", table=self.dice.table)]
        if self.wrong is None:
            return [*found, phrase("draws", count=self.draws), phrase("fair" if self.fair else "unfair")]
        say, outcome = self.game.words(language).say, self.game.text.outcome
        names: dict[str, Any] = {
            "brought": say(outcome(self.game, self.brought)),
            "expected": say(outcome(self.game, self.expected)),
        }
        found.append(phrase("wrong", move=self.wrong, **names))
        if really_happens(self.game, self.brought):
            return [*found, phrase("processor")]
        return [*found, phrase("unfair")]

    def text(self, language: str = "en") -> str:
        """Return what was found in a language, a sentence a line."""
        say = words(Path(__file__).with_name("locale"), language).say
        return "\n".join(say(sentence) for sentence in self.phrases(language))

    def as_dict(self, language: str = "en") -> dict[str, Any]:
        """Give everything that was found, for programs."""
        kept = ("draws", "commit_fits", "wrong", "brought", "expected")
        found = {"fair": self.fair, "game": self.game.name, "table": self.dice.table}
        return found | {name: getattr(self, name) for name in kept} | {"text": self.text(language)}


def _physical_chance(game: Game) -> Any:
    """The module of what really happens in a game."""
    return importlib.import_module(f"{game.definition.package}.physical_chance")


def really_happens(game: Game, outcome: int | None) -> bool:
    """Whether an outcome is of something that really happens, such as a fall, and is not drawn by weight."""
    return game.definition.has_physical_chance and _physical_chance(game).is_physical(outcome)


def verify(log: GameLog) -> FairnessVerdict:
    """Make every draw of a game again, and compare."""
    if log.dice is None:
        raise NotRevealed("This log has no dice record. Only games played on a server can be verified.")
    if log.dice.seed is None:
        raise NotRevealed("The seed of these dice is still secret. Verify the game when it is over.")
    if log.game.definition.has_physical_chance:
        _physical_chance(log.game).require_same_engine()
    seed = bytes.fromhex(log.dice.seed)
    dice, draws = Dice(seed, log.dice.table, log.dice.luck), 0
    fits = hmac.compare_digest(commit(seed), log.dice.commit)
    state = log.game.new_initial_state()
    for number, (player, action) in enumerate(log.moves, 1):
        if player == CHANCE:
            draws += 1
            expected = dice.outcome(state)
            if expected != action:
                return FairnessVerdict(log.game, log.dice, draws, fits, number, action, expected)
        state.apply_action(action, player)
    return FairnessVerdict(log.game, log.dice, draws, fits)
