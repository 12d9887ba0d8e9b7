"""How often each choice wins where perfect play is known; shown only where that is no advantage over other players."""

from __future__ import annotations

from dracotheque.bots import default_bots
from dracotheque.bots.levels import is_solved
from dracotheque.engine.state import State
from dracotheque.tables.answers import ActionValue, ActionValues
from dracotheque.tables.errors import CommandError
from dracotheque.tables.game_in_progress import choosers
from dracotheque.tables.snapshot import SPECTATOR, state_after
from dracotheque.tables.table import Table


def action_values(table: Table, guest: str, move: int | None) -> ActionValues:
    """Return the value of each choice, for a guest who has to choose now or after some moves of a finished game."""
    if not is_solved(table.game):
        raise CommandError("not_solved")
    if table.status == "over":
        return _values_after(table, move)
    if table.play is not None and not table.practice:
        raise CommandError("no_chances")
    state = state_after(table, move)
    if not set(choosers(state)) & set(table.seats_of(guest)):
        raise CommandError("not_your_seat")
    return _values(state)


def _values_after(table: Table, move: int | None) -> ActionValues:
    """Return the values of the choices in a position of a finished game, and the choice that was made."""
    state = state_after(table, move)
    assert table.play is not None
    values, following = _values(state), table.play.state.full_history()[state.move_number() :]
    if values.choices and following:
        values.made = following[0][1]
    return values


def _values(state: State) -> ActionValues:
    """Return how often each choice in a position wins; nothing where no seat has to choose."""
    seats, game = choosers(state), state.game
    exact = default_bots.exact_values(game)
    if not seats or exact is None:
        return ActionValues(SPECTATOR, [])
    seat = seats[0]
    shares = {action: exact.after(state, seat, action).shares[seat] for action in state.legal_actions(seat)}
    best_first = sorted(shares, key=lambda action: -shares[action])
    return ActionValues(
        seat,
        [ActionValue(action, game.text.action(game, seat, action), round(shares[action], 5)) for action in best_first],
    )
