"""What can be asked for over HTTP."""

from __future__ import annotations

import functools
import importlib
from typing import Annotated, Any
from urllib.parse import quote

import segno
from msgspec import Meta, Struct
from starlette.responses import Response

from dracotheque.bots.levels import LEVELS, SOLVED
from dracotheque.engine import boards, rulebook
from dracotheque.engine.cache import PACKAGE
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Box
from dracotheque.engine.log import loads
from dracotheque.engine.words import words
from dracotheque.games import SHELF
from dracotheque.games.told import ALL_CRESTS
from dracotheque.server import lessons, letters, oracle, pictures
from dracotheque.server.http import Caller, Endpoint, endpoint, read
from dracotheque.tables import messages
from dracotheque.tables.fairness import Verdict, verify
from dracotheque.tables.house import Viewer, usual_look
from dracotheque.tables.refused import Refused
from dracotheque.tables.replay import replay
from dracotheque.tables.store import Guest, Listed
from dracotheque.tables.table import Table, tidy
from dracotheque.tables.view import SPECTATOR, seen_after, story

ENDPOINTS: list[Endpoint] = []
LOBBY = 50
STRETCH = 200


def get(path: str, **types: Any) -> Any:
    """Note something that is only looked at."""
    return endpoint(ENDPOINTS, "GET", path, **types)


def post(path: str, **types: Any) -> Any:
    """Note something that changes something."""
    return endpoint(ENDPOINTS, "POST", path, **types)


# --- The shelf -----------------------------------------------------------------------------------------------------
@get("/api/games", answer=messages.Shelf)
async def shelf(caller: Caller) -> messages.Shelf:
    """Every box on the shelf, with what can be agreed on before a game."""
    return messages.Shelf([box_view(box, caller) for box in SHELF.values()])


def box_view(box: Box, caller: Caller) -> messages.BoxView:
    """Show what is printed on a box."""
    return messages.BoxView(
        name=box.name,
        title=box.title,
        designer=box.designer,
        year=box.year,
        fewest=box.fewest,
        most=box.most,
        usual=box.usual,
        age=box.age,
        minutes=box.minutes,
        rules=importlib.import_module(f"{box.package}.state").VERSION,
        options=[messages.OptionView(name, list(option.values), option.rule) for name, option in box.options.items()],
        boards=boards.names(box) if box.board else [],
        sealed=box.sealed,
        levels=list(LEVELS),
        solved=solved_view(box),
        drawn=pictures.of(box) is not None,
        ready=caller.service.carving.is_ready(box.name),
    )


def solved_view(box: Box) -> messages.Solved | None:
    """Show how a box must be set up for the Oracle, if it knows the game."""
    known = SOLVED.get(box.name)
    return messages.Solved(known.players, known.options) if known else None


def find_box(name: str) -> Box:
    """Find a box by its name."""
    if name not in SHELF:
        raise Refused("no_such_page")
    return SHELF[name]


@get("/api/games/{game}/words/{language}", answer=messages.Wording)
async def wording(caller: Caller, game: str, language: str) -> messages.Wording:
    """What the phrases of a game say in one language; `tables` are those that all games share."""
    if language not in rulebook.LANGUAGES:
        raise Refused("no_such_page")
    if game == "tables":
        entries = words(PACKAGE / "words", language).entries | words(PACKAGE / "tables" / "words", language).entries
        return messages.Wording(entries)
    return messages.Wording(words(find_box(game).folder / "words", language).entries)


@get("/api/games/{game}/rules/{language}", answer=messages.Rules)
async def rules(caller: Caller, game: str, language: str) -> messages.Rules:
    """The rulebook of a game in one language, every paragraph with its id."""
    if language not in rulebook.LANGUAGES:
        raise Refused("no_such_page")
    book = rulebook.read(find_box(game).folder / "rulebook", language)
    paragraphs = [messages.RuleView(rule.id, rule.title, rule.text) for rule in book.paragraphs.values()]
    return messages.Rules(book.markdown, paragraphs)


# --- Who I am ------------------------------------------------------------------------------------------------------
@get("/api/me", answer=messages.Me)
async def me(caller: Caller) -> messages.Me:
    """Who I am here."""
    guest = await caller.service.store.guest(caller.guest) if caller.guest else None
    return messages.Me(guest.name if guest else "", guest.crest if guest else "", bool(caller.guest))


@post("/api/me", body=messages.Profile, answer=messages.Me)
async def call_me(caller: Caller, body: messages.Profile) -> messages.Me:
    """Say how I am called and which crest I like; nothing else is asked of a guest."""
    name, guest = tidy(body.name), caller.somebody()
    await caller.service.store.put_guest(Guest(guest, name, body.crest, caller.service.house.clock()))
    return messages.Me(name, body.crest, True)


@post("/api/me/key", answer=messages.MyKey)
async def my_key(caller: Caller) -> messages.MyKey:
    """The link that makes another device mine; the key stands behind the #, so that no server's log sees it."""
    path = f"/#key={caller.service.seals.key(caller.somebody())}"
    link = whole(caller, path)
    return messages.MyKey(path, link, qr(link))


@post("/api/me/become", body=messages.Key, answer=messages.Me)
async def become(caller: Caller, body: messages.Key) -> Any:
    """Be on this device who I am on another."""
    guest = caller.service.seals.guest_with(body.key)
    if not guest:
        raise Refused("bad_key")
    caller.guest, caller.fresh = guest, True
    return await me(caller)


@post("/api/me/forget", answer=messages.Me)
async def forget(caller: Caller) -> Any:
    """Be nobody on this device from now on; my seats stay mine for whoever has my key."""
    caller.guest = ""
    caller.somebody()
    return await me(caller)


@get("/api/me/tables", answer=messages.Listings)
async def my_tables(caller: Caller) -> messages.Listings:
    """My tables, those that wait for me first, with whose turn it is."""
    found = await caller.service.store.tables_of(caller.guest, LOBBY) if caller.guest else []
    listed = [listing(each, caller.guest) for each in found]
    return messages.Listings(sorted(listed, key=lambda each: not each.my_turn))


# --- Tables --------------------------------------------------------------------------------------------------------
class LobbyQuery(Struct, forbid_unknown_fields=True):
    """Which tables to list."""

    game: str | None = None


@get("/api/tables", query=LobbyQuery, answer=messages.Listings)
async def lobby(caller: Caller, query: LobbyQuery) -> messages.Listings:
    """Tables with a free seat for anybody."""
    found = await caller.service.store.lobby(query.game, LOBBY)
    return messages.Listings([listing(each, caller.guest) for each in found])


@get("/api/running", query=LobbyQuery, answer=messages.Listings)
async def running(caller: Caller, query: LobbyQuery) -> messages.Listings:
    """Tables to watch."""
    found = await caller.service.store.running(query.game, LOBBY)
    return messages.Listings([listing(each, caller.guest) for each in found])


def listing(listed: Listed, guest: str) -> messages.Listing:
    """Show a table in a list to a guest."""
    row = listed.row
    asked = [seat for seat in range(listed.players) if row.asked >> seat & 1]
    mine = [bool(guest) and seat.guest == guest for seat in listed.seats]
    seats = [
        messages.SeatView(
            ALL_CRESTS[number],
            "bot" if seat.bot else "person" if seat.guest else "open",
            seat.name,
            seat.bot or "",
            mine[number],
        )
        for number, seat in enumerate(listed.seats)
    ]
    return messages.Listing(
        listed.id, listed.game, listed.players, row.status, seats, listed.created, listed.updated, row.moves, asked,
        any(mine[seat] for seat in asked),
    )  # fmt: skip


@post("/api/tables", body=messages.OpenTable, answer=messages.Opened)
async def open_table(caller: Caller, body: messages.OpenTable) -> messages.Opened:
    """Open a table; it begins at once when no seat is left to be taken."""
    return messages.Opened(await caller.service.house.open(caller.somebody(), body, await my_name(caller)))


async def my_name(caller: Caller) -> str:
    """How the caller is called."""
    guest = await caller.service.store.guest(caller.guest) if caller.guest and not caller.fresh else None
    return guest.name if guest else ""


@get("/api/tables/{table}", answer=messages.TableView)
async def look(caller: Caller, table: str) -> messages.TableView:
    """The whole table, as I may see it."""
    house = caller.service.house
    room = await house.room(table)
    muted = await caller.service.store.mutes(caller.guest, table) if caller.guest else frozenset[int]()
    viewer = Viewer(caller.guest, lambda news: None, usual_look(room.table, caller.guest), muted)
    return house.look(room, viewer)


@post("/api/tables/{table}/sit", body=messages.Sit, answer=messages.TableView)
async def sit(caller: Caller, table: str, body: messages.Sit) -> messages.TableView:
    """Take a seat."""
    service = caller.service
    await service.house.room(table)
    name = await my_name(caller)
    invited = functools.partial(service.seals.invites, body.invitation, table)
    await service.house.sit(table, caller.somebody(), body, name, invited)
    return await look(caller, table)


@post("/api/tables/{table}/invite", body=messages.Invite, answer=messages.Invitation)
async def invite(caller: Caller, table: str, body: messages.Invite) -> messages.Invitation:
    """The invitation to a seat, for a friend: a link and its QR code; only the host is given one."""
    room = await caller.service.house.room(table)
    if not caller.guest or caller.guest != room.table.opened.host:
        raise Refused("host_only")
    if body.seat >= len(room.table.seats):
        raise Refused("no_such_seat")
    path = f"/t/{table}#sit={caller.service.seals.invitation(table, body.seat)}"
    link = whole(caller, path)
    return messages.Invitation(path, link, qr(link))


def whole(caller: Caller, path: str) -> str:
    """Write a whole address, as the caller's browser knows this server."""
    base = caller.service.public_url or str(caller.request.base_url)
    return base.rstrip("/") + path


def qr(text: str) -> str:
    """Draw a QR code as SVG, dark on light by night too: cameras want it so."""
    try:
        code = segno.make(text, error="m")
    except segno.DataOverflowError as error:  # the caller's Host header is as long as the caller likes
        raise Refused("too_long") from error
    return code.svg_inline(scale=4, border=2, dark="#2a2018", light="#fffaf0", omitsize=True)


@post("/api/tables/{table}/do", body=messages.AnyCommand, answer=messages.Done)
async def do(caller: Caller, table: str, body: messages.AnyCommand) -> messages.Done:
    """Do something at a table: the same commands as over its socket."""
    if not caller.guest:
        raise Refused("not_seated")
    return messages.Done(body.id, await caller.service.house.do(table, caller.guest, body))


# --- What happened -------------------------------------------------------------------------------------------------
Count = Annotated[int, Meta(ge=0, le=1_000_000)]


class StoryQuery(Struct, forbid_unknown_fields=True):
    """Which moves to tell."""

    first: Count = 0


@get("/api/tables/{table}/story", query=StoryQuery, answer=messages.Story)
async def so_far(caller: Caller, table: str, query: StoryQuery) -> messages.Story:
    """What happened at a table so far, 200 moves at a time; what was laid away without its value until the end."""
    found = (await caller.service.house.room(table)).table
    moves = found.moves
    first = min(query.first, moves)
    told = await caller.service.beside(story, found, first, min(first + STRETCH, moves))
    return messages.Story(first, moves, told)


async def looked_at(caller: Caller, table: str, seat: int | None) -> tuple[Table, int]:
    """Find a table and from where it is looked at: one of my seats or a spectator's place, of a finished game any."""
    found = (await caller.service.house.room(table)).table
    seat = usual_look(found, caller.guest) if seat is None else seat
    if seat >= len(found.seats):
        raise Refused("no_such_seat")
    if seat != SPECTATOR and found.status != "over" and seat not in found.seats_of(caller.guest):
        raise Refused("not_your_seat")
    return found, seat


class ArtQuery(Struct, forbid_unknown_fields=True):
    """In which language and by which light to draw the empty board."""

    lang: messages.Language = "en"
    night: bool = False


@get("/api/tables/{table}/art", query=ArtQuery, answer=messages.Art)
async def art(caller: Caller, table: str, query: ArtQuery) -> messages.Art:
    """The empty board of a table as SVG, every place named."""
    found = (await caller.service.house.room(table)).table
    return messages.Art(await caller.service.beside(pictures.art, found.game, query.lang, query.night))


class SceneQuery(Struct, forbid_unknown_fields=True):
    """From which seat to see what stands where; `move` of a finished game, or since that seat's own last choice."""

    seat: Annotated[int, Meta(ge=-1, le=5)] | None = None
    move: Count | None = None


@get("/api/tables/{table}/scene", query=SceneQuery, answer=messages.Scene)
async def scene(caller: Caller, table: str, query: SceneQuery) -> messages.Scene:
    """What stands on the drawn board, from one of my seats or as a spectator sees it; of a finished game from any."""
    found, seat = await looked_at(caller, table, query.seat)
    state = seen_after(found, seat, query.move)
    return pictures.scene(state, seat, playing=found.status == "playing" and state.move_number() == found.moves)


class FallQuery(Struct, forbid_unknown_fields=True):
    """After how many moves to look for a falling rock; with `since` also for one that came down since then."""

    move: Count
    since: Count | None = None


@get("/api/tables/{table}/fall", query=FallQuery, answer=messages.Fall)
async def fall(caller: Caller, table: str, query: FallQuery) -> messages.Fall:
    """How the rock fell at a moment, for everybody to see."""
    found = (await caller.service.house.room(table)).table
    return await caller.service.falls.seen(found, query.move, query.since, caller.service.beside)


class WhyQuery(Struct, forbid_unknown_fields=True):
    """At which place somebody would have liked to choose."""

    place: Annotated[str, Meta(max_length=40)]
    seat: Annotated[int, Meta(ge=0, le=5)]


@get("/api/tables/{table}/why", query=WhyQuery, answer=messages.WhyNot)
async def why_not(caller: Caller, table: str, query: WhyQuery) -> messages.WhyNot:
    """By which rule nothing can be chosen at a place now."""
    found, seat = await looked_at(caller, table, query.seat)
    return messages.WhyNot(pictures.why_not(seen_after(found, seat, None), seat, query.place))


class LessonQuery(Struct, forbid_unknown_fields=True):
    """Which of my seats has to choose."""

    seat: Annotated[int, Meta(ge=0, le=5)]


@get("/api/tables/{table}/lesson", query=LessonQuery, answer=messages.Lesson)
async def lesson(caller: Caller, table: str, query: LessonQuery) -> messages.Lesson:
    """What a beginner should know before choosing; advice only where nobody else plays."""
    found, seat = await looked_at(caller, table, query.seat)
    state = seen_after(found, seat, None)
    return await caller.service.beside(functools.partial(lessons.lesson, state, seat, advised=found.practice))


class ChancesQuery(Struct, forbid_unknown_fields=True):
    """After how many moves of a finished game."""

    move: Count | None = None


@get("/api/tables/{table}/chances", query=ChancesQuery, answer=messages.Chances)
async def exact_chances(caller: Caller, table: str, query: ChancesQuery) -> messages.Chances:
    """How often every choice wins, where perfect play is known: my own while nobody else plays; all after the game."""
    found = (await caller.service.house.room(table)).table
    return await caller.service.beside(oracle.chances, found, caller.guest, query.move)


class BoardQuery(Struct, forbid_unknown_fields=True):
    """From which seat to draw the board, in which language, how wide; `move` as for a scene."""

    seat: Annotated[int, Meta(ge=-1, le=5)] | None = None
    lang: messages.Language = "en"
    width: Annotated[int, Meta(ge=40, le=160)] = 100
    move: Count | None = None


@get("/api/tables/{table}/board", query=BoardQuery, answer=messages.Drawn)
async def board(caller: Caller, table: str, query: BoardQuery) -> messages.Drawn:
    """The board in letters as HTML, from one of my seats or as a spectator sees it; of a finished game from any."""
    found, seat = await looked_at(caller, table, query.seat)
    state = seen_after(found, seat, query.move)
    drawn = await caller.service.beside(letters.board, found, state, seat, query.lang, query.width)
    return messages.Drawn(drawn)


class ReplayQuery(Struct, forbid_unknown_fields=True):
    """From where to see a finished game, and from which move on."""

    seat: Annotated[int, Meta(ge=-1, le=5)] = SPECTATOR
    first: Count = 0
    open: bool = False


@get("/api/tables/{table}/replay", query=ReplayQuery, answer=messages.Replay)
async def replayed(caller: Caller, table: str, query: ReplayQuery) -> messages.Replay:
    """A finished game from any seat, 200 moves at a time: the first moment has all fields, the others what changed."""
    found = (await caller.service.house.room(table)).table
    return await caller.service.beside(
        functools.partial(replay, found, query.seat, query.first, STRETCH, openly=query.open)
    )


@get("/api/tables/{table}/score", answer=messages.Sheet)
async def score(caller: Caller, table: str) -> messages.Sheet:
    """The score of a finished game, row by row as the rulebook adds it up."""
    found = (await caller.service.house.room(table)).table
    if found.status != "over" or found.play is None:
        raise Refused("not_over")
    return messages.Sheet(found.game.scene.sheet(found.play.table))


@get("/api/tables/{table}/moments", answer=messages.Moments)
async def turning_points(caller: Caller, table: str) -> messages.Moments:
    """The moments that mattered in a finished game, and everybody's chance of winning from move to move."""
    return await caller.service.looking_back.on((await caller.service.house.room(table)).table)


@get("/api/tables/{table}/log", media="application/json")
async def download(caller: Caller, table: str) -> Response:
    """The log of a finished game, for `dracotheque replay` and `dracotheque verify`."""
    found = (await caller.service.house.room(table)).table
    text = found.log().dumps()
    name = quote(f"{found.opened.game}-{table}.json")
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(text, media_type="application/json", headers=headers)


@get("/api/tables/{table}/dice", answer=messages.Dice)
async def dice(caller: Caller, table: str) -> messages.Dice:
    """What a table has promised about its dice, and once it is over whether that was kept."""
    found: Table = (await caller.service.house.room(table)).table
    if found.status != "over":
        return messages.Dice(table, found.opened.commit, found.luck)
    return dice_view(await caller.service.beside(verify, found.log()))


def dice_view(verdict: Verdict) -> messages.Dice:
    """Show what came of checking dice."""
    kept = verdict.dice
    return messages.Dice(
        kept.table, kept.commit, kept.luck, kept.seed or "", verdict.fair, verdict.draws, verdict.text()
    )


@post("/api/verify", answer=messages.Dice)
async def verify_file(caller: Caller) -> messages.Dice:
    """Check the dice of any downloaded log."""
    data = await read(caller.request, caller.service.limits.body * 4)
    try:
        return dice_view(await caller.service.beside(lambda: verify(loads(data.decode()))))
    except (DracothequeError, UnicodeDecodeError) as error:
        why = str(error).encode("utf-8", "backslashreplace").decode()  # a log may quote half a character
        raise Refused("bad_message", why=why) from error
