"""The house: every table that is in use here, whoever looks at it, and the bots and clocks that keep it going.

A wish goes one way: `decide` on the table, the event into the store, `after` on the table, and then to every viewer.
Several houses may share one store. Of two that append the same number one wins; the other catches up and asks its
table again, which then may refuse.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakValueDictionary

import msgspec

from dracotheque.bots import Bot, make_bot
from dracotheque.bots.view import view as bot_view
from dracotheque.engine.dispatch import CHANCE
from dracotheque.tables import messages
from dracotheque.tables.events import (
    AnyEvent,
    Chosen,
    RematchOffered,
    Seat,
    SeatChanged,
    Spoken,
    TableClosed,
    TableOpened,
    TakenBack,
    read,
    write,
)
from dracotheque.tables.fairness import commit, new_seed
from dracotheque.tables.refused import Refused
from dracotheque.tables.store import Guest, NewTable, Row, Store, StoreError
from dracotheque.tables.store import Seat as StoredSeat
from dracotheque.tables.table import STAND_IN, Play, Table, open_table, seat_views
from dracotheque.tables.view import SPECTATOR, Fields, moved_view, shown_fields, table_view, tell_turn

encode = msgspec.json.Encoder().encode
LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # none that is mistaken for another
TRIES = 20  # races lost in a row before somebody is told to try again


@dataclass(frozen=True)
class Habits:
    """How a house is kept."""

    rest_after: float = 60.0
    """Seconds after which a table that nobody looks at leaves memory."""
    heal_every: float = 2.0
    """Seconds between two looks at whether news of another worker got lost."""
    look_every: float = 1.0
    """Seconds between two looks for tables that wait for the house."""
    present_every: float = 10.0
    """Seconds between two notes of who is here."""
    forget_after: float = 7 * 86_400.0
    """Seconds after which a table that has not begun is put away."""
    bot_grace: float = 10.0
    """Seconds after which another worker plays for a bot whose own worker is gone."""
    bot_seconds: float = 1.4
    """The longest a bot thinks when the house is empty."""
    bots_kept: int = 64
    """Bots that remember what they thought; the others begin anew."""
    thinkers: int = os.cpu_count() or 1
    tables_a_guest: int = 40


@dataclass(eq=False)
class Viewer:
    """Somebody who looks at a table: from a seat, or as a spectator."""

    guest: str
    send: Callable[[bytes], None]
    look: int = SPECTATOR
    muted: frozenset[int] = frozenset()


@dataclass(eq=False)
class Room:
    """A table in use: who looks at it, and the bots that think at it."""

    table: Table
    viewers: set[Viewer] = field(default_factory=set[Viewer])
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    thinking: asyncio.Task[None] | None = None
    fields: dict[int, Fields] = field(default_factory=dict[int, Fields])
    used: float = 0.0
    behind: bool = False
    """Whether another worker has appended something that is not here yet."""


class House:
    """All tables in use, over one store."""

    def __init__(
        self,
        store: Store,
        habits: Habits | None = None,
        clock: Callable[[], float] = time.time,
        ready: Callable[[str], Awaitable[None]] | None = None,
    ) -> None:
        """Open the doors; `start` lets the clocks run, and `ready` waits until a box can be played from."""
        self.ready = ready
        self.store, self.habits, self.clock = store, habits or Habits(), clock
        self.rooms: dict[str, Room] = {}
        self.loading: dict[str, asyncio.Future[Room]] = {}
        self.heard: dict[str, int] = {}  # of tables that are being loaded: the last event that another worker told of
        self.openers: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.pool = ThreadPoolExecutor(self.habits.thinkers, "bot")
        self.bots: dict[tuple[str, int, str], Bot] = {}
        self.waiting_bots = 0
        self.tasks: set[asyncio.Task[Any]] = set()
        self.appending: set[asyncio.Task[int]] = set()
        self.here: dict[str, int] = {}
        self.closing = False
        self.moves_made = 0
        store.changed = self._changed
        store.lost = self._lost

    # --- Opening and closing the house -----------------------------------------------------------------------------
    async def start(self) -> None:
        """Let the clocks run."""
        self._spawn(self._every(self.habits.heal_every, self.heal))
        self._spawn(self._every(self.habits.look_every, self.act_on_due))
        self._spawn(self._every(self.habits.present_every, self.note_presence))
        self._spawn(self._every(self.habits.rest_after / 4, self.tidy))

    async def stop(self) -> None:
        """Let nobody begin anything new, and finish what was begun."""
        self.closing = True
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, *self.appending, return_exceptions=True)
        self.pool.shutdown(wait=False, cancel_futures=True)

    def _spawn(self, work: Any) -> asyncio.Task[Any]:
        """Start something beside, and keep it from being forgotten."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    async def _every(self, seconds: float, work: Callable[[], Any]) -> None:
        """Do something again and again; a store that does not answer is asked again later."""
        while True:
            await asyncio.sleep(seconds)
            with contextlib.suppress(OSError, Refused, StoreError):
                await work()

    # --- Finding a table -----------------------------------------------------------------------------------------
    async def room(self, table: str) -> Room:
        """Find a table in use, or take it from the store."""
        room = self.rooms.get(table)
        if room is None:
            room = await self._loaded(table)
        room.used = self.clock()
        return room

    async def _loaded(self, table: str) -> Room:
        """Take a table from the store, once for all who ask."""
        if table in self.loading:
            return await asyncio.shield(self.loading[table])
        future = self.loading[table] = asyncio.get_running_loop().create_future()
        try:
            room = await self._load(table)
        except BaseException as error:
            future.set_exception(error)
            future.exception()
            raise
        else:
            future.set_result(room)
            return room
        finally:
            del self.loading[table]
            self.heard.pop(table, None)

    async def _load(self, table: str) -> Room:
        """Take a table from the store and let its events happen again."""
        stored = await self.store.load(table)
        if stored is None or not stored.events:
            raise Refused("no_such_table")
        if self.ready:
            await self.ready(stored.game)
        room = Room(functools.reduce(Table.after, map(read, stored.events), Table(table, stored.seed)))
        self.rooms[table] = room
        if self.heard.get(table, 0) > room.table.number:
            self._fall_behind(room)
        self._let_bots_think(room)
        return room

    # --- Wishes --------------------------------------------------------------------------------------------------
    async def open(self, guest: str, wish: messages.OpenTable, name: str) -> str:
        """Open a table, and begin where nobody has to be waited for."""
        if self.ready:
            await self.ready(wish.game)
        seed = new_seed()
        async with self.openers.setdefault(guest, asyncio.Lock()):  # one by one, or many at once would count as none
            if await self.store.count_unfinished(guest) >= self.habits.tables_a_guest:
                raise Refused("too_many_tables", count=self.habits.tables_a_guest)
            room = await self._create(open_table(guest, wish, name, commit(seed), self.clock()), seed)
        await self._know(guest)
        if wish.begin:
            await self._begin_when_ready(room)
        return room.table.id

    async def _create(self, event: TableOpened, seed: bytes) -> Room:
        """Put a new table into the store."""
        while True:
            table = Table("".join(secrets.choice(LETTERS) for _ in range(12)), seed).after(event)
            new = NewTable(table.id, event.game, event.players, seed, event.at)
            if await self.store.create(new, write(event), self._row(table), stored_seats(table)):
                room = self.rooms[table.id] = Room(table, used=self.clock())
                return room

    async def sit(
        self, table: str, guest: str, wish: messages.Sit, name: str, invited_to: Callable[[int], bool]
    ) -> int:
        """Give a guest a seat, and begin when it was the last free one; say which seat it is."""
        room = await self.room(table)
        taken = -1

        def decide() -> AnyEvent:
            nonlocal taken
            taken = self._seat_to_take(room.table, guest, wish, invited_to)
            return room.table.sit(
                guest, taken, wish.name or name, wish.luck, invited=invited_to(taken), now=self.clock()
            )

        await self._append(room, decide)
        await self._know(guest)
        await self._begin_when_ready(room)
        return taken

    async def _know(self, guest: str) -> None:
        """Keep a place for a guest who has not said a name: when somebody was here last is noted of known ones only."""
        if await self.store.guest(guest) is None:
            await self.store.put_guest(Guest(guest, "", "", self.clock()))

    def _seat_to_take(self, table: Table, guest: str, wish: messages.Sit, invited_to: Callable[[int], bool]) -> int:
        """Find the seat that is meant: the one named, the one kept for me, the one of the invitation, any free one."""
        if wish.seat is not None:
            return wish.seat
        kept = [seat for seat in table.seats_of(guest) if not table.seats[seat].ready]
        invited = [seat for seat in range(len(table.seats)) if wish.invitation and invited_to(seat)]
        if kept or invited:
            return (kept or invited)[0]
        return table.free_seat()

    async def _begin_when_ready(self, room: Room) -> None:
        """Begin by itself when every seat is filled."""
        with contextlib.suppress(Refused):  # somebody else began it
            if room.table.ready:
                await self._append(room, lambda: room.table.begin(self.clock()))

    async def do(self, table: str, guest: str, wish: messages.AnyCommand) -> int:
        """Carry out a wish at a table; give the number of its event once that is safe."""
        room = await self.room(table)
        if isinstance(wish, messages.Rematch):
            return await self._offer_rematch(room, guest)
        if isinstance(wish, messages.Mute):
            return await self._mute(room, guest, wish)
        if isinstance(wish, messages.ComeBack):
            await self.store.saw([guest], self.clock())  # the time to choose begins anew
        heavy = room.table.game.box.nature and isinstance(wish, messages.Move | messages.Start)
        return await self._append(room, lambda: room.table.decide(guest, wish, self.clock()), heavy=heavy)

    async def _mute(self, room: Room, guest: str, wish: messages.Mute) -> int:
        """Hear no more of a seat, or hear it again."""
        if wish.seat >= len(room.table.seats):
            raise Refused("no_such_seat")
        await self.store.mute(guest, room.table.id, wish.seat, wish.on)
        muted = await self.store.mutes(guest, room.table.id)
        for viewer in [viewer for viewer in room.viewers if viewer.guest == guest]:
            viewer.muted = muted
            self.show(room, viewer)
        return room.table.number

    async def _offer_rematch(self, room: Room, guest: str) -> int:
        """Open a table with everybody one seat further, and offer it."""
        table = room.table
        table.offer(guest)
        seed = new_seed()
        seats = [accepted(seat, guest) for seat in table.rotated()]
        now = self.clock()
        event = msgspec.structs.replace(table.opened, at=now, seats=seats, host=guest, commit=commit(seed))
        following = await self._create(event, seed)

        def decide() -> AnyEvent:
            room.table.offer(guest)
            return RematchOffered(now, table=following.table.id)

        try:
            number = await self._append(room, decide)
        except Refused:
            await self._append(following, lambda: TableClosed(now))
            raise
        return number

    async def _append(self, room: Room, decide: Callable[[], AnyEvent], *, heavy: bool = False) -> int:
        """Do what `_append_now` does even if whoever asked for it goes away meanwhile."""
        task = asyncio.get_running_loop().create_task(self._append_now(room, decide, heavy))
        self.appending.add(task)
        task.add_done_callback(self.appending.discard)
        return await asyncio.shield(task)

    async def _append_now(self, room: Room, decide: Callable[[], AnyEvent], heavy: bool) -> int:
        """Decide, store, and only then let it happen; whoever loses a race catches up and decides again."""
        async with room.lock:
            if room.behind:
                await self._catch_up(room)
            for _ in range(TRIES):
                event = await asyncio.to_thread(decide) if heavy else decide()
                if await self._store(room, event):
                    return room.table.number
                await self._catch_up(room)
        raise Refused("busy")

    async def _store(self, room: Room, event: AnyEvent) -> bool:
        """Store an event, then let it happen; say whether it was the next one."""
        after = room.table.after(event)
        seats = stored_seats(after) if after.seats is not room.table.seats else None
        try:
            if not await self.store.append(after.id, after.number, write(event), self._row(after), event.at, seats):
                return False
        except StoreError as error:
            room.behind = True  # whether it was stored is not known: look before the next wish
            raise Refused("store_away") from error
        self._happen(room, event, after)
        return True

    def _row(self, table: Table) -> Row:
        """Sum up a table for lists."""
        return Row(
            status=table.status,
            listed=table.opened.listed,
            free=sum(seat.kind == "open" for seat in table.seats),
            asked=sum(1 << seat for seat in table.asked),
            due=self._due(table),
            moves=table.moves,
        )

    def _due(self, table: Table) -> float | None:
        """When the house must act by itself: for a bot whose worker may be gone, or for a person who is."""
        if table.status == "open":
            return self.clock() + self.habits.forget_after
        if table.status != "playing" or table.play is None:
            return None
        if table.bots_asked:
            return self.clock() + self.habits.bot_grace
        return table.play.turns[-1].at + table.opened.patience if table.opened.patience else None

    # --- What happens, and who sees it ----------------------------------------------------------------------------
    def _happen(self, room: Room, event: AnyEvent, after: Table) -> None:
        """Let a stored event happen, show it to everybody, and let bots go on."""
        before, room.table = room.table, after
        if before.status == "open" and after.seats is not before.seats:
            self._look_anew(room)
        match event:
            case Chosen() | TakenBack():
                self._show_play(room, event, before)
            case Spoken():
                said = encode(messages.Said(after.number, event.seat, event.text))
                self._send(said, (viewer for viewer in room.viewers if event.seat not in viewer.muted))
            case RematchOffered():
                self._send(encode(messages.Offered(after.number, event.table)), room.viewers)
            case SeatChanged():
                self._show_seats(room)
            case _:
                self._show_all(room)
        self._let_bots_think(room)

    def _show_play(self, room: Room, event: Chosen | TakenBack, before: Table) -> None:
        """Show every viewer what a choice, or taking one back, has changed."""
        self.moves_made += 1
        looks = {viewer.look for viewer in room.viewers}
        told: list[messages.Told] = []
        if looks and before.play and room.table.play and isinstance(event, Chosen):
            moves = [(event.seat, event.action), *((CHANCE, outcome) for outcome in event.chance)]
            told = tell_turn(before.play, room.table.play, moves)
        for look in looks:
            news = self._moved(room, look, told, back=isinstance(event, TakenBack))
            self._send(news, (viewer for viewer in room.viewers if viewer.look == look))

    def _moved(self, room: Room, look: int, told: list[messages.Told], *, back: bool) -> bytes:
        """Write what is different for all who look from one seat."""
        table, before = room.table, room.fields[look]
        assert table.play is not None
        known = table.play.known(look)
        after = room.fields[look] = shown_fields(table.play.state, look, known)
        return encode(moved_view(table, look, before, after, told, known, back=back))

    def _send(self, news: bytes, viewers: Iterable[Viewer]) -> None:
        """Send the same to several viewers."""
        for viewer in list(viewers):
            viewer.send(news)

    def _show_seats(self, room: Room) -> None:
        """Show everybody who sits where."""
        table = room.table
        for viewer in list(room.viewers):
            seats = seat_views(table, viewer.guest, viewer.muted)
            viewer.send(encode(messages.Seated(table.number, table.status, seats)))

    def _look_anew(self, room: Room) -> None:
        """Let whoever has taken, left or lost a seat look from where they belong: somebody else may sit there now."""
        for viewer in room.viewers:
            if viewer.look not in room.table.seats_of(viewer.guest):
                viewer.look = usual_look(room.table, viewer.guest)

    def _show_all(self, room: Room) -> None:
        """Show everybody the whole table."""
        room.fields.clear()
        for viewer in list(room.viewers):
            self.show(room, viewer)

    def show(self, room: Room, viewer: Viewer) -> None:
        """Show a viewer the whole table."""
        viewer.send(encode(self.look(room, viewer)))
        if room.table.play and viewer.look not in room.fields:
            play = room.table.play
            room.fields[viewer.look] = shown_fields(play.state, viewer.look, play.known(viewer.look))

    def look(self, room: Room, viewer: Viewer) -> messages.TableView:
        """The whole table as a viewer may see it."""
        table = room.table
        seats = seat_views(table, viewer.guest, viewer.muted)
        host = bool(viewer.guest) and viewer.guest == table.opened.host
        return table_view(table, viewer.look, seats, host=host, muted=viewer.muted)

    async def watch(self, table: str, guest: str, send: Callable[[bytes], None]) -> tuple[Room, Viewer]:
        """Let somebody look at a table, and show it first."""
        room = await self.room(table)
        muted = await self.store.mutes(guest, table) if guest else frozenset[int]()
        if guest in room.table.persons:
            await self.store.saw([guest], self.clock())
        viewer = Viewer(guest, send, usual_look(room.table, guest), muted)
        room.viewers.add(viewer)
        if guest:
            self.here[guest] = self.here.get(guest, 0) + 1
        self.show(room, viewer)
        return room, viewer

    def leave(self, room: Room, viewer: Viewer) -> None:
        """Let somebody go."""
        room.viewers.discard(viewer)
        if viewer.guest:
            self.here[viewer.guest] = self.here.get(viewer.guest, 1) - 1
            if self.here[viewer.guest] <= 0:
                del self.here[viewer.guest]
        forget_unseen(room)
        room.used = self.clock()

    def look_from(self, room: Room, viewer: Viewer, seat: int | None) -> None:
        """Let a viewer see the table from one of their seats, or as a spectator."""
        if seat is not None and seat not in room.table.seats_of(viewer.guest):
            raise Refused("not_your_seat")
        viewer.look = SPECTATOR if seat is None else seat
        forget_unseen(room)
        self.show(room, viewer)

    # --- Other workers --------------------------------------------------------------------------------------------
    def _changed(self, table: str, number: int) -> None:
        """Another worker appended something."""
        room = self.rooms.get(table)
        if room and number > room.table.number and not room.behind:
            self._fall_behind(room)
        elif table in self.loading:  # what was read of it may be older than that
            self.heard[table] = max(number, self.heard.get(table, 0))

    def _lost(self) -> None:
        """News may have got lost: look at every table in use."""
        self._spawn(self._heal(list(self.rooms)))

    def _fall_behind(self, room: Room) -> None:
        """Note that something is missing here, and go for it."""
        room.behind = True
        self._spawn(self._catch_up_later(room))

    async def _catch_up_later(self, room: Room) -> None:
        """Catch up when nothing else is being done at a table."""
        async with room.lock:
            if room.behind:
                await self._catch_up(room)

    async def _catch_up(self, room: Room) -> None:
        """Let happen here what another worker appended."""
        room.behind = False
        stored = await self.store.load(room.table.id, room.table.number)
        for event in stored.events if stored else ():
            happened = read(event)
            self._happen(room, happened, room.table.after(happened))

    async def heal(self) -> None:
        """Look whether news of other workers got lost."""
        await self._heal([table for table, room in self.rooms.items() if room.viewers or room.behind])

    async def _heal(self, tables: list[str]) -> None:
        """Compare tables with the store, and catch up where something is missing or an answer got lost."""
        numbers = await self.store.numbers(tables) if tables else {}
        for table, number in numbers.items():
            room = self.rooms.get(table)
            if room and (room.behind or number > room.table.number):
                self._fall_behind(room)

    # --- Bots -----------------------------------------------------------------------------------------------------
    def _let_bots_think(self, room: Room) -> None:
        """Let a bot choose, if one has to and none is thinking."""
        if room.table.bots_asked and not self.closing and (room.thinking is None or room.thinking.done()):
            room.thinking = self._spawn(self._think(room))

    async def _think(self, room: Room) -> None:
        """Let bots choose until somebody else has to."""
        while (waiting := room.table.bots_asked) and not self.closing:
            seat, level = waiting[0]
            play = room.table.play
            action = await self._chosen(room, seat, level)
            if room.table.play is not play:
                continue  # the game went on, or back, while the bot was thinking
            heavy = room.table.game.box.nature
            try:
                await self._append(room, lambda s=seat, p=play, a=action: self._bots_choice(room, s, p, a), heavy=heavy)
            except Refused as refused:  # somebody was faster, or the store is away: that may take a while
                await asyncio.sleep(1 if refused.code == "store_away" else 0)

    async def _chosen(self, room: Room, seat: int, level: str) -> int:
        """Let a bot think in a thread; the more wait, the sooner each answers."""
        assert room.table.play is not None
        known = bot_view(room.table.play.state, seat)
        if len(known.legal) == 1:
            return known.legal[0]
        bot: Any = self._bot(room.table.id, seat, level)
        self.waiting_bots += 1
        try:
            bot.hurry(self.habits.bot_seconds * min(1.0, self.habits.thinkers / self.waiting_bots))
            return await asyncio.get_running_loop().run_in_executor(self.pool, bot.choose, known)
        finally:
            self.waiting_bots -= 1

    def _bot(self, table: str, seat: int, level: str) -> Bot:
        """Find the bot of a seat, with what it has thought so far, or make one; the longest unused is forgotten."""
        bot = self.bots.pop((table, seat, level), None) or make_bot(level, secrets.randbits(62))
        self.bots[table, seat, level] = bot
        if len(self.bots) > self.habits.bots_kept:
            del self.bots[next(iter(self.bots))]
        return bot

    def _bots_choice(self, room: Room, seat: int, play: Play | None, action: int) -> AnyEvent:
        """Make a bot's choice, if it is still asked for in the position it was thought for."""
        if room.table.play is not play or seat not in (asked for asked, _ in room.table.bots_asked):
            raise Refused("too_late")
        return room.table.choose(seat, action, self.clock(), by_bot=True)

    # --- Clocks ---------------------------------------------------------------------------------------------------
    async def note_presence(self) -> None:
        """Remember who is here: a bot plays only for those who are not."""
        if self.here:
            await self.store.saw(list(self.here), self.clock())

    async def act_on_due(self) -> None:
        """Go on at tables that wait for the house."""
        for table in await self.store.due(self.clock()):
            with contextlib.suppress(Refused):
                await self._act_on(await self.room(table))

    async def _act_on(self, room: Room) -> None:
        """Play for a bot whose worker is gone or a person who has been too long; put a forgotten table away."""
        room.behind = True  # nobody may look at it here, and news of it may have got lost
        await self._catch_up_later(room)
        table = room.table
        if table.status == "open":
            await self._append(room, lambda: self._forgotten(room.table))
        elif table.bots_asked:
            self._let_bots_think(room)
        elif table.play and table.opened.patience:
            await self._sit_in(room, table.play.turns[-1].at, table.opened.patience)

    def _forgotten(self, table: Table) -> AnyEvent:
        """Put a table away that never began."""
        if table.status != "open":
            raise Refused("too_late")
        return TableClosed(self.clock())

    async def _sit_in(self, room: Room, asked: float, patience: int) -> None:
        """Let bots sit in for those who were asked too long ago and have not been here since."""
        table, now = room.table, self.clock()
        seen = await self.store.last_seen([table.seats[seat].guest for seat in table.asked])
        gone_at = {seat: max(seen.get(table.seats[seat].guest, asked), asked) + patience for seat in table.asked}
        for seat in [seat for seat, gone in gone_at.items() if gone <= now]:
            await self._append(room, lambda s=seat: self._gone(room.table, s))
        if gone_at and min(gone_at.values()) > now:
            await self.store.put_off(table.id, min(gone_at.values()))

    def _gone(self, table: Table, seat: int) -> AnyEvent:
        """Let a bot sit in for a person."""
        present = table.seats[seat]
        if seat not in table.asked or present.stand_in or present.kind != "person":
            raise Refused("too_late")
        return SeatChanged(self.clock(), seat=seat, to=msgspec.structs.replace(present, stand_in=STAND_IN))

    async def tidy(self) -> None:
        """Let tables that nobody uses leave memory."""
        before = self.clock() - self.habits.rest_after
        for table, room in list(self.rooms.items()):
            busy = room.viewers or room.lock.locked() or (room.thinking and not room.thinking.done())
            if not busy and room.used < before:
                del self.rooms[table]


def usual_look(table: Table, guest: str) -> int:
    """From where a guest sees a table at first: the own seat; with several on one screen, as a spectator does."""
    mine = table.seats_of(guest) if guest else []
    return mine[0] if len(mine) == 1 else SPECTATOR


def forget_unseen(room: Room) -> None:
    """Forget what was last shown to seats from which nobody looks: it would be out of date when somebody does again."""
    looks = {viewer.look for viewer in room.viewers}
    room.fields = {look: fields for look, fields in room.fields.items() if look in looks}


def accepted(seat: Seat, guest: str) -> Seat:
    """Whoever offers a rematch has said yes to it."""
    return msgspec.structs.replace(seat, ready=True) if seat.guest == guest else seat


def stored_seats(table: Table) -> list[StoredSeat]:
    """Who sits where, for lists."""
    return [StoredSeat(seat.guest or None, seat.name, seat.level or None) for seat in table.seats]
