"""One outcome of a round of Dragon's Cave for two, in compiled code: the same on a CPU and on a GPU."""

# Numba's own types are few: what it decorates and compiles is not checked here.
# pyright: basic, reportPrivateImportUsage=false
from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from dracotheque.engine.dispatch import TERMINAL, scores, to_move, winners
from dracotheque.engine.rule import compiled
from dracotheque.games.dragons_cave.equilibrium.encoding import BANK, CARD_OUTCOMES, ENDED_LOST, ENDED_SHARED, ENDED_WON
from dracotheque.games.dragons_cave.equilibrium.positions import (
    bank,
    key_of,
    lose,
    play_round,
    set_position,
    write_inputs,
)
from dracotheque.games.dragons_cave.rules.state import KINDS, SPLIT
from dracotheque.training import devices
from dracotheque.training.devices import Steps


@compiled
def follow(workspace: Any, n: int, board: Any, keys: Any, owner: Any, outcomes: Any, after: Any, sight: Any) -> None:
    """Play outcome `outcomes[n]` of position `keys[owner[n]]`; write what follows and its network input."""
    workspace.game = board[0]
    game, outcome = workspace.game, outcomes[n] + 0
    set_position(game, keys[owner[n]])
    if outcome == BANK:
        bank(game)
    else:
        card, lost = outcome // CARD_OUTCOMES % KINDS, outcome % CARD_OUTCOMES - 1
        play_round(game, outcome // (CARD_OUTCOMES * KINDS), card, card if lost >= 0 else (card + 1) % KINDS)
        if game.phase == SPLIT:
            lose(game, lost)
    if to_move(game) == TERMINAL:
        scores(game, workspace.out)
        winners(game, workspace.out, workspace.weights)
        won, lost = workspace.weights[1] == 0, workspace.weights[0] == 0
        after[n] = ENDED_WON if won else ENDED_LOST if lost else ENDED_SHARED
    else:
        after[n] = key_of(game)
        write_inputs(game, sight[:, n])


# --- On a CPU -------------------------------------------------------------------------------------------------------
@functools.cache
def on_processor(rules: str) -> dict[str, Any]:
    """Compile it as a loop; it is written here, since Numba's cache depends on this file."""
    from dracotheque.engine.jit import (
        linking,
    )  # fmt: skip

    exported = linking.exported(made_of=(__name__, rules), nogil=True)

    @exported
    def follow_all(
        workspaces: Any, count: int, board: Any, keys: Any, owner: Any, outcomes: Any, after: Any, sight: Any
    ) -> None:  # fmt: skip
        for n in range(count):
            follow(workspaces[0], n, board, keys, owner, outcomes, after, sight)

    return {"follow": follow_all}


# --- On a GPU -------------------------------------------------------------------------------------------------------
def on_card(card: Any, table: Any) -> dict[str, Any]:
    """Return it as a kernel, a thread for each outcome; `card` is `numba.cuda`, `table` the type of a workspace."""

    def follow_each(count: int, board: Any, keys: Any, owner: Any, outcomes: Any, after: Any, sight: Any) -> None:
        local = card.local.array(1, table)
        n = card.grid(1)
        if n < count:
            follow(local[0], n, board, keys, owner, outcomes, after, sight)

    return {"follow": follow_each}


STEPS = Steps(
    {"follow": ("board", "keys:i8", "owner:i8", "outcomes:i8", "after:i8", "sight:f4:2")},
    on_processor,
    on_card,
    (Path(devices.__file__), Path(__file__)),
)
"""The steps of this training: whole rounds."""
