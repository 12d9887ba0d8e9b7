"""`dracotheque.rules` has what rules are written with: whatever ours import from the engine, by its name to stay."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from dracotheque import rules
from dracotheque.engine import dispatch
from dracotheque.games import BUILT_IN

GAMES = Path(rules.__file__).parent / "games"


def imported(path: Path) -> set[str]:
    """List the modules that a module imports."""
    nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
    direct = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return direct | {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}


@pytest.mark.parametrize("game", BUILT_IN)
def test_rules_of_ours_import_it_alone(game: str) -> None:
    paths = sorted((GAMES / game / "rules").glob("*.py"))
    assert {path.stem for path in paths} >= {
        "__init__",
        "actions",
        "heuristics",
        "mechanics",
        "observation",
        "scoring",
        "state",
    }
    own = f"dracotheque.games.{game}.rules"
    for path in paths:
        others = {name for name in imported(path) if name != own and not name.startswith(f"{own}.")}
        assert others <= {"__future__", "typing", "numpy", "dracotheque.rules"}, path


def test_everything_named_is_there_once() -> None:
    assert len(set(rules.__all__)) == len(rules.__all__)
    assert all(hasattr(rules, name) for name in rules.__all__)


def test_numbers_are_openspiels() -> None:
    assert (rules.CHANCE, rules.SIMULTANEOUS, rules.TERMINAL) == (-1, -2, -4)
    assert rules.CHANCE == dispatch.CHANCE
