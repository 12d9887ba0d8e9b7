"""Mutation testing: break Emerald's rules in every small way and see that a test notices.

Cosmic Ray makes the mutants; the rules run interpreted, so a mutant costs a second. Each of the parallel workers has
a copy of the tree. Survivors must stand in survivors.toml with a reason; see `make mutants`.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
import tomllib
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

ROOT = Path(__file__).parents[2]
HERE = ROOT / "build" / "mutants"
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
    """Make the mutants, run the tests on each, and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="emerald", help="the folder under src/dracotheque/games")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--tests", default="rules,golden,properties", help="which test_*.py files of the game must notice"
    )
    parser.add_argument("--report", action="store_true", help="only show the result of the last run again")
    chosen = parser.parse_args()
    session = HERE / "session.sqlite"
    if not chosen.report:
        shutil.rmtree(HERE, ignore_errors=True)
        HERE.mkdir(parents=True)
        ports = [free_port() for _ in range(chosen.workers)]
        config = write_config(chosen.game, chosen.tests.split(","), ports)
        subprocess.run([*COSMIC_RAY, "init", config, session], cwd=ROOT, check=True)
        filters = [sys.executable, "-m", "cosmic_ray.tools.filters.operators_filter", session, config]
        subprocess.run(filters, cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
        run_tests(config, session, ports)
    sys.exit(judge(session))


def free_port() -> int:
    """Ask the system for a port nobody uses."""
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return made.getsockname()[1]


def write_config(game: str, tests: list[str], ports: list[int]) -> Path:
    """Tell Cosmic Ray what to break and how to test it."""
    folder = f"src/dracotheque/games/{game}"
    modules = [f"{folder}/{name}.py" for name in ("rules", "scoring", "choices")]
    files = " ".join(f"tests/games/{game}/test_{name}.py" for name in tests)
    command = f"{sys.executable} -m pytest -x -q -p no:cacheprovider -k 'not independent_trial' {files}"
    lines = [
        "[cosmic-ray]",
        f"module-path = {json.dumps(modules)}",
        "timeout = 90.0",
        "excluded-modules = []",
        f"test-command = {json.dumps(command)}",
        "[cosmic-ray.distributor]",
        'name = "http"',
        "[cosmic-ray.distributor.http]",
        f"worker-urls = {json.dumps([f'http://127.0.0.1:{port}' for port in ports])}",
        "[cosmic-ray.filters.operators-filter]",
        f"exclude-operators = {json.dumps(LEFT_OUT)}",
    ]
    path = HERE / "config.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


def run_tests(config: Path, session: Path, ports: list[int]) -> None:
    """Start a worker in a copy of the tree for each port, and let them work through the mutants."""
    workers = []
    for number, port in enumerate(ports):
        copy = HERE / f"tree-{number}"
        for name in ("src", "tests", "pyproject.toml"):
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__", "*.ptx"))
            else:
                shutil.copy(source, copy / name)
        environment = os.environ | {"PYTHONPATH": str(copy / "src"), "DRACOTHEQUE_INTERPRETED": "1", "MUTANTS": "1"}
        command = [*COSMIC_RAY, "http-worker", "--port", str(port)]
        workers.append(subprocess.Popen(command, cwd=copy, env=environment, stderr=subprocess.DEVNULL))
    require_green(config, environment, copy)
    try:
        executing = subprocess.Popen([*COSMIC_RAY, "exec", config, session], cwd=ROOT, stderr=subprocess.DEVNULL)
        show_progress(session, executing)
    finally:
        for worker in workers:
            worker.terminate()


def require_green(config: Path, environment: dict[str, str], copy: Path) -> None:
    """See that the tests pass without a mutant: otherwise every mutant would seem to be noticed."""
    command = tomllib.loads(config.read_text())["cosmic-ray"]["test-command"]
    done = subprocess.run(shlex.split(command), cwd=copy, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"The tests fail without any mutant:\n{done.stdout[-3000:]}")


def show_progress(session: Path, executing: subprocess.Popen[bytes]) -> None:
    """Show how many mutants are done until all are."""
    columns = (TextColumn("mutants"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns) as progress:
        task = progress.add_task("", total=count(session, "mutation_specs"))
        while executing.poll() is None:
            progress.update(task, completed=count(session, "work_results"))
            time.sleep(2)
        progress.update(task, completed=count(session, "work_results"))


def count(session: Path, table: str) -> int:
    """Count the rows of a table of the session."""
    with sqlite3.connect(session, timeout=30) as database:
        return database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def judge(session: Path) -> int:
    """Show the score and the survivors; 1 where the score is too low or a survivor has no reason."""
    query = """
        SELECT m.module_path, m.definition_name, m.operator_name, m.start_pos_row, r.worker_outcome, r.test_outcome,
               r.diff
        FROM mutation_specs m JOIN work_results r USING (job_id)
    """
    with sqlite3.connect(session, timeout=30) as database:
        rows = database.execute(query).fetchall()
    tested = [row for row in rows if "SKIPPED" not in str(row[4]).upper()]
    survivors = [row for row in tested if "SURVIVED" in str(row[5]).upper()]
    odd = [row for row in tested if "SURVIVED" not in str(row[5]).upper() and "KILLED" not in str(row[5]).upper()]
    known = tomllib.loads(KNOWN.read_text("utf-8"))["survivor"] if KNOWN.exists() else []
    reasons = {(entry["function"], entry["change"]): entry["reason"] for entry in known}
    unexplained = 0
    for module, function, operator, row, *_, diff in sorted(survivors, key=lambda s: (s[0], s[3])):
        change = described(diff)
        reason = reasons.get((function, change))
        unexplained += reason is None
        print(f"{Path(module).name}:{row} {function} ({operator.removeprefix('core/')})\n    {change}")
        print(f"    {'NO REASON GIVEN' if reason is None else reason}")
    killed = 100 * (len(tested) - len(survivors)) / max(len(tested), 1)
    print(
        f"{len(tested)} mutants, {len(survivors)} survivors ({unexplained} unexplained), {len(odd)} without a verdict:"
    )
    print(f"{killed:.1f} % killed (wanted: {WANTED:.0f} %)")
    return int(killed < WANTED or unexplained > 0 or bool(odd) or not tested)


def described(diff: str) -> str:
    """Write what a mutant changed as `before` → `after`."""
    lines = diff.splitlines()
    before = next((line[1:].strip() for line in lines if line.startswith("-") and not line.startswith("---")), "")
    after = next((line[1:].strip() for line in lines if line.startswith("+") and not line.startswith("+++")), "")
    return f"{before} → {after}"


if __name__ == "__main__":
    main()
