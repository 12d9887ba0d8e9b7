"""The proof that compiled and interpreted rules are one: the same games, compared after every move."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from random import Random
from typing import Any

from dracotheque.engine import boards
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Box, State
from dracotheque.games import find_box, load_game

PIECE = 250  # games compared by a process between two words of progress


@dataclass(frozen=True)
class OptionSet:
    """One way to set up a game."""

    game: str
    players: int
    options: tuple[tuple[str, str], ...]
    board: str | None = None

    def __str__(self) -> str:
        """Name it as on a command line."""
        board = [f"board={self.board}"] if self.board else []
        return " ".join([self.game, f"players={self.players}", *(f"{k}={v}" for k, v in self.options), *board])


def option_sets(box: Box) -> Iterator[OptionSet]:
    """Every number of players, every board and combination of options; of numbered seats the first stands for all."""
    values = [[v for v in option.values if not v.isdecimal() or v == "1"] for option in box.options.values()]
    for players, board in itertools.product(range(box.fewest, box.most + 1), [None, *boards.names(box)]):
        for chosen in itertools.product(*values):
            yield OptionSet(box.name, players, tuple(zip(box.options, chosen, strict=True)), board)


def compare(which: OptionSet, first: int, count: int) -> int:
    """Play random games both ways and compare the records after every move; say how many moves that were."""
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
        names = fast.game.layout.state.names or ()
        a, b = fast.table(), slow.table()
        fields = [f"{n}: {getattr(a, n)} ≠ {getattr(b, n)}" for n in names if getattr(a, n) != getattr(b, n)]
        raise DracothequeError(f"{which}, game {number}, after {fast.serialize()!r}: {'; '.join(fields)}")


def check_equal(name: str, games: int, processes: int, tell: Callable[[int], None]) -> int:
    """Compare `games` games of every option set; `tell` hears how many more are done; say how many moves in all."""
    total = 0
    with ProcessPoolExecutor(processes) as pool:
        work = {
            pool.submit(compare, which, first, min(PIECE, games - first)): min(PIECE, games - first)
            for which in option_sets(find_box(name))
            for first in range(0, games, PIECE)
        }
        for future in as_completed(work):
            total += future.result()
            tell(work[future])
    return total
