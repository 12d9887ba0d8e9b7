"""One step of many games side by side, in compiled code: the same on a CPU and on a GPU.

`advance` draws chance moves until a seat has to choose, and begins again where a game is over; `expand` carries one
choice of one game out beside it, so that it can be judged before it is made.
"""

# Numba's own types are few: what it decorates and compiles is not checked here.
# pyright: basic, reportPrivateImportUsage=false
from __future__ import annotations

import functools
from typing import Any

from dracotheque.engine.dispatch import TERMINAL, action_heuristic, apply_action, legal_actions, to_move, turn_seat
from dracotheque.engine.rng import random_below
from dracotheque.engine.rule import compiled
from dracotheque.engine.rule_helpers import seats
from dracotheque.engine.search_operations import CERTAIN, await_choice, leaf_value
from dracotheque.engine.value_network import write_inputs

NOTHING = -1  # chosen so far


@compiled
def share_out(workspace: Any, row: Any) -> None:
    """Write how a game that is over was won."""
    leaf_value(workspace)
    for seat in range(seats(workspace.game)):
        row[seat] = workspace.weights[seat] / CERTAIN


@compiled
def advance(
    workspace: Any, n: int, games: Any, streams: Any, picked: Any, after: Any, starts: Any, results: Any, ended: Any,
    numbers: Any, choices: Any, sight: Any,
) -> None:  # fmt: skip
    """Carry out the chosen action and advance until a seat has to choose; list its choices, write the tensor.

    `numbers` are of each game: who chooses, who has the turn, how many play, how many choices there are.
    """
    workspace.stream[0] = streams[n]
    workspace.game = games[n] if picked[n] == NOTHING else after[picked[n]]
    ended[n] = 0
    if to_move(workspace.game) == TERMINAL or await_choice(workspace) == TERMINAL:
        ended[n] = 1
        share_out(workspace, results[n])
        workspace.game = starts[random_below(workspace.stream, len(starts))]
        await_choice(workspace)
    game, seat = workspace.game, to_move(workspace.game)
    games[n] = game
    streams[n] = workspace.stream[0]
    count = legal_actions(game, seat, workspace.out)
    for i in range(count):
        choices[n][i] = workspace.out[i]
    numbers[0][n], numbers[1][n], numbers[2][n], numbers[3][n] = seat, turn_seat(game), seats(game), count
    write_inputs(game, turn_seat(game), sight[:, n])


@compiled
def expand(
    workspace: Any, n: int, games: Any, owner: Any, rank: Any, choices: Any, after: Any, results: Any,
    ended: Any, leads: Any, likings: Any, sight: Any,
) -> None:  # fmt: skip
    """Carry choice `rank[n]` of game `owner[n]` out beside it: how it is liked, who has the turn then, what is seen."""
    workspace.game = games[owner[n]]
    game, seat, action = workspace.game, to_move(workspace.game), choices[owner[n]][rank[n]] + 0
    likings[n] = action_heuristic(game, seat, action)
    apply_action(game, seat, action)
    after[n] = game
    leads[n], ended[n] = turn_seat(game), 0
    if to_move(game) == TERMINAL:
        ended[n] = 1
        share_out(workspace, results[n])
    else:
        write_inputs(game, turn_seat(game), sight[:, n])


# --- On a processor -------------------------------------------------------------------------------------------------
@functools.cache
def on_processor(rules: str) -> dict[str, Any]:
    """Compile both as loops over all games of a rules module; they stand here for Numba's cache looks at this file."""
    from dracotheque.engine.jit import (
        linking,
    )  # fmt: skip

    exported = linking.exported(made_of=(__name__, rules), nogil=True)

    @exported
    def advance_all(
        workspaces: Any, count: int, games: Any, streams: Any, picked: Any, after: Any, starts: Any, results: Any,
        ended: Any, numbers: Any, choices: Any, sight: Any,
    ) -> None:  # fmt: skip
        for n in range(count):
            advance(
                workspaces[0], n, games, streams, picked, after, starts, results, ended, numbers, choices, sight
            )  # fmt: skip

    @exported
    def expand_all(
        workspaces: Any, count: int, games: Any, owner: Any, rank: Any, choices: Any, after: Any, results: Any,
        ended: Any, leads: Any, likings: Any, sight: Any,
    ) -> None:  # fmt: skip
        for n in range(count):
            expand(
                workspaces[0], n, games, owner, rank, choices, after, results, ended, leads, likings, sight
            )  # fmt: skip

    return {"advance": advance_all, "expand": expand_all}


# --- On a card ------------------------------------------------------------------------------------------------------
def on_card(card: Any, table: Any) -> dict[str, Any]:
    """Write both as kernels, a thread a game; `card` is `numba.cuda`, `table` the type of a workspace."""

    def advance_each(
        count: int, games: Any, streams: Any, picked: Any, after: Any, starts: Any, results: Any, ended: Any,
        numbers: Any, choices: Any, sight: Any,
    ) -> None:  # fmt: skip
        local = card.local.array(1, table)
        n = card.grid(1)
        if n < count:
            advance(
                local[0], n, games, streams, picked, after, starts, results, ended, numbers, choices, sight
            )  # fmt: skip

    def expand_each(
        count: int, games: Any, owner: Any, rank: Any, choices: Any, after: Any, results: Any, ended: Any, leads: Any,
        likings: Any, sight: Any,
    ) -> None:  # fmt: skip
        local = card.local.array(1, table)
        n = card.grid(1)
        if n < count:
            expand(
                local[0], n, games, owner, rank, choices, after, results, ended, leads, likings, sight
            )  # fmt: skip

    return {"advance": advance_each, "expand": expand_each}
