"""The check that compiled and interpreted rules agree: the same games, compared after every move.

`python -m dracotheque.simulation.equivalence NAME --games 100`; `make check-equal` compares 20,000 of each.
"""

from __future__ import annotations

import argparse
import itertools
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from random import Random
from typing import Any

from dracotheque.engine import board_files, registry
from dracotheque.engine.definition import GameDefinition
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.jit import precompile
from dracotheque.engine.registry import find_game, load_game
from dracotheque.engine.state import State
from dracotheque.simulation.progress import bar

PIECE = 250  # games compared by a process between two reports of progress


@dataclass(frozen=True)
class OptionSet:
    """A set-up of a game: players, options and board."""

    game: str
    players: int
    options: tuple[tuple[str, str], ...]
    board: str | None = None

    def __str__(self) -> str:
        """Name it as on a command line."""
        board = [f"board={self.board}"] if self.board else []
        return " ".join([self.game, f"players={self.players}", *(f"{k}={v}" for k, v in self.options), *board])


def option_sets(definition: GameDefinition) -> Iterator[OptionSet]:
    """Every number of players, every board and combination of options; the first seats represent all others."""
    values = [
        [v for v in option.values if not v.isdecimal() or v == "1"] + ["1+2"] * option.several
        for option in definition.options.values()
    ]
    for players, board in itertools.product(
        range(definition.min_players, definition.max_players + 1), [None, *board_files.names(definition)]
    ):
        for chosen in itertools.product(*values):
            yield OptionSet(definition.name, players, tuple(zip(definition.options, chosen, strict=True)), board)


def compare(which: OptionSet, first: int, count: int) -> int:
    """Play random games compiled and interpreted, and compare the records after every move; return the moves."""
    options: dict[str, Any] = dict(which.options)
    compiled = load_game(which.game, which.players, board=which.board, **options)
    plain = load_game(which.game, which.players, board=which.board, interpreted=True, **options)
    moves = 0
    for number in range(first, first + count):
        random = Random(f"{which} {number}")
        fast, slow = compiled.new_initial_state(), plain.new_initial_state()
        _require_equal(which, number, fast, slow)
        while not fast.is_terminal():
            player = fast.current_player()
            if player == -1:
                action = fast.sample_chance(random)
            else:
                player = random.choice([s for s in range(which.players) if fast.legal_actions(s)])
                action = random.choice(fast.legal_actions(player))
            fast.apply_action(action, player)
            slow.apply_action(action, player)
            moves += 1
            _require_equal(which, number, fast, slow)
        if fast.scores() != slow.scores() or fast.winners() != slow.winners():
            raise DracothequeError(f"{which}, game {number}: the results differ.")
    return moves


def _require_equal(which: OptionSet, number: int, fast: State, slow: State) -> None:
    """Stop at the first difference, and show it."""
    if fast.record() != slow.record() or fast.current_player() != slow.current_player():
        names = fast.game.runtime.fields
        a, b = fast.to_plain(), slow.to_plain()
        fields = [f"{n}: {getattr(a, n)} ≠ {getattr(b, n)}" for n in names if getattr(a, n) != getattr(b, n)]
        raise DracothequeError(f"{which}, game {number}, after {fast.serialize()!r}: {'; '.join(fields)}")


def check_equal(name: str, games: int, processes: int, tell: Callable[[int], None]) -> int:
    """Compare `games` games of every option set; `tell` gets how many more are done; return the moves."""
    total = 0
    with ProcessPoolExecutor(processes) as pool:
        work = {
            pool.submit(compare, which, first, min(PIECE, games - first)): min(PIECE, games - first)
            for which in option_sets(find_game(name))
            for first in range(0, games, PIECE)
        }
        for future in as_completed(work):
            total += future.result()
            tell(work[future])
    return total


def main(arguments: Sequence[str] | None = None) -> None:
    """Compare compiled and interpreted games."""
    parser = argparse.ArgumentParser(
        prog="python -m dracotheque.simulation.equivalence",
        description="Check that compiled and interpreted rules agree.",
    )
    parser.add_argument("names", nargs="*", metavar="GAME", help="names of games (default: all)")
    parser.add_argument("--games", type=int, default=20_000, help="number of games of each option set (default: 20000)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args(arguments)
    if chosen.games < 1 or chosen.processes < 1:
        parser.error("--games and --processes must be 1 or more")
    try:
        for definition in [find_game(name) for name in chosen.names] or registry.games().values():
            precompile.ensure_compiled(definition)
            sets = list(option_sets(definition))
            with bar(len(sets) * chosen.games, f"{definition.title}, {len(sets)} option sets") as advance:
                moves = check_equal(definition.name, chosen.games, chosen.processes, advance)
            games = f"{len(sets) * chosen.games:,} games in {len(sets)} option sets"
            print(f"{definition.title}: {games}, {moves:,} moves compared, all equal.", flush=True)
    except DracothequeError as error:
        parser.exit(1, f"{error}\n")


if __name__ == "__main__":
    main()
