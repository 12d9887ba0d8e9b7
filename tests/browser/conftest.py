"""A browser and a server for all tests of the page."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.chromium import find
from tests.browser.page_objects import Guests
from tests.server.guests import Server, serving


@pytest.fixture(scope="module")  # while it is there, no other test in this process can have an event loop
def chromium() -> Iterator[Browser]:
    """The Chromium of this machine."""
    found = find()
    assert found, "no Chromium: python -m tests.browser.chromium fetches one"
    # Chromium's sandbox does not work for root.
    arguments = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=arguments)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that do not break it."""
    with serving(tmp_path_factory.mktemp("page") / "tables.db") as running:
        yield running


@pytest.fixture
def guests(chromium: Browser, server: Server) -> Iterator[Guests]:
    """Opens browsers, one for each person; at the end the page must not have met with an error in any."""
    with Guests(chromium, server) as come:
        yield come


@pytest.hookimpl(tryfirst=True)  # pytest-xdist looks for the marks in the same hook
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let all tests of a file run in one process: each needs a browser of its own, which takes time to start."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
