"""What the position builders of several games share: states set up by hand, seats by their crests, refused moves."""

from __future__ import annotations

import pytest

from dracotheque import CHANCE, TERMINAL, State
from dracotheque.engine.default_text import CRESTS
from dracotheque.engine.dispatch import IMPOSSIBLE, REFUSED
from dracotheque.engine.errors import IllegalActionError
from dracotheque.engine.plain_state import PlainState


def put(state: State, table: PlainState) -> State:
    """Let a state go on from this table; its history stays behind."""
    state._workspace.set_state(table.bytes())
    state._player = table.to_move
    return state


def seat_of(state: State, crest: str) -> int:
    """Return a crest's seat, after a check that it is taken."""
    seat = CRESTS.index(crest)
    assert seat < state.game.players, f"{crest} does not play"
    return seat


def asked(state: State) -> str | None:
    """Name the one seat that has a choice to make, or `chance`; None when the game is over."""
    player = state.current_player()
    return {CHANCE: "chance", TERMINAL: None}[player] if player < 0 else CRESTS[player]


def raised_rule(state: State, seat: int, action: int) -> str | None:
    """Try an action that is not allowed; return the rule that the error names, after a check that nothing changed."""
    before = state.record(), state.current_player(), state.full_history()
    assert action not in state.legal_actions(seat), f"action {action} is allowed"
    with pytest.raises(IllegalActionError) as caught:
        state.apply_action(action, seat)
    assert caught.value.rule == state.refusal(action, seat)
    assert (state.record(), state.current_player(), state.full_history()) == before
    return caught.value.rule


def refused_rule(state: State, seat: int, action: int) -> str:
    """Try an action that is not allowed; return the rule of the engine's answer, after a check that nothing changed."""
    answer = rejected_step(state, seat, action)
    assert answer >= REFUSED
    return state.game.rules.REFUSALS[answer - REFUSED]


def is_impossible(state: State, seat: int, action: int) -> bool:
    """Whether the engine rejects an outcome of chance as impossible, after a check that nothing changed."""
    return rejected_step(state, seat, action) == IMPOSSIBLE


def rejected_step(state: State, seat: int, action: int) -> int:
    """Try an action that is not allowed; return the engine's answer, after a check that nothing changed."""
    before = state.record()
    assert seat == CHANCE or action not in state.legal_actions(seat), f"action {action} is allowed"
    answer = state._step(state._handle, seat, action)
    assert state.record() == before
    return answer
