"""The stored events of a table, from which everything else follows.

A stored name never changes: `name=` keeps one where the attribute has another.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct, field


class Seat(Struct, omit_defaults=True):
    """The player of a seat, or who may take it."""

    kind: str
    """`person`, `bot`, `link` (reserved for an invitation) or `open`."""
    guest: str = ""
    name: str = ""
    level: str = ""
    client_seed: str = field(default="", name="luck")
    substitute: str = field(default="", name="stand_in")
    """The level of the bot that plays for an absent person."""
    ready: bool = True
    by_link: bool = False
    """Whether the seat is reserved for an invitation, also after its guest has left again."""


class TableEvent(Struct, tag_field="is", omit_defaults=True):
    """A change of a table; `at` is when, in seconds since 1970."""

    at: float


class TableOpened(TableEvent, tag="opened", kw_only=True):
    """A guest created the table; game, rules version and commitment do not change after it."""

    game: str
    rules: int
    players: int
    options: dict[str, str]
    board: dict[str, Any] | None = None
    board_name: str = ""
    seats: list[Seat]
    host: str
    commitment: str = field(name="commit")
    """SHA-256 of the secret seed of the dice."""
    listed: bool = False
    turn_timeout: int | None = field(default=None, name="patience")
    """Seconds after which a bot plays for an absent person."""


class SeatChanged(TableEvent, tag="seat", kw_only=True):
    """A seat was taken, left, given to a bot, or reserved."""

    seat: int
    to: Seat


class Started(TableEvent, tag="started", kw_only=True):
    """The game began: the seats, and the outcomes of chance before the first choice."""

    seats: list[Seat]
    client_seed: str = field(name="luck")
    """The client seeds of all persons, joined with “/”."""
    chance: list[int] = field(default_factory=list[int])


class ActionTaken(TableEvent, tag="chosen", kw_only=True):
    """A seat took an action; `chance` has the outcomes of the chance nodes after it."""

    seat: int
    action: int
    chance: list[int] = field(default_factory=list[int])
    by_bot: bool = False


class MovesTakenBack(TableEvent, tag="taken-back", kw_only=True):
    """The game was taken back to its first `moves` moves."""

    seat: int
    moves: int


class ChatSent(TableEvent, tag="spoken", kw_only=True):
    """A seat wrote a line of chat."""

    seat: int
    text: str


class Resigned(TableEvent, tag="resigned", kw_only=True):
    """A seat resigned from a game of two."""

    seat: int


class TableClosed(TableEvent, tag="closed"):
    """The table was closed."""


class RematchOffered(TableEvent, tag="rematch", kw_only=True):
    """A rematch was offered, at another table."""

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
