"""The falls of a rock, to be seen again: it is let fall once more, as it fell, and its path recorded."""

from __future__ import annotations

import asyncio
import base64
import importlib
from collections.abc import Awaitable, Callable
from types import ModuleType
from typing import Any
from weakref import WeakValueDictionary

from dracotheque.engine.game import State
from dracotheque.tables.fairness import Dice
from dracotheque.tables.messages import Fall
from dracotheque.tables.table import Table


class Falls:
    """Shows falls; of one table one at a time, for each keeps a core busy for a moment unless it was seen before."""

    def __init__(self) -> None:
        """Nobody has asked for any yet."""
        self._one_by_one: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def seen(self, table: Table, move: int, since: int | None, beside: Callable[..., Awaitable[Any]]) -> Fall:
        """Show the fall that goes on after so many moves, or the last one that was not over after `since`."""
        if not table.game.box.nature or table.play is None:
            return Fall()
        nature = importlib.import_module(f"{table.game.box.package}.nature")
        found = nature.span(table.play.state.full_history(), move, move - 1 if since is None else since)
        if found is None:
            return Fall()
        first, last = found
        async with self._one_by_one.setdefault(table.id, asyncio.Lock()):
            return await beside(_recorded, nature, table, table.play.before(first), last)


def _recorded(nature: ModuleType, table: Table, state: State, last: int) -> Fall:
    """Let the rock fall again, and write down how."""
    fall = nature.see_again(state, Dice(table.seed, table.id, table.luck))
    path = base64.b64encode(fall.path).decode()
    return Fall(state.move_number(), last, list(fall.lanes), list(fall.rests), path)
