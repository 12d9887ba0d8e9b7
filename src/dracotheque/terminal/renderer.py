"""Output and input of the terminal: everything printed goes through here."""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.constrain import Constrain
from rich.markdown import Markdown
from rich.padding import Padding
from rich.segment import SegmentLines
from rich.style import Style
from rich.table import Table
from rich.text import Text

from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.game import Game
from dracotheque.engine.phrases import GameEvent, Phrase, phrase, words
from dracotheque.engine.rulebook import Paragraph
from dracotheque.engine.state import State
from dracotheque.presentation.generic_terminal import SPACIOUS, table_in_letters, terminal_view_of
from dracotheque.presentation.terminal_canvas import numbered
from dracotheque.terminal.nonbreaking import NonBreakingText, glued, loosened

try:
    import termios
except ImportError:  # only Unix has it
    termios = None

Ask = Callable[[str], str]
"""Shows a prompt and reads one line, as `input` does."""

BOLD, SOFT = Style(bold=True), Style(dim=True)
NUMBERS = 6  # columns of the numbers of choices
GAP = 2  # columns between two choices that stand beside each other, and as many again where there is room
MOST_COLUMNS = 8  # in which choices are set on a small screen
MANY = 24  # choices: more need no list where the board numbers every one of them
LONGEST_LINE = 100  # columns, so that sentences can be read on a very wide screen


class TerminalRenderer:
    """One terminal, in one language, with one game's board."""

    def __init__(self, console: Console, game: Game, language: str, speed: float, ask: Ask | None) -> None:
        """Find the game's words, rulebook and board."""
        self.console = console
        self.game = game
        self.words = game.words(language)
        self.own_words = words(Path(__file__).parents[1] / "locale", language)
        self.rulebook = game.rulebook(language)
        self.drawing: Any = terminal_view_of(game)
        # No pauses where the output is a file or a pipe.
        self.speed = speed if console.is_terminal else 0.0
        self.read = ask or self.read_line
        self.table_lines = 0
        """How many lines the table took when it was shown last."""

    # --- Sentences --------------------------------------------------------------------------------------------
    def sentence(self, key: str, **gaps: Any) -> str:
        """Say something of the terminal's own; the names of commands fill their gaps by themselves."""
        return glued(self.own_words.say(phrase(key, **self.commands(), **gaps)))

    def phrase(self, said: Phrase) -> str:
        """Say something of the game's."""
        return glued(self.words.say(said))

    def commands(self) -> dict[str, str]:
        """Name every command as a person types it in this language, and yes and no."""
        entries = self.own_words.entries
        named = {key.removeprefix("command."): word for key, word in entries.items() if key.startswith("command.")}
        return named | {"yes": entries["quit.yes"], "no": entries["quit.no"]}

    def say(self, key: str, **gaps: Any) -> None:
        """Print a sentence of the terminal's own."""
        self.print(Text(self.sentence(key, **gaps)))

    def print(self, *parts: RenderableType) -> None:
        """Print what is no part of the board, with a margin and not too wide to read."""
        for part in parts:
            self.console.print(NonBreakingText(self.on_page(part)))

    def on_page(self, part: RenderableType) -> RenderableType:
        """Give something a margin, and no more width than can be read."""
        return Constrain(Padding(part, (0, 0, 0, 1), expand=False), min(self.console.width - 1, LONGEST_LINE))

    def space(self) -> None:
        """Leave an empty line where the screen is high enough."""
        if self.console.height >= SPACIOUS:
            self.console.print()

    def ask(self, key: str, **gaps: Any) -> str:
        """Ask a question of the terminal's own and read the answer."""
        return self.read(f" {loosened(self.sentence(key, **gaps))} ").strip()

    def read_line(self, prompt: str) -> str:
        """Read from the keyboard; what comes from a file is written out, so that the record can be read."""
        if self.speed > 0:
            _forget_typed_ahead()
        line = self.console.input(Text(prompt))
        if not sys.stdin.isatty():
            self.console.print(line, highlight=False, markup=False)
        return line

    def ask_yes(self, key: str, **gaps: object) -> bool | None:
        """Ask for yes or no by first letters, an English yes included; None is neither."""
        answer = self.ask(key, **gaps).casefold()[:1]
        commands = self.commands()
        return {commands["yes"][0]: True, "y": True, commands["no"][0]: False}.get(answer)

    # --- The table --------------------------------------------------------------------------------------------
    def show_table(self, state: State, who: Sequence[str], viewer: int, choices: Sequence[int] = ()) -> None:
        """Draw the board and what each player has, as one seat (or -1, a spectator) may see it."""
        position, width = state.observation(viewer), self.console.width
        marks = numbered(self.drawing.place(position, viewer, action) for action in choices)
        table = table_in_letters(self.game, self.words, position, who, viewer, width, self.console.height, marks)
        self.table_lines = self.lines(table)
        self.console.print(table, highlight=False)

    def lines(self, part: RenderableType) -> int:
        """Count the lines that something takes."""
        return len(self.console.render_lines(part, self.console.options.update(height=None), pad=False))

    def show_choices(self, state: State, seat: int, choices: Sequence[int]) -> None:
        """Ask what is to be decided, and list every choice with what it leads to.

        The first sheet is taken that leaves the table on the screen, or the lowest where none does.
        """
        left = self.console.height - self.table_lines - 1  # for the prompt
        sheets: list[RenderableType] = []
        for sheet in self.sheets(state, seat, choices):
            if self.lines(sheet) <= left:
                break
            sheets.append(sheet)
        else:
            sheet = min(sheets, key=self.lines)
        self.console.print(NonBreakingText(sheet))

    def sheets(self, state: State, seat: int, choices: Sequence[int]) -> Iterator[RenderableType]:
        """Write the question and the choices in every way we know, the roomiest first."""
        position, scene = state.observation(seat), self.game.text
        question = Text(self.phrase(scene.prompt(position).phrase), BOLD)
        foretold = [scene.preview(position, seat, action) for action in choices]
        names = [Text(self.name(seat, action)) for action in choices]
        previews = [Text(self.phrase(told), SOFT) if told else Text() for told in foretold]
        heading = self.heading(state, seat, question)
        short, signs = self.brief(position, seat, choices) or (names, previews)
        for listing in self.listings(names, short, previews):
            yield Group(heading, listing)
        explained = self.explained(state, seat, question)
        packed = [_packed(short, signs, columns, self.console.width) for columns in range(1, MOST_COLUMNS + 1)]
        for asked, listing in itertools.product((explained, heading), packed):
            if listing:
                yield Group(asked, listing)
        places = [self.drawing.place(position, seat, action) for action in choices]
        if len(choices) > MANY and None not in places:
            yield heading
        yield Group(heading, self.cut(short, previews))

    def heading(self, state: State, seat: int, question: Text) -> RenderableType:
        """Set a question beside the crests of the seat that is asked."""
        return self.on_page(_beside(self.crests(state, seat), question))

    def explained(self, state: State, seat: int, question: Text) -> RenderableType:
        """Set a question beside the crests, and explain the signs of the choices: behind it, or else below."""
        key = self.drawing.brief_key(state.observation(seat), self.words) if self.has_brief else ""
        together = self.heading(state, seat, Text.assemble(question, (f"  {key}" if key else "", SOFT)))
        if not key or self.lines(together) == 1:
            return together
        return Group(self.heading(state, seat, question), self.on_page(Text(key, SOFT)))

    @property
    def has_brief(self) -> bool:
        """Return whether the game can tell its choices in signs."""
        return hasattr(self.drawing, "brief")

    def brief(self, position: Any, seat: int, choices: Sequence[int]) -> tuple[list[Text], list[Text]] | None:
        """Name choices and what they lead to in signs, if the game has any for them."""
        if not self.has_brief:
            return None
        told = [self.drawing.brief(position, self.words, seat, action) for action in choices]
        return [name for name, _ in told], [preview for _, preview in told]

    def listings(self, names: Sequence[Text], short: Sequence[Text], previews: Sequence[Text]) -> Iterator[Table]:
        """List choices with sentences on what they lead to, in a line each, or else in more."""
        for most, called in itertools.product((1, 2), (names, short)):
            longest = max(name.cell_len for name in called)
            room = self.console.width - NUMBERS - GAP - longest
            if all(len(preview.wrap(self.console, room)) <= most for preview in previews):
                yield _numbered(list(zip(called, previews, strict=True)), (longest, False), (room, False))
        below = (Padding(preview, (0, 0, 0, 2)) for preview in previews)
        pairs = [[Group(name, told) if told.renderable else name] for name, told in zip(names, below, strict=True)]
        yield _numbered(pairs, (self.console.width - NUMBERS, False))

    def cut(self, names: Sequence[Text], previews: Sequence[Text]) -> Table:
        """List choices in one line each, cut off where it ends: `?` and a number says the rest."""
        longest = max(name.cell_len for name in names)
        room = max(self.console.width - NUMBERS - GAP - longest, 1)
        return _numbered(list(zip(names, previews, strict=True)), (longest, True), (room, True))

    def show_choice(self, state: State, seat: int, number: int, action: int) -> None:
        """Show one choice again, with what it leads to."""
        foretold = self.game.text.preview(state.observation(seat), seat, action)
        self.say("explain.choice", number=number, name=self.name(seat, action))
        if foretold:
            self.print(Padding(Text(self.phrase(foretold)), (0, 0, 0, 2), expand=False))

    def list_chances(self, seat: int, chances: Mapping[int, float]) -> None:
        """List choices, given in the order of their numbers, by how often they win."""
        listing = Table.grid(padding=(0, GAP, 0, 0))
        listing.add_column(justify="right")
        listing.add_column(justify="right")
        numbers = {action: number for number, action in enumerate(chances, 1)}
        for action in sorted(chances, key=lambda action: -chances[action]):
            whole, tenths = divmod(round(1000 * chances[action]), 10)
            share = self.sentence("oracle.share", whole=whole, tenths=tenths)
            listing.add_row(Text(f"  {numbers[action]}", BOLD), Text(share, SOFT), Text(self.name(seat, action)))
        self.say("oracle.chances")
        self.print(listing)

    def name(self, seat: int, action: int) -> str:
        """Name an action in words."""
        return self.phrase(self.game.text.action(self.game, seat, action))

    def crests(self, state: State, player: int) -> Text:
        """Draw the crests a seat leads, or a dot for chance."""
        return Text(" · ", SOFT) if player == CHANCE else self.drawing.crests(state.to_plain(), self.words, player)

    # --- What happened ----------------------------------------------------------------------------------------
    def tell(self, state: State, events: Sequence[GameEvent]) -> None:
        """Tell a move in paragraphs, each beside the crest of the seat it speaks of, and leave time to read it."""
        told: list[tuple[int, str]] = []
        for event in events:
            seat, sentence = self.spoken_of(event), self.phrase(event.phrase)
            if not told or seat not in (None, told[-1][0]):
                told.append((CHANCE if seat is None else seat, sentence))
            else:
                told[-1] = (told[-1][0], f"{told[-1][1]} {sentence}")
        for seat, sentences in told:
            self.print(_beside(self.crests(state, seat), Text(sentences)))
        if told:
            self.pause(min(0.5 + sum(len(sentences) for _, sentences in told) / 120, 2.5))

    def spoken_of(self, event: GameEvent) -> int | None:
        """Find the seat that an event is about, if it names one."""
        named = event.phrase.gaps.get("seat")
        return next((seat for seat in range(self.game.players) if self.game.text.seat_name(seat) == named), None)

    def clear(self) -> None:
        """Wipe everything off the screen, and off what can be scrolled back to, where the terminal can."""
        if not self.console.is_terminal:
            return
        self.console.clear()
        if self.console.is_dumb_terminal:
            self.console.print("\n" * self.console.height)
        elif not self.console.legacy_windows:
            self.console.file.write("\x1b[3J")
            self.console.file.flush()

    def pause(self, seconds: float) -> None:
        """Wait, as long as the table's speed says."""
        if self.speed > 0:
            time.sleep(seconds / self.speed)

    def list_events(self, state: State, told: Sequence[tuple[int, list[GameEvent]]]) -> None:
        """List what happened, each sentence with its rule."""
        listing = Table.grid(padding=(0, 1, 0, 0))
        for player, events in told:
            for number, event in enumerate(events):
                sign = self.crests(state, player) if number == 0 else Text()
                line = Text.assemble(self.phrase(event.phrase), " ", (event.rule, SOFT))
                listing.add_row(sign, line)
        self.print(listing)

    def show_end(self, state: State, who: Sequence[str], verdict: Sequence[GameEvent]) -> None:
        """Print the score and the winners."""
        self.print(Text(self.sentence("end.title"), BOLD))
        self.console.print(Padding(self.drawing.score(state.to_plain(), self.words, who), (0, 1)), highlight=False)
        self.space()
        for event in verdict:
            self.print(Text(self.phrase(event.phrase), BOLD))

    # --- Rules and help ---------------------------------------------------------------------------------------
    def show_rule(self, paragraph: Paragraph) -> None:
        """Show a rule's title, name and text."""
        title = Text.assemble((glued(paragraph.title), BOLD), "  ", (paragraph.id, SOFT))
        self.print(title, Padding(Markdown(glued(paragraph.text)), (0, 2)))

    def list_rules(self, paragraphs: Sequence[Paragraph]) -> None:
        """List rules by name and title."""
        listing = Table.grid(padding=(0, 2, 0, 0))
        for paragraph in paragraphs:
            listing.add_row(Text(f"  {paragraph.id}", SOFT), glued(paragraph.title))
        self.print(listing)

    def read_rulebook(self) -> None:
        """Show the whole rulebook, a screenful at a time."""
        width = min(self.console.width, LONGEST_LINE)
        text = glued(self.rulebook.markdown).replace("{#", "– ").replace("}\n", "\n")
        options = self.console.options.update(width=width, height=None)
        lines = self.console.render_lines(NonBreakingText(Padding(Markdown(text), (0, 1))), options)
        page = self.console.height - 2 if self.console.is_terminal else len(lines)
        for first in range(0, len(lines), page):
            self.console.print(SegmentLines(lines[first : first + page], new_lines=True), end="")
            if first + page < len(lines) and self.ask("rules.more"):
                return

    def show_help(self) -> None:
        """List what can be typed, and what the signs on the board mean."""
        typed, entries = self.commands(), self.own_words.entries
        keys = {
            "number": entries["help.a_number"],
            "enter": entries["help.a_key"],
            "rule": "?",
            "choice": "? 2",
            "word": f"? {entries['help.a_word']}",
            **{command: typed[command] for command in ("rules", "log", "oracle", "undo", "save", "quit")},
            "stop": "Ctrl-C",
        }
        commands = [(Text(key, BOLD), entries[f"help.{what}"]) for what, key in keys.items()]
        signs = self.drawing.legend(self.words)
        for title, rows in (("help.choices", commands), ("help.signs", signs)):
            self.print(Group(Text(entries[title], BOLD), _two_columns(rows)))


def _forget_typed_ahead() -> None:
    """Drop what impatient fingers typed while others moved: it answers no question."""
    if termios and sys.stdin.isatty():
        termios.tcflush(sys.stdin, termios.TCIFLUSH)


def _beside(sign: Text, text: Text) -> Table:
    """Set a paragraph beside a sign, so that it wraps under itself."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column()
    grid.add_row(sign, text)
    return grid


def _numbered(rows: Sequence[Sequence[RenderableType]], *columns: tuple[int, bool]) -> Table:
    """Set rows one below the other, with their numbers; a column has a width, and may have its lines cut off."""
    listing = Table.grid(padding=(0, GAP, 0, 0), pad_edge=False)
    listing.add_column(justify="right", width=NUMBERS - GAP)
    for width, cut in columns:
        listing.add_column(width=width, no_wrap=cut)
    for number, cells in enumerate(rows, 1):
        listing.add_row(Text(str(number), BOLD), *cells)
    return listing


def _packed(names: Sequence[Text], previews: Sequence[Text], columns: int, width: int) -> Text | None:
    """Set choices in columns, each read downwards, or give none where a line would be too long."""
    rows = -(-len(names) // columns)
    firsts = range(0, len(names), rows)
    blocks = [_Block(first + 1, names[first : first + rows], previews[first : first + rows]) for first in firsts]
    spare = width - 1 - sum(block.narrowest for block in blocks) - GAP * (len(blocks) - 1)
    if spare < 0:
        return None
    lines = [Text(" ", no_wrap=True) for _ in range(rows)]
    for block in blocks:
        more = min(spare, block.widest + GAP - block.narrowest)
        spare -= more
        for line, cell in zip(lines, block.cells(block.narrowest + more), strict=False):
            line.append_text(cell).append(" " * GAP)
    for line in lines:
        line.rstrip()
    return Text("\n", no_wrap=True).join(lines)


@dataclass(frozen=True)
class _Block:
    """Choices that stand below each other in one of several columns."""

    first: int
    names: Sequence[Text]
    previews: Sequence[Text]

    @property
    def digits(self) -> int:
        """How many columns the numbers take."""
        return len(str(self.first + len(self.names) - 1))

    @property
    def longest(self) -> int:
        """How many columns the names take."""
        return max(name.cell_len for name in self.names)

    @property
    def narrowest(self) -> int:
        """How many columns are needed, if previews need not stand exactly below each other."""
        pairs = zip(self.names, self.previews, strict=True)
        return self.digits + 2 + max(name.cell_len + (2 + told.cell_len if told else 0) for name, told in pairs)

    @property
    def widest(self) -> int:
        """How many columns are needed for previews that stand below each other."""
        told = max(preview.cell_len for preview in self.previews)
        return self.digits + 2 + self.longest + (2 + told if told else 0)

    def cells(self, width: int) -> Iterator[Text]:
        """Write every choice in so many columns."""
        for number, (name, told) in enumerate(zip(self.names, self.previews, strict=True), self.first):
            free = width - self.digits - 2 - name.cell_len - told.cell_len
            between = min(self.longest - name.cell_len + 2, free) if told else 0
            cell = Text.assemble((f"{number:>{self.digits}}", BOLD), "  ", name, " " * between, told)
            cell.append(" " * (width - cell.cell_len))
            yield cell


def _two_columns(rows: Sequence[tuple[Text, str]]) -> Table:
    """Set explanations beside what they explain."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    for sign, meaning in rows:
        grid.add_row(Text("  ") + sign, glued(meaning))
    return grid
