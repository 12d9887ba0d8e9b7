"""One step of many games side by side, in compiled code: the same on a processor and on a graphics card.

`advance` lets chance happen until somebody must choose, and begins anew where a game is over; `expand` carries one
choice of one game out beside it, so that it can be judged before it is made.
"""

# Numba's own types are few: what it decorates and compiles is not checked here.
# pyright: basic, reportPrivateImportUsage=false
from __future__ import annotations

import functools
from typing import Any

from dracotheque.engine.dispatch import TERMINAL, apply, legal_actions, to_move, worth
from dracotheque.engine.foresight import look
from dracotheque.engine.kit import seats
from dracotheque.engine.rollout import CERTAIN, await_choice, judge
from dracotheque.engine.rule import compiled
from dracotheque.engine.stream import below

NOTHING = -1  # chosen so far


@compiled
def share_out(desk: Any, row: Any) -> None:
    """Write how a game that is over was won."""
    judge(desk)
    for seat in range(seats(desk.game)):
        row[seat] = desk.weights[seat] / CERTAIN


@compiled
def advance(
    desk: Any, n: int, games: Any, streams: Any, picked: Any, after: Any, starts: Any, results: Any, ended: Any,
    numbers: Any, choices: Any, sight: Any,
) -> None:  # fmt: skip
    """Go on in a game with what was picked until somebody must choose; list the choices and show the table.

    `numbers` are of each game: who chooses, who has the turn, how many play, how many choices there are.
    """
    desk.stream[0] = streams[n]
    desk.game = games[n] if picked[n] == NOTHING else after[picked[n]]
    ended[n] = 0
    if to_move(desk.game) == TERMINAL or await_choice(desk) == TERMINAL:
        ended[n] = 1
        share_out(desk, results[n])
        desk.game = starts[below(desk.stream, len(starts))]
        await_choice(desk)
    game, seat = desk.game, to_move(desk.game)
    games[n] = game
    streams[n] = desk.stream[0]
    count = legal_actions(game, seat, desk.out)
    for i in range(count):
        choices[n][i] = desk.out[i]
    numbers[0][n], numbers[1][n], numbers[2][n], numbers[3][n] = seat, game.active, seats(game), count
    look(game, game.active + 0, sight[:, n])


@compiled
def expand(
    desk: Any, n: int, games: Any, owner: Any, rank: Any, choices: Any, after: Any, results: Any,
    ended: Any, leads: Any, likings: Any, sight: Any,
) -> None:  # fmt: skip
    """Carry choice `rank[n]` of game `owner[n]` out beside it: how it is liked, who has the turn then, what is seen."""
    desk.game = games[owner[n]]
    game, seat, action = desk.game, to_move(desk.game), choices[owner[n]][rank[n]] + 0
    likings[n] = worth(game, seat, action)
    apply(game, seat, action)
    after[n] = game
    leads[n], ended[n] = game.active, 0
    if to_move(game) == TERMINAL:
        ended[n] = 1
        share_out(desk, results[n])
    else:
        look(game, game.active + 0, sight[:, n])


# --- On a processor -------------------------------------------------------------------------------------------------
@functools.cache
def on_processor() -> dict[str, Any]:
    """Compile both as loops over all games; they are written out here, since Numba's cache looks at this file."""
    from dracotheque.engine import linking, native  # noqa: F401 - the second tells which rules belong to a record

    door = linking.door(nogil=True)

    @door
    def advance_all(
        desks: Any, count: int, games: Any, streams: Any, picked: Any, after: Any, starts: Any, results: Any,
        ended: Any, numbers: Any, choices: Any, sight: Any,
    ) -> None:  # fmt: skip
        for n in range(count):
            advance(
                desks[0], n, games, streams, picked, after, starts, results, ended, numbers, choices, sight
            )  # fmt: skip

    @door
    def expand_all(
        desks: Any, count: int, games: Any, owner: Any, rank: Any, choices: Any, after: Any, results: Any,
        ended: Any, leads: Any, likings: Any, sight: Any,
    ) -> None:  # fmt: skip
        for n in range(count):
            expand(
                desks[0], n, games, owner, rank, choices, after, results, ended, leads, likings, sight
            )  # fmt: skip

    return {"advance": advance_all, "expand": expand_all}
