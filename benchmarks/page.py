"""Measure the page in a real browser, writing benchmarks/results-page.md: make page-bench (two minutes)."""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, sync_playwright
from report import machine

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
FILE = HERE / "results-page.md"
SLOWER = 4
WAIT = 60_000  # milliseconds
SMOOTH = 1000 / 60 * 1.5  # a frame that takes longer was missed

# The first game with a button that does something: handlers are there as soon as the button is.
READY = """globalThis.ready = 0;
const watch = new MutationObserver(() => {
  if (!document.querySelector(".game-card button.main")) return;
  globalThis.ready = performance.now();
  watch.disconnect();
});
watch.observe(document, { childList: true, subtree: true });"""
PAINTED = """() => new Promise((done) => new PerformanceObserver((list) => {
  for (const entry of list.getEntriesByName("first-contentful-paint")) done(entry.startTime);
}).observe({ type: "paint", buffered: true }))"""
# Frames as they come while a piece is on its way.
FRAMES = """() => new Promise((done) => {
  const frames = [];
  let still = 0;
  const look = (now) => {
    const moving = document.getAnimations().some((one) => one.playState === "running" && one.effect.target?.closest?.(
      ".figure, .figures, .dice"));
    if (moving) frames.push(now);
    still = moving ? 0 : still + 1;
    if (still > 90) done(frames);
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})"""


Visit = tuple[float, float]


def first_page(browser: Browser, url: str, slower: int) -> Visit:
    """Open the page for the first time; give the milliseconds until it is painted, and until a game can be played."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, service_workers="block")
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.add_init_script(READY)
    page.goto(url)
    page.wait_for_selector(".game-card button.main", timeout=WAIT)
    painted = page.evaluate(PAINTED)
    ready = page.evaluate("ready")
    context.close()
    return painted, ready


def moving(context: BrowserContext, url: str, game: str, choices: int) -> list[float]:
    """Play a few choices against bots; give the milliseconds of every frame in which something moved."""
    page = context.new_page()
    page.goto(url)
    page.locator(f".game-card.{game} button.main").click(timeout=WAIT)
    gaps: list[float] = []
    for _ in range(choices):
        page.locator("button.choice:enabled").first.wait_for(timeout=WAIT)
        page.locator("button.choice:enabled").first.evaluate("button => button.click()")
        frames = page.evaluate(FRAMES)
        gaps += [after - before for before, after in pairwise(frames) if after - before < 400]
    page.close()
    return gaps


def spread(values: list[float]) -> str:
    """Write the middle of some times, and from where to where they go."""
    return f"{statistics.median(values):.0f} ({min(values):.0f}–{max(values):.0f})"


def report(rows: dict[str, list[Visit]], gaps: dict[str, list[float]], load: str, version: str) -> str:
    """Write what was measured."""
    runs = min(map(len, rows.values()))
    lines = [
        "# The page, in a real browser",
        "",
        f"Measured on {time.strftime('%Y-%m-%d %H:%M')} by `make page-bench`.",
        "",
        f"- Machine: {machine()}, shared by server and browser",
        f"- Chromium {version} without a window, drawing in software",
        f"- Load before the run: {load} (1, 5, 15 minutes)",
        "",
        "## The first page",
        "",
        f"From the first request, with nothing in any cache, in milliseconds: the middle of {runs} visits, and all of"
        " them in brackets. A game can be played as soon as its button is there and does something.",
        "",
        "| CPU | something is painted | a game can be played |",
        "|---|---:|---:|",
    ]
    for name, found in rows.items():
        lines.append(f"| {name} | {' | '.join(spread(list(each)) for each in zip(*found, strict=True))} |")
    lines += [
        "",
        "## While pieces move",
        "",
        "Frames during the motion of pieces at a table against bots; one that took longer than 25 ms was missed.",
        "",
        "| game | frames | frames a second, in the middle | missed |",
        "|---|---:|---:|---:|",
    ]
    for game, found in gaps.items():
        if found:
            rate, missed = 1000 / statistics.median(found), sum(gap > SMOOTH for gap in found) / len(found)
            lines.append(f"| {game} | {len(found)} | {rate:.0f} | {missed:.1%} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15, help="visits of the first page (15)")
    parser.add_argument("--choices", type=int, default=6, help="choices at every table (6)")
    parser.add_argument("--out", type=Path, default=FILE, help="the file to write")
    wanted = parser.parse_args()
    load = ", ".join(f"{each:.2f}" for each in os.getloadavg())
    from tests.browser.chromium import find
    from tests.server.guests import serving

    arguments = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "tables.db") as server, sync_playwright() as p:
        browser = p.chromium.launch(executable_path=find(), args=arguments)
        first_page(browser, server.url, 1)  # the server and the disk have met the page once
        rows = {
            f"{slower} × slower" if slower > 1 else "as it is": [
                first_page(browser, server.url, slower) for _ in range(wanted.runs)
            ]
            for slower in (1, SLOWER)
        }
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        gaps = {game: moving(context, server.url, game, wanted.choices) for game in ("emerald", "dragons-cave", "gran")}
        wanted.out.write_text(report(rows, gaps, load, browser.version), "utf-8")
        browser.close()
    print(wanted.out.read_text("utf-8"))


if __name__ == "__main__":
    main()
