"""Draws the icons of the installed page from icon.svg, with the Chromium that also tests it: python web/icons.py."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
PAGE = ROOT / "src/dracotheque/server/page"
GROUND = "#1f7a5c"
ICONS = {"icon-192": (192, False), "icon-512": (512, False), "maskable-512": (512, True)}
SAFE = 0.74  # of a maskable icon; systems may cut off what is outside


def draw(browser: Browser, name: str, size: int, maskable: bool) -> None:
    """Draw an icon: with its own round corners, or on a ground that any shape may be cut from."""
    within = round(size * SAFE) if maskable else size
    page = browser.new_page(viewport={"width": size, "height": size})
    drawing = (PAGE / "icon.svg").read_text("utf-8").replace("<svg ", f'<svg width="{within}" height="{within}" ', 1)
    ground = GROUND if maskable else "transparent"
    page.set_content(f'<body style="margin:{(size - within) // 2}px;background:{ground}">{drawing}')
    page.screenshot(path=PAGE / "icons" / f"{name}.png", omit_background=True)
    page.close()


def main() -> None:
    """Draw every icon."""
    from tests.browser.chromium import find

    (PAGE / "icons").mkdir(exist_ok=True)
    arguments = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=arguments)
        for name, (size, maskable) in ICONS.items():
            draw(browser, name, size, maskable)
        browser.close()


if __name__ == "__main__":
    main()
