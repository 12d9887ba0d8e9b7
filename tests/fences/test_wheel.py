"""What is in the wheel: the files listed, none of research and none of the tests."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.fences import wheel


def test_the_wheel_has_the_files_listed() -> None:
    listed = wheel.LISTED.read_text(encoding="utf-8").splitlines()
    found = wheel.wheel_files()
    assert (sorted({*found} - {*listed}), sorted({*listed} - {*found})) == ([], []), (
        "Files came into the wheel, or left it. If that is meant, write the list anew: python -m tests.fences.wheel"
    )
    assert listed == found


def test_nothing_of_tests_and_research_is_in_the_wheel() -> None:
    files = wheel.wheel_files()
    assert [*wheel.strangers(files)] == []
    assert "dracotheque/games/save_the_dragon/tablebase/save-the-dragon.npz" in files
    assert "dracotheque/server/page/index.html" in files


@pytest.mark.parametrize(
    "path", ["dracotheque/games/gran/test_rules.py", "dracotheque/research/study.py", "research/study.py"]
)
def test_a_stranger_is_found(path: str, tmp_path: Path) -> None:
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(wheel.ROOT / name, tmp_path)
    settings = tmp_path / "pyproject.toml"
    text = settings.read_text("utf-8").replace('["src/dracotheque"]', '["src/dracotheque", "src/research"]')
    settings.write_text(text, "utf-8")
    for file in ("dracotheque/__init__.py", path):
        (tmp_path / "src" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "src" / file).write_text("", encoding="utf-8")
    assert [*wheel.strangers(wheel.wheel_files(tmp_path))] == [path]
