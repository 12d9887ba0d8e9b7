"""A finished game again, move by move, from any seat."""

from __future__ import annotations

from dracotheque.engine.game import State
from dracotheque.tables.messages import Moment, Question, Replay
from dracotheque.tables.refused import Refused
from dracotheque.tables.table import Play, Table
from dracotheque.tables.view import Fields, differences, question, shown_fields, tell


def replay(table: Table, viewer: int, first: int, count: int, *, openly: bool = False) -> Replay:
    """Show some moments of a finished game: as a seat or a spectator saw them then, or with everything open."""
    result = table.result()
    if result is None or table.play is None:
        raise Refused("not_over")
    if viewer >= len(table.seats):
        raise Refused("no_such_seat")
    history = table.play.state.full_history()
    first = min(first, len(history))
    state = table.play.before(first)
    shown, asked = _seen(state, viewer, openly=openly)
    moments = [Moment(first, [], shown, asked)]
    for number in range(first, min(first + count, len(history))):
        told, before = tell(state, [history[number]]), shown
        shown, asked = _seen(state, viewer, openly=openly)
        moments.append(Moment(number + 1, told, differences(before, shown), asked))
    return Replay(len(history), moments, result)


def _seen(state: State, viewer: int, *, openly: bool) -> tuple[Fields, Question | None]:
    """The fields as they were seen then, or all of them, and what was asked."""
    known = Play(state).known(viewer)
    fields = shown_fields(state, viewer, state.table() if openly else known, over=openly)
    return fields, question(state, viewer, known)
