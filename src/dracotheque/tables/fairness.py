"""Fair dice: a table commits to a secret seed before the first seat is taken, and shows it after the game.

docs/explanation/fair-dice.md has the formula.

    number = the first 4 bytes of HMAC-SHA256(seed, "TABLE/MOVE/CLIENT_SEED"), the highest first
    outcome = the one at (number × sum of the weights) >> 32 in the list of what chance may bring

The number of the move is that in the list of all moves, counted from 0, so a draw depends on nothing that came before:
it can be made again at any time, after a restart or by anyone who has the log.
"""

from __future__ import annotations

import functools
import hashlib
import hmac
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dracotheque.engine import registry
from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Game
from dracotheque.engine.log import FairnessRecord, GameLog
from dracotheque.engine.phrases import Phrase, phrase, words
from dracotheque.engine.state import State

__all__ = ["Dice", "FairnessRecord", "FairnessVerdict", "NotRevealed", "commitment_to", "new_seed", "verify"]

SEED_BYTES = 32


class NotRevealed(DracothequeError):  # noqa: N818 - it is not a failure
    """A log whose dice cannot be checked: it has no dice record, or the seed is not published."""


def new_seed() -> bytes:
    """Draw the secret seed of a table."""
    return os.urandom(SEED_BYTES)


def commitment_to(seed: bytes) -> str:
    """Return the SHA-256 of a seed, which is published before the first seat is taken."""
    return hashlib.sha256(seed).hexdigest()


@functools.lru_cache(maxsize=1024)
def _require_recordable(table: str, commitment: str, client_seed: str) -> None:
    """Raise an error for values that a log could not hold; cached, as `Dice` are made for every choice."""
    FairnessRecord(table, commitment, client_seed)


@functools.lru_cache(maxsize=1024)
def _keyed(seed: bytes) -> hmac.HMAC:
    """Return HMAC-SHA256 with a seed, made once: `hmac.digest` would let another thread take over for every draw."""
    return hmac.new(seed, digestmod="sha256")


# --- Drawing ------------------------------------------------------------------------------------------------------
class Dice:
    """The dice of one table; as a source of random numbers it draws for the move set last."""

    def __init__(self, seed: bytes, table: str, client_seed: str) -> None:
        """Take the table's secret seed, its id, and the client seeds of its seats, joined with “/”."""
        if len(seed) != SEED_BYTES:
            raise DracothequeError(f"A seed has {SEED_BYTES} bytes, not {len(seed)}.")
        _require_recordable(table, commitment_to(seed), client_seed)
        self._seed, self._table, self._client_seed = seed, table, client_seed
        self._number = 0
        self._game: Game | None = None
        self._draw: Callable[[State], int] = self._draw_first

    def outcome(self, state: State) -> int:
        """Return the outcome of a chance node."""
        self._number = state.move_number()
        return (self._draw if state.game is self._game else self._draw_first)(state)

    def _draw_first(self, state: State) -> int:
        """Take up how a game draws its outcomes, and draw one."""
        self._game, self._draw = state.game, state.game.outcome_source(self)
        return self._draw(state)

    def at(self, number: int) -> Dice:
        """Set the move to draw for, counted from 0."""
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
        """Return the HMAC of the present move."""
        keyed = _keyed(self._seed).copy()
        keyed.update(f"{self._table}/{self._number}/{self._client_seed}".encode())
        return keyed.digest()


# --- Verifying ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class FairnessVerdict:
    """The result of verifying a game's dice."""

    game: Game
    dice: FairnessRecord
    draws: int
    """How many draws were checked: all, or those up to the first wrong one."""

    commit_fits: bool
    """Whether the seed has the hash that was published."""

    wrong: int | None = None
    """The first move, counted from 1, whose outcome differs from the one drawn with the seed."""

    brought: int | None = None
    """The outcome of that move in the log."""

    expected: int | None = None
    """The outcome of that move drawn with the seed."""

    @property
    def fair(self) -> bool:
        """Whether the seed is the published one and every draw follows from it."""
        return self.commit_fits and self.wrong is None

    def phrases(self, language: str = "en") -> list[Phrase]:
        """Return the verdict as phrases; outcomes are named in a language, since their words are the game's."""
        found = [phrase("commit.fits" if self.commit_fits else "commit.differs", table=self.dice.table)]
        if self.wrong is None:
            return [*found, phrase("draws", count=self.draws), phrase("fair" if self.fair else "unfair")]
        say, outcome = self.game.words(language).say, self.game.text.outcome
        names: dict[str, Any] = {
            "brought": say(outcome(self.game, self.brought)),
            "expected": say(outcome(self.game, self.expected)),
        }
        found.append(phrase("wrong", move=self.wrong, **names))
        if registry.is_physical(self.game.definition, self.brought):
            return [*found, phrase("processor")]
        return [*found, phrase("unfair")]

    def text(self, language: str = "en") -> str:
        """Return the verdict in a language, a sentence a line."""
        say = words(Path(__file__).with_name("locale"), language).say
        return "\n".join(say(sentence) for sentence in self.phrases(language))

    def as_dict(self, language: str = "en") -> dict[str, Any]:
        """Return the verdict for programs."""
        kept = ("draws", "commit_fits", "wrong", "brought", "expected")
        found = {"fair": self.fair, "game": self.game.name, "table": self.dice.table}
        return found | {name: getattr(self, name) for name in kept} | {"text": self.text(language)}


def verify(log: GameLog) -> FairnessVerdict:
    """Draw every outcome of a game again, and compare."""
    if log.dice is None:
        raise NotRevealed("This log has no dice record. Only games played on a server can be verified.")
    if log.dice.seed is None:
        raise NotRevealed("The seed of these dice is still secret. Verify the game when it is over.")
    if log.game.definition.has_physical_chance:
        registry.part(log.game.definition, "physical_chance", registry.no_defaults).require_same_engine()
    seed = bytes.fromhex(log.dice.seed)
    dice, draws = Dice(seed, log.dice.table, log.dice.client_seeds), 0
    fits = hmac.compare_digest(commitment_to(seed), log.dice.commitment)
    state = log.game.new_initial_state()
    for number, (player, action) in enumerate(log.moves, 1):
        if player == CHANCE:
            draws += 1
            expected = dice.outcome(state)
            if expected != action:
                return FairnessVerdict(log.game, log.dice, draws, fits, number, action, expected)
        state.apply_action(action, player)
    return FairnessVerdict(log.game, log.dice, draws, fits)
