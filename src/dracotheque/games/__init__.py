"""The shelf: every box of the library, and how to open one."""

from __future__ import annotations

from dracotheque.engine import rule, warm
from dracotheque.engine.boards import Source
from dracotheque.engine.errors import unknown
from dracotheque.engine.game import Box, Game
from dracotheque.games import dragons_cave, emerald, gran, save_the_dragon

SHELF: dict[str, Box] = {box.name: box for box in (emerald.BOX, dragons_cave.BOX, gran.BOX, save_the_dragon.BOX)}


def find_box(name: str) -> Box:
    """Find a box by its name; underscores and capitals do not matter."""
    wanted = name.strip().lower().replace("_", "-").replace(" ", "-")
    if wanted not in SHELF:
        raise unknown("game", name, SHELF)
    return SHELF[wanted]


def load_game(
    name: str,
    players: int | None = None,
    *,
    board: Source | None = None,
    version: int | None = None,
    interpreted: bool = False,
    **options: str,
) -> Game:
    """Open a box: `load_game("emerald", players=3, gold="open")`.

    `board` names another board of the box, or the file of one of your own (`board="my-cave.toml"`).
    `version` is that of the rules, where a game that was begun under earlier ones is to be finished.
    `interpreted=True` runs the rules as plain Python, for debuggers and coverage; the games are the same.
    """
    box = find_box(name)
    if not (interpreted or rule.everything_interpreted()):
        warm.make_ready(box.under(version))
    chosen = box.usual if players is None else players
    return Game(box, chosen, options, board=board, version=version, interpreted=interpreted)
