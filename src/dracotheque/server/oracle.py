"""What the Oracle says at a table: how often every choice wins, where that takes nothing from anybody."""

from __future__ import annotations

from dracotheque.bots.levels import is_solved
from dracotheque.bots.view import view
from dracotheque.engine.game import State
from dracotheque.tables.messages import Chance, Chances
from dracotheque.tables.refused import Refused
from dracotheque.tables.table import Table, choosers
from dracotheque.tables.view import SPECTATOR, seen_after


def chances(table: Table, guest: str, move: int | None) -> Chances:
    """Say what every choice is worth: to a guest who has to choose now, or after some moves of a finished game."""
    if not is_solved(table.game):
        raise Refused("not_solved")
    if table.status == "over":
        return _then(table, move)
    if table.play is not None and not table.practice:
        raise Refused("no_chances")
    state = seen_after(table, SPECTATOR, None)
    if move is not None:
        raise Refused("not_over")
    if not set(choosers(state)) & set(table.seats_of(guest)):
        raise Refused("not_your_seat")
    return _of(state)


def _then(table: Table, move: int | None) -> Chances:
    """Say it of a moment of a finished game, and what was chosen."""
    state = seen_after(table, SPECTATOR, move)
    assert table.play is not None
    said, following = _of(state), table.play.state.full_history()[state.move_number() :]
    if said.choices and following:
        said.made = following[0][1]
    return said


def _of(state: State) -> Chances:
    """Say what every choice in a position is worth to whoever has it; nothing where chance decides, or nobody."""
    from dracotheque.bots.oracle import OracleBot  # its table is large, and most servers never need it

    seats, game = choosers(state), state.game
    if not seats:
        return Chances(SPECTATOR, [])
    known = OracleBot(0).values(view(state, seats[0]))
    best_first = sorted(known, key=lambda action: -known[action])
    return Chances(
        seats[0],
        [Chance(action, game.scene.action(game, seats[0], action), round(known[action], 5)) for action in best_first],
    )
