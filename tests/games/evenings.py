"""Evenings of play for tests of what always holds: players with tempers, and every moment of their games."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from dracotheque import State
from dracotheque.engine.game import Game
from dracotheque.engine.record import Plain

Tempers = tuple[str, ...]
Liking = Callable[[Plain, str, int], float]
"""How much somebody with a temper likes an action."""
Choose = Callable[[State, random.Random, Tempers], int]


class Evening(Protocol):
    """A game to be played: at which table, from which seed, and how everybody chooses."""

    @property
    def game(self) -> Game:
        """The box, opened for this table."""
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
    table = state.table()
    likings = {action: liking(table, temper, action) for action in legal}
    return chance.choice([action for action in legal if likings[action] == max(likings.values())])


def played(evening: Evening, choose: Choose, moves: int) -> Iterator[State]:
    """Play an evening, not for ever; give the state before every move and after the last."""
    state, chance = evening.game.new_initial_state(), random.Random(evening.seed)
    yield state
    while not state.is_terminal() and state.move_number() < moves:
        state.apply_action(choose(state, chance, evening.tempers))
        yield state


def stopped(evening: Evening, choose: Choose) -> State:
    """Play an evening until somebody looks up."""
    *_, state = played(evening, choose, random.Random(evening.seed + 1).randrange(150))
    return state


class Moment(NamedTuple):
    """The table after a move, whose turn it is, what everybody may do, and the move that led here."""

    table: Plain
    mover: int
    legal: list[list[int]]
    action: int | None


def kept(state: State) -> Moment:
    """Keep what a state is now, before it goes on."""
    return Moment(
        state.table(),
        state.current_player(),
        [state.legal_actions(seat) for seat in range(state.game.players)],
        state.history()[-1] if state.history() else None,
    )
