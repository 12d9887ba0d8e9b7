"""The manager of tables: it loads them, lets one command at a time change each, and keeps their clocks.

A command goes one way: `decide` on the table, the event into the store, `apply` on the table, and then to every viewer.
Several managers may share one store. Of two that append the same revision one wins; the other loads the event and
decides again, which may then reject the command.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from weakref import WeakValueDictionary

import msgspec

from dracotheque.engine.errors import DracothequeError
from dracotheque.tables import protocol
from dracotheque.tables.bot_players import BotPlayers
from dracotheque.tables.broadcast import LiveTable, Viewer, apply_and_send, default_viewpoint, send_snapshot
from dracotheque.tables.errors import CommandError
from dracotheque.tables.events import (
    ActionTaken,
    AnyEvent,
    MovesTakenBack,
    RematchOffered,
    Seat,
    SeatChanged,
    TableClosed,
    TableOpened,
    read,
    write,
)
from dracotheque.tables.fairness import commitment_to, new_seed
from dracotheque.tables.storage.store import Guest, NewTable, Store, StoreError, TableSummary
from dracotheque.tables.storage.store import Seat as StoredSeat
from dracotheque.tables.table import SUBSTITUTE, Table, open_table

ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # none that is mistaken for another
MAX_TRIES = 20  # races lost in a row before a command is rejected


@dataclass(frozen=True)
class ManagerSettings:
    """The settings of a manager."""

    rest_after: float = 60.0
    """Seconds after which a table without viewers leaves memory."""
    heal_every: float = 2.0
    """Seconds between two checks for lost notifications of other workers."""
    look_every: float = 1.0
    """Seconds between two checks for tables at which something is due."""
    present_every: float = 10.0
    """Seconds between two updates of when guests were last seen."""
    forget_after: float = 7 * 86_400.0
    """Seconds after which a table that has not begun is closed."""
    bot_grace: float = 10.0
    """Seconds after which a worker takes over the bots of one that is gone."""
    bot_seconds: float = 1.4
    """The longest a bot thinks when no other does."""
    bots_kept: int = 64
    """How many bots keep their search tree between moves."""
    thinkers: int = os.cpu_count() or 1
    tables_a_guest: int = 40


class TableManager:
    """All tables in use, over one store."""

    def __init__(
        self,
        store: Store,
        settings: ManagerSettings | None = None,
        clock: Callable[[], float] = time.time,
        ready: Callable[[str], Awaitable[None]] | None = None,
    ) -> None:
        """Take a store; `start` starts the periodic tasks, and `ready` waits until a game is compiled."""
        self.ready = ready
        self.store, self.settings, self.clock = store, settings or ManagerSettings(), clock
        self.tables: dict[str, LiveTable] = {}
        self.loading: dict[str, asyncio.Future[LiveTable]] = {}
        self.announced: dict[str, int] = {}  # by table that is being loaded: the last revision of another worker
        self.openers: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.bots = BotPlayers(
            self._append_choice,
            self._spawn,
            clock,
            threads=self.settings.thinkers,
            seconds=self.settings.bot_seconds,
            kept=self.settings.bots_kept,
        )
        self.tasks: set[asyncio.Task[None]] = set()
        self.appending: set[asyncio.Task[int]] = set()
        self.connected: dict[str, int] = {}
        self.moves_made = 0
        store.changed = self._changed
        store.lost = self._lost

    # --- Starting and stopping -----------------------------------------------------------------------------
    async def start(self) -> None:
        """Start the periodic tasks."""
        self._spawn(self._every(self.settings.heal_every, self.heal))
        self._spawn(self._every(self.settings.look_every, self.act_on_due))
        self._spawn(self._every(self.settings.present_every, self.note_presence))
        self._spawn(self._every(self.settings.rest_after / 4, self.tidy))

    async def stop(self) -> None:
        """Stop the periodic tasks and bots, and finish the commands that have begun."""
        self.bots.closing = True
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, *self.appending, return_exceptions=True)
        self.bots.stop()

    def _spawn(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """Start a task and keep a reference to it, without which it may be collected."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    async def _every(self, seconds: float, work: Callable[[], Awaitable[object]]) -> None:
        """Run work periodically; an error of the store is left to the next time."""
        while True:
            await asyncio.sleep(seconds)
            with contextlib.suppress(OSError, CommandError, StoreError):
                await work()

    # --- Finding a table -----------------------------------------------------------------------------------------
    async def live_table(self, table: str) -> LiveTable:
        """Return a table, from memory or loaded from the store."""
        live = self.tables.get(table)
        if live is None:
            live = await self._loaded(table)
        live.used = self.clock()
        return live

    async def _loaded(self, table: str) -> LiveTable:
        """Load a table; calls at the same time share one load."""
        if table in self.loading:
            return await asyncio.shield(self.loading[table])
        future = self.loading[table] = asyncio.get_running_loop().create_future()
        try:
            live = await self._load(table)
        except BaseException as error:
            future.set_exception(error)
            future.exception()
            raise
        else:
            future.set_result(live)
            return live
        finally:
            del self.loading[table]
            self.announced.pop(table, None)

    async def _load(self, table: str) -> LiveTable:
        """Load a table from the store and apply its events."""
        stored = await self.store.load(table)
        if stored is None or not stored.events:
            raise CommandError("no_such_table")
        if self.ready:
            await self.ready(stored.game)
        try:
            live = LiveTable(functools.reduce(Table.apply, map(read, stored.events), Table(table, stored.seed)))
        except DracothequeError as error:  # the game is not installed any more: the table waits for it
            raise CommandError("no_such_game", text=str(error), why=str(error)) from error
        self.tables[table] = live
        if self.announced.get(table, 0) > live.table.revision:
            self._fall_behind(live)
        self.bots.let_think(live)
        return live

    # --- Commands ------------------------------------------------------------------------------------------------
    async def open(self, guest: str, command: protocol.CreateTable, name: str) -> str:
        """Create a table, begin if all its seats are filled, and return its id."""
        if self.ready:
            await self.ready(command.game)
        seed = new_seed()
        async with self.openers.setdefault(
            guest, asyncio.Lock()
        ):  # one at a time, or tables opened at once would not be counted
            if await self.store.count_unfinished(guest) >= self.settings.tables_a_guest:
                raise CommandError("too_many_tables", count=self.settings.tables_a_guest)
            live = await self._create(open_table(guest, command, name, commitment_to(seed), self.clock()), seed)
        await self._add_guest(guest)
        if command.begin:
            await self._begin_when_ready(live)
        return live.table.id

    async def _create(self, event: TableOpened, seed: bytes) -> LiveTable:
        """Put a new table into the store."""
        while True:
            table = Table("".join(secrets.choice(ID_LETTERS) for _ in range(12)), seed).apply(event)
            new = NewTable(table.id, event.game, event.players, seed, event.at)
            if await self.store.create(new, write(event), self._row(table), stored_seats(table)):
                live = self.tables[table.id] = LiveTable(table, used=self.clock())
                return live

    async def sit(
        self, table: str, guest: str, command: protocol.TakeSeat, name: str, invited_to: Callable[[int], bool]
    ) -> int:
        """Assign a seat to a guest, and begin when it was the last free one; return the seat."""
        live = await self.live_table(table)
        taken = -1

        def decide() -> AnyEvent:
            nonlocal taken
            taken = self._seat_to_take(live.table, guest, command, invited_to)
            return live.table.sit(
                guest, taken, command.name or name, command.client_seed, invited=invited_to(taken), now=self.clock()
            )

        await self._append(live, decide)
        await self._add_guest(guest)
        await self._begin_when_ready(live)
        return taken

    async def _add_guest(self, guest: str) -> None:
        """Store a guest without a name: only for stored guests the store keeps when they were last seen."""
        if await self.store.guest(guest) is None:
            await self.store.put_guest(Guest(guest, "", "", self.clock()))

    def _seat_to_take(
        self, table: Table, guest: str, command: protocol.TakeSeat, invited_to: Callable[[int], bool]
    ) -> int:
        """Return the seat named by the command, else a reserved one of the guest, the invitation's, or any free one."""
        if command.seat is not None:
            return command.seat
        kept = [seat for seat in table.seats_of(guest) if not table.seats[seat].ready]
        invited = [seat for seat in range(len(table.seats)) if command.invitation and invited_to(seat)]
        if kept or invited:
            return (kept or invited)[0]
        return table.free_seat()

    async def _begin_when_ready(self, live: LiveTable) -> None:
        """Begin if every seat is filled."""
        with contextlib.suppress(CommandError):  # another guest began it
            if live.table.ready:
                await self._append(live, lambda: live.table.begin(self.clock()))

    async def do(self, table: str, guest: str, command: protocol.AnyCommand) -> int:
        """Carry out a command at a table; return the revision of its event once that is stored."""
        live = await self.live_table(table)
        if isinstance(command, protocol.Rematch):
            return await self._offer_rematch(live, guest)
        if isinstance(command, protocol.Mute):
            return await self._mute(live, guest, command)
        if isinstance(command, protocol.ResumeSeat):
            await self.store.saw([guest], self.clock())  # restarts the turn timeout
        heavy = live.table.game.definition.has_physical_chance and isinstance(command, protocol.Move | protocol.Start)
        return await self._append(live, lambda: live.table.decide(guest, command, self.clock()), heavy=heavy)

    async def _mute(self, live: LiveTable, guest: str, command: protocol.Mute) -> int:
        """Mute or unmute the chat of a seat for a guest."""
        if command.seat >= len(live.table.seats):
            raise CommandError("no_such_seat")
        await self.store.mute(guest, live.table.id, command.seat, command.on)
        muted = await self.store.mutes(guest, live.table.id)
        for viewer in [viewer for viewer in live.viewers if viewer.guest == guest]:
            viewer.muted = muted
            send_snapshot(live, viewer)
        return live.table.revision

    async def _offer_rematch(self, live: LiveTable, guest: str) -> int:
        """Create a table with everyone one seat further, and offer it as a rematch."""
        table = live.table
        table.offer(guest)
        seed = new_seed()
        seats = [accepted(seat, guest) for seat in table.rotated()]
        now = self.clock()
        event = msgspec.structs.replace(table.opened, at=now, seats=seats, host=guest, commitment=commitment_to(seed))
        following = await self._create(event, seed)

        def decide() -> AnyEvent:
            live.table.offer(guest)
            return RematchOffered(now, table=following.table.id)

        try:
            number = await self._append(live, decide)
        except CommandError:
            await self._append(following, lambda: TableClosed(now))
            raise
        return number

    async def _append_choice(self, live: LiveTable, decide: Callable[[], AnyEvent]) -> int:
        """Append the choice of a bot."""
        return await self._append(live, decide, heavy=live.table.game.definition.has_physical_chance)

    async def _append(self, live: LiveTable, decide: Callable[[], AnyEvent], *, heavy: bool = False) -> int:
        """Run `_append_now` in a task of its own, so that it ends even if the caller is cancelled."""
        task = asyncio.get_running_loop().create_task(self._append_now(live, decide, heavy))
        self.appending.add(task)
        task.add_done_callback(self.appending.discard)
        return await asyncio.shield(task)

    async def _append_now(self, live: LiveTable, decide: Callable[[], AnyEvent], heavy: bool) -> int:
        """Decide, store, and only then apply; after a lost race load the other event and decide again."""
        async with live.lock:
            if live.behind:
                await self._catch_up(live)
            for _ in range(MAX_TRIES):
                event = await asyncio.to_thread(decide) if heavy else decide()
                if await self._store(live, event):
                    return live.table.revision
                await self._catch_up(live)
        raise CommandError("busy")

    async def _store(self, live: LiveTable, event: AnyEvent) -> bool:
        """Store an event, then apply it; return False if another worker stored one with its revision."""
        after = live.table.apply(event)
        seats = stored_seats(after) if after.seats is not live.table.seats else None
        try:
            if not await self.store.append(after.id, after.revision, write(event), self._row(after), event.at, seats):
                return False
        except StoreError as error:
            live.behind = True  # whether it was stored is not known: catch up before the next command
            raise CommandError("store_away") from error
        self._apply(live, event, after)
        return True

    def _row(self, table: Table) -> TableSummary:
        """Return what lists of tables store of a table."""
        return TableSummary(
            status=table.status,
            listed=table.opened.listed,
            free=sum(seat.kind == "open" for seat in table.seats),
            asked=sum(1 << seat for seat in table.asked),
            due=self._due(table),
            moves=table.moves,
        )

    def _due(self, table: Table) -> float | None:
        """Return when the manager has to act by itself: for a bot whose worker may be gone or an absent person."""
        if table.status == "open":
            return self.clock() + self.settings.forget_after
        if table.status != "playing" or table.play is None:
            return None
        if table.bots_asked:
            return self.clock() + self.settings.bot_grace
        return table.play.turns[-1].at + table.opened.turn_timeout if table.opened.turn_timeout else None

    # --- Events and viewers ---------------------------------------------------------------------------------------
    def _apply(self, live: LiveTable, event: AnyEvent, after: Table) -> None:
        """Apply a stored event, send it to all viewers, and start the bots that have to choose."""
        self.moves_made += isinstance(event, ActionTaken | MovesTakenBack)
        apply_and_send(live, event, after)
        self.bots.let_think(live)

    async def watch(self, table: str, guest: str, send: Callable[[bytes], None]) -> tuple[LiveTable, Viewer]:
        """Add a viewer, and send it a snapshot."""
        live = await self.live_table(table)
        muted = await self.store.mutes(guest, table) if guest else frozenset[int]()
        if guest in live.table.persons:
            await self.store.saw([guest], self.clock())
        viewer = Viewer(guest, send, default_viewpoint(live.table, guest), muted)
        live.viewers.add(viewer)
        if guest:
            self.connected[guest] = self.connected.get(guest, 0) + 1
        send_snapshot(live, viewer)
        return live, viewer

    def leave(self, live: LiveTable, viewer: Viewer) -> None:
        """Remove a viewer."""
        live.viewers.discard(viewer)
        if viewer.guest:
            self.connected[viewer.guest] = self.connected.get(viewer.guest, 1) - 1
            if self.connected[viewer.guest] <= 0:
                del self.connected[viewer.guest]
        live.used = self.clock()

    # --- Other workers --------------------------------------------------------------------------------------------
    def _changed(self, table: str, number: int) -> None:
        """Take the notification that another worker appended an event."""
        live = self.tables.get(table)
        if live and number > live.table.revision and not live.behind:
            self._fall_behind(live)
        elif table in self.loading:  # the events that were read may be older
            self.announced[table] = max(number, self.announced.get(table, 0))

    def _lost(self) -> None:
        """Compare every live table with the store, as notifications may be lost."""
        self._spawn(self._heal(list(self.tables)))

    def _fall_behind(self, live: LiveTable) -> None:
        """Mark a table as behind the store, and start to catch up."""
        live.behind = True
        self._spawn(self._catch_up_later(live))

    async def _catch_up_later(self, live: LiveTable) -> None:
        """Catch up once the table's lock is free."""
        async with live.lock:
            if live.behind:
                await self._catch_up(live)

    async def _catch_up(self, live: LiveTable) -> None:
        """Apply the events that other workers appended."""
        live.behind = False
        stored = await self.store.load(live.table.id, live.table.revision)
        for event in map(read, stored.events if stored else ()):
            self._apply(live, event, live.table.apply(event))

    async def heal(self) -> None:
        """Compare the tables in use with the store, as notifications may be lost."""
        await self._heal([table for table, live in self.tables.items() if live.viewers or live.behind])

    async def _heal(self, tables: list[str]) -> None:
        """Compare the revisions of tables with the store, and catch up with it."""
        numbers = await self.store.numbers(tables) if tables else {}
        for table, number in numbers.items():
            live = self.tables.get(table)
            if live and (live.behind or number > live.table.revision):
                self._fall_behind(live)

    # --- Clocks ---------------------------------------------------------------------------------------------------
    async def note_presence(self) -> None:
        """Store when the connected guests were last seen: a bot plays only for absent ones."""
        if self.connected:
            await self.store.saw(list(self.connected), self.clock())

    async def act_on_due(self) -> None:
        """Act on the tables at which something is due."""
        for table in await self.store.due(self.clock()):
            with contextlib.suppress(CommandError):
                await self._act_on(await self.live_table(table))

    async def _act_on(self, live: LiveTable) -> None:
        """Take over bots of a worker that is gone, replace absent persons, or close a table that never began."""
        live.behind = True  # it may have no viewers here, and a notification may have got lost
        await self._catch_up_later(live)
        table = live.table
        if table.status == "open":
            await self._append(live, lambda: self._expire(live.table))
        elif table.bots_asked:
            self.bots.let_think(live)
        elif table.play and table.opened.turn_timeout:
            await self._substitute_absent(live, table.play.turns[-1].at, table.opened.turn_timeout)

    def _expire(self, table: Table) -> AnyEvent:
        """Return the event that closes a table that never began."""
        if table.status != "open":
            raise CommandError("too_late")
        return TableClosed(self.clock())

    async def _substitute_absent(self, live: LiveTable, asked: float, turn_timeout: int) -> None:
        """Let bots play for the persons whose turn timeout has passed without their being connected."""
        table, now = live.table, self.clock()
        seen = await self.store.last_seen([table.seats[seat].guest for seat in table.asked])
        gone_at = {seat: max(seen.get(table.seats[seat].guest, asked), asked) + turn_timeout for seat in table.asked}
        for seat in [seat for seat, gone in gone_at.items() if gone <= now]:
            await self._append(live, lambda s=seat: self._substitute(live.table, s))
        if gone_at and min(gone_at.values()) > now:
            await self.store.put_off(table.id, min(gone_at.values()))

    def _substitute(self, table: Table, seat: int) -> AnyEvent:
        """Return the event that lets a bot play for an absent person."""
        present = table.seats[seat]
        if seat not in table.asked or present.substitute or present.kind != "person":
            raise CommandError("too_late")
        return SeatChanged(self.clock(), seat=seat, to=msgspec.structs.replace(present, substitute=SUBSTITUTE))

    async def tidy(self) -> None:
        """Remove tables from memory that have no viewers and were not used for a while."""
        before = self.clock() - self.settings.rest_after
        for table, live in list(self.tables.items()):
            busy = live.viewers or live.lock.locked() or (live.thinking and not live.thinking.done())
            if not busy and live.used < before:
                del self.tables[table]


def accepted(seat: Seat, guest: str) -> Seat:
    """Return a seat of the rematch; who offers it has already agreed."""
    return msgspec.structs.replace(seat, ready=True) if seat.guest == guest else seat


def stored_seats(table: Table) -> list[StoredSeat]:
    """Return the seats as lists of tables store them."""
    return [StoredSeat(seat.guest or None, seat.name, seat.level or None) for seat in table.seats]
