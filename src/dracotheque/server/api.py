"""The endpoints of the HTTP API."""

from __future__ import annotations

import functools
from typing import Annotated, Any
from urllib.parse import quote

import segno
from msgspec import Meta, Struct
from starlette.responses import Response

from dracotheque.bots import default_bots
from dracotheque.bots.levels import LEVELS
from dracotheque.engine import board_files, default_rules, registry, rulebook
from dracotheque.engine.definition import GameDefinition
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.jit.cache import PACKAGE
from dracotheque.engine.log import loads
from dracotheque.engine.phrases import game_words, words
from dracotheque.presentation.narration import ALL_CRESTS
from dracotheque.presentation.score_rows import score_rows
from dracotheque.server.http import Endpoint, RequestContext, endpoint, read
from dracotheque.server.static import own_files
from dracotheque.tables import answers, board, exact_values, hints, protocol
from dracotheque.tables.broadcast import Viewer, default_viewpoint, snapshot_for
from dracotheque.tables.errors import CommandError
from dracotheque.tables.fairness import FairnessVerdict, verify
from dracotheque.tables.snapshot import SPECTATOR, move_list, state_after
from dracotheque.tables.storage.store import Guest, TableListing
from dracotheque.tables.table import Table, tidy

ENDPOINTS: list[Endpoint] = []
LOBBY = 50
STRETCH = 200


def get(path: str, **types: Any) -> Any:
    """Note something that is only looked at."""
    return endpoint(ENDPOINTS, "GET", path, **types)


def post(path: str, **types: Any) -> Any:
    """Note something that changes something."""
    return endpoint(ENDPOINTS, "POST", path, **types)


# --- Games ---------------------------------------------------------------------------------------------------------
@get("/api/games", answer=answers.GameList)
async def list_games(caller: RequestContext) -> answers.GameList:
    """Every game, with its options."""
    failed = caller.service.precompiler.failed
    offered = (game for name, game in registry.offered_games().items() if name not in failed)
    return answers.GameList([game_info(game, caller) for game in offered])


def game_info(definition: GameDefinition, caller: RequestContext) -> answers.GameInfo:
    """Return what a lobby shows of a game."""
    return answers.GameInfo(
        name=definition.name,
        title=definition.title,
        designer=definition.designer,
        year=definition.year or 0,
        min_players=definition.min_players,
        max_players=definition.max_players,
        default_players=definition.default_players,
        age=definition.min_age,
        minutes=definition.minutes,
        rules=registry.part(definition, "rules", default_rules.defaults).VERSION,
        options=[
            answers.OptionView(name, list(option.values), option.rule, option.several)
            for name, option in definition.options.items()
        ],
        boards=board_files.names(definition) if definition.has_board_files else [],
        sealed=definition.simultaneous,
        levels=list(LEVELS),
        solved=solved_view(definition),
        web=own_files(definition),
        ready=caller.service.precompiler.is_ready(definition.name),
    )


def solved_view(definition: GameDefinition) -> answers.Solved | None:
    """Show how a box must be set up for the Oracle, if it knows the game."""
    known = default_bots.bots_in(definition).EXACT_SETUP
    return answers.Solved(known.players, dict(known.options)) if known else None


def find_game(name: str) -> GameDefinition:
    """Find a game by its name."""
    if name not in registry.games():
        raise CommandError("no_such_page")
    return registry.games()[name]


@get("/api/games/{game}/words/{language}", answer=answers.CatalogView)
async def wording(caller: RequestContext, game: str, language: str) -> answers.CatalogView:
    """What the phrases of a game say in one language, or else in English; `tables` are those that all games share."""
    if language not in rulebook.LANGUAGES:
        raise CommandError("no_such_page")
    if game == "tables":
        entries = words(PACKAGE / "locale", language).entries | words(PACKAGE / "tables" / "locale", language).entries
        return answers.CatalogView(entries)
    catalogue = game_words(find_game(game), language)
    return answers.CatalogView({**catalogue.fallback, **catalogue.entries})


@get("/api/games/{game}/rules/{language}", answer=answers.Rules)
async def rules(caller: RequestContext, game: str, language: str) -> answers.Rules:
    """The rulebook of a game in one language, every paragraph with its id."""
    if language not in rulebook.LANGUAGES:
        raise CommandError("no_such_page")
    book = rulebook.read(find_game(game).folder / "rulebook", language)
    paragraphs = [answers.RuleView(rule.id, rule.title, rule.text) for rule in book.paragraphs.values()]
    return answers.Rules(book.markdown, paragraphs)


# --- Who I am ------------------------------------------------------------------------------------------------------
@get("/api/me", answer=answers.Me)
async def me(caller: RequestContext) -> answers.Me:
    """Who I am here."""
    guest = await caller.service.store.guest(caller.guest) if caller.guest else None
    return answers.Me(guest.name if guest else "", guest.crest if guest else "", bool(caller.guest))


@post("/api/me", body=protocol.Profile, answer=answers.Me)
async def call_me(caller: RequestContext, body: protocol.Profile) -> answers.Me:
    """Return how I am called and which crest I like; nothing else is asked of a guest."""
    name, guest = tidy(body.name), caller.somebody()
    await caller.service.store.put_guest(Guest(guest, name, body.crest, caller.service.manager.clock()))
    return answers.Me(name, body.crest, True)


@post("/api/me/key", answer=answers.MyKey)
async def my_key(caller: RequestContext) -> answers.MyKey:
    """The link that makes another device mine; the key stands behind the #, so that no server's log sees it."""
    path = f"/#key={caller.service.signer.key(caller.somebody())}"
    link = whole(caller, path)
    return answers.MyKey(path, link, qr(link))


@post("/api/me/become", body=protocol.Key, answer=answers.Me)
async def become(caller: RequestContext, body: protocol.Key) -> Any:
    """Be on this device who I am on another."""
    guest = caller.service.signer.guest_with(body.key)
    if not guest:
        raise CommandError("bad_key")
    caller.guest, caller.fresh = guest, True
    return await me(caller)


@post("/api/me/forget", answer=answers.Me)
async def forget(caller: RequestContext) -> Any:
    """Sign out on this device; my seats stay reserved for my key."""
    caller.guest = ""
    caller.somebody()
    return await me(caller)


@get("/api/me/tables", answer=answers.Listings)
async def my_tables(caller: RequestContext) -> answers.Listings:
    """My tables, those that wait for me first, with whose turn it is."""
    found = await caller.service.store.tables_of(caller.guest, LOBBY) if caller.guest else []
    listed = [listing(each, caller.guest) for each in found]
    return answers.Listings(sorted(listed, key=lambda each: not each.my_turn))


# --- Tables --------------------------------------------------------------------------------------------------------
class LobbyQuery(Struct, forbid_unknown_fields=True):
    """Which tables to list."""

    game: str | None = None


@get("/api/tables", query=LobbyQuery, answer=answers.Listings)
async def lobby(caller: RequestContext, query: LobbyQuery) -> answers.Listings:
    """Tables with a free seat for anyone."""
    found = await caller.service.store.lobby(query.game, LOBBY)
    return answers.Listings([listing(each, caller.guest) for each in found])


@get("/api/running", query=LobbyQuery, answer=answers.Listings)
async def running(caller: RequestContext, query: LobbyQuery) -> answers.Listings:
    """Tables to watch."""
    found = await caller.service.store.running(query.game, LOBBY)
    return answers.Listings([listing(each, caller.guest) for each in found])


def listing(listed: TableListing, guest: str) -> answers.Listing:
    """Show a table in a list to a guest."""
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


@post("/api/tables", body=protocol.CreateTable, answer=answers.TableCreated)
async def open_table(caller: RequestContext, body: protocol.CreateTable) -> answers.TableCreated:
    """Open a table; it begins at once when no seat is left to be taken."""
    return answers.TableCreated(await caller.service.manager.open(caller.somebody(), body, await my_name(caller)))


async def my_name(caller: RequestContext) -> str:
    """How the caller is called."""
    guest = await caller.service.store.guest(caller.guest) if caller.guest and not caller.fresh else None
    return guest.name if guest else ""


@get("/api/tables/{table}", answer=protocol.TableSnapshot)
async def read_table(caller: RequestContext, table: str) -> protocol.TableSnapshot:
    """The whole table as I may see it, as a socket sends it first."""
    live = await caller.service.manager.live_table(table)
    muted = await caller.service.store.mutes(caller.guest, table) if caller.guest else frozenset[int]()
    viewer = Viewer(caller.guest, lambda message: None, default_viewpoint(live.table, caller.guest), muted)
    return snapshot_for(live, viewer)


@post("/api/tables/{table}/sit", body=protocol.TakeSeat, answer=protocol.TableSnapshot)
async def sit(caller: RequestContext, table: str, body: protocol.TakeSeat) -> protocol.TableSnapshot:
    """Take a seat."""
    service = caller.service
    await service.manager.live_table(table)
    name = await my_name(caller)
    invited = functools.partial(service.signer.invites, body.invitation, table)
    await service.manager.sit(table, caller.somebody(), body, name, invited)
    return await read_table(caller, table)


@post("/api/tables/{table}/invite", body=protocol.Invite, answer=answers.Invitation)
async def invite(caller: RequestContext, table: str, body: protocol.Invite) -> answers.Invitation:
    """The invitation to a seat, for a friend: a link and its QR code; only the host is given one."""
    live = await caller.service.manager.live_table(table)
    if not caller.guest or caller.guest != live.table.opened.host:
        raise CommandError("host_only")
    if body.seat >= len(live.table.seats):
        raise CommandError("no_such_seat")
    path = f"/t/{table}#sit={caller.service.signer.invitation(table, body.seat)}"
    link = whole(caller, path)
    return answers.Invitation(path, link, qr(link))


def whole(caller: RequestContext, path: str) -> str:
    """Write a whole address, as the caller's browser knows this server."""
    base = caller.service.public_url or str(caller.request.base_url)
    return base.rstrip("/") + path


def qr(text: str) -> str:
    """Draw a QR code as SVG, dark on light by night too: cameras want it so."""
    try:
        code = segno.make(text, error="m")
    except segno.DataOverflowError as error:  # the caller's Host header is as long as the caller likes
        raise CommandError("too_long") from error
    return code.svg_inline(scale=4, border=2, dark="#2a2018", light="#fffaf0", omitsize=True)


@post("/api/tables/{table}/do", body=protocol.AnyCommand, answer=protocol.Ack)
async def do(caller: RequestContext, table: str, body: protocol.AnyCommand) -> protocol.Ack:
    """Do something at a table: the same commands as over its socket."""
    if not caller.guest:
        raise CommandError("not_seated")
    return protocol.Ack(body.id, await caller.service.manager.do(table, caller.guest, body))


# --- What happened -------------------------------------------------------------------------------------------------
Count = Annotated[int, Meta(ge=0, le=1_000_000)]


class MovesQuery(Struct, forbid_unknown_fields=True):
    """From which move on to list moves; of a finished game, as which seat saw them, or with nothing hidden."""

    first: Count = 0
    seat: Annotated[int, Meta(ge=-1, le=5)] = SPECTATOR
    open: bool = False


@get("/api/tables/{table}/moves", query=MovesQuery, answer=answers.MoveList)
async def moves(caller: RequestContext, table: str, query: MovesQuery) -> answers.MoveList:
    """The moves of a game, 200 at a time: events of a running one, of a finished one also what each changed."""
    if query.seat == SPECTATOR:
        found = (await caller.service.manager.live_table(table)).table
    else:
        found, _ = await looked_at(caller, table, query.seat)
    listed = functools.partial(move_list, found, query.seat, query.first, STRETCH, openly=query.open)
    return await caller.service.beside(listed)


async def looked_at(caller: RequestContext, table: str, seat: int) -> tuple[Table, int]:
    """Find a table and from where it is looked at: one of my seats or a spectator's place, of a finished game any."""
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


@get("/api/tables/{table}/board.svg", query=BoardSvgQuery, answer=answers.BoardSvg)
async def board_svg(caller: RequestContext, table: str, query: BoardSvgQuery) -> answers.BoardSvg:
    """The empty board of a table as SVG, every place named."""
    found = (await caller.service.manager.live_table(table)).table
    return answers.BoardSvg(await caller.service.beside(board.svg, found.game, query.lang, query.night))


class RecordingQuery(Struct, forbid_unknown_fields=True):
    """After how many moves something began to happen physically, as a move record names it."""

    move: Count


@get("/api/tables/{table}/recording", query=RecordingQuery, answer=answers.Recording)
async def recording(caller: RequestContext, table: str, query: RecordingQuery) -> answers.Recording:
    """The recorded path of the rock from a move on."""
    found = (await caller.service.manager.live_table(table)).table
    return await caller.service.falls.seen(found, query.move, caller.service.beside)


class RefusalQuery(Struct, forbid_unknown_fields=True):
    """The place at which a choice is not possible."""

    place: Annotated[str, Meta(max_length=40)]
    seat: Annotated[int, Meta(ge=0, le=5)]


@get("/api/tables/{table}/refusal", query=RefusalQuery, answer=answers.Refusal)
async def refusal(caller: RequestContext, table: str, query: RefusalQuery) -> answers.Refusal:
    """By which rule nothing can be chosen at a place now."""
    found, seat = await looked_at(caller, table, query.seat)
    return answers.Refusal(board.refusal(state_after(found, None), seat, query.place))


class HintsQuery(Struct, forbid_unknown_fields=True):
    """Which of my seats has to choose."""

    seat: Annotated[int, Meta(ge=0, le=5)]


@get("/api/tables/{table}/hints", query=HintsQuery, answer=answers.Hints)
async def hints_for(caller: RequestContext, table: str, query: HintsQuery) -> answers.Hints:
    """Hints before a choice; what looks good only alone with bots."""
    found, seat = await looked_at(caller, table, query.seat)
    state = state_after(found, None)
    return await caller.service.beside(functools.partial(hints.hints, state, seat, advised=found.practice))


class ActionValuesQuery(Struct, forbid_unknown_fields=True):
    """After how many moves of a finished game."""

    move: Count | None = None


@get("/api/tables/{table}/action-values", query=ActionValuesQuery, answer=answers.ActionValues)
async def action_values(caller: RequestContext, table: str, query: ActionValuesQuery) -> answers.ActionValues:
    """How often each choice wins, where perfect play is known: mine while alone with bots; all after the game."""
    found = (await caller.service.manager.live_table(table)).table
    return await caller.service.beside(exact_values.action_values, found, caller.guest, query.move)


@get("/api/tables/{table}/score", answer=answers.ScoreSheet)
async def score(caller: RequestContext, table: str) -> answers.ScoreSheet:
    """The score of a finished game, row by row as the rulebook adds it up."""
    found = (await caller.service.manager.live_table(table)).table
    if found.status != "over" or found.play is None:
        raise CommandError("not_over")
    return answers.ScoreSheet(score_rows(found.game, found.play.position.plain))


@get("/api/tables/{table}/analysis", answer=answers.Analysis)
async def analysis(caller: RequestContext, table: str) -> answers.Analysis:
    """The key moments of a finished game, and each player's chance of winning from move to move."""
    return await caller.service.looking_back.on((await caller.service.manager.live_table(table)).table)


@get("/api/tables/{table}/log", media="application/json")
async def download(caller: RequestContext, table: str) -> Response:
    """The log of a finished game, for `dracotheque replay` and `dracotheque verify`."""
    found = (await caller.service.manager.live_table(table)).table
    text = found.log().dumps()
    name = quote(f"{found.opened.game}-{table}.json")
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(text, media_type="application/json", headers=headers)


@get("/api/tables/{table}/dice", answer=answers.FairnessReport)
async def dice(caller: RequestContext, table: str) -> answers.FairnessReport:
    """What a table has promised about its dice, and once it is over whether that was kept."""
    found: Table = (await caller.service.manager.live_table(table)).table
    if found.status != "over":
        return answers.FairnessReport(table, found.opened.commit, found.luck)
    return dice_view(await caller.service.beside(verify, found.log()))


def dice_view(verdict: FairnessVerdict) -> answers.FairnessReport:
    """Show what came of checking dice."""
    kept = verdict.dice
    return answers.FairnessReport(
        kept.table, kept.commit, kept.luck, kept.seed or "", verdict.fair, verdict.draws, verdict.text()
    )


@post("/api/verify", answer=answers.FairnessReport)
async def verify_file(caller: RequestContext) -> answers.FairnessReport:
    """Check the dice of any downloaded log."""
    data = await read(caller.request, caller.service.limits.body * 4)
    try:
        return dice_view(await caller.service.beside(lambda: verify(loads(data.decode()))))
    except (DracothequeError, UnicodeDecodeError) as error:
        why = str(error).encode("utf-8", "backslashreplace").decode()  # a log may quote half a character
        raise CommandError("bad_message", why=why) from error
