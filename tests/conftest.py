"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# Kernels of training and research are compiled by the process that uses them first.
ROOT = Path(__file__).parents[1]
COMPILE_FOR_THEMSELVES = {ROOT / folder for folder in ("tests/simulation", "tests/training", "research/tests")}

# The machines that run the tests differ in speed; an example is never wrong because it was slow, and the same
# examples everywhere make every failure reproducible.
settings.register_profile("dracotheque", deadline=None, derandomize=True, database=None)
settings.load_profile("dracotheque")

# Several processes test side by side: in each, threads for small matrices would only wait for one another.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@pytest.hookimpl(tryfirst=True)  # pytest-xdist looks for the marks in the same hook
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let all tests of such a file run in one process, lest several compile the same."""
    for item in items:
        if item.path.parent in COMPILE_FOR_THEMSELVES:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


def pytest_collection_finish(session: pytest.Session) -> None:
    """See that pytest-xdist does group them: under pytest 9.2 its version 3.8 silently does not."""
    if getattr(session.config.option, "loadgroup", False):
        lost = [each for each in session.items if each.get_closest_marker("xdist_group") and "@" not in each.nodeid]
        assert not lost, "tests that belong together would run in several processes: pytest-xdist does not fit pytest"
