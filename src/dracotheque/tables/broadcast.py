"""The viewers of a table and what is sent to them: one message for each table event, made once per viewpoint.

A client that gets every message in the order of its revision needs nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from dracotheque.tables import protocol
from dracotheque.tables.errors import CommandError
from dracotheque.tables.events import ActionTaken, AnyEvent, ChatSent, MovesTakenBack, RematchOffered, SeatChanged
from dracotheque.tables.snapshot import SPECTATOR, snapshot, updates
from dracotheque.tables.table import Table, seat_views

encode = msgspec.json.Encoder().encode


@dataclass(eq=False)
class Viewer:
    """A connected client and its viewpoint: a seat, or -1 for a spectator."""

    guest: str
    send: Callable[[bytes], None]
    viewpoint: int = SPECTATOR
    muted: frozenset[int] = frozenset()


@dataclass(eq=False)
class LiveTable:
    """A table in memory: its viewers, and the task of the bots that play at it."""

    table: Table
    viewers: set[Viewer] = field(default_factory=set[Viewer])
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    thinking: asyncio.Task[None] | None = None
    used: float = 0.0
    behind: bool = False
    """Whether the store may have events that are not applied here yet."""


def default_viewpoint(table: Table, guest: str) -> int:
    """Return a guest's first viewpoint: the own seat; without one or with several on one screen, the spectator's."""
    mine = table.seats_of(guest) if guest else []
    return mine[0] if len(mine) == 1 else SPECTATOR


# --- After an event -------------------------------------------------------------------------------------------------
def apply_and_send(live: LiveTable, event: AnyEvent, after: Table) -> None:
    """Set the table after an event, and send every viewer what the event changed."""
    before, live.table = live.table, after
    moved = _reset_viewpoints(live) if before.status == "open" and after.seats is not before.seats else set[Viewer]()
    match event:
        case ActionTaken():
            _send_update(live)
        case ChatSent():
            _send_chat(live, event)
        case RematchOffered():
            _send_to(live.viewers, encode(protocol.RematchOffer(after.revision, event.table)))
        case SeatChanged():
            _send_seats(live, live.viewers - moved)
            for viewer in moved:
                send_snapshot(live, viewer)
        case _:
            for viewer in list(live.viewers):
                send_snapshot(live, viewer, taken_back=isinstance(event, MovesTakenBack))


def _reset_viewpoints(live: LiveTable) -> set[Viewer]:
    """Reset the viewpoint of viewers who have taken, left or lost a seat, and return them."""
    moved = {viewer for viewer in live.viewers if viewer.viewpoint not in live.table.seats_of(viewer.guest)}
    moved = {viewer for viewer in moved if viewer.viewpoint != default_viewpoint(live.table, viewer.guest)}
    for viewer in moved:
        viewer.viewpoint = default_viewpoint(live.table, viewer.guest)
    return moved


def _send_update(live: LiveTable) -> None:
    """Send what a choice changed: one message for each viewpoint in use."""
    viewpoints: dict[int, list[Viewer]] = {}
    for viewer in live.viewers:
        viewpoints.setdefault(viewer.viewpoint, []).append(viewer)
    if viewpoints:
        for viewpoint, message in updates(live.table, viewpoints).items():
            _send_to(viewpoints[viewpoint], encode(message))


def _send_chat(live: LiveTable, event: ChatSent) -> None:
    """Send a line of chat; viewers that muted its seat get an empty one, since no revision may be missing."""
    revision = live.table.revision
    line = encode(protocol.ChatMessage(revision, event.seat, event.text))
    silence = encode(protocol.ChatMessage(revision, -1, ""))
    for viewer in list(live.viewers):
        viewer.send(silence if event.seat in viewer.muted else line)


def _send_seats(live: LiveTable, viewers: set[Viewer]) -> None:
    """Send the list of seats."""
    table = live.table
    for viewer in list(viewers):
        seats = seat_views(table, viewer.guest, viewer.muted)
        viewer.send(encode(protocol.SeatsUpdate(table.revision, table.status, seats)))


def _send_to(viewers: list[Viewer] | set[Viewer], message: bytes) -> None:
    """Send one message to several viewers."""
    for viewer in list(viewers):
        viewer.send(message)


# --- To one viewer --------------------------------------------------------------------------------------------------
def send_snapshot(live: LiveTable, viewer: Viewer, *, taken_back: bool = False) -> None:
    """Send a viewer the whole table."""
    message = snapshot_for(live, viewer)
    message.taken_back = taken_back
    viewer.send(encode(message))


def snapshot_for(live: LiveTable, viewer: Viewer) -> protocol.TableSnapshot:
    """Return the whole table as a viewer may see it."""
    table = live.table
    seats = seat_views(table, viewer.guest, viewer.muted)
    host = bool(viewer.guest) and viewer.guest == table.opened.host
    return snapshot(table, viewer.viewpoint, seats, host=host, muted=viewer.muted)


def set_viewpoint(live: LiveTable, viewer: Viewer, seat: int | None) -> None:
    """Set a viewer's viewpoint to one of their seats, or to the spectator's."""
    if seat is not None and seat not in live.table.seats_of(viewer.guest):
        raise CommandError("not_your_seat")
    viewer.viewpoint = SPECTATOR if seat is None else seat
    send_snapshot(live, viewer)
