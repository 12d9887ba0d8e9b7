"""What a choice costs besides time: messages, bytes, unpackings of a record, applied moves and boards, counted.

Of some games of three the first choices are played by the manager of tables itself, without a server, before two of the
players and a spectator.
Each viewer knows the table from its messages alone, and is compared with a fresh snapshot after every choice: it would
have to ask for what is different, and that would be a request.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec

from dracotheque import State
from dracotheque.engine import registry
from dracotheque.tables import board, manager, protocol
from dracotheque.tables.broadcast import LiveTable, Viewer, snapshot_for
from dracotheque.tables.manager import TableManager
from dracotheque.tables.storage.store import open_store

TABLES, CHOICES, PLAYERS = 10, 60, 3
VIEWPOINTS = (0, 1, -1)
GUESTS = [f"{number:032}" for number in range(PLAYERS)]
Message = dict[str, Any]


@dataclass
class Census:
    """What was counted for one game."""

    game: str
    choices: int = 0
    moves: int = 0
    """Choices, and what chance brought."""
    physical: int = 0
    """Moves of physical chance, whose simulation unpacks the state."""
    requests: int = 0
    """How often a viewer would have had to ask for something."""
    sizes: list[int] = field(default_factory=list[int])
    calls: Counter[str] = field(default_factory=Counter[str])

    @property
    def mean_bytes(self) -> float:
        """Bytes of a message."""
        return sum(self.sizes) / len(self.sizes)

    def line(self) -> str:
        """Write it for the terminal."""
        viewers, calls = len(VIEWPOINTS), self.calls
        unpacked = calls["unpack"]
        return (
            f"{self.choices} choices, {self.moves} moves; for each choice and viewer {self.requests / self.choices:g} "
            f"HTTP requests, {len(self.sizes) / self.choices / viewers:g} messages, {self.mean_bytes:,.0f} bytes "
            f"({sum(self.sizes) / self.moves / viewers:,.0f} a move); for each move {calls['apply'] / self.moves:.2f} "
            f"moves applied, {unpacked / self.moves:.2f} records unpacked ({unpacked / self.moves / viewers:.2f} a "
            f"viewer), {calls['board'] / self.moves / viewers:.2f} boards a viewer"
        )


# --- Playing --------------------------------------------------------------------------------------------------------
async def census(game: str) -> Census:
    """Play the first choices at some tables at random, and count."""
    found, chance = Census(game), random.Random(1)
    with tempfile.TemporaryDirectory() as folder, fixed_dice():
        store = open_store(str(Path(folder) / "tables.db"))
        await store.start()
        tables = TableManager(store)
        for _ in range(TABLES):
            await _table(tables, found, chance)
        await tables.stop()
        await store.close()
    return found


async def _table(tables: TableManager, found: Census, chance: random.Random) -> None:
    """Play at one table until there were choices enough or its game is over."""
    seats = [protocol.SeatRequest("me"), *[protocol.SeatRequest("open")] * (PLAYERS - 1)]
    table = await tables.open(GUESTS[0], protocol.CreateTable(found.game, seats), "")
    for guest in GUESTS[1:]:
        await tables.sit(table, guest, protocol.TakeSeat(), "", lambda seat: False)
    heard: dict[int, list[bytes]] = {viewpoint: [] for viewpoint in VIEWPOINTS}
    viewers: list[Viewer] = []
    for viewpoint, messages in heard.items():
        _, viewer = await tables.watch(table, GUESTS[viewpoint] if viewpoint >= 0 else "", messages.append)
        viewers.append(viewer)
    live = await tables.live_table(table)
    views = [msgspec.json.decode(messages.pop()) for messages in heard.values()]
    definition, last = live.table.game.definition, found.choices + CHOICES
    while live.table.asked and found.choices < last:
        before = live.table.moves
        with counting(found.calls):
            await _choose(tables, live, chance)
        assert live.table.play
        made = live.table.play.state.full_history()[before:]
        found.choices, found.moves = found.choices + 1, found.moves + len(made)
        found.physical += sum(player < 0 and registry.is_physical(definition, action) for player, action in made)
        for viewer, view, messages in zip(viewers, views, heard.values(), strict=True):
            found.sizes += map(len, messages)
            for message in messages:
                follow(view, msgspec.json.decode(message))
            messages.clear()
            found.requests += not _is_up_to_date(live, viewer, view)
    for viewer in viewers:
        tables.leave(live, viewer)


async def _choose(tables: TableManager, live: LiveTable, chance: random.Random) -> None:
    """Let somebody who is asked choose at random."""
    play = live.table.play
    assert play
    seat = chance.choice(live.table.asked)
    action = chance.choice(play.state.legal_actions(seat))
    move = protocol.Move(seat=seat, prompt_id=play.asked_at[seat], action=action)
    await tables.do(live.table.id, GUESTS[seat], move)


# --- Following ------------------------------------------------------------------------------------------------------
def follow(view: Message, update: Message) -> None:
    """Bring what is known of a table up to date, as the page does."""
    shown, known = view["board"], view.get("prompt") or {}
    for move in update["moves"]:
        for name, piece in move.get("pieces", {}).items():
            is_part = piece is not None and not ("kind" in piece and "place" in piece)
            shown["pieces"][name] = shown["pieces"][name] | piece if is_part else piece
        for seat, held in move.get("holdings", {}).items():
            before = shown["holdings"][int(seat)]
            shown["holdings"][int(seat)] = [before[each] if isinstance(each, int) else each for each in held]
    shown["pieces"] = {name: piece for name, piece in shown["pieces"].items() if piece is not None}
    asked = update.get("prompt")
    if asked and asked.get("prompt_id") and "choices" not in asked:
        asked["choices"] = known["choices"]
    view |= {"revision": update["revision"], "move_number": update["move_number"]}
    view |= {"prompt": asked, "result": update.get("result")}


def _is_up_to_date(live: LiveTable, viewer: Viewer, view: Message) -> bool:
    """Whether a viewer knows what a snapshot would show."""
    now = msgspec.json.decode(msgspec.json.encode(snapshot_for(live, viewer)))
    names = ("revision", "move_number", "board", "prompt", "result")
    return all(view.get(name) == now.get(name) for name in names)


@contextmanager
def fixed_dice() -> Iterator[None]:
    """Give tables the same names and seeds in every run, so that the same games are counted."""
    names = patch.object(manager, "secrets", random.Random(1))
    with patch.object(manager, "new_seed", lambda: bytes(range(32))), names:
        yield


# --- Counting -------------------------------------------------------------------------------------------------------
@contextmanager
def counting(calls: Counter[str]) -> Iterator[None]:
    """Count what is applied, unpacked and made while something is done."""
    honest: list[tuple[Any, str, Callable[..., Any]]] = []

    def count(owner: Any, name: str, called: str) -> None:
        function = getattr(owner, name)
        honest.append((owner, name, function))

        def counted(*given: Any) -> Any:
            calls[called] += 1
            return function(*given)

        setattr(owner, name, counted)

    count(State, "apply_action", "apply")
    count(State, "to_plain", "unpack")  # what an observation ends with, too
    count(board, "make_board", "board")
    try:
        yield
    finally:
        for owner, name, function in honest:
            setattr(owner, name, function)
