"""The stored events of a table, from which everything else follows."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct, field


class Seat(Struct, omit_defaults=True):
    """Who has a seat, or may take it."""

    kind: str
    """`person`, `bot`, `link` (reserved for an invitation) or `open`."""
    guest: str = ""
    name: str = ""
    level: str = ""
    luck: str = ""
    stand_in: str = ""
    ready: bool = True
    by_link: bool = False
    """Whether the seat is reserved for an invitation, also after its guest has left again."""


class TableEvent(Struct, tag_field="is", omit_defaults=True):
    """Something that happened at a table; `at` is when, in seconds since 1970."""

    at: float


class TableOpened(TableEvent, tag="opened", kw_only=True):
    """A guest created the table: game, rules version and the commitment to the dice do not change after it."""

    game: str
    rules: int
    players: int
    options: dict[str, str]
    board: dict[str, Any] | None = None
    board_name: str = ""
    seats: list[Seat]
    host: str
    commit: str
    listed: bool = False
    patience: int | None = None


class SeatChanged(TableEvent, tag="seat", kw_only=True):
    """A seat was taken, left, given to a bot, or reserved."""

    seat: int
    to: Seat


class Started(TableEvent, tag="started", kw_only=True):
    """The game began: the seats, and what chance brought before the first choice."""

    seats: list[Seat]
    luck: str
    chance: list[int] = field(default_factory=list[int])


class ActionTaken(TableEvent, tag="chosen", kw_only=True):
    """A seat made a choice, and chance brought something until the next one."""

    seat: int
    action: int
    chance: list[int] = field(default_factory=list[int])
    by_bot: bool = False


class MovesTakenBack(TableEvent, tag="taken-back", kw_only=True):
    """The game went back to so many moves."""

    seat: int
    moves: int


class ChatSent(TableEvent, tag="spoken", kw_only=True):
    """A seat said something."""

    seat: int
    text: str


class Resigned(TableEvent, tag="resigned", kw_only=True):
    """A seat gave a game of two up."""

    seat: int


class TableClosed(TableEvent, tag="closed"):
    """The table was closed."""


class RematchOffered(TableEvent, tag="rematch", kw_only=True):
    """Another game was offered, at another table."""

    table: str


AnyEvent = (
    TableOpened
    | SeatChanged
    | Started
    | ActionTaken
    | MovesTakenBack
    | ChatSent
    | Resigned
    | TableClosed
    | RematchOffered
)

write = msgspec.json.Encoder().encode
read = msgspec.json.Decoder(AnyEvent).decode
