"""One game in the terminal: the loop of prompts, choices and events."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from random import Random

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
from dracotheque.terminal import PERSON
from dracotheque.terminal.renderer import TerminalRenderer

LOGGED = 12  # moves that `log` shows
SHOWN_AT_ONCE = 2  # rules found by a word that are shown in full
SET_UP = ("setup.", "option.", "round.roles", "two.dwarves", "two.colours")
"""Rules of events that come with a first choice but do not explain it."""


class Leave(Exception):  # noqa: N818 - nothing went wrong
    """A person gets up from the table."""


class TerminalSession:
    """A game from its first move, or from where it was left, to its end."""

    def __init__(
        self, screen: TerminalRenderer, state: State, seats: list[str], bots: dict[int, Bot], chance: Random,
        save: Path | None,
    ) -> None:  # fmt: skip
        """Make the bots."""
        self.screen = screen
        self.state = state
        self.seats = seats
        self.bots = bots
        self.outcome_source = state.game.outcome_source(chance)
        self.file = save
        self.who = [self._called(name) for name in seats]
        self.shown_to: int | None = None
        self.commands: dict[str, Callable[[str], bool]] = {
            "help": self.help, "rules": self.rules, "log": self.log, "oracle": self.oracle, "undo": self.undo,
            "save": self.save, "quit": self.quit,
        }  # fmt: skip

    def _called(self, name: str) -> str:
        """Return the name of who plays a seat: a person, a known bot, or a bot from a file by its class."""
        entries = self.screen.own_words.entries
        if name == PERSON:
            return entries["you"]
        return entries[f"bot.{name.partition(':')[0]}"] if is_known(name) else name.rpartition(":")[2]

    # --- The course of the game -------------------------------------------------------------------------------
    def play(self) -> bool:
        """Play until the game is over or left; say whether it was played to its end."""
        try:
            self.welcome()
            verdict: list[GameEvent] = []
            while not self.state.is_terminal():
                verdict = self.go_on()
            self.end(verdict or self.told_last())
        except (KeyboardInterrupt, EOFError):
            self.interrupted()
            return False
        except Leave:
            self.screen.say("quit.bye")
            return False
        return True

    def welcome(self) -> None:
        """Say what is played, and who is who."""
        definition, screen = self.state.game.definition, self.screen
        if definition.designer and definition.year:
            screen.say("start.welcome", title=definition.title, designer=definition.designer, year=definition.year)
        else:
            screen.say("start.title", title=definition.title)
        for seat in self.persons():
            yours = screen.sentence("start.you", seat=self.called(seat))
            screen.print(Text.assemble(screen.crests(self.state, seat), " ", yours))
        screen.say("start.hint" if self.persons() else "start.watch")
        if self.state.move_number():
            screen.say("start.resumed", count=self.state.move_number())

    def persons(self) -> list[int]:
        """List the seats at this screen."""
        return [seat for seat, name in enumerate(self.seats) if name == PERSON]

    def go_on(self) -> list[GameEvent]:
        """Let chance, a bot or a person make the next move; give the verdict, if that was the last one."""
        if self.state.is_chance_node():
            return self.let_chance_decide()
        seat = self.to_choose()
        if seat not in self.bots:
            return self.ask(seat)
        if not self.persons() and self.state.current_player() != self.shown_to:
            self.screen.show_table(self.state, self.who, -1)
            self.shown_to = self.state.current_player()
        return self.move(seat, self.bots[seat].choose(player_view(self.state, seat)))

    def to_choose(self) -> int:
        """Find the seat to choose; where several choose at once, the first that has not."""
        if not self.state.is_simultaneous_node():
            return self.state.current_player()
        return next(seat for seat in range(len(self.seats)) if self.state.legal_actions(seat))

    def let_chance_decide(self) -> list[GameEvent]:
        """Draw all chance moves until a seat has to choose, and print them together."""
        told: list[GameEvent] = []
        while self.state.is_chance_node():
            told += self.apply(CHANCE, self.outcome_source(self.state))
        return self.tell(told)

    def move(self, seat: int, action: int) -> list[GameEvent]:
        """Carry out a seat's choice and tell it."""
        return self.tell(self.apply(seat, action))

    def apply(self, player: int, action: int) -> list[GameEvent]:
        """Carry out a move; give what happened."""
        before = self.state.clone()
        self.state.apply_action(action, player)
        return tell(before, player, action, self.state)

    def tell(self, events: list[GameEvent]) -> list[GameEvent]:
        """Print what happened, but keep the result for the end: the score comes first."""
        verdict = self.verdict(events)
        told = [event for event in self.worth_telling(events) if not event.rule.startswith("score.")]
        self.screen.tell(self.state, [event for event in told if event not in verdict])
        return verdict

    def verdict(self, events: list[GameEvent]) -> list[GameEvent]:
        """Find who won."""
        return [event for event in events if event.rule in self.screen.drawing.RESULT_RULES]

    def worth_telling(self, events: list[GameEvent]) -> list[GameEvent]:
        """Leave out what the board shows."""
        return [event for event in events if event.rule not in self.screen.drawing.DRAWN_RULES]

    def end(self, verdict: list[GameEvent]) -> None:
        """Show the last position, the score and who won; keep the log where one was asked for."""
        self.screen.show_table(self.state, self.who, -1)
        self.screen.show_end(self.state, self.who, verdict)
        if self.file:
            self.write(self.file)

    def told_last(self) -> list[GameEvent]:
        """Tell the verdict of a game that was over when it was taken up again."""
        return self.verdict([event for _, told in self.story(1) for event in told])

    def want_another(self) -> bool:
        """Ask the persons, if there are any, for another game."""
        try:
            return bool(self.persons()) and self.screen.ask_yes("again.ask") is True
        except (KeyboardInterrupt, EOFError):
            self.screen.console.print()
            return False

    def interrupted(self) -> None:
        """Keep the game when the keyboard goes away or Ctrl-C is pressed: nothing is lost."""
        self.screen.console.print()
        self.screen.say("save.interrupted")
        self.write(self.file or self.new_file())

    # --- A person's choice ------------------------------------------------------------------------------------
    def ask(self, seat: int) -> list[GameEvent]:
        """Ask a person, out of sight of the others where the choice is secret, and carry out what was chosen."""
        private = len(self.persons()) > 1 and is_secret_choice(self.state)
        if private:
            self.screen.ask("ask.pass", seat=self.called(seat))
        action = self.choose(seat)
        if private:
            self.screen.clear()
        if action is None:
            self.take_back()
            return []
        return self.move(seat, action)

    def called(self, seat: int) -> str:
        """Name a seat in the words of its game."""
        return self.screen.phrase(self.state.game.text.seat_name(seat))

    def choose(self, seat: int) -> int | None:
        """Let a person type until something is chosen; None is to take the last choice back."""
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
            elif self.obey(line):
                return None

    def show(self, seat: int) -> None:
        """Show the table and the question to a person."""
        choices = self.state.legal_actions(seat)
        self.screen.show_table(self.state, self.who, seat, choices)
        self.screen.show_choices(self.state, seat, choices)

    def obey(self, line: str) -> bool:
        """Carry out a command, written out or begun; say whether the last choice is to be taken back."""
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

    # --- Commands: each says whether the last choice is to be taken back --------------------------------------
    def help(self, _rest: str) -> bool:
        """List what can be typed."""
        self.screen.show_help()
        return False

    def rules(self, _rest: str) -> bool:
        """Read the rulebook."""
        self.screen.read_rulebook()
        return False

    def log(self, _rest: str) -> bool:
        """Tell the last moves again, with their rules."""
        story = self.story(LOGGED)
        if story:
            self.screen.list_events(self.state, story)
        else:
            self.screen.say("log.empty")
        return False

    def oracle(self, _rest: str) -> bool:
        """Say how often each choice wins, where perfect play is known."""
        exact = default_bots.exact_values(self.state.game)
        if exact is None:
            self.screen.say("oracle.unknown")
            return False
        seat, state = self.to_choose(), self.state
        known = {action: exact.after(state, seat, action).shares[seat] for action in state.legal_actions(seat)}
        self.screen.list_chances(seat, known)
        return False

    def undo(self, _rest: str) -> bool:
        """Wish the last choice undone, if there is one."""
        chosen = self.last_choice() is not None
        if not chosen:
            self.screen.say("undo.nothing")
        return chosen

    def save(self, rest: str) -> bool:
        """Keep the game in a file, and from now on there."""
        file = Path(rest).expanduser() if Path(rest).name else self.file or self.new_file()
        stranger = file.exists() and file != self.file
        if stranger and not self.screen.ask_yes("save.replace", path=file):
            return False
        if self.write(file):
            self.file = file
        return False

    def quit(self, _rest: str) -> bool:
        """Leave, after asking whether the game is to be kept."""
        keep = self.screen.ask_yes("quit.ask")
        if keep is None or (keep and not self.write(self.file or self.new_file())):
            return False
        raise Leave

    # --- Rules ------------------------------------------------------------------------------------------------
    def explain(self, text: str, seat: int) -> None:
        """Answer `?`: the rule in force, a choice by its number, a rule by its name, an action or a word."""
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
        """Return what a choice leads to, and the rule of its first event."""
        choices = self.state.legal_actions(seat)
        if not 1 <= number <= len(choices):
            self.screen.say("explain.no_number", number=number)
            return
        action = choices[number - 1]
        self.screen.show_choice(self.state, seat, number, action)
        # What follows may depend on what others chose in secret, so it is tried where only the seat's knowledge counts.
        imagined = self.state.resample_from_infostate(seat, Random(0))
        told = tell(imagined, seat, action, imagined.child(action, seat))
        rules = [event.rule for event in told if not event.rule.startswith(SET_UP)]
        self.screen.show_rule(self.screen.rulebook[rules[0]])

    def choice_named(self, text: str, seat: int) -> int | None:
        """Find a choice by its whole name."""
        choices = self.state.legal_actions(seat)
        return next((a for a in choices if folded(self.screen.name(seat, a)).split() == folded(text).split()), None)

    def action_called(self, text: str, seat: int) -> int | None:
        """Find an action by words of its name, one that can be chosen before one that cannot."""
        wanted = folded(text).split()
        legal = self.state.legal_actions(seat)
        others = [action for action in range(self.state.game.num_distinct_actions()) if action not in legal]
        names = ((action, folded(self.screen.name(seat, action)).split()) for action in [*legal, *others])
        fitting = (a for a, name in names if wanted == name or (len(wanted) > 1 and set(wanted) <= set(name)))
        return next(fitting, None)

    def explain_action(self, action: int, seat: int) -> None:
        """Explain a choice by its name, or why it is none now."""
        choices = self.state.legal_actions(seat)
        if action in choices:
            self.explain_choice(choices.index(action) + 1, seat)
        elif rule := self.state.refusal(action, seat):
            self.screen.say("explain.refused", name=self.screen.name(seat, action))
            self.screen.show_rule(self.screen.rulebook[rule])

    def look_up(self, text: str) -> None:
        """Find the rules that speak of something: in their titles and names, else in their texts."""
        rules = self.screen.rulebook.paragraphs.values()
        found = [rule for rule in rules if folded(text) in folded(f"{rule.title} {rule.id}")]
        found = found or [rule for rule in rules if folded(text) in folded(rule.text)]
        if not found:
            self.screen.say("explain.none", text=text)
        elif len(found) <= SHOWN_AT_ONCE:
            self.show_rules(found)
        else:
            self.screen.say("explain.found", text=text)
            self.screen.list_rules(found)

    def show_rules(self, rules: list[Paragraph]) -> None:
        """Show some rules in full."""
        for rule in rules:
            self.screen.show_rule(rule)

    # --- Taking back ------------------------------------------------------------------------------------------
    def last_choice(self) -> int | None:
        """Find the last move that a person at this screen made."""
        persons, history = self.persons(), self.state.full_history()
        return next((n for n in reversed(range(len(history))) if history[n][0] in persons), None)

    def take_back(self) -> None:
        """Take the last choice of a person back, with all that followed, and say whose it was and what goes with it."""
        last = self.last_choice()
        if last is None:
            return
        history = self.state.full_history()
        first = undo_point(GameLog(self.state.game, self.seats, history), last)
        self.state = self.after(history[:first])
        if len(self.persons()) > 1:
            self.screen.say("undo.of", seat=self.called(history[last][0]))
        else:
            self.screen.say("undo.done")
        if first < last:
            self.screen.say("undo.sealed")

    # --- The log ----------------------------------------------------------------------------------------------
    def story(self, moves: int) -> list[tuple[int, list[GameEvent]]]:
        """Tell the last moves again, each with who made it."""
        history = self.state.full_history()
        state = self.after(history[:-moves])
        told: list[tuple[int, list[GameEvent]]] = []
        for player, action in history[-moves:]:
            after = state.child(action, player)
            told.append((player, self.worth_telling(tell(state, player, action, after))))
            state = after
        return told

    def after(self, moves: list[tuple[int, int]]) -> State:
        """Play some moves from the beginning."""
        return GameLog(self.state.game, self.seats, moves).play()

    def new_file(self) -> Path:
        """Name a file after the game and the time."""
        return Path(f"{self.state.game.name}-{datetime.now():%Y%m%d-%H%M%S}.json")

    def write(self, file: Path) -> bool:
        """Write the log, and say where it is and how to go on with it; say whether that went well."""
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
    """Whether a person typed a number, and not one of absurd length."""
    return text.isdecimal() and len(text) < 10


def folded(text: str) -> str:
    """Write a text without capitals and accents, as a hurried person types it."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign))
