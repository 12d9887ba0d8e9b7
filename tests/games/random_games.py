"""Random games for property tests: players with preferences, and every position of their games."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from dracotheque import State
from dracotheque.engine.game import Game
from dracotheque.engine.plain_state import PlainState

Tempers = tuple[str, ...]
Liking = Callable[[PlainState, str, int], float]
"""The weight of an action under a preference."""
Choose = Callable[[State, random.Random, Tempers], int]


class GameSetup(Protocol):
    """A game to be played: its set-up, its seed, and the preferences of the seats."""

    @property
    def game(self) -> Game:
        """The game with this set-up."""
        ...

    @property
    def seed(self) -> int:
        """Where chance begins."""
        ...

    @property
    def tempers(self) -> Tempers:
        """How players choose."""
        ...


def by_temper(state: State, chance: random.Random, tempers: Tempers, liking: Liking) -> int:
    """Choose as one of these tempers does, now and then without a thought."""
    if state.is_chance_node():
        return state.sample_chance(chance)
    legal = state.legal_actions()
    temper = chance.choice(tempers)
    if temper == "anything" or chance.random() < 0.1:
        return chance.choice(legal)
    table = state.to_plain()
    likings = {action: liking(table, temper, action) for action in legal}
    return chance.choice([action for action in legal if likings[action] == max(likings.values())])


def played(setup: GameSetup, choose: Choose, moves: int) -> Iterator[State]:
    """Play a game up to a limit; yield the state before every move and after the last."""
    state, chance = setup.game.new_initial_state(), random.Random(setup.seed)
    yield state
    while not state.is_terminal() and state.move_number() < moves:
        state.apply_action(choose(state, chance, setup.tempers))
        yield state


def stopped(setup: GameSetup, choose: Choose) -> State:
    """Play a game up to a random move."""
    *_, state = played(setup, choose, random.Random(setup.seed + 1).randrange(150))
    return state


class Moment(NamedTuple):
    """The state after a move, whose turn it is, the legal actions of all seats, and the move itself."""

    table: PlainState
    mover: int
    legal: list[list[int]]
    action: int | None


def kept(state: State) -> Moment:
    """Keep what a state is now, before it goes on."""
    return Moment(
        state.to_plain(),
        state.current_player(),
        [state.legal_actions(seat) for seat in range(state.game.players)],
        state.history()[-1] if state.history() else None,
    )
