"""Every set-up of our games: each game with each number of players, and some odd boards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dracotheque import load_game
from dracotheque.engine import registry
from dracotheque.engine.game import Game

KINDS = {"pickaxe": "#c8952c", "lantern": "#1f7a5c", "rope": "#b5432a", "barrel": "#2f5fa8", "crystal": "#7a4a94"}
BARE = {
    "name": "Five steps to nothing",
    "treasure": 1,
    "lair": 0,
    "path": [f"{picture} 0" for picture in reversed(KINDS)],
    "kinds": KINDS,
}
LONG = {
    "name": "As long and as rich as can be",
    "treasure": 60,
    "lair": 60,
    "path": [
        *["rope 0", "rope 1", "lantern 0", "pickaxe 0", "crystal 0", "barrel 2", "rope 0"] * 5,
        *["rope 0", "lantern 0", "lantern 3", "rope 0", "crystal 60"],
    ],
    "kinds": dict(reversed(KINDS.items())),
}


@dataclass(frozen=True)
class Table:
    """A game, its number of players and its board."""

    game: str
    players: int
    board: Mapping[str, Any] | None = None

    def open(self, *, interpreted: bool = False) -> Game:
        """Load the game."""
        return load_game(self.game, self.players, board=self.board, interpreted=interpreted)

    def __str__(self) -> str:
        """Name it in a test's report."""
        board = f", {self.board['name']}" if self.board else ""
        return f"{self.game} with {self.players}{board}"


TABLES = [
    Table(definition.name, players)
    for definition in registry.games().values()
    for players in range(definition.min_players, definition.max_players + 1)
]
TABLES += [Table("dragons-cave", players, board) for board in (BARE, LONG) for players in (2, 3, 4)]
