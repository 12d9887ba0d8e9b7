"""Mutation testing: break a game's rules in every small way and see that a test notices.

Cosmic Ray makes the mutants; the rules run interpreted, so a mutant costs a second. Each of the parallel workers has
a copy of the tree. Survivors must stand in survivors.toml with a reason. `make mutants` runs it.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
import time
import tomllib
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "mutants"
PACKAGES = sorted(path.parents[1].name for path in (ROOT / "src/dracotheque/games").glob("*/rules/mechanics.py"))
GAMES = [name for name in PACKAGES if not name[-1].isdigit()]  # emerald_1 and the like are frozen
TESTS = ("rules", "tensor", "golden", "properties", "secrets", "reference_rules")  # of every game that has them
RULES = (
    "mechanics",
    "bitsets",
    "reachability",
    "scoring",
    "actions",
    "observation",
)  # the modules of a game that are broken
KNOWN = Path(__file__).with_name("survivors.toml")
WANTED = 90.0  # per cent of mutants killed
COSMIC_RAY = [sys.executable, "-m", "cosmic_ray.cli"]

# One or two replacements for each operator say as much as eleven; `is` is `==` for small numbers; decorators do
# nothing in interpreted rules; an annotation is not code.
LEFT_OUT = [
    "core/RemoveDecorator",
    "core/ReplaceComparisonOperator_.*_(Is|IsNot)",
    "core/ReplaceComparisonOperator_Eq_(Lt|LtE|Gt|GtE)",
    "core/ReplaceComparisonOperator_NotEq_(Lt|LtE|Gt|GtE)",
    "core/ReplaceComparisonOperator_(Lt|LtE|Gt|GtE)_(Eq|NotEq)",
    "core/ReplaceComparisonOperator_Lt_Gt",
    "core/ReplaceComparisonOperator_Gt_Lt",
    "core/ReplaceComparisonOperator_LtE_GtE",
    "core/ReplaceComparisonOperator_GtE_LtE",
    "core/ReplaceBinaryOperator_Add_(?!Sub).*",
    "core/ReplaceBinaryOperator_Sub_(?!Add).*",
    "core/ReplaceBinaryOperator_Mul_(?!Add).*",
    "core/ReplaceBinaryOperator_(Div|FloorDiv|Mod)_(?!Mul).*",
    "core/ReplaceBinaryOperator_(BitOr|BitAnd|BitXor|LShift|RShift|Pow)_.*",
]


def main() -> None:
    """Make the mutants of one game or of all, run the tests on each, and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=GAMES, action="append", help="only this game (default: all)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--tests", default=",".join(TESTS), help="the test_*.py files that must notice")
    parser.add_argument("--report", action="store_true", help="only show the result of the last run again")
    chosen = parser.parse_args()
    verdicts: list[int] = []
    for game in chosen.game or GAMES:
        if not chosen.report:
            try_mutants(game, chosen.tests.split(","), chosen.workers)
        verdicts.append(judge(game))
    sys.exit(max(verdicts))


def try_mutants(game: str, tests: list[str], workers: int) -> None:
    """Make a game's mutants and run its tests on each."""
    print(f"Breaking {game} …", flush=True)
    shutil.rmtree(BUILD / game, ignore_errors=True)
    trees = [copy_tree(game, number) for number in range(workers)]
    config = write_config(game, tests)
    require_green(config, trees[0])
    share_mutants(config, trees)
    run_tests(config, trees)


def copy_tree(game: str, number: int) -> Path:
    """Copy what the tests need, for one worker to break and mend."""
    copy = BUILD / game / f"tree-{number}"
    for name in ("src", "tests"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "*.ptx"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    return copy


def write_config(game: str, tests: list[str]) -> Path:
    """Tell Cosmic Ray what to break and how to test it."""
    folder = f"src/dracotheque/games/{game}"
    modules = [f"{folder}/rules/{name}.py" for name in RULES if (ROOT / folder / "rules" / f"{name}.py").exists()]
    paths = [f"tests/games/{game}/test_{name}.py" for name in tests]
    files = " ".join(path for path in paths if (ROOT / path).exists())
    command = f"{sys.executable} -m pytest -x -q -p no:cacheprovider -k 'not independent_trial' {files}"
    lines = [
        "[cosmic-ray]",
        f"module-path = {json.dumps(modules)}",
        "timeout = 120.0",
        "excluded-modules = []",
        f"test-command = {json.dumps(command)}",
        "[cosmic-ray.distributor]",
        'name = "local"',
        "[cosmic-ray.filters.operators-filter]",
        f"exclude-operators = {json.dumps(LEFT_OUT)}",
    ]
    path = BUILD / game / "config.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


def environment(tree: Path) -> dict[str, str]:
    """Let a worker use its own copy, its rules interpreted."""
    return os.environ | {"PYTHONPATH": str(tree / "src"), "DRACOTHEQUE_INTERPRETED": "1"}


def share_mutants(config: Path, trees: list[Path]) -> None:
    """Make all mutants once, and leave every worker its share of them."""
    session = config.with_name("session.sqlite")
    subprocess.run([*COSMIC_RAY, "init", config, session], cwd=ROOT, check=True)
    filters = [sys.executable, "-m", "cosmic_ray.tools.filters.operators_filter", session, config]
    subprocess.run(filters, cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
    with sqlite3.connect(session) as database:
        database.execute("DELETE FROM mutation_specs WHERE job_id IN (SELECT job_id FROM work_results)")
        database.execute("DELETE FROM work_items WHERE job_id IN (SELECT job_id FROM work_results)")
        database.execute("DELETE FROM work_results")
    for number, tree in enumerate(trees):
        shutil.copy(session, tree / "session.sqlite")
        with sqlite3.connect(tree / "session.sqlite") as database:
            theirs = f"SELECT job_id FROM mutation_specs WHERE rowid % {len(trees)} != {number}"
            database.execute(f"DELETE FROM work_items WHERE job_id IN ({theirs})")
            database.execute(f"DELETE FROM mutation_specs WHERE rowid % {len(trees)} != {number}")


def run_tests(config: Path, trees: list[Path]) -> None:
    """Let every worker go through its share, and show how many mutants are done."""
    columns = (TextColumn("mutants"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    workers = [
        subprocess.Popen(
            [*COSMIC_RAY, "exec", config, "session.sqlite"], cwd=tree, env=environment(tree), stderr=subprocess.DEVNULL
        )
        for tree in trees
    ]
    try:
        with Progress(*columns) as progress:
            task = progress.add_task("", total=sum(count(tree, "mutation_specs") for tree in trees))
            while any(worker.poll() is None for worker in workers):
                progress.update(task, completed=sum(count(tree, "work_results") for tree in trees))
                time.sleep(2)
            progress.update(task, completed=sum(count(tree, "work_results") for tree in trees))
    finally:
        for worker in workers:
            worker.terminate()


def require_green(config: Path, tree: Path) -> None:
    """See that the tests pass without a mutant: otherwise every mutant would seem to be noticed."""
    command = shlex.split(tomllib.loads(config.read_text())["cosmic-ray"]["test-command"])
    done = subprocess.run(command, cwd=tree, env=environment(tree), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"The tests fail without any mutant:\n{done.stdout[-3000:]}")


def count(tree: Path, table: str) -> int:
    """Count the rows of a table of a worker's session."""
    with sqlite3.connect(tree / "session.sqlite", timeout=30) as database:
        return database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def judge(game: str) -> int:
    """Show a game's score and the survivors; 1 where the score is too low or a survivor has no reason."""
    query = """
        SELECT m.module_path, m.definition_name, m.operator_name, m.start_pos_row, r.worker_outcome, r.test_outcome,
               r.diff
        FROM mutation_specs m JOIN work_results r USING (job_id)
    """
    tested, made = [], 0
    for session in (BUILD / game).glob("tree-*/session.sqlite"):
        made += count(session.parent, "mutation_specs")
        with sqlite3.connect(session, timeout=30) as database:
            tested += database.execute(query).fetchall()
    survivors = [row for row in tested if "SURVIVED" in str(row[5]).upper()]
    odd = [row for row in tested if "SURVIVED" not in str(row[5]).upper() and "KILLED" not in str(row[5]).upper()]
    known = tomllib.loads(KNOWN.read_text("utf-8"))["survivor"] if KNOWN.exists() else []
    reasons = {(e["function"], e["change"]): e["reason"] for e in known if e["game"] == game}
    unexplained = 0
    for module, function, operator, row, *_, diff in sorted(survivors, key=lambda s: (s[0], s[3])):
        change = described(diff)
        reason = reasons.get((str(function), change))  # None: outside of every function
        unexplained += reason is None
        print(f"{Path(module).name}:{row} {function} ({operator.removeprefix('core/')})\n    {change}")
        print(f"    {'NO REASON GIVEN' if reason is None else reason}")
    killed = 100 * (len(tested) - len(survivors)) / max(len(tested), 1)
    print(f"{game}: {len(tested)} mutants, {killed:.1f} % killed (wanted: {WANTED:.0f} %),")
    print(f"{len(survivors)} survivors ({unexplained} unexplained), {len(odd)} without a verdict.")
    if len(tested) < made or not tested:
        print(f"Not finished: {made - len(tested)} of {made} mutants were not tested.")
        return 1
    return int(killed < WANTED or unexplained > 0 or bool(odd))


def described(diff: str) -> str:
    """Write what a mutant changed as `before` → `after`."""
    lines = diff.splitlines()
    before = next((line[1:].strip() for line in lines if line.startswith("-") and not line.startswith("---")), "")
    after = next((line[1:].strip() for line in lines if line.startswith("+") and not line.startswith("+++")), "")
    return f"{before} → {after}"


if __name__ == "__main__":
    main()
