"""Compiled and interpreted: one source, the same games; and a changed rule is never served stale."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dracotheque import load_game
from dracotheque.engine import cache, stream, sums
from dracotheque.engine.game import Game
from dracotheque.games import SHELF
from dracotheque.lab import equal


@pytest.mark.parametrize("which", [w for box in SHELF.values() for w in equal.option_sets(box)], ids=str)
def test_compiled_and_interpreted_games_are_equal_after_every_move(which: equal.OptionSet) -> None:
    """A sample; `make check-equal` compares 20,000 games of every option set."""
    assert equal.compare(which, 0, 12) > 12 * 100


def batch(game: Game, seed: int, first: int, count: int) -> tuple[list[int], bytes]:
    bench = game.layout.new_bench(game.new_initial_state().record())
    game.layout.doors.batch(bench.handle, seed, first, count)
    return bench.sums.tolist(), bench.last()


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_whole_random_games_are_equal_too(players: int) -> None:
    compiled, plain = load_game("emerald", players), load_game("emerald", players, interpreted=True)
    for first in range(25):
        assert batch(compiled, 7, first, 1) == batch(plain, 7, first, 1)
    total = np.sum([batch(compiled, 7, first, 1)[0] for first in range(25)], axis=0)
    assert batch(compiled, 7, 0, 25)[0] == total.tolist()
    assert total[sums.GAMES] == 25
    assert total[sums.WINS : sums.WINS + players].sum() == 25 * sums.WHOLE


def test_random_numbers_are_the_same_both_ways() -> None:
    from dracotheque.engine import native  # noqa: F401 - teaches Numba the streams

    seeded, below = stream.seeded, stream.below

    @cache.numba().njit
    def compiled(seed, number, count, state, out):
        state[0] = seeded(seed, number)
        for i in range(len(out)):
            out[i] = below(state, count)

    out, state = np.zeros(200, np.int64), np.zeros(1, np.uint64)
    for seed, number, count in [(0, 0, 6), (1, 10**9, 3), (2**62, 5, 1000), (12345, 2**40, 1)]:
        compiled(seed, number, count, state, out)
        plain = [stream.seeded(seed, number)]
        assert out.tolist() == [stream.below(plain, count) for _ in range(200)]


def test_random_numbers_are_even() -> None:
    counts = np.zeros((6, 6), int)
    for number in range(2000):
        state = [stream.seeded(3, number)]
        for _ in range(10):
            counts[stream.below(state, 6), stream.below(state, 6)] += 1
    expected = 20_000 / 36
    assert ((counts - expected) ** 2 / expected).sum() < 70  # χ² with 35 degrees of freedom: one in 2,500 is higher


def test_only_our_own_caches_are_cleared_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRACOTHEQUE_CACHE", str(tmp_path))
    ours = [f"{number:016x}" for number in range(7)]
    for age, name in enumerate([*ours, "photos", "mail"]):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (age, age))
    cache._forget_old()
    assert sorted(path.name for path in tmp_path.iterdir()) == [*ours[-cache.KEPT :], "mail", "photos"]


STALE = """
from dracotheque.engine.game import Game
from dracotheque.games import find_box
from dracotheque.games.emerald import choices, rules, scoring
state = Game(find_box("emerald"), 3, {"starts": "1"}).new_initial_state()
for outcome in [8] * 6 + [9] * 3 + [12] * 5 + [13] * 4:
    state.apply_action(outcome)
state.apply_action(0)
state.scores()
print(state.table().moved)
functions = {f for module in (rules, scoring, choices) for f in vars(module).values() if hasattr(f, "overloads")}
typed = [(f, c.type_annotation.typemap) for f in functions for c in f.overloads.values()]
print(sum(f.__module__.startswith("dracotheque.games") for f, _ in typed))
print([f"{f.__name__}: {v}" for f, types in typed for v, t in types.items() if str(t).startswith("float")])
"""


def test_a_changed_rule_is_never_served_stale(tmp_path: Path) -> None:
    """Compile a copy of the library, change one line of a rule, and see the change at once.

    The fresh compilation also shows that rules compute with whole numbers only: an unsigned and a signed 64-bit
    number would meet in a float, slow on the way there and wrong on the way back.
    """
    package = tmp_path / "dracotheque"
    shutil.copytree(cache.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__", "*.ptx"))
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "DRACOTHEQUE_CACHE": str(tmp_path / "cache")}

    def run() -> list[str]:
        command = [sys.executable, "-c", STALE]
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.split("\n")

    rules = package / "games" / "emerald" / "rules.py"
    moved, typed, floats = run()[:3]
    assert moved == "7"  # tower 1 holds three knights: field 3
    assert int(typed) > 40
    assert floats == "[]"
    before, stamp = rules.read_text("utf-8"), rules.stat()
    after = before.replace("    return game.crowd[place]\n", "    return game.crowd[place] - 1\n")
    assert after != before
    rules.write_text(after, "utf-8")
    os.utime(rules, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # the clock must not be what tells them apart
    assert run()[0] == "6"
    rules.write_text(before, "utf-8")
    assert run()[:2] == ["7", "0"]  # known again from the first time: nothing was compiled
