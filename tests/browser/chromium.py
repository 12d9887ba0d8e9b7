"""The Chromium that drives the page: the machine's own, or one that is fetched for the tests.

python -m tests.browser.chromium finds or installs it, and says what is missing where it cannot.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

SHELL = "chromium-headless-shell"  # the same browser without all that belongs to windows: it takes a quarter less time
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")


def find() -> str | None:
    """Find a Chromium: on the path, where macOS keeps it, or the one Playwright has fetched."""
    for name in NAMES:
        if path := shutil.which(name):
            return path
    return str(MAC) if MAC.exists() else fetched()


def fetched() -> str | None:
    """Find the Chromium that Playwright has fetched."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def main() -> None:
    """Find a Chromium, or get one: from Playwright, or for root from the system's packages."""
    if find():
        return
    print("Fetching Chromium for the tests of the page (once, about a minute) …", flush=True)
    attempts = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if shutil.which("apt-get") and os.geteuid() == 0:
        install = ["apt-get", "install", "--yes", "--no-install-recommends"]
        attempts += [["apt-get", "update"], [*install, SHELL], [*install, "chromium"]]
    for command in attempts:
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if find():
            return
    sys.exit(
        "The tests of the page need Chromium, and none could be fetched. Install one (Debian, Ubuntu: apt install"
        " chromium; others: python -m playwright install --with-deps chromium) and run make test again."
    )


if __name__ == "__main__":
    main()
