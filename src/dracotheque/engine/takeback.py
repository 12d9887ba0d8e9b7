"""Undo with secret choices: how far a game goes back so that no seat chooses again with more knowledge than before."""

from __future__ import annotations

from dracotheque.engine.state import State
from dracotheque.engine.log import GameLog


def is_secret_choice(state: State) -> bool:
    """Return whether the choice now to be made is one that the others must not see."""
    return state.game.rules.is_secret_choice(state.to_plain())


def hidden(state: State) -> set[tuple[int, int]]:
    """The bytes of a record that differ from a spectator's observation."""
    pairs = zip(state.record(), state.observation(-1).bytes(), strict=True)
    return {(at, byte) for at, (byte, seen) in enumerate(pairs) if byte != seen}


def undo_point(log: GameLog, move: int) -> int:
    """Return the number of the move before which a game goes on when a move is taken back.

    That is the move itself; where secret choices of that time have been revealed since, the first of those: the seats
    that choose again must not know them.
    """
    states = positions(log)
    sealed = hidden(states[move])
    if all(sealed <= hidden(later) for later in states[move:]):
        return move
    first = move
    while first > 0 and not is_secret_choice(states[first]) and sealed & hidden(states[first]):
        first -= 1
    if not is_secret_choice(states[first]):
        return move
    while first > 0 and is_secret_choice(states[first - 1]):
        first -= 1
    return first


def positions(log: GameLog) -> list[State]:
    """List every position of a game, from its beginning to where it stands."""
    states = [log.game.new_initial_state()]
    for player, action in log.moves:
        states.append(states[-1].child(action, player))
    return states
