"""Does it matter who falls, the rock or the tables? Two players who differ in nothing else are asked.

    python -m research.save_the_dragon.rock_players --games 1000 --processes 2

Both climb as far as they can and aim the rock: before a throw each lets some rocks fall through either door, the one in
the physics engine, the other in the tables, and takes the door that sets the others back most. At a table with a real
rock they should win alike. Then one who aims plays against one who throws anywhere, with a real rock and with the
tables: a good aim should gain as much here as there.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

from dracotheque import Game, State, load_game
from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.plain_state import PlainState
from dracotheque.games.save_the_dragon.rock_physics import FLOOR, STANDS, step_of
from dracotheque.games.save_the_dragon.rules.state import CHANGE, LET_GO, SPOTS, THROUGH, WALK
from dracotheque.simulation.simulate import Z95, wilson
from research.save_the_dragon.rock import Situation, drawn, fall_at, model

TRIED = 8  # falls through each door that a player imagines before a throw


# --- Players --------------------------------------------------------------------------------------------------------
Falls = Callable[[Situation, Random], Sequence[int]]
"""Where the pawns of a situation come to rest."""


def by_physics(at: Situation, chance: Random) -> Sequence[int]:
    """Let a rock fall in the physics engine."""
    return fall_at(at, chance.getrandbits(63)).rests


def by_tables(at: Situation, chance: Random) -> Sequence[int]:
    """Draw a fall from the tables."""
    return drawn(model(), at, [chance.getrandbits(64)]).rests


FALLS: dict[str, Falls | None] = {"physics": by_physics, "tables": by_tables, "anywhere": None}
"""How a player imagines a throw; who does not throws anywhere."""


def chosen(state: State, how: str, chance: Random) -> int:
    """Choose for the seat to move: up the stairs as far as may be, shield and door anywhere, the rock with an aim."""
    table, legal = state.to_plain(), state.legal_actions()
    if table.phase == WALK:
        return max(legal, key=lambda action: (walk_value(action), chance.random()))
    falls = FALLS[how]
    if table.phase == CHANGE or falls is None:
        return chance.choice(legal)
    return max(legal, key=lambda action: (aim(table, action - LET_GO, falls, chance), chance.random()))


def walk_value(action: int) -> int:
    """Through a door before all, then without tokens, then as high as may be."""
    return 1000 if action >= THROUGH else step_of(action % SPOTS) - 100 * (action // SPOTS)


def aim(table: PlainState, door: int, falls: Falls, chance: Random) -> int:
    """How many steps further the others would be set back than oneself, in some sampled falls."""
    seats = [seat for seat in range(table.players) if table.place[seat] < FLOOR]
    at = Situation(tuple(table.place[seat] for seat in seats), table.shield, door)
    gain = 0
    for _ in range(TRIED if seats else 0):
        for seat, spot, rest in zip(seats, at.pawns, falls(at, chance), strict=True):
            lost = 0 if rest == STANDS else step_of(spot) - step_of(rest)
            gain += -lost if seat == table.active else lost
    return gain


# --- Games ----------------------------------------------------------------------------------------------------------
class Match(NamedTuple):
    """Two players, and whether the rock at their table is real."""

    one: str
    other: str
    real: bool


MATCHES = (
    Match("physics", "tables", True),
    Match("tables", "anywhere", True),
    Match("tables", "anywhere", False),
)


@cache
def _game() -> Game:
    """The game, opened once in every process."""
    return load_game("save-the-dragon", 2)


def first_wins(job: tuple[Match, int]) -> bool:
    """Play a game and say whether the match's first player wins; seats change from game to game."""
    match, number = job
    chance = Random(f"{match}/{number // 2}")  # one seed for two games, the seats changed
    players = [match.one, match.other] if number % 2 == 0 else [match.other, match.one]
    state = _game().new_initial_state()
    physical = _game().outcome_source(chance)
    while not state.is_terminal():
        if state.current_player() != CHANCE:
            state.apply_action(chosen(state, players[state.current_player()], chance))
        else:
            state.apply_action(physical(state) if match.real else state.sample_chance(chance))
    return players[state.returns().index(max(state.returns()))] == match.one


class Result(NamedTuple):
    """What came of a match."""

    match: Match
    games: int
    wins: int

    @property
    def share(self) -> float:
        """The first player's share of the games."""
        return self.wins / self.games

    def __str__(self) -> str:
        """Say it in a line."""
        low, high = wilson(self.wins, self.games)
        rock = "a real rock" if self.match.real else "the tables"
        return (
            f"{self.match.one} against {self.match.other}, with {rock}: {self.wins:,} of {self.games:,} games won, "
            f"{100 * self.share:.1f} % (95 % interval {100 * low:.1f}–{100 * high:.1f})"
        )


def played(match: Match, games: int, processes: int, tell: Callable[[int], None]) -> Result:
    """Play a match, the seats balanced."""
    jobs, wins = [(match, number) for number in range(games)], 0
    with multiprocessing.Pool(processes) as pool:
        for won in pool.imap_unordered(first_wins, jobs, chunksize=4):
            wins += won
            tell(1)
    return Result(match, games, wins)


def difference(one: Result, other: Result) -> tuple[float, float]:
    """How much the shares of two matches differ, and half of the 95 % interval of that."""
    spread = math.fsum(result.share * (1 - result.share) / result.games for result in (one, other))
    return one.share - other.share, Z95 * math.sqrt(spread)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the matches and say how they ended."""
    from dracotheque.simulation.progress import bar

    parser = argparse.ArgumentParser(
        "python -m research.save_the_dragon.rock_players", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--games", type=int, default=1000, help="games a match, an even number (1,000)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="processes at once (one a core)")
    given = parser.parse_args(arguments)
    games = max(2, given.games + given.games % 2)
    try:
        with bar(len(MATCHES) * games, "games played") as tell:
            results = [played(match, games, given.processes, tell) for match in MATCHES]
    except DracothequeError as wrong:
        print(wrong, file=sys.stderr)
        return 1
    for result in results:
        print(result)
    apart, interval = difference(*results[1:])
    print(
        f"With a real rock a good aim wins {100 * apart:+.1f} ± {100 * interval:.1f} points more than with the tables."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
