"""The log as it is read: the lines of moves, those of one actor joined, in a block for each turn.

`server/page/js/log.js` does the same in the browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dracotheque.engine.default_text import seat_name
from dracotheque.engine.phrases import Catalog, FilledPhrase, GameEvent, Phrase, phrase
from dracotheque.presentation.log_lines import NOBODY, LogLine, MarkedLine, seat_of

LONGEST = {"en": 80}
LONGEST_ELSEWHERE = 100
"""The characters after which a line is not continued."""
ARROW = "\u00a0→\u00a0"
JOINED = {",": "log.and", ";": "log.then", ".": "log.stop"}
"""How a part is joined to those before, by the sign that its phrase begins with."""
ENDS = (".", "!", "?", "…")


@dataclass
class TurnLine:
    """What one actor did in a turn: a text, and the events that it tells in short."""

    actor: int | Phrase
    label: Phrase | None
    text: str = ""
    icon: str = ""
    events: list[GameEvent] = field(default_factory=list[GameEvent])
    closed: bool = False
    """Whether it has been printed, and cannot be continued."""


@dataclass
class Turn:
    """The block of a turn, or of the set-up: whose it is, its number, and its lines."""

    seat: int
    number: int
    lines: list[TurnLine]

    def signed(self) -> list[tuple[int, TurnLine]]:
        """Return the lines, each with the seat whose sign it has: its own, or that of the turn where it has none."""
        seats = [line.actor if isinstance(line.actor, int) else NOBODY for line in self.lines]
        signs = [self.seat if line.actor == NOBODY else seat for seat, line in zip(seats, self.lines, strict=True)]
        return list(zip([self.seat, *signs[1:]], self.lines, strict=True))


class TurnLog:
    """The turns of a game, made move by move."""

    def __init__(self, words: Catalog) -> None:
        """Begin with the set-up."""
        self.words = words
        self.longest = LONGEST.get(words.language, LONGEST_ELSEWHERE)
        self.turns = [Turn(NOBODY, 0, [TurnLine(NOBODY, phrase("log.setup"))])]
        self.announced = False
        """Whether the game says when a turn begins; else another player begins one."""

    def unprinted(self, *, finished: bool = False) -> list[tuple[int, TurnLine]]:
        """Close all lines, those of finished turns alone if asked, and return those that were not closed yet.

        Each comes with the seat whose sign it has.
        """
        turns = self.turns[:-1] if finished else self.turns
        found = [pair for turn in turns for pair in turn.signed() if pair[1].text and not pair[1].closed]
        for _, line in found:
            line.closed = True
        return found

    def add(self, player: int, events: Sequence[GameEvent], lines: Sequence[LogLine]) -> None:
        """Add a move."""
        targets: list[TurnLine] = []
        self.announced = self.announced or any(map(_begins, lines))
        if not self.announced and player >= 0 and player != self.turns[-1].seat:
            self._begin(player, None, [])
        if events and all(map(_begins, lines)):
            targets.append(self.turns[-1].lines[-1])
        for line in lines:
            if isinstance(line.actor, int) and _begins(line):
                label = phrase("log.turn", seat=seat_name(line.actor), number=self.turns[-1].number + 1)
                self._begin(line.actor, label, targets)
            else:
                targets += self._continue(line, events)
        _divide(events, targets)

    def said(self, line: TurnLine) -> str:
        """Return a line as it is read."""
        text = line.text
        if line.label:
            text = self.words.say(phrase("log.line", actor=line.label, text=text) if text else line.label)
        return text if not text or text.endswith(ENDS) else f"{text}."

    # --- Turns ----------------------------------------------------------------------------------------------------
    def _begin(self, seat: int, label: Phrase | None, used: Sequence[TurnLine]) -> None:
        """Begin a turn with a line that its player's first line continues; a set-up that says nothing goes."""
        line = self.turns[0].lines[0]
        if len(self.turns) == 1 and not line.text and not line.events and not any(each is line for each in used):
            self.turns.clear()
        number = self.turns[-1].number + 1 if self.turns else 1
        self.turns.append(Turn(seat, number, [TurnLine(seat if label else NOBODY, label)]))

    def _continue(self, line: LogLine, events: Sequence[GameEvent]) -> list[TurnLine]:
        """Join a line to the last one of the turn if it has the same actor, else add it; return what it is now."""
        last, icon = self.turns[-1].lines[-1], line.icon if isinstance(line, MarkedLine) else ""
        if not _same(last.actor, line.actor) or (icon and last.text) or last.closed:
            last = self._new_line(line.actor)
        last.icon = icon or last.icon
        used = [last]
        for part in line.parts:
            text = part_text(self.words, part, events)
            joined = join(self.words, last.text, text)
            if last.text and len(joined) + len(self._name(last)) > self.longest:
                last, joined = self._new_line(line.actor), join(self.words, "", text)
                used.append(last)
            last.text = joined
        return used

    def _new_line(self, actor: int | Phrase) -> TurnLine:
        """Add a line to the turn."""
        line = TurnLine(actor, _label(actor))
        self.turns[-1].lines.append(line)
        return line

    def _name(self, line: TurnLine) -> str:
        """Return what stands before the text of a line, without the number of a turn, and its full stop."""
        label = _label(line.actor) if isinstance(line.actor, int) and line.actor >= 0 else line.label
        return self.words.say(phrase("log.line", actor=label, text=".")) if label else "."


def _label(actor: int | Phrase) -> Phrase | None:
    """Return how an actor is named before the text of a line."""
    if isinstance(actor, Phrase):
        return actor
    return seat_name(actor) if actor >= 0 else None


def _divide(events: Sequence[GameEvent], lines: Sequence[TurnLine]) -> None:
    """Add the events of a move to its lines: to that of the seat they name, else to that of the one before."""
    line = lines[0] if lines else None
    for event in events:
        seat = seat_of(event)
        line = next((each for each in lines if each.actor == seat and seat >= 0), line)
        if line:
            line.events.append(event)


def part_text(words: Catalog, part: int | Phrase, events: Sequence[GameEvent]) -> str:
    """Return a part in words: an event's sentence where the catalogue has no shorter form of it."""
    if isinstance(part, Phrase):
        return words.say(part)
    said = events[part].phrase
    key = f"log.{said.key.removeprefix('event.')}"
    if words.has(key) or words.has(f"{key}.one"):
        return words.say(FilledPhrase(key, said.gaps) if said.gaps else Phrase(key))
    return words.say(said)


def join(words: Catalog, text: str, part: str) -> str:
    """Join a part to a text as the sign says that it begins with; a way that begins where the text ends goes on."""
    sign = part[:1] if part[:1] in JOINED else ""
    bare = part.removeprefix(sign).lstrip()
    start, arrow, _ = bare.partition(ARROW)
    if not text:
        return bare
    if arrow and (text == start or text.endswith((f" {start}", f"\u00a0{start}"))):
        return text + bare.removeprefix(start)
    if not sign or text.endswith(ENDS):
        return f"{text} {bare}"
    return words.say(phrase(JOINED[sign], first=text, rest=bare))


def _begins(line: LogLine) -> bool:
    """Whether a line says that the turn of a seat begins."""
    return isinstance(line.actor, int) and not line.parts


def _same(one: int | Phrase, other: int | Phrase) -> bool:
    """Whether two actors are one: a thing may be named at more length the first time (`log.rock.door`, `log.rock`)."""
    if isinstance(one, Phrase) and isinstance(other, Phrase):
        return one.key.split(".")[:2] == other.key.split(".")[:2]
    return one == other
