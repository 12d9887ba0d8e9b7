"""The messages between a table and its clients, each typed once.

The page's TypeScript types, the OpenAPI document and the checks of what comes in are all made from these classes.
Sentences travel as phrases (`engine/phrases.py`), so that each client shows them in its own language.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, cast

from msgspec import Meta, Struct

from dracotheque.engine.phrases import GameEvent, Phrase
from dracotheque.presentation.level_names import LEVEL_NAMES, level_id
from dracotheque.presentation.log_lines import LogLine
from dracotheque.presentation.narration import ALL_CRESTS
from dracotheque.presentation.pieces import Holding, Piece, PiecePatch

PROTOCOL: Final = 2
"""The version of what goes over a socket; a page of another version is turned away and reloaded."""

Level = Literal[
    "hatchling", "squire", "knight", "dragon", "oracle", "beginner", "easy", "medium", "hard", "perfect"
]  # fmt: skip
"""The id of a level, or its English word, which is replaced by the id."""

SeatNumber = Annotated[int, Meta(ge=0, le=5)]
Name = Annotated[str, Meta(max_length=24)]
ClientSeed = Annotated[str, Meta(max_length=32, pattern="^[A-Za-z0-9-]*$")]
Text = Annotated[str, Meta(min_length=1, max_length=280)]
Language = Literal["en", "fr", "it", "de"]
Crest = Literal["", "lion", "tower", "star", "oak", "wave", "falcon"]
Status = Literal["open", "playing", "over", "closed"]
TurnTimeout = Annotated[int, Meta(ge=30, le=30 * 86_400)]
"""Seconds after which a bot plays for an absent player."""

assert Crest.__args__[1:] == ALL_CRESTS
assert Level.__args__ == (*LEVEL_NAMES, *LEVEL_NAMES.values())


class Request(Struct, forbid_unknown_fields=True):
    """A request to the server; unknown fields are rejected, not ignored."""


# --- Requests over HTTP ------------------------------------------------------------------------------------------
class SeatRequest(Request):
    """Who gets a seat: me, another person on this device, a friend by link, a bot, or anyone."""

    kind: Literal["me", "screen", "link", "bot", "open"]
    name: Name = ""
    level: Level = "squire"

    def __post_init__(self) -> None:
        """Replace the word for a level by its id."""
        self.level = cast("Level", level_id(self.level))


class CreateTable(Request):
    """Create a table; it begins at once where no seat is left to be taken, unless `begin` is false."""

    game: str
    seats: Annotated[list[SeatRequest], Meta(min_length=2, max_length=6)]
    options: dict[str, str] = {}
    board: str | None = None
    """The name of another board of the game."""
    listed: bool = False
    """Whether it is listed in the lobby; with its address it can be watched in any case."""
    turn_timeout: TurnTimeout | None = None
    begin: bool = True


class TakeSeat(Request):
    """Take a seat: any free one, or the one an invitation is for."""

    seat: SeatNumber | None = None
    invitation: Annotated[str, Meta(max_length=64)] = ""
    name: Name = ""
    client_seed: ClientSeed = ""


class Invite(Request):
    """Ask for the invitation to a seat."""

    seat: SeatNumber


class Profile(Request):
    """My name, and my preferred crest."""

    name: Name = ""
    crest: Crest = ""


class Key(Request):
    """The key that brings me to another device."""

    key: Annotated[str, Meta(max_length=128)]


# --- Commands at a table, over the socket or HTTP ------------------------------------------------------------------
class Command(Request, tag_field="type"):
    """Something done at a table; over a socket the answer carries the same `id`."""

    id: int = 0


class Move(Command, tag="move", kw_only=True):
    """Make a choice; `prompt_id` is that of the prompt it answers, so that none is answered twice or too late."""

    seat: SeatNumber
    prompt_id: int
    action: int


class SetClientSeed(Command, tag="set-client-seed", kw_only=True):
    """Add something of my own to the dice, before the game and after the table has committed to its seed."""

    seat: SeatNumber
    client_seed: ClientSeed


class TakeBack(Command, tag="take-back", kw_only=True):
    """Take my last choice back; `move_number` is how many moves I saw."""

    move_number: int


class SendChat(Command, tag="send-chat", kw_only=True):
    """Send a line of chat to the table."""

    seat: SeatNumber
    text: Text


class Mute(Command, tag="mute", kw_only=True):
    """Read no more chat of a seat, or read it again."""

    seat: SeatNumber
    on: bool = True


class AssignSubstitute(Command, tag="assign-substitute", kw_only=True):
    """Let a bot play for me until I come back."""

    seat: SeatNumber
    level: Level = "squire"

    def __post_init__(self) -> None:
        """Replace the word for a level by its id."""
        self.level = cast("Level", level_id(self.level))


class ResumeSeat(Command, tag="resume-seat", kw_only=True):
    """Play again myself."""

    seat: SeatNumber


class Resign(Command, tag="resign", kw_only=True):
    """Give up a game of two."""

    seat: SeatNumber


class ChangeSeat(Command, tag="change-seat", kw_only=True):
    """Change who gets a free seat; the host may, before the game."""

    seat: SeatNumber
    request: SeatRequest


class Leave(Command, tag="leave", kw_only=True):
    """Get up before the game begins."""

    seat: SeatNumber


class Start(Command, tag="start", kw_only=True):
    """Begin; free seats are filled with bots of a level, if one is named."""

    level: Level | None = None

    def __post_init__(self) -> None:
        """Replace the word for a level by its id."""
        self.level = self.level and cast("Level", level_id(self.level))


class Close(Command, tag="close"):
    """Close a table that has not begun, or that has no other person."""


class Rematch(Command, tag="rematch"):
    """Offer another game, everyone one seat further."""


class SetViewpoint(Command, tag="set-viewpoint", kw_only=True):
    """See the table from one of my seats, or as a spectator does (a socket only)."""

    seat: SeatNumber | None = None


class Sync(Command, tag="sync"):
    """Ask for a snapshot, because a message is missing (a socket only)."""


AnyCommand = (
    Move
    | SetClientSeed
    | TakeBack
    | SendChat
    | Mute
    | AssignSubstitute
    | ResumeSeat
    | Resign
    | ChangeSeat
    | Leave
    | Start
    | Close
    | Rematch
    | SetViewpoint
    | Sync
)


# --- What is shown of a game ---------------------------------------------------------------------------------------
class BoardState(Struct):
    """The board as one viewpoint sees it: pieces by id, and the holdings of each seat."""

    pieces: dict[str, Piece]
    holdings: list[list[Holding]]


class MoveRecord(Struct, omit_defaults=True):
    """One move, a seat's or chance's (-1): what happened, and what it changed on the board."""

    events: list[GameEvent]
    player: int = -1
    log: list[GameEvent | None] | None = None
    """What the log keeps of the events, where values have been hidden since; null for an event that it keeps whole."""
    lines: list[LogLine] = []
    """What the move adds to the log in short."""
    log_lines: list[LogLine] | None = None
    """What the log keeps of the lines, where that is something else."""
    pieces: dict[str, PiecePatch | None] = {}
    """The pieces that are different now: what is different of each, or all of it, then with kind and place; null where
    one is gone."""
    holdings: dict[int, list[Holding | int]] = {}
    """The holdings of the seats for which they changed; a number is an index into the list before."""
    recording: str = ""
    """Where the recording of what physically happened is, named by the first of its moves."""


class Choice(Struct, omit_defaults=True, gc=False):
    """Something I may choose now: its number, its name, what it leads to, and its places on the board."""

    action: int
    name: Phrase
    preview: Phrase | None = None
    places: list[str] = []
    onward: dict[str, Phrase | None] = {}
    """Where I may go on to, or stay, with the next choice, by the place, and what that leads to; only where neither
    chance nor another player comes between."""


class Prompt(Struct, omit_defaults=True):
    """What has to be decided now, by which rule and by whom; choices only for the seat I look from."""

    rule: str
    phrase: Phrase
    seats: list[int]
    prompt_id: int = 0
    choices: list[Choice] = []
    """Left out of an update where the seat was asked before: the prompt with this `prompt_id` had them."""
    secret: bool = False
    """Whether the choice is made out of the others' sight: on a shared screen, pass it on first."""


class Result(Struct, omit_defaults=True):
    """How a game came out; `ending` is the rule that ended it."""

    ending: str
    scores: list[int]
    winners: list[int]
    resigned: int | None = None


class TableInfo(Struct, omit_defaults=True):
    """What was settled about a table, and how far it is."""

    id: str
    game: str
    rules: int
    players: int
    options: dict[str, str]
    board: str
    status: Status
    commitment: str
    client_seed: str = ""
    listed: bool = False
    turn_timeout: int | None = None
    host: bool = False
    """Whether I opened it."""
    practice: bool = False
    """Whether everything may be taken back: only bots, or only this screen."""
    rematch: str = ""
    """The table at which another game is offered."""


class SeatView(Struct, omit_defaults=True):
    """A seat as all clients see it, and whether it is mine."""

    crest: str
    kind: Literal["person", "bot", "link", "open"]
    name: str = ""
    level: str = ""
    mine: bool = False
    substitute: str = ""
    """The level of the bot that plays for an absent person."""
    ready: bool = True
    """Whether a person invited to a rematch has agreed."""
    muted: bool = False


class ChatLine(Struct):
    """One line of the chat."""

    revision: int
    seat: int
    text: str


# --- Messages to a viewer; `revision` is the number of the table event they come from ---------------------------------
class TableSnapshot(Struct, omit_defaults=True, tag_field="type", tag="snapshot"):
    """The whole table as one viewer may see it: on connecting, on request, and where an update would not do."""

    protocol: Literal[2]
    revision: int
    move_number: int
    table: TableInfo
    seats: list[SeatView]
    viewpoint: int
    """The seat it is seen from, or -1 for a spectator."""
    board: BoardState | None = None
    prompt: Prompt | None = None
    recent: list[MoveRecord] = []
    """What happened since I chose last, for a spectator the last choice: events only."""
    chat: list[ChatLine] = []
    result: Result | None = None
    taken_back: bool = False


class TableUpdate(Struct, omit_defaults=True, tag_field="type", tag="update"):
    """A choice was made, and its chance moves; the same for all viewers of one viewpoint."""

    revision: int
    move_number: int
    moves: list[MoveRecord]
    prompt: Prompt | None = None
    result: Result | None = None
    status: Status = "playing"


class SeatsUpdate(Struct, tag_field="type", tag="seats"):
    """Someone joined, left, or lets a bot play."""

    revision: int
    status: Status
    seats: list[SeatView]


class ChatMessage(Struct, tag_field="type", tag="chat"):
    """A seat wrote a line; clients that muted it get seat -1 and no text."""

    revision: int
    seat: int
    text: str


class RematchOffer(Struct, tag_field="type", tag="rematch"):
    """Another game is offered at another table."""

    revision: int
    table: str


class Ack(Struct, tag_field="type", tag="ack"):
    """A command was carried out, and is safe; `revision` is that of its event."""

    id: int
    revision: int


class Problem(Struct, omit_defaults=True):
    """Why something was not done: a code for programs, a sentence for people, and the rule where one was broken."""

    code: str
    text: str
    rule: str = ""
    phrase: Phrase | None = None


class CommandRejected(Struct, omit_defaults=True, tag_field="type", tag="rejected"):
    """A command was not carried out, and nothing has changed."""

    id: int
    revision: int
    problem: Problem


AnyMessage = TableSnapshot | TableUpdate | SeatsUpdate | ChatMessage | RematchOffer | Ack | CommandRejected
