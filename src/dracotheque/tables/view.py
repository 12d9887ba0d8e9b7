"""What a viewer is shown: the table's fields as far as that viewer may see them, what happened, what is asked.

This is the one way from a table to the outside. `observe` removes what is secret; what was laid away for all to see is
shown while it happens and then only as a card back or a closed lid, until the end.
"""

from __future__ import annotations

from typing import Any

from dracotheque.engine.game import Game, State
from dracotheque.engine.record import Plain
from dracotheque.tables.messages import Choice, Moved, Question, SeatView, TableView, Told
from dracotheque.tables.refused import Refused
from dracotheque.tables.table import Play, Table, choosers

Fields = dict[str, Any]
Moves = list[tuple[int, int]]
SPECTATOR = -1


def shown_fields(state: State, viewer: int, known: Plain, *, over: bool = False) -> Fields:
    """Every field that a viewer knows, as it may be looked at now: what is laid away lies face down until the end."""
    fields = {name: getattr(known, name) for name in state.game.layout.state.names or ()}
    lay_away = getattr(state.game.scene, "lay_away", None)
    if lay_away and not over and not state.is_terminal():
        lay_away(fields, viewer)
    return fields


def differences(before: Fields, after: Fields) -> Fields:
    """The fields that are not as they were."""
    return {name: value for name, value in after.items() if before.get(name) != value}


def asking(table: Table, viewer: int, known: Plain) -> Question | None:
    """What has to be decided now, with the choices of the viewer's own seat."""
    if table.play is None or table.status != "playing":
        return None
    return question(table.play.state, viewer, known, table.play.asked_at.get(viewer, 0))


def question(state: State, viewer: int, known: Plain, at: int = 0) -> Question | None:
    """Put the question of a position to a viewer."""
    seats = choosers(state)
    if not seats:
        return None
    scene = state.game.scene
    event = scene.question(known)
    choices = choices_of(state, viewer, known) if viewer in seats else []
    return Question(event.rule, event.phrase, list(seats), at if choices else 0, choices, scene.secret(known))


def choices_of(state: State, seat: int, known: Plain) -> list[Choice]:
    """List what a seat may choose, by name, and what it leads to as far as the seat can know."""
    scene, game = state.game.scene, state.game
    return [
        Choice(action, scene.action(game, seat, action), scene.preview(known, seat, action))
        for action in state.legal_actions(seat)
    ]


def tell_turn(before: Play, after: Play, moves: Moves) -> list[Told]:
    """Tell a choice and what chance brought after it, from the positions before and after."""
    between = _played_on(before.state.clone(), moves[:-1]) if len(moves) > 1 else []
    return _told(before.state.game, [before.table, *between, after.table], moves)


def tell(state: State, moves: Moves) -> list[Told]:
    """Play moves on from a state and tell to the whole table what each made happen."""
    before = state.table()
    return _told(state.game, [before, *_played_on(state, moves)], moves)


def _played_on(state: State, moves: Moves) -> list[Plain]:
    """Play moves on from a state, and keep the table after each."""
    tables: list[Plain] = []
    for player, action in moves:
        state.apply_action(action, player)
        tables.append(state.table())
    return tables


def _told(game: Game, tables: list[Plain], moves: Moves) -> list[Told]:
    """Tell moves from the tables before, between and after them."""
    return [
        Told(player, game.scene.events(before, player, action, after))
        for (player, action), before, after in zip(moves, tables[:-1], tables[1:], strict=True)
    ]


def faded(told: list[Told], game: Game) -> list[Told]:
    """Tell again what has been told once: without what has been laid away since."""
    fade = getattr(game.scene, "fade", None)
    if fade is None:
        return told
    return [Told(each.player, [fade(event) for event in each.events]) for each in told]


def story(table: Table, first: int, last: int) -> list[Told]:
    """Tell some moves of a game again, with the values of what was laid away only after the end."""
    if table.play is None:
        return []
    told = _told_between(table.play, first, last)
    return told if table.status == "over" or lies_open(table.game) else faded(told, table.game)


def lies_open(game: Game) -> bool:
    """Whether a table agreed to lay nothing away."""
    is_open = getattr(game.scene, "lies_open", None)
    return is_open is None or is_open(game.options)


def news(table: Table, viewer: int) -> list[Told]:
    """Tell in full what happened since the viewer's seat chose last, or for a spectator with the last choice.

    For somebody who comes back to a slow game that is what is happening now; before it, see `story`.
    """
    if table.play is None:
        return []
    return _told_between(table.play, present(table.play, viewer), table.moves)


def present(play: Play, viewer: int) -> int:
    """From which move on a running game is still the present: a seat's last choice, or for a spectator anybody's."""
    mine = [turn.first for turn in play.turns if turn.seat == viewer and viewer != SPECTATOR]
    return mine[-1] if mine else play.turns[-1].first


def seen_after(table: Table, viewer: int, moves: int | None) -> State:
    """The game as it is, or as it was after some moves: of a running game only what is still the present."""
    play = table.play
    if play is None:
        raise Refused("not_started")
    if moves is None or moves >= play.state.move_number():
        return play.state.clone()
    if table.status != "over" and moves < present(play, viewer):
        raise Refused("not_over")
    return play.before(moves)


def _told_between(play: Play, first: int, last: int) -> list[Told]:
    """Tell some moves as they were told when they were made."""
    return tell(play.before(first), play.state.full_history()[first:last])


def table_view(
    table: Table, viewer: int, seats: list[SeatView], *, host: bool, muted: frozenset[int] = frozenset()
) -> TableView:
    """Show the whole table to a viewer."""
    opened, play = table.opened, table.play
    known = play.known(viewer) if play else None
    return TableView(
        number=table.number,
        table=table.id,
        game=opened.game,
        rules=opened.rules,
        players=opened.players,
        options=opened.options,
        board=opened.board_name,
        status=table.status,
        seats=seats,
        commit=opened.commit,
        luck=table.luck,
        listed=opened.listed,
        patience=opened.patience,
        host=host,
        practice=table.practice,
        look=viewer,
        moves=table.moves,
        fields=shown_fields(play.state, viewer, known, over=table.status == "over") if play and known else {},
        question=asking(table, viewer, known) if known else None,
        told=news(table, viewer),
        chat=[line for line in table.chat if line.seat not in muted],
        result=table.result(),
        rematch=table.rematch,
    )


def moved_view(
    table: Table, viewer: int, before: Fields, after: Fields, told: list[Told], known: Plain, *, back: bool = False
) -> Moved:
    """Show a viewer what is different since a choice was made, or taken back."""
    return Moved(
        number=table.number,
        moves=table.moves,
        told=told,
        changed=differences(before, after),
        question=asking(table, viewer, known),
        taken_back=back,
        result=table.result(),
        status=table.status,
    )
