"""A table: its seats, its game, and the commands that it accepts; the sum of its events.

`decide` returns the event that a command leads to, or rejects it; `apply` returns the table after an event. In between
the event is stored, so an event that is lost was never applied. A table never changes: after a lost race the new one is
dropped.
"""

from __future__ import annotations

import functools
import json
from typing import Any, Final

import msgspec

from dracotheque.bots.levels import ORACLE, is_solved
from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.errors import DracothequeError, IllegalActionError
from dracotheque.engine.game import Game
from dracotheque.engine.log import GameLog
from dracotheque.engine.registry import find_game, offered_games
from dracotheque.engine.takeback import is_secret_choice, undo_point
from dracotheque.tables import protocol
from dracotheque.tables.errors import CommandError
from dracotheque.tables.events import (
    ActionTaken,
    AnyEvent,
    ChatSent,
    MovesTakenBack,
    RematchOffered,
    Resigned,
    Seat,
    SeatChanged,
    Started,
    TableClosed,
    TableOpened,
)
from dracotheque.tables.fairness import Dice, FairnessRecord
from dracotheque.tables.game_in_progress import GameInProgress, Position, Turn, new_game
from dracotheque.tables.storage.store import Status

CHAT_KEPT = 100
SUBSTITUTE = "squire"
"""The bot that plays for an absent player."""
NEXT_BEST = "dragon"
"""The level that plays for the Oracle in games that its tablebase does not cover."""


@functools.lru_cache(maxsize=256)
def open_game(name: str, rules: int, players: int, options: str, board: str) -> Game:
    """Load a game with the options of a table; tables with equal options share it."""
    return Game(
        find_game(name), players, json.loads(options), board=json.loads(board) if board else None, version=rules
    )


class Table:
    """A table after its events."""

    def __init__(self, table: str, seed: bytes) -> None:
        """Make a table without events."""
        self.id: Final = table
        self.seed: Final = seed
        self.revision = 0
        self.status: Status = "open"
        self.opened: TableOpened
        self.game: Game
        self.seats: list[Seat] = []
        self.play: GameInProgress | None = None
        self.client_seed = ""
        self.chat: list[protocol.ChatLine] = []
        self.resigned: int | None = None
        self.rematch = ""
        self.changed_at = 0.0
        self.decided: tuple[AnyEvent, tuple[Position, ...]] | None = None
        """The action decided last and the positions that it leads to, so that `apply` need not play it again."""

    # --- What happens ---------------------------------------------------------------------------------------------
    def apply(self, event: AnyEvent) -> Table:
        """Return the table after an event."""
        table = object.__new__(Table)
        table.__dict__.update(self.__dict__)
        table.decided = None
        table.revision += 1
        table.changed_at = event.at
        match event:
            case ActionTaken():
                table._apply_action(event, self.decided)
            case Started():
                table._begin(event)
            case TableOpened():
                table._open(event)
            case SeatChanged():
                table.seats = [event.to if number == event.seat else seat for number, seat in enumerate(self.seats)]
            case MovesTakenBack():
                table._undo_to(event.moves)
            case ChatSent():
                table.chat = [*self.chat[1 - CHAT_KEPT :], protocol.ChatLine(table.revision, event.seat, event.text)]
            case Resigned():
                table.resigned, table.status = event.seat, "over"
            case TableClosed():
                table.status = "closed"
            case RematchOffered():
                table.rematch = event.table
        return table

    def _open(self, event: TableOpened) -> None:
        """Load the game."""
        self.opened = event
        board = json.dumps(event.board) if event.board else ""
        options = json.dumps(event.options, sort_keys=True)
        self.game = open_game(event.game, event.rules, event.players, options, board)
        self.seats = list(event.seats)

    def _begin(self, event: Started) -> None:
        """Set the game up and apply its first chance moves."""
        self.seats, self.client_seed, self.status = list(event.seats), event.client_seed, "playing"
        beginning = Turn(CHANCE, 0, chance=True, at=event.at)
        game = new_game(self.game)
        self._play(game.after(beginning, game.path((CHANCE, outcome) for outcome in event.chance)))

    def _apply_action(self, event: ActionTaken, decided: tuple[AnyEvent, tuple[Position, ...]] | None) -> None:
        """Apply an action and the outcomes of chance after it."""
        play = self._playing()
        turn = Turn(event.seat, play.state.move_number(), bool(event.chance), event.at, event.by_bot)
        if decided and decided[0] is event:
            path = decided[1]
        else:
            path = play.path([(event.seat, event.action), *((CHANCE, outcome) for outcome in event.chance)])
        self._play(play.after(turn, path))

    def _undo_to(self, moves: int) -> None:
        """Go back to the position after the first `moves` moves, by playing them again."""
        former = self._playing()
        history = former.state.full_history()
        turns = [turn for turn in former.turns if turn.first < moves or turn.seat == CHANCE]
        play = new_game(self.game)
        for turn, end in zip(turns, [*(turn.first for turn in turns[1:]), moves], strict=True):
            play = play.after(turn, play.path(history[turn.first : end]))
        self._play(play)

    def _play(self, play: GameInProgress) -> None:
        """Set the game in progress, and the status by whether the rules have ended it."""
        self.play = play
        self.status = "over" if play.state.is_terminal() else "playing"

    def _playing(self) -> GameInProgress:
        """Return the game in progress; raise an error before it has begun."""
        if self.play is None:
            raise CommandError("not_started")
        return self.play

    # --- Who is who -----------------------------------------------------------------------------------------------
    def seats_of(self, guest: str) -> list[int]:
        """List the seats of a guest."""
        return [number for number, seat in enumerate(self.seats) if seat.kind == "person" and seat.guest == guest]

    @property
    def persons(self) -> set[str]:
        """The guests who have a seat."""
        return {seat.guest for seat in self.seats if seat.kind == "person"}

    @property
    def practice(self) -> bool:
        """Whether one guest plays alone or with bots: then everything may be taken back."""
        return len(self.persons) == 1 and all(seat.kind in ("person", "bot") for seat in self.seats)

    @property
    def moves(self) -> int:
        """The number of moves made, chance included."""
        return self.play.state.move_number() if self.play else 0

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that have to choose now."""
        return self.play.asked if self.play and self.status == "playing" else ()

    @property
    def bots_asked(self) -> list[tuple[int, str]]:
        """The seats that have to choose now and are played by a bot, with its level."""
        seats = self.seats
        levels = [(seat, level) for seat in self.asked if (level := seats[seat].level or seats[seat].substitute)]
        if not levels:
            return levels
        # A game that began under earlier rules goes on, though the Oracle knows only those in force.
        unsolved = any(level == ORACLE for _, level in levels) and not is_solved(self.game)
        next_best = {ORACLE: NEXT_BEST} if unsolved else {}
        return [(seat, next_best.get(level, level)) for seat, level in levels]

    def result(self) -> protocol.Result | None:
        """Return the result of a finished game, else None."""
        if self.status != "over" or self.play is None:
            return None
        state = self.play.state
        if self.resigned is not None:
            return protocol.Result("resigned", state.scores(), [1 - self.resigned], self.resigned)
        return protocol.Result(state.ending() or "", state.scores(), state.winners())

    def log(self) -> GameLog:
        """Return the log of a finished game; it has all secrets, so a running game has none."""
        if self.status != "over" or self.play is None:
            raise CommandError("not_over")
        dice = FairnessRecord(self.id, self.opened.commitment, self.client_seed, self.seed.hex())
        names = [seat.name or seat.level or f"seat {number + 1}" for number, seat in enumerate(self.seats)]
        return GameLog.of(self.play.state, names, dice)

    # --- Commands: each function returns the event that a command leads to, or raises CommandError ----------------
    def decide(self, guest: str, command: protocol.AnyCommand, now: float) -> AnyEvent:
        """Return the event that a guest's command leads to; the table is not changed."""
        if self.status == "closed":
            raise CommandError("closed")
        match command:
            case protocol.Move():
                self._require_mine(guest, command.seat)
                return self.choose(command.seat, command.action, now, prompt_id=command.prompt_id)
            case protocol.SetClientSeed():
                self._require_mine(guest, command.seat)
                self._require_open()
                seat = msgspec.structs.replace(self.seats[command.seat], client_seed=command.client_seed)
                return SeatChanged(now, seat=command.seat, to=seat)
            case protocol.TakeBack():
                return self._take_back(guest, command.move_number, now)
            case protocol.SendChat():
                self._require_mine(guest, command.seat)
                return ChatSent(now, seat=command.seat, text=chat_text(command.text))
            case protocol.AssignSubstitute():
                return self._set_substitute(guest, command.seat, command.level, now)
            case protocol.ResumeSeat():
                return self._set_substitute(guest, command.seat, "", now)
            case protocol.Resign():
                return self._resign(guest, command.seat, now)
            case protocol.ChangeSeat():
                return self._change_seat(guest, command, now)
            case protocol.Leave():
                self._require_mine(guest, command.seat)
                self._require_open()
                by_link = self.seats[command.seat].by_link
                return SeatChanged(now, seat=command.seat, to=Seat("link" if by_link else "open"))
            case protocol.Start():
                return self._start(guest, command.level, now)
            case protocol.Close():
                return self._close(guest, now)
            case _:
                raise CommandError("unknown_command")

    def _require_mine(self, guest: str, seat: int) -> None:
        """Reject commands for a seat of someone else."""
        if seat >= len(self.seats):
            raise CommandError("no_such_seat")
        if seat not in self.seats_of(guest):
            raise CommandError("not_your_seat")

    def _require_open(self) -> None:
        """Reject changes of seats after the game has begun."""
        if self.status != "open":
            raise CommandError("already_started")

    def _require_host(self, guest: str) -> None:
        """Reject commands that only the host may give."""
        if guest != self.opened.host:
            raise CommandError("host_only")

    def _require_playing(self) -> GameInProgress:
        """Return the game in progress; reject commands before its beginning and after its end."""
        if self.status == "over":
            raise CommandError("over")
        return self._playing()

    def choose(
        self, seat: int, action: int, now: float, *, prompt_id: int | None = None, by_bot: bool = False
    ) -> ActionTaken:
        """Return the event of an action with the outcomes of chance after it, or raise why it is not legal."""
        play = self._require_playing()
        if not by_bot and self.seats[seat].substitute:
            raise CommandError("stand_in_plays")
        if prompt_id is not None and seat in play.asked_at and prompt_id != play.asked_at[seat]:
            raise CommandError("too_late")
        try:
            first = Position(play.state.child(action, seat))
        except IllegalActionError as error:
            raise self._broken_rule(error, seat, action) from error
        path = (play.position, *self._with_chance([first], self.client_seed))
        chance = [action for _, action in path[-1].state.full_history()[first.state.move_number() :]]
        event = ActionTaken(now, seat=seat, action=action, chance=chance, by_bot=by_bot)
        self.decided = event, path
        return event

    def _broken_rule(self, error: IllegalActionError, seat: int, action: int) -> CommandError:
        """Return the rejection of an illegal action, with the rule that forbids it."""
        if error.rule is None:
            return CommandError("no_such_action", action=action)
        return CommandError(
            "rule", rule=error.rule, text=str(error), action=self.game.text.action(self.game, seat, action)
        )

    def _with_chance(self, path: list[Position], client_seed: str) -> list[Position]:
        """Add outcomes of chance to the end of a path until a seat has to choose; return the path."""
        dice = Dice(self.seed, self.id, client_seed)
        while (state := path[-1].state).is_chance_node():
            path.append(Position(state.child(dice.outcome(state))))
        return path

    def _take_back(self, guest: str, move_number: int, now: float) -> MovesTakenBack:
        """Take back the last choice of a guest, where that is fair."""
        play, mine = self._playing(), self.seats_of(guest)
        if not mine:
            raise CommandError("not_seated")
        if self.status == "over":  # its seed has been shown
            raise CommandError("over")
        if move_number != play.state.move_number():
            raise CommandError("too_late")
        last = next((turn for turn in reversed(play.turns) if turn.seat in mine and not turn.by_bot), None)
        if last is None:
            raise CommandError("nothing_to_take_back")
        if not self.practice and self._reveals(play, last):
            raise CommandError("somebody_knows_more")
        return MovesTakenBack(now, seat=last.seat, moves=self._undo_point(play, last.first))

    def _reveals(self, play: GameInProgress, turn: Turn) -> bool:
        """Whether someone may have learned something since a choice: by chance, a later choice or a revealed value."""
        if turn.chance or turn is not play.turns[-1]:
            return True
        return self.game.definition.hidden_information and not is_secret_choice(play.before(turn.first))

    def _undo_point(self, play: GameInProgress, move: int) -> int:
        """Return the move to go back to so that no seat chooses again knowing others' secret choices."""
        if not self.game.definition.hidden_information:
            return move
        return undo_point(GameLog(self.game, [], play.state.full_history()), move)

    def _set_substitute(self, guest: str, seat: int, level: str, now: float) -> SeatChanged:
        """Let a bot of a level play for a person; with no level the person plays again."""
        self._require_mine(guest, seat)
        self._require_playing()
        require_known(self.game, level)
        if level == ORACLE and not self.practice:  # perfect play on demand would be unfair to the other players
            raise CommandError("oracle_alone")
        if bool(self.seats[seat].substitute) == bool(level):
            raise CommandError("stand_in_already" if level else "no_stand_in")
        return SeatChanged(now, seat=seat, to=msgspec.structs.replace(self.seats[seat], substitute=level))

    def _resign(self, guest: str, seat: int, now: float) -> Resigned:
        """Resign from a game of two."""
        self._require_mine(guest, seat)
        self._require_playing()
        if len(self.seats) != 2:
            raise CommandError("resign_needs_two")
        return Resigned(now, seat=seat)

    def _change_seat(self, guest: str, command: protocol.ChangeSeat, now: float) -> SeatChanged:
        """Change a seat that no one else has taken, as its host."""
        self._require_open()
        self._require_host(guest)
        if command.seat >= len(self.seats):
            raise CommandError("no_such_seat")
        present = self.seats[command.seat]
        if present.kind == "person" and present.guest != guest:
            raise CommandError("seat_taken")
        seat = seat_for(command.request, guest, present.name if command.request.kind == "me" else "")
        require_known(self.game, seat.level)
        return SeatChanged(now, seat=command.seat, to=seat)

    def sit(self, guest: str, seat: int, name: str, client_seed: str, *, invited: bool, now: float) -> SeatChanged:
        """Assign a free or reserved seat to a guest."""
        if self.status == "closed":
            raise CommandError("closed")
        if seat >= len(self.seats):
            raise CommandError("no_such_seat")
        present = self.seats[seat]
        if present.kind == "person" and present.guest == guest and not present.ready:
            return SeatChanged(now, seat=seat, to=msgspec.structs.replace(present, ready=True, client_seed=client_seed))
        self._require_open()
        if self.seats_of(guest):
            raise CommandError("seated_already")
        if present.kind == "link" and not invited:
            raise CommandError("invitation_needed")
        if present.kind not in ("open", "link"):
            raise CommandError("seat_taken")
        by_link = present.kind == "link"
        taken = Seat("person", guest, name=tidy(name), client_seed=client_seed, by_link=by_link)
        return SeatChanged(now, seat=seat, to=taken)

    def free_seat(self) -> int:
        """Return a seat that anyone may take."""
        kinds = [seat.kind for seat in self.seats]
        if "open" in kinds:
            return kinds.index("open")
        raise CommandError("invitation_needed" if "link" in kinds else "no_free_seat")

    def _start(self, guest: str, level: str | None, now: float) -> Started:
        """Begin, as the host."""
        self._require_open()
        self._require_host(guest)
        return self.begin(now, level)

    def begin(self, now: float, level: str | None = None) -> Started:
        """Begin; if a level is named, bots get the free seats."""
        require_known(self.game, level)
        seats = [Seat("bot", level=level) if level and not is_filled(seat) else seat for seat in self.seats]
        if not all(is_filled(seat) for seat in seats):
            raise CommandError("seats_free")
        if not any(seat.kind == "person" for seat in seats):
            raise CommandError("nobody_sits")
        client_seed = "/".join(seat.client_seed for seat in seats if seat.kind == "person")
        path = self._with_chance([new_game(self.game).position], client_seed)
        return Started(now, seats=seats, client_seed=client_seed, chance=path[-1].state.history())

    @property
    def ready(self) -> bool:
        """Whether every seat is filled, so that the game can begin by itself."""
        return self.status == "open" and all(is_filled(seat) for seat in self.seats)

    def _close(self, guest: str, now: float) -> TableClosed:
        """Close the table, where no other person loses a game by that."""
        self._require_host(guest)
        if self.status == "over":
            raise CommandError("over")
        if self.status == "playing" and not self.practice:
            raise CommandError("others_play")
        return TableClosed(now)

    def rotated(self) -> list[Seat]:
        """Return the seats for a rematch: each player one further; persons have to agree."""
        seats = [self.seats[number - 1] for number in range(len(self.seats))]
        return [
            msgspec.structs.replace(seat, substitute="", client_seed="", ready=seat.kind != "person") for seat in seats
        ]

    def offer(self, guest: str) -> None:
        """Reject a rematch that a guest may not offer."""
        if not self.seats_of(guest):
            raise CommandError("not_seated")
        if self.status != "over":
            raise CommandError("not_over")
        if self.rematch:
            raise CommandError("rematch_offered")


def require_known(game: Game, level: str | None) -> None:
    """Reject the level `oracle` where perfect play is not known."""
    if level == ORACLE and not is_solved(game):
        raise CommandError("not_solved")


def is_filled(seat: Seat) -> bool:
    """Whether a bot, or a person who has agreed, has the seat."""
    return seat.kind in ("person", "bot") and seat.ready


def seat_for(command: protocol.SeatRequest, guest: str, name: str) -> Seat:
    """Return the seat that a host requests; persons on the host's screen belong to the host's guest id."""
    match command.kind:
        case "me":
            return Seat("person", guest, tidy(command.name) or name)
        case "screen":
            return Seat("person", guest, tidy(command.name))
        case "bot":
            return Seat("bot", level=command.level)
        case kind:
            return Seat(kind)


def tidy(name: str) -> str:
    """Return a name with single spaces; reject one that is not printable."""
    name = " ".join(name.split())
    if not name.isprintable():
        raise CommandError("unprintable")
    return name


def chat_text(text: str) -> str:
    """Return a line of chat, tidied; reject an empty one."""
    text = tidy(text)
    if not text:
        raise CommandError("nothing_said")
    return text


def open_table(guest: str, command: protocol.CreateTable, name: str, commitment: str, now: float) -> TableOpened:
    """Return the first event of a table, or raise why it cannot be opened."""
    try:
        definition = find_game(command.game)
        if definition.name not in offered_games():
            raise DracothequeError(f"This server does not offer {definition.title}.")
        game = Game(definition, len(command.seats), command.options, board=known_board(command))
    except DracothequeError as error:
        raise CommandError("no_such_game", text=str(error), why=str(error)) from error
    seats = [seat_for(seat, guest, name) for seat in command.seats]
    for seat in seats:
        require_known(game, seat.level)
    if sum(seat.kind == "me" for seat in command.seats) > 1:
        raise CommandError("one_me")
    if all(seat.kind == "bot" for seat in command.seats):
        raise CommandError("nobody_sits")
    board = game.board.data if game.board and game.board.source else None
    return TableOpened(
        now,
        game=definition.name,
        rules=game.rules_version,
        players=game.players,
        options=game.options,
        board=board,
        board_name=command.board or "",
        seats=seats,
        host=guest,
        commitment=commitment,
        listed=command.listed,
        turn_timeout=command.turn_timeout,
    )


def known_board(command: protocol.CreateTable) -> str | None:
    """Return the board's name if the game has it: a name from a client must never become a file's path."""
    from dracotheque.engine import board_files

    if command.board is None or command.board in board_files.names(find_game(command.game)):
        return command.board
    raise DracothequeError(f"There is no board {command.board!r} in this game.")


def seat_views(table: Table, guest: str, muted: frozenset[int] = frozenset()) -> list[protocol.SeatView]:
    """Return the seats as a guest sees them, with the guest's own marked."""
    crests: Any = table.game.text.CRESTS
    return [
        protocol.SeatView(
            crests[number],
            seat.kind,  # pyright: ignore[reportArgumentType]
            seat.name,
            seat.level,
            mine=bool(guest) and seat.kind == "person" and seat.guest == guest,
            substitute=seat.substitute,
            ready=seat.ready,
            muted=number in muted,
        )
        for number, seat in enumerate(table.seats)
    ]
