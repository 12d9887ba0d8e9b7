"""Recordings of a falling rock: the fall is simulated again as it was, and its path recorded."""

from __future__ import annotations

import asyncio
import base64
import importlib
from collections.abc import Awaitable, Callable
from types import ModuleType
from typing import Any
from weakref import WeakValueDictionary

from dracotheque.engine.state import State
from dracotheque.tables.answers import Recording
from dracotheque.tables.fairness import Dice
from dracotheque.tables.table import Table


class Recordings:
    """Shows falls; of one table one at a time, for each keeps a core busy for a moment unless it was seen before."""

    def __init__(self) -> None:
        """Start without recordings."""
        self._one_by_one: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def seen(self, table: Table, move: int, beside: Callable[..., Awaitable[Any]]) -> Recording:
        """Return the recording of the fall that begins, or goes on, after so many moves."""
        if not table.game.definition.has_physical_chance or table.play is None:
            return Recording()
        chance_module = importlib.import_module(f"{table.game.definition.package}.physical_chance")
        found = chance_module.span(table.play.state.full_history(), move, move - 1)
        if found is None:
            return Recording()
        first, last = found
        async with self._one_by_one.setdefault(table.id, asyncio.Lock()):
            return await beside(_recorded, chance_module, table, table.play.before(first), last)


def _recorded(chance_module: ModuleType, table: Table, state: State, last: int) -> Recording:
    """Let the rock fall again, and write down how."""
    fall = chance_module.see_again(state, Dice(table.seed, table.id, table.luck))
    path = base64.b64encode(fall.path).decode()
    return Recording(state.move_number(), last, list(fall.lanes), list(fall.rests), path)
