"""A finished game again, move by move, from any seat."""

from __future__ import annotations

from dracotheque.engine.game import State
from dracotheque.tables.messages import Moment, Replay
from dracotheque.tables.refused import Refused
from dracotheque.tables.table import Table
from dracotheque.tables.view import Fields, differences, observed, question, shown_fields, tell


def replay(table: Table, viewer: int, first: int, count: int, *, openly: bool = False) -> Replay:
    """Show some moments of a finished game: as a seat or a spectator saw them then, or with everything open."""
    result = table.result()
    if result is None or table.play is None:
        raise Refused("not_over")
    if viewer >= len(table.seats):
        raise Refused("no_such_seat")
    history = table.play.state.full_history()
    first = min(first, len(history))
    state = table.game.new_initial_state()
    for player, action in history[:first]:
        state.apply_action(action, player)
    shown = _shown(state, viewer, openly=openly)
    moments = [Moment(first, [], shown, question(state, viewer, 0))]
    for number in range(first, min(first + count, len(history))):
        told = tell(state, [history[number]])
        before, shown = shown, _shown(state, viewer, openly=openly)
        asked = question(state, viewer, 0)
        moments.append(Moment(number + 1, told, differences(before, shown), asked))
    return Replay(len(history), moments, result)


def _shown(state: State, viewer: int, *, openly: bool) -> Fields:
    """The fields as they were seen then, or all of them."""
    if not openly:
        return shown_fields(state, viewer, observed(state, viewer))
    table = state.table()
    return {name: getattr(table, name) for name in state.game.layout.state.names or ()}
