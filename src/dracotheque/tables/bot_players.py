"""The bots that play at tables: each chooses in a thread, one after the other at a table."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor

from dracotheque.bots import Bot, make_bot
from dracotheque.bots.player_view import TimeLimitedBot
from dracotheque.bots.player_view import player_view as bot_view
from dracotheque.tables.broadcast import LiveTable
from dracotheque.tables.errors import CommandError
from dracotheque.tables.events import AnyEvent
from dracotheque.tables.game_in_progress import GameInProgress
from dracotheque.tables.table import Table

Append = Callable[[LiveTable, Callable[[], AnyEvent]], Awaitable[int]]
Spawn = Callable[[Coroutine[object, object, None]], asyncio.Task[None]]


class BotPlayers:
    """Lets bots choose at live tables, with what each has thought so far."""

    def __init__(
        self,
        append: Append,
        spawn: Spawn,
        clock: Callable[[], float] = time.time,
        *,
        threads: int,
        seconds: float,
        kept: int,
    ) -> None:
        """Take how a choice is appended and a task is started; `seconds` is the longest that a bot may think."""
        self._append, self._spawn, self._clock = append, spawn, clock
        self._threads, self._seconds, self._kept = threads, seconds, kept
        self._pool = ThreadPoolExecutor(threads, "bot")
        self._bots: dict[tuple[str, int, str], Bot] = {}
        self.waiting = 0
        self.closing = False

    def stop(self) -> None:
        """Let no bot begin to think any more."""
        self.closing = True
        self._pool.shutdown(wait=False, cancel_futures=True)

    def let_think(self, live: LiveTable) -> None:
        """Let a bot choose, if one has to and none is thinking."""
        if live.table.bots_asked and not self.closing and (live.thinking is None or live.thinking.done()):
            live.thinking = self._spawn(self._think(live))

    async def _think(self, live: LiveTable) -> None:
        """Let bots choose until a person has to."""
        while (waiting := live.table.bots_asked) and not self.closing:
            seat, level = waiting[0]
            play = live.table.play
            action = await self._chosen(live, seat, level)
            if live.table.play is not play:
                continue  # the game went on, or back, while the bot was thinking
            try:
                await self._append(live, lambda s=seat, p=play, a=action: self._choice(live, s, p, a))
            except CommandError as refused:  # by a faster worker, or as the store is away for a while
                await asyncio.sleep(1 if refused.code == "store_away" else 0)

    async def _chosen(self, live: LiveTable, seat: int, level: str) -> int:
        """Return the action that a bot chooses; the more wait for a thread, the sooner each answers."""
        assert live.table.play is not None
        known = bot_view(live.table.play.state, seat)
        if len(known.legal_actions) == 1:
            return known.legal_actions[0]
        bot = self._bot(live.table, seat, level)
        self.waiting += 1
        try:
            if isinstance(bot, TimeLimitedBot):
                bot.limit_time(self._seconds * min(1.0, self._threads / self.waiting))
            return await asyncio.get_running_loop().run_in_executor(self._pool, bot.choose, known)
        finally:
            self.waiting -= 1

    def _bot(self, table: Table, seat: int, level: str) -> Bot:
        """Return the bot of a seat, with what it has thought so far; the one unused for longest is forgotten."""
        key = (table.id, seat, level)
        bot = self._bots.pop(key, None) or make_bot(level, secrets.randbits(62), table.game)
        self._bots[key] = bot
        if len(self._bots) > self._kept:
            del self._bots[next(iter(self._bots))]
        return bot

    def _choice(self, live: LiveTable, seat: int, play: GameInProgress | None, action: int) -> AnyEvent:
        """Make a bot's choice, if it is still asked for in the position it was thought for."""
        if live.table.play is not play or seat not in (asked for asked, _ in live.table.bots_asked):
            raise CommandError("too_late")
        return live.table.choose(seat, action, self._clock(), by_bot=True)
