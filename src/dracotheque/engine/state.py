"""`State`: one position of a game, in OpenSpiel's vocabulary, and how it came about."""

from __future__ import annotations
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any
import numpy as np
from dracotheque.engine import batch_totals
from dracotheque.engine.arguments import ACTION, SEAT, no_randomness, whole_number
from dracotheque.engine.dispatch import CHANCE, IMPOSSIBLE, REFUSED, SIMULTANEOUS, TERMINAL
from dracotheque.engine.errors import DracothequeError, IllegalActionError
from dracotheque.engine.phrases import with_plain_spaces
from dracotheque.engine.plain_state import PlainState

if TYPE_CHECKING:
    from dracotheque.engine.game import Game


def _drawn_below(limit: int, random: Random) -> int:
    """Draw a whole number from what should be a `random.Random`."""
    if not hasattr(random, "randrange"):
        raise no_randomness(random, "randrange")
    return random.randrange(limit)


class State:
    """One position of a game, and how it came about.

    >>> state = load_game(NAME, players=3).new_initial_state()
    >>> while not state.is_terminal():
    ...     if state.is_chance_node():
    ...         state.apply_action(state.sample_chance(random))
    ...     else:
    ...         state.apply_action(random.choice(state.legal_actions()))
    """

    __slots__ = (
        "_actions", "_chance", "_drawn", "_handle", "_history", "_legal", "_out", "_outcomes", "_player", "_step",
        "_whole", "_workspace", "game",
    )  # fmt: skip

    def __init__(self, game: Game, copied: State | None = None) -> None:
        """Set up a new game, or copy a state; programs call `Game.new_initial_state` and `clone`."""
        self.game = game
        self._workspace = table = game.runtime.new_workspace()
        self._handle = table.handle
        self._out = table.out
        self._actions, self._outcomes = game.rules.ACTIONS, game.rules.OUTCOMES
        self._step, self._legal, self._chance, self._drawn = game.runtime.moves
        if copied is None:
            record, self._player = game.beginning
            table.set_state(record)
            self._whole = True
            self._history: list[tuple[int, int]] = []
        else:
            table.set_state(copied._workspace.state())
            self._player = copied._player
            self._history, self._whole = copied._history.copy(), copied._whole

    # --- Whose choice, and which -----------------------------------------------------------------------------
    def current_player(self) -> int:
        """The seat to choose, or CHANCE (-1), SIMULTANEOUS (-2), TERMINAL (-4)."""
        return self._player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._player == TERMINAL

    def is_chance_node(self) -> bool:
        """Whether chance decides next."""
        return self._player == CHANCE

    def is_simultaneous_node(self) -> bool:
        """Whether several seats choose, each sealed until all have."""
        return self._player == SIMULTANEOUS

    def legal_actions(self, player: int | None = None) -> list[int]:
        """What a seat (the one to choose, if none is named) or chance may do now, in rising order."""
        if player is None:
            player = self._player
        else:
            player = self._checked_viewer(player)
        if player >= 0:
            return self._out[: self._legal(self._handle, player)].tolist()
        if player == SIMULTANEOUS:
            raise DracothequeError("Several seats choose at once: name the seat, legal_actions(player).")
        return [outcome for outcome, _ in self.chance_outcomes()] if self._player == CHANCE else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may bring next, each with its probability."""
        if self._player != CHANCE:
            raise DracothequeError("Chance has nothing to decide here.")
        count = self._chance(self._handle)
        weights = self._workspace.weights[:count].tolist()
        total = sum(weights)
        return list(zip(self._out[:count].tolist(), [weight / total for weight in weights], strict=True))

    def sample_chance(self, random: Any) -> int:
        """Draw what chance brings next with a `random.Random` (or anything with its `random()`)."""
        if self._player != CHANCE:
            raise DracothequeError("Chance has nothing to decide here.")
        try:
            number = int(random.random() * 4294967296)
        except AttributeError:
            if hasattr(random, "random"):
                raise
            raise no_randomness(random, "random") from None
        return self._drawn(self._handle, min(max(number, 0), 4294967295))

    # --- Playing ---------------------------------------------------------------------------------------------
    def apply_action(self, action: int, player: int | None = None) -> None:
        """Carry out an action of the seat to choose, of `player`, or of chance.

        An illegal action raises `IllegalActionError`, which names the rule in words; the state stays as it was.
        """
        seat = self._player if player is None else self._checked_mover(player)
        if action.__class__ is not int:
            action = whole_number(action, ACTION, IllegalActionError)
        if not 0 <= action < (self._actions if seat >= 0 else self._outcomes) or seat < CHANCE:
            raise self._unknown_action(seat, action)
        answer = self._step(self._handle, seat, action)
        if answer >= REFUSED:
            raise self._refused(seat, action, answer)
        self._player = answer
        self._history.append((seat, action))

    def apply_actions(self, actions: Sequence[int]) -> None:
        """Carry out the sealed choices of all seats at once, one action a seat (any number for a seat not asked)."""
        if self._player != SIMULTANEOUS:
            raise DracothequeError("Only one seat chooses here: use apply_action.")
        try:
            given = len(actions)
        except TypeError:
            raise DracothequeError(f"A list of actions is needed, one a seat, not {actions!r}.") from None
        if given != self.game.players:
            raise DracothequeError(f"{self.game.players} actions are needed, one a seat, not {given}.")
        asked = [seat for seat in range(self.game.players) if self._legal(self._handle, seat)]
        before, moves = self._workspace.state(), len(self._history)
        try:
            for seat in asked:
                self.apply_action(actions[seat], seat)
        except Exception:
            self._workspace.set_state(before)
            self._player = SIMULTANEOUS
            del self._history[moves:]
            raise

    def check_action(self, action: int, player: int | None = None) -> None:
        """Raise what `apply_action` would raise, and change nothing."""
        self.clone().apply_action(action, player)

    def refusal(self, action: int, player: int | None = None) -> str | None:
        """Name the rule that forbids an action, or None where it is legal."""
        try:
            self.check_action(action, player)
        except IllegalActionError as error:
            if error.rule is None:
                raise  # not even an action: no rule forbids it
            return error.rule
        return None

    def undo_action(self) -> tuple[int, int]:
        """Take the last move back, chance moves included, and say which it was as (player, action)."""
        self._require_whole()
        if not self._history:
            raise DracothequeError("Nothing has been played yet.")
        *before, last = self._history
        again = State(self.game)
        for player, action in before:
            again.apply_action(action, player)
        self._workspace.set_state(again._workspace.state())
        self._player, self._history = again._player, again._history
        return last

    # --- The end ---------------------------------------------------------------------------------------------
    def scores(self) -> list[int]:
        """Each seat's points, as if the game ended now."""
        self.game.runtime.operations.final_scores(self._handle)
        return self._out[: self.game.players].tolist()

    def winners(self) -> list[int]:
        """The seats that win, or share the victory; none before the end."""
        if not self.is_terminal():
            return []
        self.game.runtime.operations.final_scores(self._handle)
        flags = self._workspace.weights[: self.game.players].tolist()
        return [seat for seat, flag in enumerate(flags) if flag]

    def returns(self) -> list[float]:
        """1 for a win, the rest shared so that all add up to 0 (two players: 1, 0, -1); all 0 before the end."""
        winners, players = self.winners(), self.game.players
        if not winners:
            return [0.0] * players
        lost = -1 / (players - 1)
        won = (1 - lost) / len(winners) + lost
        return [won if seat in winners else lost for seat in range(players)]

    def ending(self) -> str | None:
        """The rule by which the game ended, or None while it goes on."""
        if not self.is_terminal():
            return None
        return self.game.rules.ENDINGS[self.game.runtime.operations.final_scores(self._handle)]

    # --- What can be seen ------------------------------------------------------------------------------------
    def observation(self, player: int) -> PlainState:
        """The table as a seat (or -1, a spectator) may know it, every field readable, no secret left in."""
        copy = self.clone()
        self.game.runtime.operations.observe(copy._handle, self._checked_viewer(player))
        return copy.to_plain()

    def observation_tensor(self, player: int | None = None) -> np.ndarray[Any, np.dtype[np.float32]]:
        """What a seat may know as numbers between 0 and 1, that seat first."""
        viewer = self._checked_viewer(max(self._player, 0) if player is None else player)
        copy = self.clone()
        self.game.runtime.operations.observe(copy._handle, viewer)
        return copy._workspace.observation_tensor(
            self.game.runtime.operations.observation_tensor, viewer, self.game.rules.TENSOR_SIZE
        )

    def observation_string(self, player: int | None = None) -> str:
        """What a seat may know, one field a line."""
        table = self.observation(max(self._player, 0) if player is None else player)
        return "\n".join(f"{name}: {getattr(table, name)}" for name in self.game.runtime.fields)

    def resample_from_infostate(self, player: int, random: Any) -> State:
        """A state this seat could be in: everything it may know, the rest filled in at random.

        It has no history: what really happened would tell the secrets.
        """
        viewer = self._checked_viewer(player)
        copy = self.clone()
        operations = self.game.runtime.operations
        operations.observe(copy._handle, viewer)
        copy._workspace.seed(_drawn_below(1 << 64, random))
        copy._player = operations.determinize(copy._handle, viewer)
        copy._history, copy._whole = [], False
        return copy

    def to_plain(self) -> PlainState:
        """Everything on the table, secrets included, every field readable: for tests and for the table's own use."""
        return PlainState(self.game.runtime.state, self.game.rules, self._workspace.state(), self.game.board)

    def record(self) -> bytes:
        """The state's bytes: equal for equal states."""
        return self._workspace.state()

    # --- In words --------------------------------------------------------------------------------------------
    def action_to_string(self, action: int, player: int | None = None, language: str = "en") -> str:
        """Name an action (or chance outcome) in words, with ordinary spaces."""
        seat = self._player if player is None else self._checked_viewer(player)
        action = whole_number(action, ACTION, IllegalActionError)
        if not 0 <= action < (self._outcomes if seat == CHANCE else self._actions):
            raise self._no_action(seat, action)
        scene, say = self.game.text, self.game.words(language).say
        name = scene.outcome(self.game, action) if seat == CHANCE else scene.action(self.game, seat, action)
        return with_plain_spaces(say(name))

    def refusal_text(self, action: int, player: int | None = None, language: str = "en") -> str | None:
        """The rule that forbids an action, in words; None where it is legal."""
        rule = self.refusal(action, player)
        return None if rule is None else self.game.rulebook(language)[rule].sentence

    # --- Copies, history, storage ----------------------------------------------------------------------------
    def clone(self) -> State:
        """An independent copy."""
        return State(self.game, self)

    def child(self, action: int, player: int | None = None) -> State:
        """The state after an action; this one stays as it is."""
        copy = self.clone()
        copy.apply_action(action, player)
        return copy

    def history(self) -> list[int]:
        """Every action so far, chance included."""
        return [action for _, action in self._history]

    def full_history(self) -> list[tuple[int, int]]:
        """Every move so far as (player, action), chance as player -1."""
        self._require_whole()
        return self._history.copy()

    def move_number(self) -> int:
        """How many moves were made, chance included."""
        return len(self._history)

    def serialize(self) -> str:
        """Write the state as text, for `Game.deserialize_state`."""
        self._require_whole()
        return " ".join(f"{player}:{action}" for player, action in self._history)

    def play_randomly(self, random: Any) -> int:
        """Play to the end at random, inside the compiled rules; return the number of choices of the players.

        The moves are not kept: the history ends here.
        """
        batch = self.game.runtime.new_batch(self.record())
        self.game.runtime.operations.play_batch(batch.handle, _drawn_below(1 << 62, random), 0, 1)
        self._workspace.set_state(batch.last())
        self._player, self._whole = TERMINAL, False
        return int(batch.sums[batch_totals.DECISIONS])

    def __eq__(self, other: object) -> bool:
        """Two states are equal when everything on the table is."""
        if not isinstance(other, State) or self.game.rules_version != other.game.rules_version:
            return False
        return self.game.name == other.game.name and self.record() == other.record()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Show the game and how far it is."""
        title, players = self.game.definition.title, self.game.players
        return f"<{title}, {players} players, move {len(self._history)}, to move {self._player}>"

    def _require_whole(self) -> None:
        """Raise an error where the history does not lead to this state."""
        if not self._whole:
            raise DracothequeError("This state was resampled or played on at random: its moves are not known.")

    # --- Bad input -------------------------------------------------------------------------------------------
    def _check_seat(self, player: int) -> None:
        """Refuse a seat that is not at the table."""
        if not 0 <= player < self.game.players:
            raise DracothequeError(f"There is no seat {player}: seats are 0 to {self.game.players - 1}.")

    def _checked_viewer(self, player: int) -> int:
        """Accept a seat, or -1 for a spectator."""
        if player.__class__ is not int:
            player = whole_number(player, SEAT)
        if player != -1:
            self._check_seat(player)
        return player

    def _checked_mover(self, player: int) -> int:
        """Accept a seat, or chance where chance decides."""
        if player.__class__ is not int:
            player = whole_number(player, SEAT)
        if player == CHANCE and self._player == CHANCE:
            return player
        if player == CHANCE:
            raise IllegalActionError("Chance has nothing to decide here.")
        self._check_seat(player)
        return player

    def _unknown_action(self, seat: int, action: int) -> IllegalActionError:
        """Explain that a number names no action."""
        if self._player == TERMINAL:
            return self._refused(0, 0, self._step(self._handle, 0, 0))
        if seat == SIMULTANEOUS:
            return IllegalActionError("Several seats choose at once: name the seat, apply_action(action, player).")
        return self._no_action(seat, action)

    def _no_action(self, seat: int, action: int) -> IllegalActionError:
        """Explain that a number is none of a seat's actions, or of the outcomes of chance."""
        if seat == CHANCE:
            return IllegalActionError(f"{action} is no chance outcome: they are 0 to {self._outcomes - 1}.")
        return IllegalActionError(
            f"{action} is no action of {self.game.definition.title}: they are 0 to {self._actions - 1}."
        )

    def _refused(self, seat: int, action: int, answer: int) -> IllegalActionError:
        """Explain a refusal in the rulebook's words."""
        if answer == IMPOSSIBLE:
            return IllegalActionError(f"Chance cannot bring “{self.action_to_string(action, CHANCE)}” here.")
        rule = self.game.rules.REFUSALS[answer - REFUSED]
        sentence = self.game.rulebook()[rule].sentence
        return IllegalActionError(
            f"“{self.action_to_string(action, seat)}” is not allowed here. {sentence} [{rule}]", rule
        )
