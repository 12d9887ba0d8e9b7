"""Every test of the terminal plays in an empty folder."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Play in an empty folder, where games left are saved."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
