"""What is stored of a table: one small event after the other, from which everything else follows."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct, field


class Seat(Struct, omit_defaults=True):
    """Who sits on a seat, or may."""

    kind: str
    """`person`, `bot`, `link` (kept for whoever has the invitation) or `open`."""
    guest: str = ""
    name: str = ""
    level: str = ""
    luck: str = ""
    stand_in: str = ""
    ready: bool = True
    by_link: bool = False
    """Whether the seat is for whoever has the invitation, also once somebody has got up again."""


class Happened(Struct, tag_field="is", omit_defaults=True):
    """Something that happened at a table; `at` is when, in seconds since 1970."""

    at: float


class TableOpened(Happened, tag="opened", kw_only=True):
    """A guest opened a box; the game, its rules version and the commitment to the dice are settled from here on."""

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


class SeatChanged(Happened, tag="seat", kw_only=True):
    """A seat was taken, left, given to a bot, or kept for somebody."""

    seat: int
    to: Seat


class Started(Happened, tag="started", kw_only=True):
    """The game began: who sits where, and what chance brought before the first choice."""

    seats: list[Seat]
    luck: str
    chance: list[int] = field(default_factory=list[int])


class Chosen(Happened, tag="chosen", kw_only=True):
    """A seat made a choice, and chance brought something until the next one."""

    seat: int
    action: int
    chance: list[int] = field(default_factory=list[int])
    by_bot: bool = False


class TakenBack(Happened, tag="taken-back", kw_only=True):
    """The game went back to so many moves."""

    seat: int
    moves: int


class Spoken(Happened, tag="spoken", kw_only=True):
    """A seat said something."""

    seat: int
    text: str


class Resigned(Happened, tag="resigned", kw_only=True):
    """A seat gave a game of two up."""

    seat: int


class TableClosed(Happened, tag="closed"):
    """The box was put back."""


class RematchOffered(Happened, tag="rematch", kw_only=True):
    """Another game was offered, at another table."""

    table: str


AnyEvent = TableOpened | SeatChanged | Started | Chosen | TakenBack | Spoken | Resigned | TableClosed | RematchOffered

write = msgspec.json.Encoder().encode
read = msgspec.json.Decoder(AnyEvent).decode
