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
"""Who plays for an Oracle that does not know the game any more."""


@functools.lru_cache(maxsize=256)
def open_game(name: str, rules: int, players: int, options: str, board: str) -> Game:
    """Load a game with the options of a table; tables with equal options share it."""
    return Game(
        find_game(name), players, json.loads(options), board=json.loads(board) if board else None, version=rules
    )


class Table:
    """A table as its events have made it."""

    def __init__(self, table: str, seed: bytes) -> None:
        """Set up a table of which nothing has happened yet."""
        self.id: Final = table
        self.seed: Final = seed
        self.number = 0
        self.status: Status = "open"
        self.opened: TableOpened
        self.game: Game
        self.seats: list[Seat] = []
        self.play: GameInProgress | None = None
        self.luck = ""
        self.chat: list[protocol.ChatLine] = []
        self.resigned: int | None = None
        self.rematch = ""
        self.changed_at = 0.0
        self.foreseen: tuple[AnyEvent, tuple[Position, ...]] | None = None
        """The choice that was decided last and the path it leads along: applied, it need not be played again."""

    # --- What happens ---------------------------------------------------------------------------------------------
    def apply(self, event: AnyEvent) -> Table:
        """The table once an event has happened."""
        table = object.__new__(Table)
        table.__dict__.update(self.__dict__)
        table.foreseen = None
        table.number += 1
        table.changed_at = event.at
        match event:
            case ActionTaken():
                table._go_on(event, self.foreseen)
            case Started():
                table._begin(event)
            case TableOpened():
                table._open(event)
            case SeatChanged():
                table.seats = [event.to if number == event.seat else seat for number, seat in enumerate(self.seats)]
            case MovesTakenBack():
                table._go_back(event.moves)
            case ChatSent():
                table.chat = [*self.chat[1 - CHAT_KEPT :], protocol.ChatLine(table.number, event.seat, event.text)]
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
        """Set the game up and draw its first chance moves."""
        self.seats, self.luck, self.status = list(event.seats), event.luck, "playing"
        beginning = Turn(CHANCE, 0, chance=True, at=event.at)
        game = new_game(self.game)
        self._play(game.after(beginning, game.path((CHANCE, outcome) for outcome in event.chance)))

    def _go_on(self, event: ActionTaken, foreseen: tuple[AnyEvent, tuple[Position, ...]] | None) -> None:
        """Let a seat choose and chance answer."""
        play = self._playing()
        turn = Turn(event.seat, play.state.move_number(), bool(event.chance), event.at, event.by_bot)
        if foreseen and foreseen[0] is event:
            path = foreseen[1]
        else:
            path = play.path([(event.seat, event.action), *((CHANCE, outcome) for outcome in event.chance)])
        self._play(play.after(turn, path))

    def _go_back(self, moves: int) -> None:
        """Play again as far as the game goes back."""
        play = self._playing()
        history = play.state.full_history()
        turns = [turn for turn in play.turns if turn.first < moves or turn.seat == CHANCE]
        again = new_game(self.game)
        for turn, end in zip(turns, [*(turn.first for turn in turns[1:]), moves], strict=True):
            again = again.after(turn, again.path(history[turn.first : end]))
        self._play(again)

    def _play(self, play: GameInProgress) -> None:
        """Take up a game where it now stands; the rules may have ended it."""
        self.play = play
        self.status = "over" if play.state.is_terminal() else "playing"

    def _playing(self) -> GameInProgress:
        """The game under way; nothing of it comes before it has begun."""
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
        """Whether only one screen plays, alone or with bots: then everything may be taken back."""
        return len(self.persons) == 1 and all(seat.kind in ("person", "bot") for seat in self.seats)

    @property
    def moves(self) -> int:
        """How many moves were made, chance included."""
        return self.play.state.move_number() if self.play else 0

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that have to choose now."""
        return self.play.asked if self.play and self.status == "playing" else ()

    @property
    def bots_asked(self) -> list[tuple[int, str]]:
        """The seats that have to choose now and for which a bot does, with its level."""
        seats = self.seats
        levels = [(seat, level) for seat in self.asked if (level := seats[seat].level or seats[seat].stand_in)]
        if not levels:
            return levels
        # A game that began under earlier rules goes on, though the Oracle knows only those in force.
        unsolved = any(level == ORACLE for _, level in levels) and not is_solved(self.game)
        next_best = {ORACLE: NEXT_BEST} if unsolved else {}
        return [(seat, next_best.get(level, level)) for seat, level in levels]

    def result(self) -> protocol.Result | None:
        """How the game came out, if it is over."""
        if self.status != "over" or self.play is None:
            return None
        state = self.play.state
        if self.resigned is not None:
            return protocol.Result("resigned", state.scores(), [1 - self.resigned], self.resigned)
        return protocol.Result(state.ending() or "", state.scores(), state.winners())

    def log(self) -> GameLog:
        """The log, which anyone can replay and verify; it has all secrets, so only after the end."""
        if self.status != "over" or self.play is None:
            raise CommandError("not_over")
        dice = FairnessRecord(self.id, self.opened.commit, self.luck, self.seed.hex())
        names = [seat.name or seat.level or f"seat {number + 1}" for number, seat in enumerate(self.seats)]
        return GameLog.of(self.play.state, names, dice)

    # --- What may be done: each gives the event a wish leads to, or refuses ----------------------------------------
    def decide(self, guest: str, wish: protocol.AnyCommand, now: float) -> AnyEvent:
        """Return what a guest's wish leads to; nothing has changed yet."""
        if self.status == "closed":
            raise CommandError("closed")
        match wish:
            case protocol.Move():
                self._require_mine(guest, wish.seat)
                return self.choose(wish.seat, wish.action, now, prompt_id=wish.prompt_id)
            case protocol.SetClientSeed():
                self._require_mine(guest, wish.seat)
                self._require_open()
                lucky = msgspec.structs.replace(self.seats[wish.seat], luck=wish.client_seed)
                return SeatChanged(now, seat=wish.seat, to=lucky)
            case protocol.TakeBack():
                return self._take_back(guest, wish.move_number, now)
            case protocol.SendChat():
                self._require_mine(guest, wish.seat)
                return ChatSent(now, seat=wish.seat, text=spoken(wish.text))
            case protocol.AssignSubstitute():
                return self._stand_in(guest, wish.seat, wish.level, now)
            case protocol.ResumeSeat():
                return self._stand_in(guest, wish.seat, "", now)
            case protocol.Resign():
                return self._resign(guest, wish.seat, now)
            case protocol.ChangeSeat():
                return self._change_seat(guest, wish, now)
            case protocol.Leave():
                self._require_mine(guest, wish.seat)
                self._require_open()
                by_link = self.seats[wish.seat].by_link
                return SeatChanged(now, seat=wish.seat, to=Seat("link" if by_link else "open"))
            case protocol.Start():
                return self._start(guest, wish.level, now)
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
        """Seats change hands only before the game."""
        if self.status != "open":
            raise CommandError("already_started")

    def _require_host(self, guest: str) -> None:
        """Reject commands that only the host may give."""
        if guest != self.opened.host:
            raise CommandError("host_only")

    def _require_playing(self) -> GameInProgress:
        """Choices are made between beginning and end."""
        if self.status == "over":
            raise CommandError("over")
        return self._playing()

    def choose(
        self, seat: int, action: int, now: float, *, prompt_id: int | None = None, by_bot: bool = False
    ) -> ActionTaken:
        """Try a choice, and find what chance brings after it."""
        play = self._require_playing()
        if not by_bot and self.seats[seat].stand_in:
            raise CommandError("stand_in_plays")
        if prompt_id is not None and seat in play.asked_at and prompt_id != play.asked_at[seat]:
            raise CommandError("too_late")
        try:
            first = Position(play.state.child(action, seat))
        except IllegalActionError as error:
            raise self._broken_rule(error, seat, action) from error
        path = (play.position, *self._answered([first], self.luck))
        chance = [action for _, action in path[-1].state.full_history()[first.state.move_number() :]]
        event = ActionTaken(now, seat=seat, action=action, chance=chance, by_bot=by_bot)
        self.foreseen = event, path
        return event

    def _broken_rule(self, error: IllegalActionError, seat: int, action: int) -> CommandError:
        """Return which rule a choice would break."""
        if error.rule is None:
            return CommandError("no_such_action", action=action)
        return CommandError(
            "rule", rule=error.rule, text=str(error), action=self.game.text.action(self.game, seat, action)
        )

    def _answered(self, path: list[Position], luck: str) -> list[Position]:
        """Draw chance moves at the end of a path until a seat has to choose; return the whole path."""
        dice = Dice(self.seed, self.id, luck)
        while (state := path[-1].state).is_chance_node():
            path.append(Position(state.child(dice.outcome(state))))
        return path

    def _take_back(self, guest: str, move_number: int, now: float) -> MovesTakenBack:
        """Take the last choice of a guest back, where that is fair."""
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
        if not self.practice and not self._nobody_knows_more(play, last):
            raise CommandError("somebody_knows_more")
        return MovesTakenBack(now, seat=last.seat, moves=self._fair_return(play, last.first))

    def _nobody_knows_more(self, play: GameInProgress, turn: Turn) -> bool:
        """Whether a choice was the last, chance answered nothing, and it turned nothing over."""
        if turn.chance or turn is not play.turns[-1]:
            return False
        return not self.game.definition.hidden_information or is_secret_choice(play.before(turn.first))

    def _fair_return(self, play: GameInProgress, move: int) -> int:
        """Return how far a game goes back so that no seat chooses again knowing others' secret choices."""
        if not self.game.definition.hidden_information:
            return move
        return undo_point(GameLog(self.game, [], play.state.full_history()), move)

    def _stand_in(self, guest: str, seat: int, level: str, now: float) -> SeatChanged:
        """Let a bot play for a person, or the person again."""
        self._require_mine(guest, seat)
        self._require_playing()
        require_known(self.game, level)
        if level == ORACLE and not self.practice:  # perfect play on demand would be unfair to the other players
            raise CommandError("oracle_alone")
        if bool(self.seats[seat].stand_in) == bool(level):
            raise CommandError("stand_in_already" if level else "no_stand_in")
        return SeatChanged(now, seat=seat, to=msgspec.structs.replace(self.seats[seat], stand_in=level))

    def _resign(self, guest: str, seat: int, now: float) -> Resigned:
        """Give up, where exactly one other is left to win."""
        self._require_mine(guest, seat)
        self._require_playing()
        if len(self.seats) != 2:
            raise CommandError("resign_needs_two")
        return Resigned(now, seat=seat)

    def _change_seat(self, guest: str, wish: protocol.ChangeSeat, now: float) -> SeatChanged:
        """Let the host change a seat that no one else has taken."""
        self._require_open()
        self._require_host(guest)
        if wish.seat >= len(self.seats):
            raise CommandError("no_such_seat")
        present = self.seats[wish.seat]
        if present.kind == "person" and present.guest != guest:
            raise CommandError("seat_taken")
        seat = seat_for(wish.request, guest, present.name if wish.request.kind == "me" else "")
        require_known(self.game, seat.level)
        return SeatChanged(now, seat=wish.seat, to=seat)

    def sit(self, guest: str, seat: int, name: str, luck: str, *, invited: bool, now: float) -> SeatChanged:
        """Assign a free or reserved seat to a guest."""
        if self.status == "closed":
            raise CommandError("closed")
        if seat >= len(self.seats):
            raise CommandError("no_such_seat")
        present = self.seats[seat]
        if present.kind == "person" and present.guest == guest and not present.ready:
            return SeatChanged(now, seat=seat, to=msgspec.structs.replace(present, ready=True, luck=luck))
        self._require_open()
        if self.seats_of(guest):
            raise CommandError("seated_already")
        if present.kind == "link" and not invited:
            raise CommandError("invitation_needed")
        if present.kind not in ("open", "link"):
            raise CommandError("seat_taken")
        by_link = present.kind == "link"
        return SeatChanged(now, seat=seat, to=Seat("person", guest, name=tidy(name), luck=luck, by_link=by_link))

    def free_seat(self) -> int:
        """Return a seat that anyone may take."""
        kinds = [seat.kind for seat in self.seats]
        if "open" in kinds:
            return kinds.index("open")
        raise CommandError("invitation_needed" if "link" in kinds else "no_free_seat")

    def _start(self, guest: str, level: str | None, now: float) -> Started:
        """Begin as the host wishes."""
        self._require_open()
        self._require_host(guest)
        return self.begin(now, level)

    def begin(self, now: float, level: str | None = None) -> Started:
        """Begin; seats that are still free are given to bots, if a level is named."""
        require_known(self.game, level)
        seats = [Seat("bot", level=level) if level and not is_filled(seat) else seat for seat in self.seats]
        if not all(is_filled(seat) for seat in seats):
            raise CommandError("seats_free")
        if not any(seat.kind == "person" for seat in seats):
            raise CommandError("nobody_sits")
        luck = "/".join(seat.luck for seat in seats if seat.kind == "person")
        path = self._answered([new_game(self.game).position], luck)
        return Started(now, seats=seats, luck=luck, chance=path[-1].state.history())

    @property
    def ready(self) -> bool:
        """Whether the game can begin by itself: every seat is filled."""
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
        """Move each player one seat further, for a rematch; persons have to agree."""
        seats = [self.seats[number - 1] for number in range(len(self.seats))]
        return [msgspec.structs.replace(seat, stand_in="", luck="", ready=seat.kind != "person") for seat in seats]

    def offer(self, guest: str) -> None:
        """See whether a guest may offer a rematch."""
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
    """Whether a person has the seat and has agreed."""
    return seat.kind in ("person", "bot") and seat.ready


def seat_for(wish: protocol.SeatRequest, guest: str, name: str) -> Seat:
    """Make a seat as its host wishes; persons at the host's screen are the host's too."""
    match wish.kind:
        case "me":
            return Seat("person", guest, tidy(wish.name) or name)
        case "screen":
            return Seat("person", guest, tidy(wish.name))
        case "bot":
            return Seat("bot", level=wish.level)
        case kind:
            return Seat(kind)


def tidy(name: str) -> str:
    """Make a name fit to be shown: printable, without space around it."""
    name = " ".join(name.split())
    if not name.isprintable():
        raise CommandError("unprintable")
    return name


def spoken(text: str) -> str:
    """Make a line of chat fit to be shown."""
    said = tidy(text)
    if not said:
        raise CommandError("nothing_said")
    return said


def open_table(guest: str, wish: protocol.CreateTable, name: str, commit: str, now: float) -> TableOpened:
    """Return how a table begins, or why it cannot."""
    try:
        definition = find_game(wish.game)
        if definition.name not in offered_games():
            raise DracothequeError(f"This server does not offer {definition.title}.")
        game = Game(definition, len(wish.seats), wish.options, board=known_board(wish))
    except DracothequeError as error:
        raise CommandError("no_such_game", text=str(error), why=str(error)) from error
    seats = [seat_for(seat, guest, name) for seat in wish.seats]
    for seat in seats:
        require_known(game, seat.level)
    if sum(seat.kind == "me" for seat in wish.seats) > 1:
        raise CommandError("one_me")
    if all(seat.kind == "bot" for seat in wish.seats):
        raise CommandError("nobody_sits")
    board = game.board.data if game.board and game.board.source else None
    return TableOpened(
        now,
        game=definition.name,
        rules=game.rules_version,
        players=game.players,
        options=game.options,
        board=board,
        board_name=wish.board or "",
        seats=seats,
        host=guest,
        commit=commit,
        listed=wish.listed,
        patience=wish.turn_timeout,
    )


def known_board(wish: protocol.CreateTable) -> str | None:
    """Accept the boards of the game only: a name from outside must never become a file's path."""
    from dracotheque.engine import board_files

    if wish.board is None or wish.board in board_files.names(find_game(wish.game)):
        return wish.board
    raise DracothequeError(f"There is no board {wish.board!r} in this box.")


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
            substitute=seat.stand_in,
            ready=seat.ready,
            muted=number in muted,
        )
        for number, seat in enumerate(table.seats)
    ]
