"""What a viewer is shown: the table's fields as far as that viewer may see them, what happened, what is asked.

This is the one way from a table to the outside. `observe` removes what is secret; what was laid away for all to see is
shown while it happens and then only as a card back or a closed lid, until the end.
"""

from __future__ import annotations

from typing import Any

from dracotheque.engine.game import Game, State
from dracotheque.engine.record import Plain
from dracotheque.tables.messages import Choice, Moved, Question, SeatView, TableView, Told
from dracotheque.tables.table import Play, Table, choosers

Fields = dict[str, Any]
SPECTATOR = -1


def observed(state: State, viewer: int) -> Plain:
    """The table as a viewer knows it; where a game has no secrets, everybody knows everything."""
    return state.observation(viewer) if state.game.box.sealed else state.table()


def shown_fields(state: State, viewer: int, known: Plain | None = None, *, over: bool = False) -> Fields:
    """Every field of the state as a viewer may look at it now: what is laid away lies face down until the end."""
    table = known or observed(state, viewer)
    fields = {name: getattr(table, name) for name in state.game.layout.state.names or ()}
    lay_away = getattr(state.game.scene, "lay_away", None)
    if lay_away and not over and not state.is_terminal():
        lay_away(fields, viewer)
    return fields


def differences(before: Fields, after: Fields) -> Fields:
    """The fields that are not as they were."""
    return {name: value for name, value in after.items() if before.get(name) != value}


def asking(table: Table, viewer: int) -> Question | None:
    """What has to be decided now, with the choices of the viewer's own seat."""
    if table.play is None or table.status != "playing":
        return None
    play = table.play
    return question(play.state, viewer, play.asked_at.get(viewer, 0), play.known(viewer))


def question(state: State, viewer: int, at: int, known: Plain | None = None) -> Question | None:
    """Put the question of a position to a viewer."""
    seats = choosers(state)
    if not seats:
        return None
    scene, known = state.game.scene, known or observed(state, viewer)
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


def tell_turn(before: Play, after: Play, moves: list[tuple[int, int]]) -> list[Told]:
    """Tell a choice and what chance brought after it, from the positions before and after."""
    events, last = before.state.game.scene.events, moves[-1]
    told: list[Told] = []
    table = before.table
    if len(moves) > 1:
        state = before.state.clone()
        for player, action in moves[:-1]:
            state.apply_action(action, player)
            following = state.table()
            told.append(Told(player, events(table, player, action, following)))
            table = following
    return [*told, Told(last[0], events(table, *last, after.table))]


def tell(state: State, moves: list[tuple[int, int]]) -> list[Told]:
    """Play moves on from a state and tell to the whole table what each made happen."""
    told: list[Told] = []
    before = state.table()
    for player, action in moves:
        state.apply_action(action, player)
        after = state.table()
        told.append(Told(player, state.game.scene.events(before, player, action, after)))
        before = after
    return told


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
    told = _told_from(table, table.play.state.full_history(), first, last)
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
    turns = table.play.turns
    mine = [turn.first for turn in turns if turn.seat == viewer and viewer != SPECTATOR]
    history = table.play.state.full_history()
    return _told_from(table, history, mine[-1] if mine else turns[-1].first, len(history))


def _told_from(table: Table, history: list[tuple[int, int]], first: int, last: int) -> list[Told]:
    """Tell some moves as they were told when they were made."""
    state = table.game.new_initial_state()
    for player, action in history[:first]:
        state.apply_action(action, player)
    return tell(state, history[first:last])


def table_view(
    table: Table, viewer: int, seats: list[SeatView], *, host: bool, muted: frozenset[int] = frozenset()
) -> TableView:
    """Show the whole table to a viewer."""
    opened, play = table.opened, table.play
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
        moves=play.state.move_number() if play else 0,
        fields=shown_fields(play.state, viewer, over=table.status == "over") if play else {},
        question=asking(table, viewer),
        told=news(table, viewer),
        chat=[line for line in table.chat if line.seat not in muted],
        result=table.result(),
        rematch=table.rematch,
    )


def moved_view(
    table: Table, viewer: int, before: Fields, after: Fields, told: list[Told], known: Plain, *, back: bool = False
) -> Moved:
    """Show a viewer what is different since a choice was made, or taken back."""
    play = table.play
    assert play is not None
    playing = table.status == "playing"
    asked = question(play.state, viewer, play.asked_at.get(viewer, 0), known) if playing else None
    return Moved(
        number=table.number,
        moves=play.state.move_number(),
        told=told,
        changed=differences(before, after),
        question=asked,
        taken_back=back,
        result=table.result(),
        status=table.status,
    )
