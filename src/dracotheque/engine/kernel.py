"""The CUDA kernel: one thread a game, the same rules, the same random streams, the same sums as `play_batch`.

This module needs numba-cuda to compile, but no graphics card.
"""

# Numba's own types are few: what it decorates and compiles is not checked here.
# pyright: basic, reportCallIssue=false, reportArgumentType=false, reportIndexIssue=false
# pyright: reportOptionalSubscript=false, reportPrivateImportUsage=false, reportMissingImports=false
from __future__ import annotations

from typing import Any

import numpy as np

from dracotheque.engine import cache, playout, stream, sums

numba = cache.numba()
from numba import cuda  # noqa: E402

_SIZE = sums.SIZE
_seeded = stream.seeded


def kernel_function(desk: np.dtype[Any]) -> Any:
    """Write the kernel for a game's desk."""
    bench = np.dtype([("desk", desk), ("sums", "i8", (_SIZE,))], align=True)

    def play(start: Any, seed: int, first: int, count: int, totals: Any, finals: Any) -> None:
        local = cuda.local.array(1, bench)
        mine = local[0]
        for i in range(_SIZE):
            mine.sums[i] = 0
        table = mine.desk
        for number in range(cuda.grid(1), count, cuda.gridsize(1)):
            table.game = start[0]
            table.stream[0] = _seeded(seed, first + number)
            playout.tally(table, playout.play_randomly(table), mine.sums)
            if number < finals.shape[0]:
                finals[number] = table.game
        for i in range(_SIZE):
            if mine.sums[i] != 0:
                cuda.atomic.add(totals, i, mine.sums[i])

    return play
