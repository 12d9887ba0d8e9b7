"""One way a round of Dragon's Cave for two may go, in compiled code: the same on a processor and on a graphics card."""

# Numba's own types are few: what it decorates and compiles is not checked here.
# pyright: basic, reportPrivateImportUsage=false
from __future__ import annotations

import functools
from typing import Any

from dracotheque.engine.dispatch import TERMINAL, scores, to_move, winners
from dracotheque.engine.rule import compiled
from dracotheque.games.dragons_cave.keys import BANK, ENDED_LOST, ENDED_SHARED, ENDED_WON, WAYS
from dracotheque.games.dragons_cave.positions import bank, key_of, look, lose, play_round, set_out
from dracotheque.games.dragons_cave.state import KINDS, SPLIT


@compiled
def follow(desk: Any, n: int, board: Any, keys: Any, owner: Any, ways: Any, after: Any, sight: Any) -> None:
    """Play way `ways[n]` of position `keys[owner[n]]`: say what follows, and show it to who leads the dwarves then."""
    desk.game = board[0]
    game, way = desk.game, ways[n] + 0
    set_out(game, keys[owner[n]])
    if way == BANK:
        bank(game)
    else:
        card, lost = way // WAYS % KINDS, way % WAYS - 1
        play_round(game, way // (WAYS * KINDS), card, card if lost >= 0 else (card + 1) % KINDS)
        if game.phase == SPLIT:
            lose(game, lost)
    if to_move(game) == TERMINAL:
        scores(game, desk.out)
        winners(game, desk.out, desk.weights)
        won, lost = desk.weights[1] == 0, desk.weights[0] == 0
        after[n] = ENDED_WON if won else ENDED_LOST if lost else ENDED_SHARED
    else:
        after[n] = key_of(game)
        look(game, sight[:, n])


# --- On a processor -------------------------------------------------------------------------------------------------
@functools.cache
def on_processor() -> dict[str, Any]:
    """Compile it as a loop; it is written out here, since Numba's cache looks at this file."""
    from dracotheque.engine import linking, native  # noqa: F401 - the second tells which rules belong to a record

    door = linking.door(nogil=True)

    @door
    def follow_all(
        desks: Any, count: int, board: Any, keys: Any, owner: Any, ways: Any, after: Any, sight: Any
    ) -> None:  # fmt: skip
        for n in range(count):
            follow(desks[0], n, board, keys, owner, ways, after, sight)

    return {"follow": follow_all}
