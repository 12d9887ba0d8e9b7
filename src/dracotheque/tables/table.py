"""A table: its seats, its game, and what may be done at it. It is nothing but the sum of its events.

`decide` says which event a wish leads to, or refuses it; `after` gives the table as it is once an event has happened.
In between the event is stored, so that what has happened is never lost and what is lost has never happened. A table
never changes: whoever loses a race simply drops the one that did not come to be.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from dracotheque.bots.levels import ORACLE, is_solved
from dracotheque.engine.dispatch import CHANCE, SIMULTANEOUS
from dracotheque.engine.errors import DracothequeError, IllegalAction
from dracotheque.engine.game import Game, State
from dracotheque.engine.log import GameLog
from dracotheque.engine.record import Plain
from dracotheque.games import find_box
from dracotheque.games.sealed import fair_return, is_secret
from dracotheque.tables import messages as asked
from dracotheque.tables.events import (
    AnyEvent,
    Chosen,
    RematchOffered,
    Resigned,
    Seat,
    SeatChanged,
    Spoken,
    Started,
    TableClosed,
    TableOpened,
    TakenBack,
)
from dracotheque.tables.fairness import Dice, DiceRecord
from dracotheque.tables.refused import Refused
from dracotheque.tables.store import Status

CHAT_KEPT = 100
STAND_IN = "squire"
"""Who plays for somebody who is gone."""
NEXT_BEST = "dragon"
"""Who plays for an Oracle that does not know the game any more."""


@dataclass(frozen=True)
class Turn:
    """One choice, and where it stands in the list of moves; the first turn is what chance brought before any."""

    seat: int
    first: int
    chance: bool
    at: float
    by_bot: bool = False


@dataclass(frozen=True)
class Play:
    """A game under way at a table."""

    state: State
    turns: tuple[Turn, ...] = ()
    asked: tuple[int, ...] = ()
    asked_at: Mapping[int, int] = field(default_factory=dict[int, int])
    """For every seat that has to choose: how many moves had been made when it was asked."""

    @functools.cached_property
    def table(self) -> Plain:
        """Everything on the table, secrets included, every field readable."""
        return self.state.table()

    def known(self, viewer: int) -> Plain:
        """The table as a viewer knows it; where a game has no secrets, everybody knows everything."""
        return self.state.observation(viewer) if self.state.game.box.sealed else self.table

    def before(self, moves: int) -> State:
        """The game as it was after so many moves."""
        return GameLog(self.state.game, [], self.state.full_history()[:moves]).play()

    def after(self, turn: Turn, action: int | None, chance: Iterable[int]) -> Play:
        """The game once a choice (none at the beginning) and what chance brought after it have happened."""
        state = self.state.clone()
        if action is not None:
            state.apply_action(action, turn.seat)
        for outcome in chance:
            state.apply_action(outcome, CHANCE)
        seats, moves = choosers(state), state.move_number()
        # A sealed choice of another does not change my question.
        sealing = self.state.is_simultaneous_node() and state.is_simultaneous_node()
        still: Mapping[int, int] = self.asked_at if sealing else {}
        asked_at = {seat: moves if seat == turn.seat else still.get(seat, moves) for seat in seats}
        return Play(state, (*self.turns, turn), seats, asked_at)


def choosers(state: State) -> tuple[int, ...]:
    """List the seats that have to choose now."""
    player = state.current_player()
    if player == SIMULTANEOUS:
        return tuple(seat for seat in range(state.game.players) if state.legal_actions(seat))
    return (player,) if player >= 0 else ()


@functools.lru_cache(maxsize=256)
def open_game(name: str, rules: int, players: int, options: str, board: str) -> Game:
    """Open a box as a table settled it; tables that settled the same share it."""
    return Game(find_box(name), players, json.loads(options), board=json.loads(board) if board else None, version=rules)


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
        self.play: Play | None = None
        self.luck = ""
        self.chat: list[asked.Line] = []
        self.resigned: int | None = None
        self.rematch = ""
        self.changed_at = 0.0

    # --- What happens ---------------------------------------------------------------------------------------------
    def after(self, event: AnyEvent) -> Table:
        """The table once an event has happened."""
        table = object.__new__(Table)
        table.__dict__.update(self.__dict__)
        table.number += 1
        table.changed_at = event.at
        match event:
            case Chosen():
                table._go_on(event)
            case Started():
                table._begin(event)
            case TableOpened():
                table._open(event)
            case SeatChanged():
                table.seats = [event.to if number == event.seat else seat for number, seat in enumerate(self.seats)]
            case TakenBack():
                table._go_back(event.moves)
            case Spoken():
                table.chat = [*self.chat[1 - CHAT_KEPT :], asked.Line(table.number, event.seat, event.text)]
            case Resigned():
                table.resigned, table.status = event.seat, "over"
            case TableClosed():
                table.status = "closed"
            case RematchOffered():
                table.rematch = event.table
        return table

    def _open(self, event: TableOpened) -> None:
        """Open the box."""
        self.opened = event
        board = json.dumps(event.board) if event.board else ""
        options = json.dumps(event.options, sort_keys=True)
        self.game = open_game(event.game, event.rules, event.players, options, board)
        self.seats = list(event.seats)

    def _begin(self, event: Started) -> None:
        """Lay the game out and let chance go first."""
        self.seats, self.luck, self.status = list(event.seats), event.luck, "playing"
        beginning = Turn(CHANCE, 0, chance=True, at=event.at)
        self._play(Play(self.game.new_initial_state()).after(beginning, None, event.chance))

    def _go_on(self, event: Chosen) -> None:
        """Let a seat choose and chance answer."""
        play = self._playing()
        turn = Turn(event.seat, play.state.move_number(), bool(event.chance), event.at, event.by_bot)
        self._play(play.after(turn, event.action, event.chance))

    def _go_back(self, moves: int) -> None:
        """Play again as far as the game goes back."""
        play = self._playing()
        history = play.state.full_history()
        turns = [turn for turn in play.turns if turn.first < moves or turn.seat == CHANCE]
        again = Play(self.game.new_initial_state())
        for turn, end in zip(turns, [*(turn.first for turn in turns[1:]), moves], strict=True):
            chosen = None if turn.seat == CHANCE else history[turn.first][1]
            chance = [action for player, action in history[turn.first : end] if player == CHANCE]
            again = again.after(turn, chosen, chance)
        self._play(again)

    def _play(self, play: Play) -> None:
        """Take up a game where it now stands; the rules may have ended it."""
        self.play = play
        self.status = "over" if play.state.is_terminal() else "playing"

    def _playing(self) -> Play:
        """The game under way; nothing of it comes before it has begun."""
        if self.play is None:
            raise Refused("not_started")
        return self.play

    # --- Who is who -----------------------------------------------------------------------------------------------
    def seats_of(self, guest: str) -> list[int]:
        """List the seats of a guest."""
        return [number for number, seat in enumerate(self.seats) if seat.kind == "person" and seat.guest == guest]

    @property
    def persons(self) -> set[str]:
        """Everybody who sits here."""
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
        levels = [(seat, self.seats[seat].level or self.seats[seat].stand_in) for seat in self.asked]
        # A game that began under earlier rules goes on, though the Oracle knows only those in force.
        next_best = {} if is_solved(self.game) else {ORACLE: NEXT_BEST}
        return [(seat, next_best.get(level, level)) for seat, level in levels if level]

    def result(self) -> asked.Result | None:
        """How the game came out, if it is over."""
        if self.status != "over" or self.play is None:
            return None
        state = self.play.state
        if self.resigned is not None:
            return asked.Result("resigned", state.scores(), [1 - self.resigned], self.resigned)
        return asked.Result(state.ending() or "", state.scores(), state.winners())

    def log(self) -> GameLog:
        """The game as a file that anybody can replay and verify: it tells everything, so only after the end."""
        if self.status != "over" or self.play is None:
            raise Refused("not_over")
        dice = DiceRecord(self.id, self.opened.commit, self.luck, self.seed.hex())
        names = [seat.name or seat.level or f"seat {number + 1}" for number, seat in enumerate(self.seats)]
        return GameLog.of(self.play.state, names, dice)

    # --- What may be done: each gives the event a wish leads to, or refuses ----------------------------------------
    def decide(self, guest: str, wish: asked.AnyCommand, now: float) -> AnyEvent:
        """Say what a guest's wish leads to; nothing has changed yet."""
        if self.status == "closed":
            raise Refused("closed")
        match wish:
            case asked.Move():
                self._require_mine(guest, wish.seat)
                return self.choose(wish.seat, wish.action, now, at=wish.at)
            case asked.BringLuck():
                self._require_mine(guest, wish.seat)
                self._require_open()
                lucky = msgspec.structs.replace(self.seats[wish.seat], luck=wish.luck)
                return SeatChanged(now, seat=wish.seat, to=lucky)
            case asked.TakeBack():
                return self._take_back(guest, wish.at, now)
            case asked.Say():
                self._require_mine(guest, wish.seat)
                return Spoken(now, seat=wish.seat, text=spoken(wish.text))
            case asked.HandOver():
                return self._stand_in(guest, wish.seat, wish.level, now)
            case asked.ComeBack():
                return self._stand_in(guest, wish.seat, "", now)
            case asked.Resign():
                return self._resign(guest, wish.seat, now)
            case asked.ChangeSeat():
                return self._change_seat(guest, wish, now)
            case asked.Leave():
                self._require_mine(guest, wish.seat)
                self._require_open()
                by_link = self.seats[wish.seat].by_link
                return SeatChanged(now, seat=wish.seat, to=Seat("link" if by_link else "open"))
            case asked.Start():
                return self._start(guest, wish.level, now)
            case asked.Close():
                return self._close(guest, now)
            case _:
                raise Refused("unknown_command")

    def _require_mine(self, guest: str, seat: int) -> None:
        """Nobody plays or speaks for another."""
        if seat >= len(self.seats):
            raise Refused("no_such_seat")
        if seat not in self.seats_of(guest):
            raise Refused("not_your_seat")

    def _require_open(self) -> None:
        """Seats change hands only before the game."""
        if self.status != "open":
            raise Refused("already_started")

    def _require_host(self, guest: str) -> None:
        """Who opened the table says who sits and when it begins."""
        if guest != self.opened.host:
            raise Refused("host_only")

    def _require_playing(self) -> Play:
        """Choices are made between beginning and end."""
        if self.status == "over":
            raise Refused("over")
        return self._playing()

    def choose(self, seat: int, action: int, now: float, *, at: int | None = None, by_bot: bool = False) -> Chosen:
        """Try a choice, and find what chance brings after it."""
        play = self._require_playing()
        if not by_bot and self.seats[seat].stand_in:
            raise Refused("stand_in_plays")
        if at is not None and seat in play.asked_at and at != play.asked_at[seat]:
            raise Refused("too_late")
        after = play.state.clone()
        try:
            after.apply_action(action, seat)
        except IllegalAction as error:
            raise self._broken_rule(error, seat, action) from error
        return Chosen(now, seat=seat, action=action, chance=self._chance(after, self.luck), by_bot=by_bot)

    def _broken_rule(self, error: IllegalAction, seat: int, action: int) -> Refused:
        """Say which rule a choice would break."""
        if error.rule is None:
            return Refused("no_such_action", action=action)
        return Refused("rule", rule=error.rule, text=str(error), action=self.game.scene.action(self.game, seat, action))

    def _chance(self, state: State, luck: str) -> list[int]:
        """Let chance decide until somebody must choose."""
        dice, brought = Dice(self.seed, self.id, luck), list[int]()
        while state.is_chance_node():
            brought.append(dice.outcome(state))
            state.apply_action(brought[-1])
        return brought

    def _take_back(self, guest: str, at: int, now: float) -> TakenBack:
        """Take the last choice of a guest back, where that is fair."""
        play, mine = self._playing(), self.seats_of(guest)
        if not mine:
            raise Refused("not_seated")
        if self.status == "over":  # its seed has been shown
            raise Refused("over")
        if at != play.state.move_number():
            raise Refused("too_late")
        last = next((turn for turn in reversed(play.turns) if turn.seat in mine and not turn.by_bot), None)
        if last is None:
            raise Refused("nothing_to_take_back")
        if not self.practice and not self._nobody_knows_more(play, last):
            raise Refused("somebody_knows_more")
        return TakenBack(now, seat=last.seat, moves=self._fair_return(play, last.first))

    def _nobody_knows_more(self, play: Play, turn: Turn) -> bool:
        """Whether a choice was the last, chance answered nothing, and it turned nothing over."""
        if turn.chance or turn is not play.turns[-1]:
            return False
        return not self.game.box.sealed or is_secret(play.before(turn.first))

    def _fair_return(self, play: Play, move: int) -> int:
        """Find how far a game goes back so that nobody chooses again knowing others' sealed choices."""
        if not self.game.box.sealed:
            return move
        return fair_return(GameLog(self.game, [], play.state.full_history()), move)

    def _stand_in(self, guest: str, seat: int, level: str, now: float) -> SeatChanged:
        """Let a bot play for a person, or the person again."""
        self._require_mine(guest, seat)
        self._require_playing()
        require_known(self.game, level)
        if level == ORACLE and not self.practice:  # perfect play on tap would be unfair to whoever else plays
            raise Refused("oracle_alone")
        if bool(self.seats[seat].stand_in) == bool(level):
            raise Refused("stand_in_already" if level else "no_stand_in")
        return SeatChanged(now, seat=seat, to=msgspec.structs.replace(self.seats[seat], stand_in=level))

    def _resign(self, guest: str, seat: int, now: float) -> Resigned:
        """Give up, where exactly one other is left to win."""
        self._require_mine(guest, seat)
        self._require_playing()
        if len(self.seats) != 2:
            raise Refused("resign_needs_two")
        return Resigned(now, seat=seat)

    def _change_seat(self, guest: str, wish: asked.ChangeSeat, now: float) -> SeatChanged:
        """Let the host say anew who is to sit on a seat nobody else has taken."""
        self._require_open()
        self._require_host(guest)
        if wish.seat >= len(self.seats):
            raise Refused("no_such_seat")
        present = self.seats[wish.seat]
        if present.kind == "person" and present.guest != guest:
            raise Refused("seat_taken")
        seat = seat_for(wish.wish, guest, present.name if wish.wish.kind == "me" else "")
        require_known(self.game, seat.level)
        return SeatChanged(now, seat=wish.seat, to=seat)

    def sit(self, guest: str, seat: int, name: str, luck: str, *, invited: bool, now: float) -> SeatChanged:
        """Give a free seat, or one kept for whoever was invited, to a guest."""
        if self.status == "closed":
            raise Refused("closed")
        if seat >= len(self.seats):
            raise Refused("no_such_seat")
        present = self.seats[seat]
        if present.kind == "person" and present.guest == guest and not present.ready:
            return SeatChanged(now, seat=seat, to=msgspec.structs.replace(present, ready=True, luck=luck))
        self._require_open()
        if self.seats_of(guest):
            raise Refused("seated_already")
        if present.kind == "link" and not invited:
            raise Refused("invitation_needed")
        if present.kind not in ("open", "link"):
            raise Refused("seat_taken")
        by_link = present.kind == "link"
        return SeatChanged(now, seat=seat, to=Seat("person", guest, name=tidy(name), luck=luck, by_link=by_link))

    def free_seat(self) -> int:
        """Find a seat that anybody may take."""
        kinds = [seat.kind for seat in self.seats]
        if "open" in kinds:
            return kinds.index("open")
        raise Refused("invitation_needed" if "link" in kinds else "no_free_seat")

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
            raise Refused("seats_free")
        if not any(seat.kind == "person" for seat in seats):
            raise Refused("nobody_sits")
        luck = "/".join(seat.luck for seat in seats if seat.kind == "person")
        return Started(now, seats=seats, luck=luck, chance=self._chance(self.game.new_initial_state(), luck))

    @property
    def ready(self) -> bool:
        """Whether the game can begin by itself: every seat is filled."""
        return self.status == "open" and all(is_filled(seat) for seat in self.seats)

    def _close(self, guest: str, now: float) -> TableClosed:
        """Put the box back, where that takes nothing from anybody else."""
        self._require_host(guest)
        if self.status == "over":
            raise Refused("over")
        if self.status == "playing" and not self.practice:
            raise Refused("others_play")
        return TableClosed(now)

    def rotated(self) -> list[Seat]:
        """Seat everybody one further, for a rematch; persons have to say yes."""
        seats = [self.seats[number - 1] for number in range(len(self.seats))]
        return [msgspec.structs.replace(seat, stand_in="", luck="", ready=seat.kind != "person") for seat in seats]

    def offer(self, guest: str) -> None:
        """See whether a guest may offer a rematch."""
        if not self.seats_of(guest):
            raise Refused("not_seated")
        if self.status != "over":
            raise Refused("not_over")
        if self.rematch:
            raise Refused("rematch_offered")


def require_known(game: Game, level: str | None) -> None:
    """The Oracle sits down only where perfect play is known."""
    if level == ORACLE and not is_solved(game):
        raise Refused("not_solved")


def is_filled(seat: Seat) -> bool:
    """Whether somebody sits there who has said yes."""
    return seat.kind in ("person", "bot") and seat.ready


def seat_for(wish: asked.SeatWish, guest: str, name: str) -> Seat:
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
        raise Refused("unprintable")
    return name


def spoken(text: str) -> str:
    """Make a line of chat fit to be shown."""
    said = tidy(text)
    if not said:
        raise Refused("nothing_said")
    return said


def open_table(guest: str, wish: asked.OpenTable, name: str, commit: str, now: float) -> TableOpened:
    """Say how a table begins, or why it cannot."""
    try:
        box = find_box(wish.game)
        game = Game(box, len(wish.seats), wish.options, board=known_board(wish))
    except DracothequeError as error:
        raise Refused("no_such_game", text=str(error), why=str(error)) from error
    seats = [seat_for(seat, guest, name) for seat in wish.seats]
    for seat in seats:
        require_known(game, seat.level)
    if sum(seat.kind == "me" for seat in wish.seats) > 1:
        raise Refused("one_me")
    if all(seat.kind == "bot" for seat in wish.seats):
        raise Refused("nobody_sits")
    board = game.board.data if game.board and game.board.source else None
    return TableOpened(
        now,
        game=box.name,
        rules=game.rules_version,
        players=game.players,
        options=game.options,
        board=board,
        board_name=wish.board or "",
        seats=seats,
        host=guest,
        commit=commit,
        listed=wish.listed,
        patience=wish.patience,
    )


def known_board(wish: asked.OpenTable) -> str | None:
    """Accept the boards of the box only: a name from outside must never become a file's path."""
    from dracotheque.engine import boards

    if wish.board is None or wish.board in boards.names(find_box(wish.game)):
        return wish.board
    raise DracothequeError(f"There is no board {wish.board!r} in this box.")


def seat_views(table: Table, guest: str, muted: frozenset[int] = frozenset()) -> list[asked.SeatView]:
    """Show the seats to a guest: who sits there, and which are the guest's own."""
    crests: Any = table.game.scene.CRESTS
    return [
        asked.SeatView(
            crests[number],
            seat.kind,  # pyright: ignore[reportArgumentType]
            seat.name,
            seat.level,
            mine=bool(guest) and seat.kind == "person" and seat.guest == guest,
            stand_in=seat.stand_in,
            ready=seat.ready,
            muted=number in muted,
        )
        for number, seat in enumerate(table.seats)
    ]
