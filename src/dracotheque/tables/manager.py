"""The manager of tables: it loads them, lets one command at a time change each, and keeps their clocks.

A command goes one way: `decide` on the table, the event into the store, `apply` on the table, and then to every viewer.
Several managers may share one store. Of two that append the same number one wins; the other catches up and asks its
table again, which then may refuse.
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
from dracotheque.tables.fairness import commit, new_seed
from dracotheque.tables.storage.store import Guest, NewTable, Store, StoreError, TableSummary
from dracotheque.tables.storage.store import Seat as StoredSeat
from dracotheque.tables.table import SUBSTITUTE, Table, open_table

LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # none that is mistaken for another
TRIES = 20  # races lost in a row before a command is rejected


@dataclass(frozen=True)
class ManagerSettings:
    """The settings of a manager."""

    rest_after: float = 60.0
    """Seconds after which a table without viewers leaves memory."""
    heal_every: float = 2.0
    """Seconds between two looks at whether news of another worker got lost."""
    look_every: float = 1.0
    """Seconds between two looks for tables at which something is due."""
    present_every: float = 10.0
    """Seconds between two notes of who is here."""
    forget_after: float = 7 * 86_400.0
    """Seconds after which a table that has not begun is put away."""
    bot_grace: float = 10.0
    """Seconds after which another worker plays for a bot whose own worker is gone."""
    bot_seconds: float = 1.4
    """The longest a bot thinks when no other does."""
    bots_kept: int = 64
    """Bots that keep their search tree between moves; the others begin again."""
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
        """Take a store; `start` lets the clocks run, and `ready` waits until a game can be played."""
        self.ready = ready
        self.store, self.settings, self.clock = store, settings or ManagerSettings(), clock
        self.tables: dict[str, LiveTable] = {}
        self.loading: dict[str, asyncio.Future[LiveTable]] = {}
        self.heard: dict[str, int] = {}  # of tables that are being loaded: the last event that another worker announced
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
        self.here: dict[str, int] = {}
        self.moves_made = 0
        store.changed = self._changed
        store.lost = self._lost

    # --- Starting and stopping -----------------------------------------------------------------------------
    async def start(self) -> None:
        """Let the clocks run."""
        self._spawn(self._every(self.settings.heal_every, self.heal))
        self._spawn(self._every(self.settings.look_every, self.act_on_due))
        self._spawn(self._every(self.settings.present_every, self.note_presence))
        self._spawn(self._every(self.settings.rest_after / 4, self.tidy))

    async def stop(self) -> None:
        """Accept no new commands, and finish those that have begun."""
        self.bots.closing = True
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, *self.appending, return_exceptions=True)
        self.bots.stop()

    def _spawn(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """Start something beside, and keep it from being forgotten."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    async def _every(self, seconds: float, work: Callable[[], Awaitable[object]]) -> None:
        """Do something again and again; a store that does not answer is asked again later."""
        while True:
            await asyncio.sleep(seconds)
            with contextlib.suppress(OSError, CommandError, StoreError):
                await work()

    # --- Finding a table -----------------------------------------------------------------------------------------
    async def live_table(self, table: str) -> LiveTable:
        """Find a table in use, or take it from the store."""
        live = self.tables.get(table)
        if live is None:
            live = await self._loaded(table)
        live.used = self.clock()
        return live

    async def _loaded(self, table: str) -> LiveTable:
        """Take a table from the store, once for all who ask."""
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
            self.heard.pop(table, None)

    async def _load(self, table: str) -> LiveTable:
        """Take a table from the store and let its events happen again."""
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
        if self.heard.get(table, 0) > live.table.number:
            self._fall_behind(live)
        self.bots.let_think(live)
        return live

    # --- Wishes --------------------------------------------------------------------------------------------------
    async def open(self, guest: str, wish: protocol.CreateTable, name: str) -> str:
        """Create a table, and begin where no seat is left to be taken."""
        if self.ready:
            await self.ready(wish.game)
        seed = new_seed()
        async with self.openers.setdefault(guest, asyncio.Lock()):  # one by one, or many at once would count as none
            if await self.store.count_unfinished(guest) >= self.settings.tables_a_guest:
                raise CommandError("too_many_tables", count=self.settings.tables_a_guest)
            live = await self._create(open_table(guest, wish, name, commit(seed), self.clock()), seed)
        await self._know(guest)
        if wish.begin:
            await self._begin_when_ready(live)
        return live.table.id

    async def _create(self, event: TableOpened, seed: bytes) -> LiveTable:
        """Put a new table into the store."""
        while True:
            table = Table("".join(secrets.choice(LETTERS) for _ in range(12)), seed).apply(event)
            new = NewTable(table.id, event.game, event.players, seed, event.at)
            if await self.store.create(new, write(event), self._row(table), stored_seats(table)):
                live = self.tables[table.id] = LiveTable(table, used=self.clock())
                return live

    async def sit(
        self, table: str, guest: str, wish: protocol.TakeSeat, name: str, invited_to: Callable[[int], bool]
    ) -> int:
        """Assign a seat to a guest, and begin when it was the last free one; return the seat."""
        live = await self.live_table(table)
        taken = -1

        def decide() -> AnyEvent:
            nonlocal taken
            taken = self._seat_to_take(live.table, guest, wish, invited_to)
            return live.table.sit(
                guest, taken, wish.name or name, wish.client_seed, invited=invited_to(taken), now=self.clock()
            )

        await self._append(live, decide)
        await self._know(guest)
        await self._begin_when_ready(live)
        return taken

    async def _know(self, guest: str) -> None:
        """Keep a place for a guest who has not said a name: when someone was here last is noted of known ones only."""
        if await self.store.guest(guest) is None:
            await self.store.put_guest(Guest(guest, "", "", self.clock()))

    def _seat_to_take(
        self, table: Table, guest: str, wish: protocol.TakeSeat, invited_to: Callable[[int], bool]
    ) -> int:
        """Find the seat that is meant: the one named, the one kept for me, the one of the invitation, any free one."""
        if wish.seat is not None:
            return wish.seat
        kept = [seat for seat in table.seats_of(guest) if not table.seats[seat].ready]
        invited = [seat for seat in range(len(table.seats)) if wish.invitation and invited_to(seat)]
        if kept or invited:
            return (kept or invited)[0]
        return table.free_seat()

    async def _begin_when_ready(self, live: LiveTable) -> None:
        """Begin by itself when every seat is filled."""
        with contextlib.suppress(CommandError):  # another guest began it
            if live.table.ready:
                await self._append(live, lambda: live.table.begin(self.clock()))

    async def do(self, table: str, guest: str, wish: protocol.AnyCommand) -> int:
        """Carry out a wish at a table; give the number of its event once that is safe."""
        live = await self.live_table(table)
        if isinstance(wish, protocol.Rematch):
            return await self._offer_rematch(live, guest)
        if isinstance(wish, protocol.Mute):
            return await self._mute(live, guest, wish)
        if isinstance(wish, protocol.ResumeSeat):
            await self.store.saw([guest], self.clock())  # the time to choose begins again
        heavy = live.table.game.definition.has_physical_chance and isinstance(wish, protocol.Move | protocol.Start)
        return await self._append(live, lambda: live.table.decide(guest, wish, self.clock()), heavy=heavy)

    async def _mute(self, live: LiveTable, guest: str, wish: protocol.Mute) -> int:
        """Hear no more of a seat, or hear it again."""
        if wish.seat >= len(live.table.seats):
            raise CommandError("no_such_seat")
        await self.store.mute(guest, live.table.id, wish.seat, wish.on)
        muted = await self.store.mutes(guest, live.table.id)
        for viewer in [viewer for viewer in live.viewers if viewer.guest == guest]:
            viewer.muted = muted
            send_snapshot(live, viewer)
        return live.table.number

    async def _offer_rematch(self, live: LiveTable, guest: str) -> int:
        """Create a table with everyone one seat further, and offer it."""
        table = live.table
        table.offer(guest)
        seed = new_seed()
        seats = [accepted(seat, guest) for seat in table.rotated()]
        now = self.clock()
        event = msgspec.structs.replace(table.opened, at=now, seats=seats, host=guest, commit=commit(seed))
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
        """Do what `_append_now` does, also if the caller is cancelled meanwhile."""
        task = asyncio.get_running_loop().create_task(self._append_now(live, decide, heavy))
        self.appending.add(task)
        task.add_done_callback(self.appending.discard)
        return await asyncio.shield(task)

    async def _append_now(self, live: LiveTable, decide: Callable[[], AnyEvent], heavy: bool) -> int:
        """Decide, store, and only then apply; after a lost race load the other event and decide again."""
        async with live.lock:
            if live.behind:
                await self._catch_up(live)
            for _ in range(TRIES):
                event = await asyncio.to_thread(decide) if heavy else decide()
                if await self._store(live, event):
                    return live.table.number
                await self._catch_up(live)
        raise CommandError("busy")

    async def _store(self, live: LiveTable, event: AnyEvent) -> bool:
        """Store an event, then let it happen; say whether it was the next one."""
        after = live.table.apply(event)
        seats = stored_seats(after) if after.seats is not live.table.seats else None
        try:
            if not await self.store.append(after.id, after.number, write(event), self._row(after), event.at, seats):
                return False
        except StoreError as error:
            live.behind = True  # whether it was stored is not known: look before the next wish
            raise CommandError("store_away") from error
        self._happen(live, event, after)
        return True

    def _row(self, table: Table) -> TableSummary:
        """Sum up a table for lists."""
        return TableSummary(
            status=table.status,
            listed=table.opened.listed,
            free=sum(seat.kind == "open" for seat in table.seats),
            asked=sum(1 << seat for seat in table.asked),
            due=self._due(table),
            moves=table.moves,
        )

    def _due(self, table: Table) -> float | None:
        """When the manager has to act by itself: for a bot whose worker may be gone, or for an absent person."""
        if table.status == "open":
            return self.clock() + self.settings.forget_after
        if table.status != "playing" or table.play is None:
            return None
        if table.bots_asked:
            return self.clock() + self.settings.bot_grace
        return table.play.turns[-1].at + table.opened.patience if table.opened.patience else None

    # --- What happens, and who sees it ----------------------------------------------------------------------------
    def _happen(self, live: LiveTable, event: AnyEvent, after: Table) -> None:
        """Apply a stored event, send it to all viewers, and let bots go on."""
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
            self.here[guest] = self.here.get(guest, 0) + 1
        send_snapshot(live, viewer)
        return live, viewer

    def leave(self, live: LiveTable, viewer: Viewer) -> None:
        """Remove a viewer."""
        live.viewers.discard(viewer)
        if viewer.guest:
            self.here[viewer.guest] = self.here.get(viewer.guest, 1) - 1
            if self.here[viewer.guest] <= 0:
                del self.here[viewer.guest]
        live.used = self.clock()

    # --- Other workers --------------------------------------------------------------------------------------------
    def _changed(self, table: str, number: int) -> None:
        """Another worker appended something."""
        live = self.tables.get(table)
        if live and number > live.table.number and not live.behind:
            self._fall_behind(live)
        elif table in self.loading:  # what was read of it may be older than that
            self.heard[table] = max(number, self.heard.get(table, 0))

    def _lost(self) -> None:
        """News may have got lost: look at every table in use."""
        self._spawn(self._heal(list(self.tables)))

    def _fall_behind(self, live: LiveTable) -> None:
        """Note that something is missing here, and go for it."""
        live.behind = True
        self._spawn(self._catch_up_later(live))

    async def _catch_up_later(self, live: LiveTable) -> None:
        """Catch up when nothing else is being done at a table."""
        async with live.lock:
            if live.behind:
                await self._catch_up(live)

    async def _catch_up(self, live: LiveTable) -> None:
        """Let happen here what another worker appended."""
        live.behind = False
        stored = await self.store.load(live.table.id, live.table.number)
        for event in stored.events if stored else ():
            happened = read(event)
            self._happen(live, happened, live.table.apply(happened))

    async def heal(self) -> None:
        """Look whether news of other workers got lost."""
        await self._heal([table for table, live in self.tables.items() if live.viewers or live.behind])

    async def _heal(self, tables: list[str]) -> None:
        """Compare tables with the store, and catch up where something is missing or an answer got lost."""
        numbers = await self.store.numbers(tables) if tables else {}
        for table, number in numbers.items():
            live = self.tables.get(table)
            if live and (live.behind or number > live.table.number):
                self._fall_behind(live)

    # --- Clocks ---------------------------------------------------------------------------------------------------
    async def note_presence(self) -> None:
        """Remember who is here: a bot plays only for those who are not."""
        if self.here:
            await self.store.saw(list(self.here), self.clock())

    async def act_on_due(self) -> None:
        """Go on at tables at which something is due."""
        for table in await self.store.due(self.clock()):
            with contextlib.suppress(CommandError):
                await self._act_on(await self.live_table(table))

    async def _act_on(self, live: LiveTable) -> None:
        """Play for a bot whose worker is gone or a person who has been too long; put a forgotten table away."""
        live.behind = True  # it may have no viewers here, and a notification may have got lost
        await self._catch_up_later(live)
        table = live.table
        if table.status == "open":
            await self._append(live, lambda: self._forgotten(live.table))
        elif table.bots_asked:
            self.bots.let_think(live)
        elif table.play and table.opened.patience:
            await self._sit_in(live, table.play.turns[-1].at, table.opened.patience)

    def _forgotten(self, table: Table) -> AnyEvent:
        """Put a table away that never began."""
        if table.status != "open":
            raise CommandError("too_late")
        return TableClosed(self.clock())

    async def _sit_in(self, live: LiveTable, asked: float, patience: int) -> None:
        """Let bots replace the players who were asked too long ago and have not been here since."""
        table, now = live.table, self.clock()
        seen = await self.store.last_seen([table.seats[seat].guest for seat in table.asked])
        gone_at = {seat: max(seen.get(table.seats[seat].guest, asked), asked) + patience for seat in table.asked}
        for seat in [seat for seat, gone in gone_at.items() if gone <= now]:
            await self._append(live, lambda s=seat: self._gone(live.table, s))
        if gone_at and min(gone_at.values()) > now:
            await self.store.put_off(table.id, min(gone_at.values()))

    def _gone(self, table: Table, seat: int) -> AnyEvent:
        """Let a bot sit in for a person."""
        present = table.seats[seat]
        if seat not in table.asked or present.stand_in or present.kind != "person":
            raise CommandError("too_late")
        return SeatChanged(self.clock(), seat=seat, to=msgspec.structs.replace(present, stand_in=SUBSTITUTE))

    async def tidy(self) -> None:
        """Let tables that nobody uses leave memory."""
        before = self.clock() - self.settings.rest_after
        for table, live in list(self.tables.items()):
            busy = live.viewers or live.lock.locked() or (live.thinking and not live.thinking.done())
            if not busy and live.used < before:
                del self.tables[table]


def accepted(seat: Seat, guest: str) -> Seat:
    """Whoever offers a rematch has said yes to it."""
    return msgspec.structs.replace(seat, ready=True) if seat.guest == guest else seat


def stored_seats(table: Table) -> list[StoredSeat]:
    """Who sits where, for lists."""
    return [StoredSeat(seat.guest or None, seat.name, seat.level or None) for seat in table.seats]
