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
from dracotheque.presentation.generic_terminal import SPACIOUS, terminal_view_of, text_view
from dracotheque.presentation.terminal_canvas import numbered
from dracotheque.presentation.turn_log import TurnLine, TurnLog
from dracotheque.terminal.nonbreaking import NonBreakingText, protect_spaces, restore_spaces

try:
    import termios
except ImportError:  # only Unix has it
    termios = None

Ask = Callable[[str], str]
"""Shows a prompt and reads one line, as `input` does."""

BOLD, SOFT = Style(bold=True), Style(dim=True)
NUMBER_WIDTH = 6  # characters of the numbers of choices
GAP = 2  # characters between columns of choices, and as many again where there is room
MAX_COLUMNS = 8  # of choices on a small screen
MAX_LISTED = 24  # choices: more are not listed if the board numbers all of them
MAX_LINE_WIDTH = 100  # characters, for wide screens


class TerminalRenderer:
    """One terminal, in one language, with one game's board."""

    def __init__(self, console: Console, game: Game, language: str, speed: float, ask: Ask | None) -> None:
        """Take a console, a game and its language; `ask` reads a line (default: the keyboard)."""
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
        """The lines of the table when it was last shown."""

    # --- Sentences --------------------------------------------------------------------------------------------
    def sentence(self, key: str, **gaps: Any) -> str:
        """Return a sentence of the terminal's own catalogue; names of commands fill their gaps."""
        return protect_spaces(self.own_words.say(phrase(key, **self.commands(), **gaps)))

    def phrase(self, phrase: Phrase) -> str:
        """Return a phrase of the game in its language."""
        return protect_spaces(self.words.say(phrase))

    def commands(self) -> dict[str, str]:
        """Return the names of all commands in this language, and of yes and no."""
        entries = self.own_words.entries
        named = {key.removeprefix("command."): word for key, word in entries.items() if key.startswith("command.")}
        return named | {"yes": entries["quit.yes"], "no": entries["quit.no"]}

    def say(self, key: str, **gaps: Any) -> None:
        """Print a sentence of the terminal's own."""
        self.print(Text(self.sentence(key, **gaps)))

    def print(self, *parts: RenderableType) -> None:
        """Print parts other than the board, with a margin and a limited width."""
        for part in parts:
            self.console.print(NonBreakingText(self.on_page(part)))

    def on_page(self, part: RenderableType) -> RenderableType:
        """Return a part with a margin and a limited width."""
        return Constrain(Padding(part, (0, 0, 0, 1), expand=False), min(self.console.width - 1, MAX_LINE_WIDTH))

    def space(self) -> None:
        """Print an empty line if the screen is high enough."""
        if self.console.height >= SPACIOUS:
            self.console.print()

    def ask(self, key: str, **gaps: Any) -> str:
        """Print a question of the terminal's own catalogue and return the answer."""
        return self.read(f" {restore_spaces(self.sentence(key, **gaps))} ").strip()

    def read_line(self, prompt: str) -> str:
        """Return a line from the keyboard; one from a file or pipe is printed, so that the output is complete."""
        if self.speed > 0:
            _drop_typed_ahead()
        line = self.console.input(Text(prompt))
        if not sys.stdin.isatty():
            self.console.print(line, highlight=False, markup=False)
        return line

    def ask_yes(self, key: str, **gaps: object) -> bool | None:
        """Ask for yes or no by their first letters, also an English yes; return None for anything else."""
        answer = self.ask(key, **gaps).casefold()[:1]
        commands = self.commands()
        return {commands["yes"][0]: True, "y": True, commands["no"][0]: False}.get(answer)

    # --- The table --------------------------------------------------------------------------------------------
    def show_table(self, state: State, who: Sequence[str], viewer: int, choices: Sequence[int] = ()) -> None:
        """Print the board and the holdings of each seat, as one seat (or -1, a spectator) may see it."""
        position, width = state.observation(viewer), self.console.width
        marks = numbered(self.drawing.place(position, viewer, action) for action in choices)
        table = text_view(self.game, self.words, position, who, viewer, width, self.console.height, marks)
        self.table_lines = self.lines(table)
        self.console.print(table, highlight=False)

    def lines(self, part: RenderableType) -> int:
        """Return the number of lines of a part."""
        return len(self.console.render_lines(part, self.console.options.update(height=None), pad=False))

    def show_choices(self, state: State, seat: int, choices: Sequence[int]) -> None:
        """Print the prompt and every choice with its preview.

        The first layout that leaves the table on the screen is used, or the lowest if none does.
        """
        left = self.console.height - self.table_lines - 1  # for the prompt
        layouts: list[RenderableType] = []
        for layout in self.layouts(state, seat, choices):
            if self.lines(layout) <= left:
                break
            layouts.append(layout)
        else:
            layout = min(layouts, key=self.lines)
        self.console.print(NonBreakingText(layout))

    def layouts(self, state: State, seat: int, choices: Sequence[int]) -> Iterator[RenderableType]:
        """Yield all layouts of the prompt and the choices, the largest first."""
        position, text = state.observation(seat), self.game.text
        question = Text(self.phrase(text.prompt(position).phrase), BOLD)
        phrases = [text.preview(position, seat, action) for action in choices]
        names = [Text(self.name(seat, action)) for action in choices]
        previews = [Text(self.phrase(each), SOFT) if each else Text() for each in phrases]
        heading = self.heading(state, seat, question)
        short, signs = self.brief(position, seat, choices) or (names, previews)
        for listing in self.listings(names, short, previews):
            yield Group(heading, listing)
        explained = self.explained(state, seat, question)
        packed = [_packed(short, signs, columns, self.console.width) for columns in range(1, MAX_COLUMNS + 1)]
        for asked, listing in itertools.product((explained, heading), packed):
            if listing:
                yield Group(asked, listing)
        places = [self.drawing.place(position, seat, action) for action in choices]
        if len(choices) > MAX_LISTED and None not in places:
            yield heading
        yield Group(heading, self.cut(short, previews))

    def heading(self, state: State, seat: int, question: Text) -> RenderableType:
        """Return a prompt beside the crests of its seat."""
        return self.on_page(_beside(self.crests(state, seat), question))

    def explained(self, state: State, seat: int, question: Text) -> RenderableType:
        """Return a prompt beside the crests, with the key to the signs of the choices behind or below it."""
        key = self.drawing.brief_key(state.observation(seat), self.words) if self.has_brief else ""
        together = self.heading(state, seat, Text.assemble(question, (f"  {key}" if key else "", SOFT)))
        if not key or self.lines(together) == 1:
            return together
        return Group(self.heading(state, seat, question), self.on_page(Text(key, SOFT)))

    @property
    def has_brief(self) -> bool:
        """Whether the game has signs for its choices."""
        return hasattr(self.drawing, "brief")

    def brief(self, position: Any, seat: int, choices: Sequence[int]) -> tuple[list[Text], list[Text]] | None:
        """Return the names and previews of choices in signs, if the game has them."""
        if not self.has_brief:
            return None
        signs = [self.drawing.brief(position, self.words, seat, action) for action in choices]
        return [name for name, _ in signs], [preview for _, preview in signs]

    def listings(self, names: Sequence[Text], short: Sequence[Text], previews: Sequence[Text]) -> Iterator[Table]:
        """Yield lists of choices with their previews, in a line each, then in more."""
        for most, called in itertools.product((1, 2), (names, short)):
            longest = max(name.cell_len for name in called)
            room = self.console.width - NUMBER_WIDTH - GAP - longest
            if all(len(preview.wrap(self.console, room)) <= most for preview in previews):
                yield _numbered(list(zip(called, previews, strict=True)), (longest, False), (room, False))
        below = (Padding(preview, (0, 0, 0, 2)) for preview in previews)
        pairs = [[Group(name, text) if text.renderable else name] for name, text in zip(names, below, strict=True)]
        yield _numbered(pairs, (self.console.width - NUMBER_WIDTH, False))

    def cut(self, names: Sequence[Text], previews: Sequence[Text]) -> Table:
        """Return a list of choices in one line each, cut at its end; `?` and a number shows the rest."""
        longest = max(name.cell_len for name in names)
        room = max(self.console.width - NUMBER_WIDTH - GAP - longest, 1)
        return _numbered(list(zip(names, previews, strict=True)), (longest, True), (room, True))

    def show_choice(self, state: State, seat: int, number: int, action: int) -> None:
        """Print one choice with its preview."""
        preview = self.game.text.preview(state.observation(seat), seat, action)
        self.say("explain.choice", number=number, name=self.name(seat, action))
        if preview:
            self.print(Padding(Text(self.phrase(preview)), (0, 0, 0, 2), expand=False))

    def list_values(self, seat: int, chances: Mapping[int, float]) -> None:
        """Print choices, given in the order of their numbers, with their probabilities of winning."""
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
        """Return the name of an action."""
        return self.phrase(self.game.text.action(self.game, seat, action))

    def crests(self, state: State, player: int) -> Text:
        """Return the crests of a seat, or a dot for chance."""
        return Text(" · ", SOFT) if player == CHANCE else self.drawing.crests(state.to_plain(), self.words, player)

    # --- Events -----------------------------------------------------------------------------------------------
    def show_lines(self, state: State, lines: Sequence[tuple[int, TurnLine]], turns: TurnLog) -> None:
        """Print lines of the log, each beside the crest of its seat, and pause to let them be read."""
        texts = [(seat, protect_spaces(turns.said(line))) for seat, line in lines]
        for seat, text in texts:
            self.print(_beside(self.crests(state, seat), Text(text)))
        if texts:
            self.pause(min(0.5 + sum(len(text) for _, text in texts) / 120, 2.5))

    def clear(self) -> None:
        """Clear the screen, and the scrollback if the terminal can."""
        if not self.console.is_terminal:
            return
        self.console.clear()
        if self.console.is_dumb_terminal:
            self.console.print("\n" * self.console.height)
        elif not self.console.legacy_windows:
            self.console.file.write("\x1b[3J")
            self.console.file.flush()

    def pause(self, seconds: float) -> None:
        """Wait, for a time that depends on the speed."""
        if self.speed > 0:
            time.sleep(seconds / self.speed)

    def list_turns(self, state: State, turns: TurnLog, count: int) -> None:
        """Print the last turns: each line, and below it what it tells in short, with the rules."""
        listing = Table.grid(padding=(0, 1, 0, 0))
        for turn in turns.turns[-count:]:
            for seat, line in turn.signed():
                if line.text:
                    listing.add_row(self.crests(state, seat), Text(protect_spaces(turns.said(line)), BOLD))
                for event in line.events:
                    listing.add_row(Text(), Text.assemble("  ", self.phrase(event.phrase), " ", (event.rule, SOFT)))
        self.print(listing)

    def show_end(self, state: State, who: Sequence[str], result: Sequence[GameEvent]) -> None:
        """Print the score and the winners."""
        self.print(Text(self.sentence("end.title"), BOLD))
        self.console.print(Padding(self.drawing.score(state.to_plain(), self.words, who), (0, 1)), highlight=False)
        self.space()
        for event in result:
            self.print(Text(self.phrase(event.phrase), BOLD))

    # --- Rules and help ---------------------------------------------------------------------------------------
    def show_rule(self, paragraph: Paragraph) -> None:
        """Print a rule's title, id and text."""
        title = Text.assemble((protect_spaces(paragraph.title), BOLD), "  ", (paragraph.id, SOFT))
        self.print(title, Padding(Markdown(protect_spaces(paragraph.text)), (0, 2)))

    def list_rules(self, paragraphs: Sequence[Paragraph]) -> None:
        """Print rules by id and title."""
        listing = Table.grid(padding=(0, 2, 0, 0))
        for paragraph in paragraphs:
            listing.add_row(Text(f"  {paragraph.id}", SOFT), protect_spaces(paragraph.title))
        self.print(listing)

    def read_rulebook(self) -> None:
        """Print the whole rulebook, a page at a time."""
        width = min(self.console.width, MAX_LINE_WIDTH)
        text = protect_spaces(self.rulebook.markdown).replace("{#", "– ").replace("}\n", "\n")
        options = self.console.options.update(width=width, height=None)
        lines = self.console.render_lines(NonBreakingText(Padding(Markdown(text), (0, 1))), options)
        page = self.console.height - 2 if self.console.is_terminal else len(lines)
        for first in range(0, len(lines), page):
            self.console.print(SegmentLines(lines[first : first + page], new_lines=True), end="")
            if first + page < len(lines) and self.ask("rules.more"):
                return

    def show_help(self) -> None:
        """Print all commands and the meaning of the signs on the board."""
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


def _drop_typed_ahead() -> None:
    """Drop what was typed while others moved: it is no answer to the prompt."""
    if termios and sys.stdin.isatty():
        termios.tcflush(sys.stdin, termios.TCIFLUSH)


def _beside(sign: Text, text: Text) -> Table:
    """Return a paragraph beside a sign, under which it does not wrap."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column()
    grid.add_row(sign, text)
    return grid


def _numbered(rows: Sequence[Sequence[RenderableType]], *columns: tuple[int, bool]) -> Table:
    """Return rows with their numbers; each column has a width and may be cut."""
    listing = Table.grid(padding=(0, GAP, 0, 0), pad_edge=False)
    listing.add_column(justify="right", width=NUMBER_WIDTH - GAP)
    for width, cut in columns:
        listing.add_column(width=width, no_wrap=cut)
    for number, cells in enumerate(rows, 1):
        listing.add_row(Text(str(number), BOLD), *cells)
    return listing


def _packed(names: Sequence[Text], previews: Sequence[Text], columns: int, width: int) -> Text | None:
    """Return choices in columns, each read downwards, or None if a line would be too long."""
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
    """The choices of one of several columns."""

    first: int
    names: Sequence[Text]
    previews: Sequence[Text]

    @property
    def digits(self) -> int:
        """The width of the numbers."""
        return len(str(self.first + len(self.names) - 1))

    @property
    def longest(self) -> int:
        """The width of the names."""
        return max(name.cell_len for name in self.names)

    @property
    def narrowest(self) -> int:
        """The width needed if previews are not aligned."""
        pairs = zip(self.names, self.previews, strict=True)
        return (
            self.digits + 2 + max(name.cell_len + (2 + preview.cell_len if preview else 0) for name, preview in pairs)
        )

    @property
    def widest(self) -> int:
        """The width needed for aligned previews."""
        preview = max(preview.cell_len for preview in self.previews)
        return self.digits + 2 + self.longest + (2 + preview if preview else 0)

    def cells(self, width: int) -> Iterator[Text]:
        """Yield every choice in a width."""
        for number, (name, preview) in enumerate(zip(self.names, self.previews, strict=True), self.first):
            free = width - self.digits - 2 - name.cell_len - preview.cell_len
            between = min(self.longest - name.cell_len + 2, free) if preview else 0
            cell = Text.assemble((f"{number:>{self.digits}}", BOLD), "  ", name, " " * between, preview)
            cell.append(" " * (width - cell.cell_len))
            yield cell


def _two_columns(rows: Sequence[tuple[Text, str]]) -> Table:
    """Return explanations beside the signs or commands that they explain."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    for sign, meaning in rows:
        grid.add_row(Text("  ") + sign, protect_spaces(meaning))
    return grid
