"""Endpoints of tables: lists of them, opening and joining one, commands, moves, the board."""

from __future__ import annotations

import functools
from typing import Annotated

from msgspec import Meta, Struct

from dracotheque.presentation.narration import ALL_CRESTS
from dracotheque.server.http import EndpointList, RequestContext
from dracotheque.server.links import absolute_url, qr_code
from dracotheque.tables import answers, board, protocol
from dracotheque.tables.broadcast import Viewer, default_viewpoint, snapshot_for
from dracotheque.tables.errors import CommandError
from dracotheque.tables.snapshot import SPECTATOR, move_list
from dracotheque.tables.storage.store import TableListing
from dracotheque.tables.table import Table

endpoints = EndpointList()
MAX_LISTED = 50
MAX_MOVES = 200
Count = Annotated[int, Meta(ge=0, le=1_000_000)]


class LobbyQuery(Struct, forbid_unknown_fields=True):
    """Which tables to list."""

    game: str | None = None


@endpoints.get("/api/tables", query=LobbyQuery, answer=answers.Listings)
async def lobby(caller: RequestContext, query: LobbyQuery) -> answers.Listings:
    """Tables with a free seat for anyone."""
    found = await caller.service.store.lobby(query.game, MAX_LISTED)
    return answers.Listings([listing(each, caller.guest) for each in found])


@endpoints.get("/api/running", query=LobbyQuery, answer=answers.Listings)
async def running(caller: RequestContext, query: LobbyQuery) -> answers.Listings:
    """Tables to watch."""
    found = await caller.service.store.running(query.game, MAX_LISTED)
    return answers.Listings([listing(each, caller.guest) for each in found])


def listing(listed: TableListing, guest: str) -> answers.Listing:
    """Return a table of a list as a guest sees it."""
    row = listed.row
    asked = [seat for seat in range(listed.players) if row.asked >> seat & 1]
    mine = [bool(guest) and seat.guest == guest for seat in listed.seats]
    seats = [
        protocol.SeatView(
            ALL_CRESTS[number],
            "bot" if seat.bot else "person" if seat.guest else "open",
            seat.name,
            seat.bot or "",
            mine[number],
        )
        for number, seat in enumerate(listed.seats)
    ]
    return answers.Listing(
        listed.id, listed.game, listed.players, row.status, seats, listed.created, listed.updated, row.moves, asked,
        any(mine[seat] for seat in asked),
    )  # fmt: skip


@endpoints.post("/api/tables", body=protocol.CreateTable, answer=answers.TableCreated)
async def open_table(caller: RequestContext, body: protocol.CreateTable) -> answers.TableCreated:
    """Open a table; it begins at once when no seat is left to be taken."""
    return answers.TableCreated(await caller.service.manager.open(caller.ensure_guest(), body, await name_of(caller)))


async def name_of(caller: RequestContext) -> str:
    """Return the name of the caller, or an empty text."""
    guest = await caller.service.store.guest(caller.guest) if caller.guest and not caller.fresh else None
    return guest.name if guest else ""


@endpoints.get("/api/tables/{table}", answer=protocol.TableSnapshot)
async def read_table(caller: RequestContext, table: str) -> protocol.TableSnapshot:
    """The whole table as I may see it, as a socket sends it first."""
    live = await caller.service.manager.live_table(table)
    muted = await caller.service.store.mutes(caller.guest, table) if caller.guest else frozenset[int]()
    viewer = Viewer(caller.guest, lambda message: None, default_viewpoint(live.table, caller.guest), muted)
    return snapshot_for(live, viewer)


@endpoints.post("/api/tables/{table}/sit", body=protocol.TakeSeat, answer=protocol.TableSnapshot)
async def sit(caller: RequestContext, table: str, body: protocol.TakeSeat) -> protocol.TableSnapshot:
    """Take a seat."""
    service = caller.service
    await service.manager.live_table(table)
    name = await name_of(caller)
    invited = functools.partial(service.signer.invites, body.invitation, table)
    await service.manager.sit(table, caller.ensure_guest(), body, name, invited)
    return await read_table(caller, table)


@endpoints.post("/api/tables/{table}/invite", body=protocol.Invite, answer=answers.Invitation)
async def invite(caller: RequestContext, table: str, body: protocol.Invite) -> answers.Invitation:
    """The invitation to a seat, for a friend: a link and its QR code; only the host is given one."""
    live = await caller.service.manager.live_table(table)
    if not caller.guest or caller.guest != live.table.opened.host:
        raise CommandError("host_only")
    if body.seat >= len(live.table.seats):
        raise CommandError("no_such_seat")
    path = f"/t/{table}#sit={caller.service.signer.invitation(table, body.seat)}"
    link = absolute_url(caller, path)
    return answers.Invitation(path, link, qr_code(link))


@endpoints.post("/api/tables/{table}/do", body=protocol.AnyCommand, answer=protocol.Ack)
async def do(caller: RequestContext, table: str, body: protocol.AnyCommand) -> protocol.Ack:
    """Do something at a table: the same commands as over its socket."""
    if not caller.guest:
        raise CommandError("not_seated")
    return protocol.Ack(body.id, await caller.service.manager.do(table, caller.guest, body))


class MovesQuery(Struct, forbid_unknown_fields=True):
    """From which move on to list moves; of a finished game, as which seat saw them, or with nothing hidden."""

    first: Count = 0
    seat: Annotated[int, Meta(ge=-1, le=5)] = SPECTATOR
    open: bool = False


@endpoints.get("/api/tables/{table}/moves", query=MovesQuery, answer=answers.MoveList)
async def moves(caller: RequestContext, table: str, query: MovesQuery) -> answers.MoveList:
    """The moves of a game, 200 at a time: events of a running one, of a finished one also what each changed."""
    if query.seat == SPECTATOR:
        found = (await caller.service.manager.live_table(table)).table
    else:
        found, _ = await visible_table(caller, table, query.seat)
    listed = functools.partial(move_list, found, query.seat, query.first, MAX_MOVES, openly=query.open)
    return await caller.service.in_thread(listed)


async def visible_table(caller: RequestContext, table: str, seat: int) -> tuple[Table, int]:
    """Return a table and the seat to see it from: one of the caller's, of a finished game any."""
    found = (await caller.service.manager.live_table(table)).table
    if seat >= len(found.seats):
        raise CommandError("no_such_seat")
    if found.status != "over" and seat not in found.seats_of(caller.guest):
        raise CommandError("not_your_seat")
    return found, seat


class BoardSvgQuery(Struct, forbid_unknown_fields=True):
    """In which language and by which light to draw the empty board."""

    lang: protocol.Language = "en"
    night: bool = False


@endpoints.get("/api/tables/{table}/board.svg", query=BoardSvgQuery, answer=answers.BoardSvg)
async def board_svg(caller: RequestContext, table: str, query: BoardSvgQuery) -> answers.BoardSvg:
    """The empty board of a table as SVG, every place named."""
    found = (await caller.service.manager.live_table(table)).table
    return answers.BoardSvg(await caller.service.in_thread(board.svg, found.game, query.lang, query.night))


class RecordingQuery(Struct, forbid_unknown_fields=True):
    """After how many moves something began to happen physically, as a move record names it."""

    move: Count


@endpoints.get("/api/tables/{table}/recording", query=RecordingQuery, answer=answers.Recording)
async def recording(caller: RequestContext, table: str, query: RecordingQuery) -> answers.Recording:
    """The recorded path of the rock from a move on."""
    found = (await caller.service.manager.live_table(table)).table
    return await caller.service.recordings.recording(found, query.move, caller.service.in_thread)
