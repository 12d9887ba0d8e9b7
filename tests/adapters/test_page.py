"""Every Python block of docs/how-to/use-adapters.md runs, from top to bottom."""

from __future__ import annotations

import random

import pytest

from dracotheque.engine import registry
from tests.test_docs import blocks, text

pytest.importorskip("pyspiel")
pytest.importorskip("pettingzoo")
pytest.importorskip("gymnasium")


def test_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    random.seed(1)
    exec(compile("\n".join(blocks("docs/how-to/use-adapters.md", "python")), "use-adapters.md", "exec"), {})
    said = capsys.readouterr().out
    assert "end.door" in said
    assert "seat 1: 1:2 2:?" in said
    assert "player_2" in said


def test_the_page_names_every_game_and_horizon() -> None:
    page = text("docs/how-to/use-adapters.md")
    for name, box in registry.games().items():
        assert f"dracotheque_{name.replace('-', '_')}" in page
        assert f"dracotheque/{name}-v0" in page
        assert f"{box.max_moves:,} in {box.title}" in page
