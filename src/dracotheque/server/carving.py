"""Making the boxes ready while the page is already open: compiled once, opened once, one after the other."""

from __future__ import annotations

import asyncio
import gc
import importlib
import logging
from collections.abc import Iterable

from dracotheque.engine import cache, rule, warm
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Box, Game

log = logging.getLogger("dracotheque.server")
AT_ONCE = (warm.MOVES, warm.ADVICE)
"""What a table with persons and squires needs; the rest can follow while they play."""


class Carving:
    """Carves the pieces of every box, and lets those wait who want to play with them."""

    def __init__(self, boxes: Iterable[Box]) -> None:
        """Take the boxes in the order in which they are made ready."""
        self.boxes = list(boxes)
        self.ready = {box.name: asyncio.Event() for box in self.boxes}

    async def run(self) -> None:
        """Make every box ready; one that cannot be carved is played from plain Python."""
        for box in self.boxes:
            await self._carve(box, AT_ONCE)
            await asyncio.to_thread(open_once, box)
            self.ready[box.name].set()
        # What was loaded stays: the collector need not look at it again, a whole look takes a sixth of a second.
        gc.collect()
        gc.freeze()
        gc.set_threshold(2_000, 25, 1_000)
        for box in self.boxes:
            await self._carve(box, warm.ALL)
            for version in box.earlier:  # tables that began under it are finished under it
                await self._carve(box.under(version), warm.ALL)

    async def _carve(self, box: Box, parts: tuple[str, ...]) -> None:
        """Compile some parts of a box in processes of their own."""
        if warm.is_warm(box, parts) or not cache.has_numba() or rule.everything_interpreted():
            return
        try:
            await asyncio.to_thread(warm.warm, [box], parts=parts)
        except DracothequeError:
            log.error("could not compile %s", box.name)

    def is_ready(self, name: str) -> bool:
        """Say whether a box can be played from at once."""
        return name not in self.ready or self.ready[name].is_set()

    async def wait(self, name: str) -> None:
        """Wait until a box can be played from."""
        if name in self.ready:
            await self.ready[name].wait()


def read_scenes(boxes: Iterable[Box]) -> None:
    """Import how games are told and drawn before any thread plays: meanwhile compiled rules are hidden."""
    for box in boxes:
        for edition in (box, *map(box.under, box.earlier)):
            importlib.import_module(f"{edition.package}.scene")
            importlib.import_module(f"{edition.package}.terminal_board")


def open_once(box: Box) -> None:
    """Load a box's machine code and words before somebody waits for them."""
    state = Game(box, box.usual, {}).new_initial_state()
    state.game.rulebook()
    state.game.words()
    state.table()
    state.observation(-1)
    state.chance_outcomes() if state.is_chance_node() else state.legal_actions(0)
