"""Everything that goes between a table and whoever sits at it or watches: typed once, here.

The page's TypeScript types, the OpenAPI document and the checks of what comes in are all made from these classes.
Sentences travel as phrases (`engine/words.py`), so that everybody reads them in their own language.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from dracotheque.engine.words import Event, Phrase
from dracotheque.games.pictures import Holding, Piece
from dracotheque.games.sheets import ScoreRow
from dracotheque.games.told import ALL_CRESTS

Level = Literal["hatchling", "squire", "knight", "dragon", "oracle"]
SeatNumber = Annotated[int, Meta(ge=0, le=5)]
Name = Annotated[str, Meta(max_length=24)]
Luck = Annotated[str, Meta(max_length=32, pattern="^[A-Za-z0-9-]*$")]
Text = Annotated[str, Meta(min_length=1, max_length=280)]
Language = Literal["en", "fr", "it", "de"]
Crest = Literal["", "lion", "tower", "star", "oak", "wave", "falcon"]
Patience = Annotated[int, Meta(ge=30, le=30 * 86_400)]
"""Seconds after which a bot plays for somebody who is gone."""

assert Crest.__args__[1:] == ALL_CRESTS


class Asked(Struct, forbid_unknown_fields=True):
    """Anything that is asked of the server: what it does not know is refused, not ignored."""


# --- What people ask for over HTTP -------------------------------------------------------------------------------
class SeatWish(Asked):
    """Who is to sit on a seat: me, another person at this screen, a friend by link, a bot, or whoever comes."""

    kind: Literal["me", "screen", "link", "bot", "open"]
    name: Name = ""
    level: Level = "squire"


class OpenTable(Asked):
    """Open a table; it begins at once where no seat is left to be taken, unless `begin` is false."""

    game: str
    seats: Annotated[list[SeatWish], Meta(min_length=2, max_length=6)]
    options: dict[str, str] = {}
    board: str | None = None
    """The name of one of the box's other boards."""
    listed: bool = False
    """Whether strangers find it in the lobby; who knows its address may watch all the same."""
    patience: Patience | None = None
    begin: bool = True


class Sit(Asked):
    """Take a seat: any free one, or the one an invitation is for."""

    seat: SeatNumber | None = None
    invitation: Annotated[str, Meta(max_length=64)] = ""
    name: Name = ""
    luck: Luck = ""


class Invite(Asked):
    """Ask for the invitation to a seat."""

    seat: SeatNumber


class Profile(Asked):
    """How I am called, and which crest I like to have."""

    name: Name = ""
    crest: Crest = ""


class Key(Asked):
    """The key that brings me to another device."""

    key: Annotated[str, Meta(max_length=128)]


# --- What people ask for at a table, over the socket or HTTP -------------------------------------------------------
class Command(Asked, tag_field="do"):
    """Something done at a table; over a socket the answer carries the same `id`."""

    id: int = 0


class Move(Command, tag="move", kw_only=True):
    """Make a choice; `at` is that of the question it answers, so that nothing is answered twice or too late."""

    seat: SeatNumber
    at: int
    action: int


class BringLuck(Command, tag="bring-luck", kw_only=True):
    """Add something of my own to the dice, before the game and after the table has committed to its seed."""

    seat: SeatNumber
    luck: Luck


class TakeBack(Command, tag="take-back", kw_only=True):
    """Take my last choice back; `at` is how many moves I saw."""

    at: int


class Say(Command, tag="say", kw_only=True):
    """Say something to the table."""

    seat: SeatNumber
    text: Text


class Mute(Command, tag="mute", kw_only=True):
    """Hear no more of a seat, or hear it again."""

    seat: SeatNumber
    on: bool = True


class HandOver(Command, tag="hand-over", kw_only=True):
    """Let a bot play for me until I come back."""

    seat: SeatNumber
    level: Level = "squire"


class ComeBack(Command, tag="come-back", kw_only=True):
    """Play again myself."""

    seat: SeatNumber


class Resign(Command, tag="resign", kw_only=True):
    """Give up a game of two."""

    seat: SeatNumber


class ChangeSeat(Command, tag="change-seat", kw_only=True):
    """Say anew who is to sit on a free seat; the host may, before the game."""

    seat: SeatNumber
    wish: SeatWish


class Leave(Command, tag="leave", kw_only=True):
    """Get up before the game begins."""

    seat: SeatNumber


class Start(Command, tag="start", kw_only=True):
    """Begin; free seats are filled with bots of a level, if one is named."""

    level: Level | None = None


class Close(Command, tag="close"):
    """Put the box back on the shelf: a table that has not begun, or at which nobody else sits."""


class Rematch(Command, tag="rematch"):
    """Offer another game, everybody one seat further."""


class Look(Command, tag="look", kw_only=True):
    """See the table from one of my seats, or as a spectator does (a socket only)."""

    seat: SeatNumber | None = None


AnyCommand = (
    Move
    | BringLuck
    | TakeBack
    | Say
    | Mute
    | HandOver
    | ComeBack
    | Resign
    | ChangeSeat
    | Leave
    | Start
    | Close
    | Rematch
    | Look
)


# --- What a viewer is sent ------------------------------------------------------------------------------------------
class Told(Struct):
    """What one move, a seat's or chance's (-1), made happen."""

    player: int
    events: list[Event]


class Choice(Struct, omit_defaults=True):
    """Something I may choose now: its number, its name, and what it leads to."""

    action: int
    name: Phrase
    preview: Phrase | None = None


class Question(Struct, omit_defaults=True):
    """What has to be decided now, by which rule and by whom; choices only for the seat I look from."""

    rule: str
    phrase: Phrase
    seats: list[int]
    at: int = 0
    choices: list[Choice] = []
    secret: bool = False
    """Whether the choice is made out of the others' sight: on a shared screen, pass it on first."""


class Result(Struct, omit_defaults=True):
    """How a game came out; `ending` is the rule that ended it."""

    ending: str
    scores: list[int]
    winners: list[int]
    resigned: int | None = None


class SeatView(Struct, omit_defaults=True):
    """A seat as everybody sees it, and whether it is mine."""

    crest: str
    kind: Literal["person", "bot", "link", "open"]
    name: str = ""
    level: str = ""
    mine: bool = False
    stand_in: str = ""
    """The level of the bot that plays for an absent person."""
    ready: bool = True
    """Whether somebody invited to a rematch has said yes."""
    muted: bool = False


class Line(Struct):
    """One line of the chat."""

    number: int
    seat: int
    text: str


class TableView(Struct, omit_defaults=True, tag_field="is", tag="table"):
    """The whole table as one viewer may see it; sent first, and whenever a difference would not do."""

    number: int
    table: str
    game: str
    rules: int
    players: int
    options: dict[str, str]
    board: str
    status: Literal["open", "playing", "over", "closed"]
    seats: list[SeatView]
    commit: str
    luck: str = ""
    listed: bool = False
    patience: int | None = None
    host: bool = False
    practice: bool = False
    """Whether everything may be taken back: only bots, or only this screen."""
    look: int = -1
    moves: int = 0
    fields: dict[str, Any] = {}
    """The state's fields, as far as this viewer may see them."""
    question: Question | None = None
    told: list[Told] = []
    """What happened since I chose last, or just now."""
    chat: list[Line] = []
    result: Result | None = None
    rematch: str = ""


class Moved(Struct, omit_defaults=True, tag_field="is", tag="moved"):
    """A choice was made, or taken back: what happened, and which fields are different now."""

    number: int
    moves: int
    told: list[Told]
    changed: dict[str, Any]
    question: Question | None = None
    taken_back: bool = False
    result: Result | None = None
    status: str = "playing"


class Seated(Struct, omit_defaults=True, tag_field="is", tag="seats"):
    """Somebody came, went, or lets a bot play."""

    number: int
    status: str
    seats: list[SeatView]


class Said(Struct, tag_field="is", tag="said"):
    """Somebody said something."""

    number: int
    seat: int
    text: str


class Offered(Struct, tag_field="is", tag="rematch"):
    """Another game is offered at another table."""

    number: int
    table: str


class Done(Struct, tag_field="is", tag="done"):
    """A command was carried out, and is safe; `number` is that of its event."""

    id: int
    number: int


class Problem(Struct, omit_defaults=True):
    """Why something was not done: a code for programs, a sentence for people, and the rule where one was broken."""

    code: str
    text: str
    rule: str = ""
    phrase: Phrase | None = None


class RefusedCommand(Struct, omit_defaults=True, tag_field="is", tag="refused"):
    """A command was not carried out, and nothing has changed."""

    id: int
    number: int
    problem: Problem


AnyNews = TableView | Moved | Seated | Said | Offered | Done | RefusedCommand


# --- What HTTP answers ----------------------------------------------------------------------------------------------
class Opened(Struct):
    """A table was opened."""

    table: str


class Invitation(Struct):
    """How a friend gets to a seat: the address's path and fragment, and a QR code (SVG) of the whole address."""

    path: str
    link: str
    qr: str


class Me(Struct):
    """Who I am here; `guest` is false as long as nothing was asked of the server that needs somebody."""

    name: str
    crest: str
    guest: bool


class MyKey(Struct):
    """A link that brings me to another device: whoever has it is me."""

    path: str
    link: str
    qr: str


class Listing(Struct, omit_defaults=True):
    """A table in a list: mine with whose turn it is, or one to join or watch."""

    table: str
    game: str
    players: int
    status: str
    seats: list[SeatView]
    created: float
    updated: float
    moves: int
    asked: list[int] = []
    my_turn: bool = False


class Listings(Struct):
    """Tables in a list."""

    tables: list[Listing]


class OptionView(Struct):
    """Something to agree on before a game; the first value is the default."""

    name: str
    values: list[str]
    rule: str


class Solved(Struct):
    """How a box must be set up for perfect play to be known: then the level `oracle` can sit down."""

    players: int
    options: dict[str, str]


class BoxView(Struct):
    """What is printed on a box."""

    name: str
    title: str
    designer: str
    year: int
    fewest: int
    most: int
    usual: int
    age: int
    minutes: str
    rules: int
    options: list[OptionView]
    boards: list[str]
    sealed: bool
    levels: list[str]
    solved: Solved | None
    drawn: bool
    """Whether its board is drawn, or to be had in letters only."""
    ready: bool
    """Whether it can be played from at once, or its pieces are still being carved."""


class Shelf(Struct):
    """Every box."""

    boxes: list[BoxView]


class Wording(Struct):
    """What phrases say in one language."""

    entries: dict[str, str]


class RuleView(Struct):
    """One paragraph of a rulebook."""

    id: str
    title: str
    text: str


class Rules(Struct):
    """A rulebook: its text, and its paragraphs in order."""

    markdown: str
    rules: list[RuleView]


class Story(Struct):
    """What happened at a table from one move to another; what was laid away is told without its value until the end."""

    first: int
    moves: int
    told: list[Told]


class Drawn(Struct):
    """A board in letters."""

    html: str


class Art(Struct):
    """An empty board, drawn: SVG with a `data-place` for every place."""

    svg: str


class Scene(Struct):
    """What stands on a drawn board and lies before every seat, as one viewer sees it, and the places of my choices."""

    pieces: dict[str, Piece]
    holdings: list[list[Holding]]
    touched: dict[int, list[str]]


class Fall(Struct, omit_defaults=True):
    """How a rock fell between two moments (numbers of moves made), or nothing where none fell.

    `lanes` are those in which it passed steps 9 to 1 (3: it came no more), `rests` says for every seat where its pawn
    ended: a spot, 27 for the floor, 28 where it stands. `path` is the recorded fall in base64, thirty frames a second,
    all numbers little-endian: `Rk`, a byte 1, a byte with a bit for every seat whose pawn stood on the stairs, the
    number of frames (2 bytes). A frame is a byte with a bit for every body that moved, the rock first, then those pawns
    (0x80: the rock is no longer there), and for each of them seven 2-byte numbers: right, onwards and up in 1/500 cm,
    and how it is turned, a quaternion (w first) in parts of 32767.
    """

    first: int = 0
    last: int = 0
    lanes: list[int] = []
    rests: list[int] = []
    path: str = ""


class WhyNot(Struct):
    """The rule by which nothing can be chosen at a place now."""

    rule: str


class Barred(Struct, omit_defaults=True):
    """A rule that keeps me from choosing something now: what, and how much more."""

    rule: str
    choices: list[Phrase]
    more: int = 0


class Lesson(Struct):
    """What a beginner should know before choosing: what is not possible and why; what looks good and where it leads."""

    barred: list[Barred]
    promising: list[int]
    places: list[str]


class Chance(Struct):
    """A choice, and how often it wins if everybody plays perfectly from there on."""

    action: int
    name: Phrase
    share: float


class Chances(Struct, omit_defaults=True):
    """What every choice of a seat is worth, the best first; of a game that is over also which was made."""

    seat: int
    choices: list[Chance]
    made: int | None = None


class Moment(Struct):
    """A position of a finished game, as one seat or a spectator saw it, and what led to it."""

    move: int
    told: list[Told]
    changed: dict[str, Any]
    question: Question | None = None


class Replay(Struct):
    """A stretch of a finished game; the first moment has every field, the others what changed."""

    moves: int
    moments: list[Moment]
    result: Result


class Sheet(Struct):
    """The score of a finished game, row by row as the rulebook adds it up."""

    rows: list[ScoreRow]


class Better(Struct):
    """A choice that was clearly better, as far as its seat could know, and that seat's chance of winning with it."""

    name: Phrase
    share: float


class TurningPoint(Struct, omit_defaults=True):
    """A move, a seat's or chance's (-1), that changed the chance of winning of some seat much, and to what.

    A fall of many moves is one turning point: `move` is its last, `since` how many had been made when it began.
    """

    since: int
    move: int
    player: int
    seat: int
    before: float
    after: float
    events: list[Event]
    better: Better | None = None


class Moments(Struct, omit_defaults=True):
    """Every seat's chance of winning after some moves, and the moves that changed them most; `ready`: see `BoxView`."""

    ready: bool
    moves: list[int]
    chances: list[list[float]]
    moments: list[TurningPoint]
    exact: bool = False
    """Whether chances are those of perfect play, and not reckoned by playing on."""


class Dice(Struct, omit_defaults=True):
    """What a table has promised about its dice, and after the game whether it was kept."""

    table: str
    commit: str
    luck: str
    seed: str = ""
    fair: bool | None = None
    draws: int = 0
    text: str = ""


class Health(Struct):
    """How the server is."""

    status: str
    tables: int
    sockets: int
