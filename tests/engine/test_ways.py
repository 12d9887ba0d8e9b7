"""Compiled and interpreted: one source, the same games; and a changed rule is never served stale."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from random import Random

import numpy as np
import pytest

from dracotheque.engine import cache, stream, sums
from dracotheque.engine.game import Game, State
from dracotheque.games import SHELF
from dracotheque.lab import equal, simulate
from tests.engine.tables import TABLES, Table


@pytest.mark.parametrize("which", [w for box in SHELF.values() for w in equal.option_sets(box)], ids=str)
def test_compiled_and_interpreted_games_are_equal_after_every_move(which: equal.OptionSet) -> None:
    """A sample; `make check-equal` compares 20,000 games of every option set."""
    assert equal.compare(which, 0, 6) > 6 * 5


@pytest.mark.parametrize("table", [table for table in TABLES if table.board], ids=str)
def test_so_they_are_on_an_odd_board(table: Table, tmp_path: Path) -> None:
    assert table.board
    file = tmp_path / "odd.toml"
    kinds = "".join(f"{picture} = {colour!r}\n" for picture, colour in table.board["kinds"].items())
    head = "".join(f"{key} = {table.board[key]!r}\n" for key in ("name", "treasure", "lair", "path"))
    file.write_text(f"{head}[kinds]\n{kinds}", "utf-8")
    assert equal.compare(equal.OptionSet(table.game, table.players, (), str(file)), 0, 12) > 12 * 5


# --- Sealed choices ---------------------------------------------------------------------------------------------
def play_sealed(state: State, seats: Iterable[int], random: Random) -> None:
    """Let seats that choose at once do so in the order given, each by a lot of its own."""
    lots = [random.random() for _ in range(state.game.players)]
    for seat in [seat for seat in seats if state.legal_actions(seat)]:
        actions = state.legal_actions(seat)
        state.apply_action(actions[int(lots[seat] * len(actions))], seat)


def advance(state: State, seats: Iterable[int], random: Random) -> None:
    """Play on to the next position in which nobody's sealed choice is half given."""
    if state.is_simultaneous_node():
        play_sealed(state, seats, random)
    elif state.is_chance_node():
        state.apply_action(state.sample_chance(random))
    else:
        state.apply_action(random.choice(state.legal_actions()))


SEALED = [table for table in TABLES if table.game == "dragons-cave" and table.players > 2]
"""Of two players one is the dragon: the other never chooses at once with anybody."""


@pytest.mark.parametrize("table", SEALED, ids=str)
def test_sealed_choices_leave_no_trace_of_their_order(table: Table) -> None:
    """Compiled, the seats choose from the first to the last, interpreted from the last to the first."""
    compiled, plain = table.open(), table.open(interpreted=True)
    sealed = 0
    for number in range(10):
        fast, slow = compiled.new_initial_state(), plain.new_initial_state()
        for_fast, for_slow = Random(number), Random(number)
        while not fast.is_terminal():
            sealed += fast.is_simultaneous_node()
            advance(fast, range(table.players), for_fast)
            advance(slow, reversed(range(table.players)), for_slow)
            assert fast.record() == slow.record()
            assert fast.current_player() == slow.current_player()
        assert (fast.scores(), fast.winners(), fast.ending()) == (slow.scores(), slow.winners(), slow.ending())
    assert sealed >= 10


# --- Whole games in one go --------------------------------------------------------------------------------------


def batch(game: Game, seed: int, first: int, count: int) -> tuple[list[int], bytes]:
    bench = game.layout.new_bench(game.new_initial_state().record())
    game.layout.doors.batch(bench.handle, seed, first, count)
    return bench.sums.tolist(), bench.last()


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_whole_random_games_are_equal_too(table: Table) -> None:
    compiled, plain = table.open(), table.open(interpreted=True)
    for first in range(25):
        assert batch(compiled, 7, first, 1) == batch(plain, 7, first, 1)
    total = np.sum([batch(compiled, 7, first, 1)[0] for first in range(25)], axis=0)
    assert batch(compiled, 7, 0, 25)[0] == total.tolist()
    assert total[sums.GAMES] == 25
    assert total[sums.WINS : sums.WINS + table.players].sum() == 25 * sums.WHOLE


@pytest.mark.parametrize("name", SHELF)
def test_threads_give_equal_sums(name: str) -> None:
    game = Table(name, SHELF[name].usual).open()
    games = 2 * simulate.CHUNK + 345  # three pieces, one of them short
    expected = batch(game, 3, 0, games)[0]
    for threads in (1, 2, 5):
        done = simulate.simulate(game, games, ["random"] * game.players, 3, threads)
        assert done.sums.tolist() == expected


# --- Random numbers ---------------------------------------------------------------------------------------------
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


# --- What is compiled -------------------------------------------------------------------------------------------
TYPED = """
import inspect, json, sys
import numba
from dracotheque.engine import desk, dispatch, playout
from dracotheque.games import find_box

package = find_box(sys.argv[1]).package
layout = desk.layout(package, False)
rules = layout.rules
lent = {name: f"desk.{name}" for name in ("game", "out", "weights", "stream")} | {"points": "desk.out", "desk": "desk"}
lines = ["def call_every_word(desk, number):"]
for word in dispatch.WORDS:
    if word not in (dispatch.tensor, dispatch.expect):
        arguments = [lent.get(name, "number") for name in inspect.signature(word).parameters]
        lines.append(f"    rules.{word.__name__}({', '.join(arguments)})")
exec("\\n".join(lines))
numba.njit(_nrt=False)(call_every_word).compile((numba.from_dtype(layout.desk), numba.int64))
bench = numba.from_dtype(desk.bench_type(layout.state, layout.room))
playout.play_batch.compile((bench, numba.int64, numba.int64, numba.int64))
modules = [sys.modules[f"{package}.{name}"] for name in ("rules", "scoring", "choices")] + [playout]
functions = {f for module in modules for f in vars(module).values() if hasattr(f, "overloads")}
types = [(f.__name__, name, kind) for f in functions for c in f.overloads.values()
         for name, kind in c.type_annotation.typemap.items()]
unreached = [f.__name__ for f in functions if f.__module__.startswith(package) and not f.overloads]
floats = [f"{function}: {name}" for function, name, kind in types if "float" in str(kind)]
print(json.dumps([unreached, floats]))
"""


@pytest.mark.parametrize("name", SHELF)
def test_rules_compute_with_whole_numbers_only(name: str, tmp_path: Path) -> None:
    """An unsigned and a signed 64-bit number would meet in a float, slow on the way there and wrong on the way back.

    Every word of a game is compiled, and every variable looked at, but of `tensor`, which writes parts of one,
    and of `expect`, which is no rule.
    """
    # Slow machine code has the same types, and is there in half the time.
    environment = os.environ | {"NUMBA_OPT": "0", "DRACOTHEQUE_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", TYPED, name]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    unreached, floats = json.loads(done.stdout)
    assert [function for function in unreached if "tensor" not in function and function != "expect"] == []
    assert floats == []


def test_only_our_own_caches_are_cleared_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRACOTHEQUE_CACHE", str(tmp_path))
    ours = [f"{number:016x}" for number in range(7)]
    for age, name in enumerate([*ours, "photos", "mail"]):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (age, age))
    cache._forget_old()
    assert sorted(path.name for path in tmp_path.iterdir()) == [*ours[-cache.KEPT :], "mail", "photos"]


def a_copy(folder: Path) -> Path:
    """Copy the library into a folder."""
    ignored = shutil.ignore_patterns("__pycache__", "*.ptx")
    return Path(shutil.copytree(cache.PACKAGE, folder / "copy" / "dracotheque", ignore=ignored))


def test_another_copy_of_the_library_does_not_pass_for_compiled(tmp_path: Path) -> None:
    """Numba looks for machine code by the place of its source: without that in the name, a table would stand still."""
    copy = a_copy(tmp_path)
    program = "from dracotheque.engine import cache; print(cache.PACKAGE, cache.folder())"

    def run(package: Path) -> list[str]:
        environment = os.environ | {"PYTHONPATH": str(package.parent), "DRACOTHEQUE_CACHE": str(tmp_path / "cache")}
        command = [sys.executable, "-c", program]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()

    here, there = run(cache.PACKAGE), run(copy)
    assert [here[0], there[0]] == [str(cache.PACKAGE), str(copy)]
    assert here[1] != there[1]
    with (copy / "solve" / "cave_matrix.py").open("a") as file:  # other files of solve call it
        file.write("\nMORE = 1\n")
    assert run(copy)[1] != there[1]


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
print(sum(len(f.overloads) for f in functions if f.__module__.startswith("dracotheque.games")))
"""


def test_a_changed_rule_is_never_served_stale(tmp_path: Path) -> None:
    """Compile a copy of the library, change one line of a rule, and see the change at once."""
    package = a_copy(tmp_path)
    environment = os.environ | {"PYTHONPATH": str(package.parent), "DRACOTHEQUE_CACHE": str(tmp_path / "cache")}

    def run() -> list[str]:
        command = [sys.executable, "-c", STALE]
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.split("\n")

    rules = package / "games" / "emerald" / "rules.py"
    moved, compiled = run()[:2]
    assert moved == "7"  # tower 1 holds three knights: field 3
    assert int(compiled) > 40
    before, stamp = rules.read_text("utf-8"), rules.stat()
    after = before.replace("    return game.crowd[place]\n", "    return game.crowd[place] - 1\n")
    assert after != before
    rules.write_text(after, "utf-8")
    os.utime(rules, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # the clock must not be what tells them apart
    assert run()[0] == "6"
    rules.write_text(before, "utf-8")
    assert run()[:2] == ["7", "0"]  # known again from the first time: nothing was compiled
