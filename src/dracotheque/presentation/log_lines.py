"""What a move adds to the log: lines, each with an actor and the parts of a sentence about it.

A reader joins the parts of one actor (`turn_log.py`, on the page `js/log.js`), so lines of a move need no other move.
They are made from its events and from what a spectator knows, so they say nothing that those do not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType

from msgspec import Struct

from dracotheque.engine import registry
from dracotheque.engine.default_text import CRESTS
from dracotheque.engine.definition import GameDefinition
from dracotheque.engine.game import Game
from dracotheque.engine.phrases import GameEvent, Phrase
from dracotheque.engine.plain_state import PlainState

NOBODY = -1
"""The actor of a line that is about nobody."""


class LogLine(Struct, frozen=True, array_like=True, gc=False):
    """What an actor did, sent as `[actor, parts]`; a seat without parts says that its turn begins.

    An actor is a seat, -1, or the name of a thing. A part is a phrase, or the number of an event of the move: its
    phrase with a key that begins with `log.` and not with `event.`.
    """

    actor: int | Phrase
    parts: list[int | Phrase]


class MarkedLine(LogLine, frozen=True, array_like=True, gc=False):
    """A line with an icon, sent as `[actor, parts, icon]`; it is not joined to the line before."""

    icon: str
    """`captured`, `bonus`, `seal` or `win`."""


class LineWriter:
    """Collects the lines of one move."""

    def __init__(self) -> None:
        """Start without lines."""
        self.lines: list[LogLine] = []

    def begin(self, seat: int) -> None:
        """Say that the turn of a seat begins."""
        self.lines.append(LogLine(seat, []))

    def add(self, actor: int | Phrase, *parts: int | Phrase, icon: str = "", apart: bool = False) -> None:
        """Add parts to the last line if it has the same actor, else in a line of their own."""
        last = self.lines[-1] if self.lines else None
        joins = last is not None and last.actor == actor and not apart and (last.parts or isinstance(actor, Phrase))
        said = [*last.parts, *parts] if last is not None and joins else [*parts]
        icon = icon or (last.icon if joins and isinstance(last, MarkedLine) else "")
        if joins:
            self.lines.pop()
        self.lines.append(MarkedLine(actor, said, icon) if icon else LogLine(actor, said))


def seat_of(event: GameEvent) -> int:
    """Return the seat that an event names, or -1."""
    return seat_named(event.phrase.gaps.get("seat"))


def seat_named(name: object) -> int:
    """Return the seat of a name such as `seat.lion` or `whom.lion`, or -1."""
    crest = name.key.rpartition(".")[2] if isinstance(name, Phrase) else ""
    return CRESTS.index(crest) if crest in CRESTS else NOBODY


def key_of(event: GameEvent) -> str:
    """Return the key of an event's phrase without `event.`."""
    return event.phrase.key.removeprefix("event.")


# --- Of any game ------------------------------------------------------------------------------------------------------
def lines(before: PlainState, events: Sequence[GameEvent], after: PlainState) -> list[LogLine]:
    """Return the events of a move as one line, sentence after sentence."""
    return [LogLine(NOBODY, list(range(len(events))))] if events else []


def defaults(definition: GameDefinition, module: ModuleType) -> Mapping[str, object]:
    """Return the default of what a module `log_lines` may leave out."""
    return {"lines": lines}


def log_lines_of(game: Game) -> ModuleType:
    """Return a game's `log_lines`, with what it leaves out from here."""
    return registry.part(game.definition, "log_lines", defaults)
