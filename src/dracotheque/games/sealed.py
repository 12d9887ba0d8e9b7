"""Choices made in secret: which are, and how far a game is taken back so that nobody decides knowing too much."""

from __future__ import annotations

from dracotheque.engine.game import State
from dracotheque.engine.log import GameLog


def is_secret(state: State) -> bool:
    """Say whether the choice now to be made is one that the others must not see."""
    return state.game.scene.secret(state.table())


def hidden(state: State) -> set[tuple[int, int]]:
    """Everything that lies on the table but not before a spectator's eyes, byte by byte."""
    pairs = zip(state.record(), state.observation(-1).bytes(), strict=True)
    return {(at, byte) for at, (byte, seen) in enumerate(pairs) if byte != seen}


def fair_return(log: GameLog, move: int) -> int:
    """Find where a game goes on when a move is taken back.

    That is before the move; but if it was made in the face of secret choices that have been seen since, before the
    first of those: whoever chooses again must not know them.
    """
    states = positions(log)
    sealed = hidden(states[move])
    if all(sealed <= hidden(later) for later in states[move:]):
        return move
    first = move
    while first > 0 and not is_secret(states[first]) and sealed & hidden(states[first]):
        first -= 1
    if not is_secret(states[first]):
        return move
    while first > 0 and is_secret(states[first - 1]):
        first -= 1
    return first


def positions(log: GameLog) -> list[State]:
    """List every position of a game, from its beginning to where it stands."""
    states = [log.game.new_initial_state()]
    for player, action in log.moves:
        states.append(states[-1].child(action, player))
    return states
