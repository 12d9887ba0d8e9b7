"""Compilation of all games in the background, one after the other, while the page can already be used."""

from __future__ import annotations

import asyncio
import gc
import importlib
import logging
from collections.abc import Iterable

from dracotheque.engine import rule
from dracotheque.engine.definition import GameDefinition
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Game
from dracotheque.engine.jit import cache, precompile
from dracotheque.tables.errors import CommandError

log = logging.getLogger("dracotheque.server")
FIRST_PARTS = (precompile.MOVES, precompile.HEURISTICS)
"""The parts that a table of persons and squires needs; the rest is compiled while they play."""
COLLECTIONS = 10_000, 5, 1_000
"""Thresholds of the garbage collector: lower ones would mostly visit positions that the next move frees anyway."""


class Precompiler:
    """Compiles every game, and lets players wait for it."""

    def __init__(self, games: Iterable[GameDefinition]) -> None:
        """Take the games in the order in which they are compiled."""
        self.games = list(games)
        self.ready = {definition.name: asyncio.Event() for definition in self.games}
        self.failed: set[str] = set()

    async def run(self) -> None:
        """Compile every game; one that cannot be compiled is played interpreted."""
        gc.set_threshold(*COLLECTIONS)
        for definition in self.games:
            await self._compile(definition, FIRST_PARTS)
            try:
                await asyncio.to_thread(warm_up, definition)
            except Exception as error:  # an error in one game must not stop the others
                log.error("left out %s, see: dracotheque check %s", definition.name, definition.name, exc_info=error)
                self.failed.add(definition.name)
            self.ready[definition.name].set()
            # What was loaded stays: a full collection of it would take a sixth of a second each time.
            gc.collect()
            gc.freeze()
        for definition in self.games:
            await self._compile(definition, precompile.ALL)
            for version in definition.previous_versions:  # tables that began under it are finished under it
                await self._compile(definition.under(version), precompile.ALL)

    async def _compile(self, definition: GameDefinition, parts: tuple[str, ...]) -> None:
        """Compile some parts of a game in separate processes."""
        if precompile.is_compiled(definition, parts) or not cache.has_numba() or rule.interpreter_forced():
            return
        try:
            await asyncio.to_thread(precompile.compile_all, [definition], parts=parts)
        except DracothequeError:
            log.error("could not compile %s", definition.name)

    def is_ready(self, name: str) -> bool:
        """Return whether a game can be played at once."""
        return name not in self.ready or self.ready[name].is_set()

    async def wait(self, name: str) -> None:
        """Wait until a game can be played; raise an error for one that failed."""
        if name in self.ready:
            await self.ready[name].wait()
        if name in self.failed:
            why = f"{name} does not work on this server."
            raise CommandError("no_such_game", text=why, why=why)


def import_texts(games: Iterable[GameDefinition]) -> None:
    """Import the texts and terminal views of games before any thread plays: imports hide compiled rules meanwhile."""
    for definition in games:
        for edition in (definition, *map(definition.under, definition.previous_versions)):
            for name in ("text", "terminal_view"):
                if edition.has(name):
                    importlib.import_module(f"{edition.package}.{name}")


def warm_up(definition: GameDefinition) -> None:
    """Load a game's machine code and catalogues before a player waits for them."""
    state = Game(definition, definition.default_players, {}).new_initial_state()
    state.game.rulebook()
    state.game.words()
    state.to_plain()
    state.observation(-1)
    state.chance_outcomes() if state.is_chance_node() else state.legal_actions(0)
