"""Recordings of a falling rock: the fall is simulated again as it was, and its path recorded."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable
from types import ModuleType
from typing import Any
from weakref import WeakValueDictionary

from dracotheque.engine import registry
from dracotheque.engine.state import State
from dracotheque.tables.answers import Recording
from dracotheque.tables.fairness import Dice
from dracotheque.tables.table import Table


class Recordings:
    """Returns recordings of falls; one at a time for each table, since simulating one keeps a core busy."""

    def __init__(self) -> None:
        """Start without recordings."""
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def recording(self, table: Table, move: int, in_thread: Callable[..., Awaitable[Any]]) -> Recording:
        """Return the recording of the fall that begins, or goes on, after so many moves."""
        if not table.game.definition.has_physical_chance or table.play is None:
            return Recording()
        chance_module = registry.part(table.game.definition, "physical_chance", registry.no_defaults)
        found = chance_module.span(table.play.state.full_history(), move, move - 1)
        if found is None:
            return Recording()
        first, last = found
        async with self._locks.setdefault(table.id, asyncio.Lock()):
            return await in_thread(_record, chance_module, table, table.play.before(first), last)


def _record(chance_module: ModuleType, table: Table, state: State, last: int) -> Recording:
    """Simulate a fall again, and return its recording."""
    fall = chance_module.see_again(state, Dice(table.seed, table.id, table.client_seed))
    path = base64.b64encode(fall.path).decode()
    return Recording(state.move_number(), last, list(fall.lanes), list(fall.rests), path)
