"""One game in the terminal: the loop of prompts, choices and events."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from random import Random

from msgspec import structs
from rich.text import Text

from dracotheque.bots import Bot, default_bots, is_known
from dracotheque.bots.player_view import player_view
from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.log import GameLog
from dracotheque.engine.phrases import GameEvent
from dracotheque.engine.playthrough import tell
from dracotheque.engine.rulebook import Paragraph
from dracotheque.engine.state import State
from dracotheque.engine.takeback import is_secret_choice, undo_point
from dracotheque.presentation.log_lines import LogLine, log_lines_of
from dracotheque.presentation.turn_log import TurnLog
from dracotheque.terminal import PERSON
from dracotheque.terminal.nonbreaking import restore_spaces
from dracotheque.terminal.renderer import TerminalRenderer

MAX_LOGGED = 4  # turns that `log` shows
SPECTATOR = -1
MAX_RULES_IN_FULL = 2  # rules found by a word that are shown in full; more are listed
SET_UP_RULES = ("setup.", "option.", "round.roles", "two.dwarves", "two.colours")
"""Rules of events that come with a first choice but do not explain it."""


class Leave(Exception):  # noqa: N818 - nothing went wrong
    """Raised when a person quits the game."""


class TerminalSession:
    """A game in the terminal, new or resumed, until its end."""

    def __init__(
        self, screen: TerminalRenderer, state: State, seats: list[str], bots: dict[int, Bot], chance: Random,
        save: Path | None,
    ) -> None:  # fmt: skip
        """Take the state, the player of each seat, and the file to save to."""
        self.screen = screen
        self.state = state
        self.seats = seats
        self.bots = bots
        self.outcome_source = state.game.outcome_source(chance)
        self.file = save
        self.who = [self._player_name(name) for name in seats]
        self.shown_to: int | None = None
        self.turns = self.turns_of(state)
        self.commands: dict[str, Callable[[str], bool]] = {
            "help": self.help, "rules": self.rules, "log": self.log, "oracle": self.oracle, "undo": self.undo,
            "save": self.save, "quit": self.quit,
        }  # fmt: skip

    def _player_name(self, name: str) -> str:
        """Return the name of a player: a person, a known bot, or the class of a bot from a file."""
        entries = self.screen.own_words.entries
        if name == PERSON:
            return entries["you"]
        return entries[f"bot.{name.partition(':')[0]}"] if is_known(name) else name.rpartition(":")[2]

    # --- The course of the game -------------------------------------------------------------------------------
    def play(self) -> bool:
        """Play until the game is over or left; return whether it was played to its end."""
        try:
            self.welcome()
            result: list[GameEvent] = []
            while not self.state.is_terminal():
                result = self.advance()
            self.end(result or self.last_result())
        except (KeyboardInterrupt, EOFError):
            self.interrupted()
            return False
        except Leave:
            self.screen.say("quit.bye")
            return False
        return True

    def welcome(self) -> None:
        """Print the game, and the crests of the persons."""
        definition, screen = self.state.game.definition, self.screen
        if definition.designer and definition.year:
            screen.say("start.welcome", title=definition.title, designer=definition.designer, year=definition.year)
        else:
            screen.say("start.title", title=definition.title)
        for seat in self.persons():
            yours = screen.sentence("start.you", name=self.seat_name(seat))
            screen.print(Text.assemble(screen.crests(self.state, seat), " ", yours))
        screen.say("start.hint" if self.persons() else "start.watch")
        if self.state.move_number():
            screen.say("start.resumed", count=self.state.move_number())

    def persons(self) -> list[int]:
        """Return the seats of persons."""
        return [seat for seat, name in enumerate(self.seats) if name == PERSON]

    def advance(self) -> list[GameEvent]:
        """Let chance, a bot or a person make the next move; return the result, if that was the last one."""
        if self.state.is_chance_node():
            return self.play_chance()
        seat = self.to_choose()
        if seat not in self.bots:
            return self.ask(seat)
        if not self.persons() and self.state.current_player() != self.shown_to:
            self.show_lines()
            self.screen.show_table(self.state, self.who, -1)
            self.shown_to = self.state.current_player()
        return self.move(seat, self.bots[seat].choose(player_view(self.state, seat)))

    def to_choose(self) -> int:
        """Return the seat to choose; where several choose at once, the first that has not."""
        if not self.state.is_simultaneous_node():
            return self.state.current_player()
        return next(seat for seat in range(len(self.seats)) if self.state.legal_actions(seat))

    def play_chance(self) -> list[GameEvent]:
        """Apply chance moves until a seat has to choose; return the result, if that was the end."""
        events: list[GameEvent] = []
        while self.state.is_chance_node():
            events += self.apply(CHANCE, self.outcome_source(self.state))
        self.show_lines(finished=True)
        return self.result_of(events)

    def move(self, seat: int, action: int) -> list[GameEvent]:
        """Apply a seat's action; return the result, if that was the end."""
        events = self.apply(seat, action)
        self.show_lines(finished=True)
        return self.result_of(events)

    def apply(self, player: int, action: int) -> list[GameEvent]:
        """Apply a move, write it down and return its events."""
        before = self.state.clone()
        self.state.apply_action(action, player)
        return self.write_down(self.turns, before, player, action, self.state)

    def write_down(self, turns: TurnLog, before: State, player: int, action: int, after: State) -> list[GameEvent]:
        """Add a move to a log, and return its events."""
        events = tell(before, player, action, after)
        spectators = before.observation(SPECTATOR), after.observation(SPECTATOR)
        lines = log_lines_of(self.state.game).lines(spectators[0], events, spectators[1])
        turns.add(player, events, self.without_result(events, lines))
        return events

    def without_result(self, events: list[GameEvent], lines: list[LogLine]) -> list[LogLine]:
        """Return lines without what the board shows, and without the score and result, which are printed at the end."""
        drawn = [*self.screen.drawing.DRAWN_RULES, *self.screen.drawing.RESULT_RULES]
        left_out = [
            number for number, event in enumerate(events) if event.rule in drawn or event.rule.startswith("score.")
        ]
        kept = [(line, [part for part in line.parts if part not in left_out]) for line in lines]
        return [structs.replace(line, parts=parts) for line, parts in kept if parts or not line.parts]

    def turns_of(self, state: State) -> TurnLog:
        """Return the log of a game up to a state, as if it had been printed."""
        turns, before = TurnLog(self.screen.words), state.game.new_initial_state()
        for player, action in state.full_history():
            after = before.child(action, player)
            self.write_down(turns, before, player, action, after)
            before = after
        turns.unprinted()
        return turns

    def show_lines(self, *, finished: bool = False) -> None:
        """Print the lines of the log that have not been printed, or only those of finished turns."""
        self.screen.show_lines(self.state, self.turns.unprinted(finished=finished), self.turns)

    def result_of(self, events: list[GameEvent]) -> list[GameEvent]:
        """Return the events that say who won."""
        return [event for event in events if event.rule in self.screen.drawing.RESULT_RULES]

    def end(self, result: list[GameEvent]) -> None:
        """Print the last turn and position, the score and the result; save the log if a file is set."""
        self.show_lines()
        self.screen.show_table(self.state, self.who, -1)
        self.screen.show_end(self.state, self.who, result)
        if self.file:
            self.write(self.file)

    def last_result(self) -> list[GameEvent]:
        """Return the result of a game that was over when it was resumed."""
        *before, (player, action) = self.state.full_history()
        return self.result_of(tell(self.after(before), player, action, self.state))

    def wants_another(self) -> bool:
        """Ask the persons, if there are any, whether to play again."""
        try:
            return bool(self.persons()) and self.screen.ask_yes("again.ask") is True
        except (KeyboardInterrupt, EOFError):
            self.screen.console.print()
            return False

    def interrupted(self) -> None:
        """Save the game after Ctrl-C or the end of the input."""
        self.screen.console.print()
        self.screen.say("save.interrupted")
        self.write(self.file or self.new_file())

    # --- A person's choice ------------------------------------------------------------------------------------
    def ask(self, seat: int) -> list[GameEvent]:
        """Let a person choose, hidden from the others where the choice is secret, and apply the action."""
        self.show_lines()
        private = len(self.persons()) > 1 and is_secret_choice(self.state)
        if private:
            self.screen.ask("ask.pass", name=self.seat_name(seat))
        action = self.choose(seat)
        if private:
            self.screen.clear()
        if action is None:
            self.take_back()
            return []
        return self.move(seat, action)

    def seat_name(self, seat: int) -> str:
        """Return the name of a seat."""
        return self.screen.phrase(self.state.game.text.seat_name(seat))

    def choose(self, seat: int) -> int | None:
        """Read input until an action is chosen; return None to take the last choice back."""
        choices = self.state.legal_actions(seat)
        self.show(seat)
        while True:
            line = self.screen.ask("ask.several" if len(choices) > 1 else "ask.single", last=len(choices))
            if not line:
                self.show(seat)
            elif line.startswith("?"):
                self.explain(line[1:].strip(), seat)
            elif _is_number(line):
                if 1 <= int(line) <= len(choices):
                    return choices[int(line) - 1]
                self.screen.say("bad.number" if len(choices) > 1 else "bad.single", text=line, last=len(choices))
            elif (named := self.choice_named(line, seat)) is not None:
                return named
            elif self.run_command(line):
                return None

    def show(self, seat: int) -> None:
        """Print the table and the choices of a seat."""
        choices = self.state.legal_actions(seat)
        self.screen.show_table(self.state, self.who, seat, choices)
        self.screen.show_choices(self.state, seat, choices)

    def run_command(self, line: str) -> bool:
        """Run a command, in full or abbreviated; return whether to take the last choice back."""
        word, _, rest = line.partition(" ")
        typed = self.screen.commands()
        found = {
            command
            for command in self.commands
            if any(folded(name).startswith(folded(word)) for name in (command, typed[command]))
        }
        if len(found) != 1:
            self.screen.say("bad.text", text=line)
            return False
        return self.commands[found.pop()](rest.strip())

    # --- Commands: each returns whether to take the last choice back ------------------------------------------
    def help(self, _rest: str) -> bool:
        """Print all commands."""
        self.screen.show_help()
        return False

    def rules(self, _rest: str) -> bool:
        """Print the rulebook."""
        self.screen.read_rulebook()
        return False

    def log(self, _rest: str) -> bool:
        """Print the last turns: each line, and what it tells in short with its rules."""
        if self.state.move_number():
            self.screen.list_turns(self.state, self.turns, MAX_LOGGED)
        else:
            self.screen.say("log.empty")
        return False

    def oracle(self, _rest: str) -> bool:
        """Print how often each choice wins, where perfect play is known."""
        exact = default_bots.exact_values(self.state.game)
        if exact is None:
            self.screen.say("oracle.unknown")
            return False
        seat, state = self.to_choose(), self.state
        shares = {action: exact.after(state, seat, action).shares[seat] for action in state.legal_actions(seat)}
        self.screen.list_values(seat, shares)
        return False

    def undo(self, _rest: str) -> bool:
        """Take the last choice back, if there is one."""
        chosen = self.last_choice() is not None
        if not chosen:
            self.screen.say("undo.nothing")
        return chosen

    def save(self, rest: str) -> bool:
        """Save the game to a file, and use it from now on."""
        file = Path(rest).expanduser() if Path(rest).name else self.file or self.new_file()
        is_other = file.exists() and file != self.file
        if is_other and not self.screen.ask_yes("save.replace", path=file):
            return False
        if self.write(file):
            self.file = file
        return False

    def quit(self, _rest: str) -> bool:
        """Quit, after asking whether to save the game."""
        keep = self.screen.ask_yes("quit.ask")
        if keep is None or (keep and not self.write(self.file or self.new_file())):
            return False
        raise Leave

    # --- Rules ------------------------------------------------------------------------------------------------
    def explain(self, text: str, seat: int) -> None:
        """Explain the text after `?`: a choice's number, a rule's id, an action, a word, or else the rule in force."""
        rulebook = self.screen.rulebook
        if not text:
            position = self.state.observation(seat)
            self.screen.show_rule(rulebook[self.state.game.text.prompt(position).rule])
        elif _is_number(text):
            self.explain_choice(int(text), seat)
        elif text in rulebook.paragraphs:
            self.screen.show_rule(rulebook[text])
        elif (action := self.action_called(text, seat)) is not None:
            self.explain_action(action, seat)
        else:
            self.look_up(text)

    def explain_choice(self, number: int, seat: int) -> None:
        """Print a choice with its preview, and the rule of its first event."""
        choices = self.state.legal_actions(seat)
        if not 1 <= number <= len(choices):
            self.screen.say("explain.no_number", number=number)
            return
        action = choices[number - 1]
        self.screen.show_choice(self.state, seat, number, action)
        # The result may depend on others' secret choices, so the action is applied to a resampled state.
        resampled = self.state.resample_from_infostate(seat, Random(0))
        events = tell(resampled, seat, action, resampled.child(action, seat))
        rules = [event.rule for event in events if not event.rule.startswith(SET_UP_RULES)]
        self.screen.show_rule(self.screen.rulebook[rules[0]])

    def choice_named(self, text: str, seat: int) -> int | None:
        """Return a legal action by its whole name."""
        choices = self.state.legal_actions(seat)
        return next((a for a in choices if folded(self.screen.name(seat, a)).split() == folded(text).split()), None)

    def action_called(self, text: str, seat: int) -> int | None:
        """Return an action by words of its name, a legal one before an illegal one."""
        wanted = folded(text).split()
        legal = self.state.legal_actions(seat)
        others = [action for action in range(self.state.game.num_distinct_actions()) if action not in legal]
        names = ((action, folded(self.screen.name(seat, action)).split()) for action in [*legal, *others])
        fitting = (a for a, name in names if wanted == name or (len(wanted) > 1 and set(wanted) <= set(name)))
        return next(fitting, None)

    def explain_action(self, action: int, seat: int) -> None:
        """Explain an action, or why it is illegal now."""
        choices = self.state.legal_actions(seat)
        if action in choices:
            self.explain_choice(choices.index(action) + 1, seat)
        elif rule := self.state.refusal(action, seat):
            self.screen.say("explain.refused", name=self.screen.name(seat, action))
            self.screen.show_rule(self.screen.rulebook[rule])

    def look_up(self, text: str) -> None:
        """Print the rules with a text in their titles and ids, else in their paragraphs."""
        rules = self.screen.rulebook.paragraphs.values()
        found = [rule for rule in rules if folded(text) in folded(f"{rule.title} {rule.id}")]
        found = found or [rule for rule in rules if folded(text) in folded(rule.text)]
        if not found:
            self.screen.say("explain.none", text=text)
        elif len(found) <= MAX_RULES_IN_FULL:
            self.show_rules(found)
        else:
            self.screen.say("explain.found", text=text)
            self.screen.list_rules(found)

    def show_rules(self, rules: list[Paragraph]) -> None:
        """Print some rules in full."""
        for rule in rules:
            self.screen.show_rule(rule)

    # --- Taking back ------------------------------------------------------------------------------------------
    def last_choice(self) -> int | None:
        """Return the index of the last move of a person."""
        persons, history = self.persons(), self.state.full_history()
        return next((n for n in reversed(range(len(history))) if history[n][0] in persons), None)

    def take_back(self) -> None:
        """Take back the last choice of a person and all moves after it, and print what was taken back."""
        last = self.last_choice()
        if last is None:
            return
        history = self.state.full_history()
        first = undo_point(GameLog(self.state.game, self.seats, history), last)
        self.state = self.after(history[:first])
        self.turns = self.turns_of(self.state)
        if len(self.persons()) > 1:
            self.screen.say("undo.of", name=self.seat_name(history[last][0]))
        else:
            self.screen.say("undo.done")
        if first < last:
            self.screen.say("undo.sealed")

    # --- The log ----------------------------------------------------------------------------------------------
    def after(self, moves: list[tuple[int, int]]) -> State:
        """Return the state after some moves."""
        return GameLog(self.state.game, self.seats, moves).play()

    def new_file(self) -> Path:
        """Return a file name of the game and the time."""
        return Path(f"{self.state.game.name}-{datetime.now():%Y%m%d-%H%M%S}.json")

    def write(self, file: Path) -> bool:
        """Save the log, and print where it is and how to resume it; return False if it cannot be written."""
        try:
            GameLog.of(self.state, self.seats).save(file)
        except OSError as error:
            self.screen.say("save.failed", path=file, why=error.strerror or error)
            return False
        self.screen.say("save.done", path=file)
        if not self.state.is_terminal():
            command = f"dracotheque terminal {self.state.game.name} --resume {file}"
            self.screen.print(Text(f"{self.screen.sentence('save.resume')} {command}"))
        return True


def _is_number(text: str) -> bool:
    """Return whether a text is a number of at most nine digits."""
    return text.isdecimal() and len(text) < 10


def folded(text: str) -> str:
    """Return a text without capitals and accents, with ordinary spaces."""
    parts = unicodedata.normalize("NFKD", restore_spaces(text).casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign))
