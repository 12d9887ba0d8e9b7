"""The CUDA kernel: one thread a game; the same rules, random streams and totals as `play_batch`.

This module needs numba-cuda to compile, but no graphics card.
"""

# Numba's own types are few: what it decorates and compiles is not checked here.
# pyright: basic, reportCallIssue=false, reportArgumentType=false, reportIndexIssue=false
# pyright: reportOptionalSubscript=false, reportPrivateImportUsage=false, reportMissingImports=false
from __future__ import annotations

from typing import Any

import numpy as np

from dracotheque.engine.jit import cache
from dracotheque.engine import dispatch, playout, rng, batch_totals

numba = cache.numba()
from numba import cuda  # noqa: E402

_SIZE, _TERMINAL = batch_totals.SIZE, dispatch.TERMINAL
_NO_GAME = -1
_seeded, _to_move = rng.seeded, dispatch.to_move


def kernel_function(workspace: np.dtype[np.void], rounds: int) -> Any:
    """Return the kernel for a game's workspace, with so many rounds between two looks for games that are over."""
    batch = np.dtype([("workspace", workspace), ("sums", "i8", (_SIZE,))], align=True)

    def play(start: Any, seed: int, first: int, count: int, totals: Any, finals: Any) -> None:
        local = cuda.local.array(1, batch)
        mine = local[0]
        for i in range(_SIZE):
            mine.sums[i] = 0
        table = mine.workspace
        number, decisions = cuda.grid(1), _NO_GAME
        while number < count:
            if decisions == _NO_GAME:
                table.game = start[0]
                table.stream[0] = _seeded(seed, first + number)
                decisions = 0
            # The 32 games of a warp differ in length: one that is over waits for a few rounds, then begins the next.
            for _round in range(rounds):
                if _to_move(table.game) != _TERMINAL:
                    decisions += playout.play_round(table)
            if _to_move(table.game) == _TERMINAL:
                playout.tally(table, decisions, mine.sums)
                if number < finals.shape[0]:
                    finals[number] = table.game
                number += cuda.gridsize(1)
                decisions = _NO_GAME
        for i in range(_SIZE):
            if mine.sums[i] != 0:
                cuda.atomic.add(totals, i, mine.sums[i])

    return play
