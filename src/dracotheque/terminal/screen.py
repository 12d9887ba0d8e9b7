"""What a person sees in the terminal, and what they are asked: everything printed goes through here."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.segment import SegmentLines
from rich.style import Style
from rich.table import Table
from rich.text import Text

from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.game import Game, State
from dracotheque.engine.rulebook import Paragraph
from dracotheque.engine.words import Event, Phrase, phrase, words
from dracotheque.games.drawn import numbered
from dracotheque.terminal.glue import Loosened, glued, loosened

try:
    import termios
except ImportError:  # only Unix has it
    termios = None

Ask = Callable[[str], str]
"""Shows a prompt and reads one line, as `input` does."""

BOLD, SOFT = Style(bold=True), Style(dim=True)
SPACIOUS = 30  # lines from which there is room for empty ones
LOW = 24  # lines of the smallest screen
FEW = 5  # choices that may take two lines each even there
LONGEST_LINE = 100  # columns, so that sentences can be read on a very wide screen


class Screen:
    """One terminal, in one language, with one game's board."""

    def __init__(self, console: Console, game: Game, language: str, speed: float, ask: Ask | None) -> None:
        """Find the game's words, rulebook and board."""
        self.console = console
        self.game = game
        self.words = game.words(language)
        self.own_words = words(Path(__file__).parents[1] / "words", language)
        self.rulebook = game.rulebook(language)
        self.drawing: Any = importlib.import_module(f"{game.box.package}.terminal_board")
        # Nobody waits at a file or a pipe.
        self.speed = speed if console.is_terminal else 0.0
        self.read = ask or self.read_line

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
        width = min(self.console.width - 1, LONGEST_LINE)
        for part in parts:
            self.console.print(Loosened(Padding(part, (0, 0, 0, 1), expand=False)), width=width)

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

    def ask_yes(self, key: str) -> bool | None:
        """Ask for yes or no by first letters, an English yes included; None is neither."""
        answer = self.ask(key).casefold()[:1]
        commands = self.commands()
        return {commands["yes"][0]: True, "y": True, commands["no"][0]: False}.get(answer)

    # --- The table --------------------------------------------------------------------------------------------
    def show_table(self, state: State, who: Sequence[str], viewer: int, choices: Sequence[int] = ()) -> None:
        """Draw the board and what everybody holds, as one seat (or -1, a spectator) may see it."""
        position, width = state.observation(viewer), self.console.width
        marks = numbered(self.drawing.place(position, viewer, action) for action in choices)
        picture = self.drawing.board(position, self.words, width, marks, self.console.height)
        board_width = min(max(len(line) for line in picture.plain.split("\n")), width)
        self.space()
        self.console.print(_headline(self.game.box.title, self.drawing.caption(position, self.words), board_width))
        self.console.print(picture, soft_wrap=False, highlight=False)
        self.space()
        self.console.print(self.drawing.players(position, self.words, width, who, viewer))
        self.space()

    def show_choices(self, state: State, seat: int, choices: Sequence[int]) -> None:
        """Ask what is to be decided, and list every choice with what it leads to."""
        position, scene = state.observation(seat), self.game.scene
        question = Text(self.phrase(scene.question(position).phrase), BOLD)
        self.print(_beside(self.crests(state, seat), question))
        foretold = [scene.preview(position, seat, action) for action in choices]
        previews = [Text(self.phrase(told), SOFT) if told else Text() for told in foretold]
        self.console.print(Loosened(self.listing([self.name(seat, action) for action in choices], previews)))

    def listing(self, names: Sequence[str], previews: Sequence[Text]) -> Table:
        """List choices with what they lead to: beside them, or below where that would take more than two lines each.

        Nothing takes more lines than that, or than one where there are many: `?` and a number says the rest.
        """
        longest = max(len(name) for name in names)
        whole, room = self.console.width - 6, self.console.width - 8 - longest
        many = len(names) > max(FEW, (self.console.height - LOW) // 2)
        if many or all(len(preview.wrap(self.console, room)) <= 2 for preview in previews):
            rows = [[Text(name), preview] for name, preview in zip(names, previews, strict=True)]
            return _numbered(rows, (longest, False), (room, many))
        return _numbered(
            [[Text(f"{name}\n") + preview] for name, preview in zip(names, previews, strict=True)], (whole, True)
        )

    def show_choice(self, state: State, seat: int, number: int, action: int) -> None:
        """Show one choice again, with what it leads to."""
        foretold = self.game.scene.preview(state.observation(seat), seat, action)
        self.say("explain.choice", number=number, name=self.name(seat, action))
        if foretold:
            self.print(Text(f"  {self.phrase(foretold)}"))

    def name(self, seat: int, action: int) -> str:
        """Name an action in words."""
        return self.phrase(self.game.scene.action(self.game, seat, action))

    def crests(self, state: State, player: int) -> Text:
        """Draw the crests a seat leads, or a dot for chance."""
        return Text(" · ", SOFT) if player == CHANCE else self.drawing.crests(state.table(), self.words, player)

    # --- What happened ----------------------------------------------------------------------------------------
    def tell(self, state: State, events: Sequence[Event]) -> None:
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

    def spoken_of(self, event: Event) -> int | None:
        """Find the seat that an event is about, if it names one."""
        named = event.phrase.gaps.get("seat")
        return next((seat for seat in range(self.game.players) if self.game.scene.seat_name(seat) == named), None)

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

    def list_events(self, state: State, told: Sequence[tuple[int, list[Event]]]) -> None:
        """List what happened, each sentence with its rule."""
        listing = Table.grid(padding=(0, 1, 0, 0))
        for player, events in told:
            for number, event in enumerate(events):
                sign = self.crests(state, player) if number == 0 else Text()
                line = Text.assemble(self.phrase(event.phrase), " ", (event.rule, SOFT))
                listing.add_row(sign, line)
        self.print(listing)

    def show_end(self, state: State, who: Sequence[str], verdict: Sequence[Event]) -> None:
        """Lay the score out and say who won."""
        self.print(Text(self.sentence("end.title"), BOLD))
        self.console.print(Padding(self.drawing.score(state.table(), self.words, who), (0, 1)), highlight=False)
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
        lines = self.console.render_lines(Loosened(Padding(Markdown(text), (0, 1))), options)
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
            **{command: typed[command] for command in ("rules", "log", "undo", "save", "quit")},
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


def _headline(title: str, caption: str, width: int) -> Text:
    """Write the title at the left and the caption at the right of a line."""
    line = "─" * max(width - len(title) - len(caption) - 9, 1)
    return Text.assemble((" ── ", SOFT), (title, BOLD), (f" {line} ", SOFT), caption, (" ──", SOFT), no_wrap=True)


def _beside(sign: Text, text: Text) -> Table:
    """Set a paragraph beside a sign, so that it wraps under itself."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column()
    grid.add_row(sign, text)
    return grid


def _numbered(rows: Sequence[Sequence[Text]], *columns: tuple[int, bool]) -> Table:
    """Set rows one below the other, with their numbers; a column has a width, and may have its lines cut off."""
    listing = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    listing.add_column(justify="right", width=4)
    for width, cut in columns:
        listing.add_column(width=width, no_wrap=cut)
    for number, cells in enumerate(rows, 1):
        listing.add_row(Text(str(number), BOLD), *cells)
    return listing


def _two_columns(rows: Sequence[tuple[Text, str]]) -> Table:
    """Set explanations beside what they explain."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    for sign, meaning in rows:
        grid.add_row(Text("  ") + sign, glued(meaning))
    return grid
