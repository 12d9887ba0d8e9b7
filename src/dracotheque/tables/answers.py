"""The answers over HTTP, each typed once; the messages of the socket are in `protocol.py`."""

from __future__ import annotations

from msgspec import Struct

from dracotheque.engine.phrases import GameEvent, Phrase
from dracotheque.presentation.score_rows import ScoreRow
from dracotheque.tables.protocol import BoardState, MoveRecord, Result, SeatView


class TableCreated(Struct):
    """A table was opened."""

    table: str


class Invitation(Struct):
    """How a friend gets to a seat: the address's path and fragment, and a QR code (SVG) of the whole address."""

    path: str
    link: str
    qr: str


class Me(Struct):
    """Who I am here; `guest` is false until a first request needs an identity."""

    name: str
    crest: str
    guest: bool


class MyKey(Struct):
    """A link that signs me in on another device; it is as secret as a password."""

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
    move_number: int
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
    several: bool = False
    """Whether several seats can be named, such as 1+3."""


class Solved(Struct):
    """The set-up of a game for which perfect play is known, and the level `oracle` available."""

    players: int
    options: dict[str, str]


class GameInfo(Struct):
    """A game as the lobby shows it."""

    name: str
    title: str
    designer: str
    year: int
    min_players: int
    max_players: int
    default_players: int
    age: int
    minutes: str
    rules: int
    options: list[OptionView]
    boards: list[str]
    sealed: bool
    levels: list[str]
    solved: Solved | None
    web: list[str]
    """What the page has for this game alone: board, cover, tutorial. What is missing it makes of what it knows."""
    ready: bool
    """Whether it can be played at once, or is still being compiled."""


class GameList(Struct):
    """Every game."""

    games: list[GameInfo]


class CatalogView(Struct):
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


class MoveList(Struct, omit_defaults=True):
    """A stretch of the moves of a game: of a running one events as the log keeps them, of a finished one all of it."""

    first: int
    move_number: int
    """How many moves the whole game has so far."""
    moves: list[MoveRecord]
    board: BoardState | None = None
    """The board before the first of these moves, of a finished game only."""
    result: Result | None = None


class BoardSvg(Struct):
    """An empty board: SVG with a `data-place` for every place."""

    svg: str


class Recording(Struct, omit_defaults=True):
    """How a rock fell between two numbers of moves made; nothing where none fell.

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


class Refusal(Struct):
    """The rule by which nothing can be chosen at a place now."""

    rule: str


class BlockedActions(Struct, omit_defaults=True):
    """A rule that forbids me something now: what, and how much more."""

    rule: str
    choices: list[Phrase]
    more: int = 0


class Hints(Struct):
    """Hints before a choice: what is not possible and why; what looks good and where it leads."""

    blocked: list[BlockedActions]
    promising: list[int]
    places: list[str]


class ActionValue(Struct):
    """A choice, and how often it wins with perfect play of all seats from there on."""

    action: int
    name: Phrase
    share: float


class ActionValues(Struct, omit_defaults=True):
    """How often each choice of a seat wins, the best first; of a finished game also which was made."""

    seat: int
    choices: list[ActionValue]
    made: int | None = None


class ScoreSheet(Struct):
    """The score of a finished game, row by row as the rulebook adds it up."""

    rows: list[ScoreRow]


class BetterAction(Struct):
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
    events: list[GameEvent]
    better: BetterAction | None = None


class Analysis(Struct, omit_defaults=True):
    """Every seat's chance of winning after some moves, and what changed them most; `ready` as in `GameInfo`."""

    ready: bool
    moves: list[int]
    chances: list[list[float]]
    moments: list[TurningPoint]
    exact: bool = False
    """Whether chances are those of perfect play, and not estimated by simulations."""


class FairnessReport(Struct, omit_defaults=True):
    """What a table has promised about its dice, and after the game whether it was kept."""

    table: str
    commitment: str
    client_seed: str
    seed: str = ""
    fair: bool | None = None
    draws: int = 0
    text: str = ""


class Health(Struct):
    """How the server is."""

    status: str
    tables: int
    sockets: int
