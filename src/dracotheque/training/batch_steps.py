"""The steps of self-play in compiled code, for CPUs and GPUs.

`advance` applies an action and samples chance until a seat has to choose, and restarts games that are over; `expand`
applies one legal action to a copy of a game, so that the position after it can be evaluated.
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

NONE = -1  # no action was chosen yet


@compiled
def write_result(workspace: Any, row: Any) -> None:
    """Write each seat's share of the victory in a game that is over."""
    leaf_value(workspace)
    for seat in range(seats(workspace.game)):
        row[seat] = workspace.weights[seat] / CERTAIN


@compiled
def advance(
    workspace: Any, n: int, games: Any, streams: Any, picked: Any, after: Any, starts: Any, results: Any, ended: Any,
    numbers: Any, choices: Any, inputs: Any,
) -> None:  # fmt: skip
    """Apply the chosen action and sample chance until a seat has to choose; write its legal actions and the inputs.

    `numbers` has for each game the seat that chooses, the seat whose turn it is, the players and the legal actions.
    """
    workspace.stream[0] = streams[n]
    workspace.game = games[n] if picked[n] == NONE else after[picked[n]]
    ended[n] = 0
    if to_move(workspace.game) == TERMINAL or await_choice(workspace) == TERMINAL:
        ended[n] = 1
        write_result(workspace, results[n])
        workspace.game = starts[random_below(workspace.stream, len(starts))]
        await_choice(workspace)
    game, seat = workspace.game, to_move(workspace.game)
    games[n] = game
    streams[n] = workspace.stream[0]
    count = legal_actions(game, seat, workspace.out)
    for i in range(count):
        choices[n][i] = workspace.out[i]
    numbers[0][n], numbers[1][n], numbers[2][n], numbers[3][n] = seat, turn_seat(game), seats(game), count
    write_inputs(game, turn_seat(game), inputs[:, n])


@compiled
def expand(
    workspace: Any, n: int, games: Any, owner: Any, rank: Any, choices: Any, after: Any, results: Any,
    ended: Any, turn_seats: Any, heuristics: Any, inputs: Any,
) -> None:  # fmt: skip
    """Apply action `rank[n]` to a copy of game `owner[n]`; write its heuristic, whose turn follows, and the inputs."""
    workspace.game = games[owner[n]]
    game, seat, action = workspace.game, to_move(workspace.game), choices[owner[n]][rank[n]] + 0
    heuristics[n] = action_heuristic(game, seat, action)
    apply_action(game, seat, action)
    after[n] = game
    turn_seats[n], ended[n] = turn_seat(game), 0
    if to_move(game) == TERMINAL:
        ended[n] = 1
        write_result(workspace, results[n])
    else:
        write_inputs(game, turn_seat(game), inputs[:, n])


# --- On a CPU -------------------------------------------------------------------------------------------------------
@functools.cache
def on_processor(rules: str) -> dict[str, Any]:
    """Compile both as loops over all games, nested here since Numba's cache is keyed by the file that defines them."""
    from dracotheque.engine.jit import linking

    exported = linking.exported(made_of=(__name__, rules), nogil=True)

    @exported
    def advance_all(
        workspaces: Any, count: int, games: Any, streams: Any, picked: Any, after: Any, starts: Any, results: Any,
        ended: Any, numbers: Any, choices: Any, inputs: Any,
    ) -> None:  # fmt: skip
        for n in range(count):
            advance(
                workspaces[0], n, games, streams, picked, after, starts, results, ended, numbers, choices, inputs
            )  # fmt: skip

    @exported
    def expand_all(
        workspaces: Any, count: int, games: Any, owner: Any, rank: Any, choices: Any, after: Any, results: Any,
        ended: Any, turn_seats: Any, heuristics: Any, inputs: Any,
    ) -> None:  # fmt: skip
        for n in range(count):
            expand(
                workspaces[0], n, games, owner, rank, choices, after, results, ended, turn_seats, heuristics, inputs
            )  # fmt: skip

    return {"advance": advance_all, "expand": expand_all}


# --- On a GPU -------------------------------------------------------------------------------------------------------
def on_card(card: Any, workspace_type: Any) -> dict[str, Any]:
    """Return both as kernels, a thread a game; `card` is `numba.cuda`."""

    def advance_each(
        count: int, games: Any, streams: Any, picked: Any, after: Any, starts: Any, results: Any, ended: Any,
        numbers: Any, choices: Any, inputs: Any,
    ) -> None:  # fmt: skip
        local = card.local.array(1, workspace_type)
        n = card.grid(1)
        if n < count:
            advance(
                local[0], n, games, streams, picked, after, starts, results, ended, numbers, choices, inputs
            )  # fmt: skip

    def expand_each(
        count: int, games: Any, owner: Any, rank: Any, choices: Any, after: Any, results: Any, ended: Any,
        turn_seats: Any, heuristics: Any, inputs: Any,
    ) -> None:  # fmt: skip
        local = card.local.array(1, workspace_type)
        n = card.grid(1)
        if n < count:
            expand(
                local[0], n, games, owner, rank, choices, after, results, ended, turn_seats, heuristics, inputs
            )  # fmt: skip

    return {"advance": advance_each, "expand": expand_each}
