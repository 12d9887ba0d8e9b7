"""Compiled and interpreted: one source, the same games; and a changed rule is never served stale."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest

from dracotheque.engine import batch_totals, registry, rng
from dracotheque.engine.game import Game
from dracotheque.engine.jit import cache
from dracotheque.engine.state import State
from dracotheque.simulation import equivalence, simulate
from tests.engine.tables import TABLES, Table


@pytest.mark.parametrize(
    "which", [w for definition in registry.games().values() for w in equivalence.option_sets(definition)], ids=str
)
def test_compiled_and_interpreted_games_are_equal_after_every_move(which: equivalence.OptionSet) -> None:
    """A sample; `make check-equal` compares 20,000 games of every option set."""
    assert equivalence.compare(which, 0, 6) > 6 * 5


@pytest.mark.parametrize("table", [table for table in TABLES if table.board], ids=str)
def test_so_they_are_on_an_odd_board(table: Table, tmp_path: Path) -> None:
    assert table.board
    file = tmp_path / "odd.toml"
    kinds = "".join(f"{picture} = {colour!r}\n" for picture, colour in table.board["kinds"].items())
    head = "".join(f"{key} = {table.board[key]!r}\n" for key in ("name", "treasure", "lair", "path"))
    file.write_text(f"{head}[kinds]\n{kinds}", "utf-8")
    assert equivalence.compare(equivalence.OptionSet(table.game, table.players, (), str(file)), 0, 12) > 12 * 5


# --- Sealed choices ---------------------------------------------------------------------------------------------
def play_sealed(state: State, seats: Iterable[int], random: Random) -> None:
    """Let seats that choose at once do so in the order given, each by a lot of its own."""
    lots = [random.random() for _ in range(state.game.players)]
    for seat in [seat for seat in seats if state.legal_actions(seat)]:
        actions = state.legal_actions(seat)
        state.apply_action(actions[int(lots[seat] * len(actions))], seat)


def advance(state: State, seats: Iterable[int], random: Random) -> None:
    """Play on to the next position in which no simultaneous choice is half made."""
    if state.is_simultaneous_node():
        play_sealed(state, seats, random)
    elif state.is_chance_node():
        state.apply_action(state.sample_chance(random))
    else:
        state.apply_action(random.choice(state.legal_actions()))


SEALED = [table for table in TABLES if table.game == "dragons-cave" and table.players > 2]
"""Of two players one is the dragon: the other never chooses at the same time."""


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


def played_batch(game: Game, seed: int, first: int, count: int) -> tuple[list[int], bytes]:
    batch = game.runtime.new_batch(game.new_initial_state().record())
    game.runtime.operations.play_batch(batch.handle, seed, first, count)
    return batch.sums.tolist(), batch.last()


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_whole_random_games_are_equal_too(table: Table) -> None:
    compiled, plain = table.open(), table.open(interpreted=True)
    for first in range(25):
        assert played_batch(compiled, 7, first, 1) == played_batch(plain, 7, first, 1)
    total = np.sum([played_batch(compiled, 7, first, 1)[0] for first in range(25)], axis=0)
    assert played_batch(compiled, 7, 0, 25)[0] == total.tolist()
    assert total[batch_totals.GAMES] == 25
    assert total[batch_totals.WINS : batch_totals.WINS + table.players].sum() == 25 * batch_totals.WHOLE


@pytest.mark.parametrize("name", registry.games())
def test_threads_give_equal_sums(name: str) -> None:
    game = Table(name, registry.games()[name].default_players).open()
    games = 2 * simulate.CHUNK + 345  # three pieces, one of them short
    expected = played_batch(game, 3, 0, games)[0]
    for threads in (1, 2, 5):
        done = simulate.simulate(game, games, ["random"] * game.players, 3, threads)
        assert done.sums.tolist() == expected


# --- Random numbers ---------------------------------------------------------------------------------------------
def test_random_numbers_are_the_same_both_ways() -> None:
    from dracotheque.engine.jit import numba_dispatch  # noqa: F401 - teaches Numba the streams

    seeded, below = rng.seeded, rng.random_below

    @cache.numba().njit
    def compiled(seed, number, count, state, out):
        state[0] = seeded(seed, number)
        for i in range(len(out)):
            out[i] = below(state, count)

    out, state = np.zeros(200, np.int64), np.zeros(1, np.uint64)
    for seed, number, count in [(0, 0, 6), (1, 10**9, 3), (2**62, 5, 1000), (12345, 2**40, 1)]:
        compiled(seed, number, count, state, out)
        plain = [rng.seeded(seed, number)]
        assert out.tolist() == [rng.random_below(plain, count) for _ in range(200)]


def test_random_numbers_are_even() -> None:
    counts = np.zeros((6, 6), int)
    for number in range(2000):
        state = [rng.seeded(3, number)]
        for _ in range(10):
            counts[rng.random_below(state, 6), rng.random_below(state, 6)] += 1
    expected = 20_000 / 36
    assert ((counts - expected) ** 2 / expected).sum() < 70  # χ² with 35 degrees of freedom: one in 2,500 is higher


# --- What is compiled -------------------------------------------------------------------------------------------
TYPED = """
import inspect, json, sys
import numba
from dracotheque.engine import dispatch, playout
from dracotheque.engine.jit import linking, workspace
from dracotheque.engine.registry import find_game

package = find_game(sys.argv[1]).package
layout = workspace.rules_runtime(package, False)
rules = layout.rules
lent = {name: f"workspace.{name}" for name in ("game", "out", "weights", "stream")}
lent |= {"points": "workspace.out", "workspace": "workspace"}
lines = ["def call_every_word(workspace, number):"]
for word in dispatch.RULE_FUNCTIONS:
    if word not in (dispatch.observation_tensor, dispatch.evaluate):
        arguments = [lent.get(name, "number") for name in inspect.signature(word).parameters]
        lines.append(f"    rules.{word.__name__}({', '.join(arguments)})")
lines += ["    rules.is_secret_choice(workspace.game)", "    rules.equivalent_action(workspace.game, number, number)"]
exec("\\n".join(lines))
numba.njit(_nrt=False)(call_every_word).compile((numba.from_dtype(layout.workspace), numba.int64))
batch = numba.from_dtype(workspace.batch_type(layout.state, layout.room))
play_batch = numba.njit(_nrt=False)(lambda batch, seed, first, count: playout.play_batch(batch, seed, first, count))
play_batch.compile((batch, numba.int64, numba.int64, numba.int64))
names = ("mechanics", "scoring", "actions", "observation")
modules = [sys.modules[f"{package}.rules.{name}"] for name in names] + [playout]
functions = {f for module in modules for f in vars(module).values() if inspect.isfunction(f)}
types = [(f.__name__, name, kind) for f in functions for made in linking.versions(f)
         for name, kind in made.type_annotation.typemap.items()]
unreached = [f.__name__ for f in functions if f.__module__.startswith(package) and not linking.versions(f)]
floats = [f"{function}: {name}" for function, name, kind in types if "float" in str(kind)]
print(json.dumps([unreached, floats]))
"""


@pytest.mark.parametrize("name", registry.games())
def test_rules_compute_with_whole_numbers_only(name: str, tmp_path: Path) -> None:
    """An unsigned and a signed 64-bit number would meet in a float, slow on the way there and wrong on the way back.

    Every word of a game is compiled, and every variable looked at, but of `observation_tensor`,
    which writes parts of one, and of `evaluate`, which is no rule.
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
    ours = [f"a.game.rules-{number:016x}" for number in range(7)]
    others = ["a.game.rules", "another.game.rules-0123456789abcdef", "mail", "photos"]
    for age, name in enumerate([*ours, *others]):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (age, age))
    cache._forget_old("a.game.rules")
    assert sorted(path.name for path in tmp_path.iterdir()) == [others[0], *ours[-cache.KEPT :], *others[1:]]


def a_copy(folder: Path) -> Path:
    """Copy the library into a folder."""
    ignored = shutil.ignore_patterns("__pycache__", "*.ptx")
    return Path(shutil.copytree(cache.PACKAGE, folder / "copy" / "dracotheque", ignore=ignored))


def run(program: str, tmp_path: Path, *path: Path, arguments: Sequence[str] = ()) -> list[str]:
    """Run a program with packages from elsewhere and a cache of its own; give the lines that it prints."""
    places = os.pathsep.join(map(str, path))
    environment = os.environ | {"PYTHONPATH": places, "DRACOTHEQUE_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


FOLDERS = """
import json, sys
from dracotheque.engine.jit import cache
games = {name: f"dracotheque.games.{name}.rules" for name in ("emerald", "dragons_cave", "gran", "save_the_dragon")}
modules = games | {"cave's solver": "dracotheque.games.dragons_cave.equilibrium.lookahead"}
for file in [None, *sys.argv[1:]]:
    if file:
        with (cache.PACKAGE / file).open("a") as changed:
            changed.write("\\nMORE = 1\\n")
    cache.sources.cache_clear()
    cache.fingerprint.cache_clear()
    print(json.dumps({name: str(cache.folder(module)) for name, module in modules.items()}))
"""


def test_another_copy_of_the_library_does_not_pass_for_compiled(tmp_path: Path) -> None:
    """Numba looks for machine code by the place of its source: without that in the name, a table would stand still."""
    copy = a_copy(tmp_path)
    (here,), (there,) = (run(FOLDERS, tmp_path, package.parent) for package in (cache.PACKAGE, copy))
    folders = [*json.loads(here).values(), *json.loads(there).values()]
    assert len(set(folders)) == len(folders) == 10


MADE_OF = {
    "games/emerald/rules/scoring.py": {"emerald"},
    "games/save_the_dragon/rules/rock_model.py": {"save_the_dragon"},
    "games/dragons_cave/rules/actions.py": {"dragons_cave", "cave's solver"},  # which plays by the rules
    "games/dragons_cave/equilibrium/positions.py": {"cave's solver"},
    "games/dragons_cave/equilibrium/matrix_game.py": {"cave's solver"},
    "engine/sampling.py": {"emerald", "dragons_cave", "gran", "save_the_dragon", "cave's solver"},
    "games/gran/text.py": set(),
    "games/gran/board_view.py": set(),
    "games/save_the_dragon/physical_chance.py": set(),
    "server/routes/tables.py": set(),
    "bots/search.py": set(),
}
"""What is compiled again when a file changes."""


def test_what_is_compiled_anew_is_what_a_file_is_a_part_of(tmp_path: Path) -> None:
    lines = run(FOLDERS, tmp_path, a_copy(tmp_path).parent, arguments=list(MADE_OF))
    before = json.loads(lines[0])
    for file, line in zip(MADE_OF, lines[1:], strict=True):
        after = json.loads(line)
        assert {name for name in after if after[name] != before[name]} == MADE_OF[file], file
        before = after


STALE = """
import inspect
from dracotheque.engine.jit import linking
from dracotheque.engine.game import Game
from dracotheque.engine.registry import find_game
from dracotheque.games.emerald.rules import actions, mechanics, scoring
state = Game(find_game("emerald"), 3, {"starts": "1"}).new_initial_state()
for outcome in [8] * 6 + [9] * 3 + [12] * 5 + [13] * 4:
    state.apply_action(outcome)
state.apply_action(0)
state.scores()
print(state.to_plain().moved)
functions = {f for module in (mechanics, scoring, actions) for f in vars(module).values() if inspect.isfunction(f)}
print(sum(len(linking.versions(f)) for f in functions if f.__module__.startswith("dracotheque.games")))
"""


def rewritten(path: Path, old: str, new: str) -> None:
    """Change a line of a file, unnoticed by the clock."""
    text, stamp = path.read_text("utf-8"), path.stat()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), "utf-8")
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))


def test_a_changed_rule_is_never_served_stale(tmp_path: Path) -> None:
    """Compile a copy of the library, change one line of a rule, and see the change at once."""
    package = a_copy(tmp_path)
    moved, compiled = run(STALE, tmp_path, package.parent)
    assert moved == "7"  # tower 1 holds three knights: field 3
    assert int(compiled) > 40
    rule = "    return game.crowd[place]\n", "    return game.crowd[place] - 1\n"
    rewritten(package / "games" / "emerald" / "rules" / "mechanics.py", *rule)
    assert run(STALE, tmp_path, package.parent)[0] == "6"
    rewritten(package / "games" / "emerald" / "rules" / "mechanics.py", *reversed(rule))
    with (package / "games" / "emerald" / "board_view.py").open("a") as file:
        file.write("\nMORE = 1\n")
    assert run(STALE, tmp_path, package.parent) == ["7", "0"]  # known again from the first time: nothing was compiled


PLUG_IN = """
import inspect
from dracotheque.engine.jit import linking
from dracotheque.engine.game import Game
from plug_in import GAME, counting, rules
state = Game(GAME, 3, {}).new_initial_state()
state.apply_actions([0, 1, 2])
state.apply_action(0)
print(state.scores())
functions = {f for module in (rules, counting) for f in vars(module).values() if inspect.isfunction(f)}
print(sum(len(linking.versions(f)) for f in functions if f.__module__.startswith("plug_in")))
"""


def test_nor_is_one_of_a_game_outside_the_library(tmp_path: Path) -> None:
    package = tmp_path / "plug_in"
    shutil.copytree(Path(__file__).parent / "toy", package, ignore=shutil.ignore_patterns("__pycache__"))
    counting = "\n\n@compiled\ndef scores(game, out):\n    for seat in range(seats(game)):\n"
    count = "        out[seat] = game.points[seat]\n"
    rewritten(package / "rules.py", counting + count, "\n\nfrom .counting import scores\n")
    head = "from dracotheque.engine.rule_helpers import seats\nfrom dracotheque.engine.rule import compiled\n"
    (package / "counting.py").write_text(head + counting + count)
    scores, compiled = run(PLUG_IN, tmp_path, cache.PACKAGE.parent, tmp_path)
    assert scores == "[1, 2, 3]"
    assert int(compiled) > 0
    rewritten(package / "counting.py", count, count.replace("\n", " + 40\n"))
    assert run(PLUG_IN, tmp_path, cache.PACKAGE.parent, tmp_path)[0] == "[41, 42, 43]"
    with (package / "text.py").open("a") as file:
        file.write("\nMORE = 1\n")
    assert run(PLUG_IN, tmp_path, cache.PACKAGE.parent, tmp_path) == ["[41, 42, 43]", "0"]
