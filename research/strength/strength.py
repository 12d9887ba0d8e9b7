"""Measure how strong the bots are: tournaments of every level among the one below, into the report.

The report is docs/explanation/reports/strength.md.

    make strength              every step of every game, 2,000 games each (about two hours on two cores)
    make strength ARGS=--quick a rough look, kept apart
    make strength ARGS="--game gran"  only the rows of one game
    make strength ARGS=--missing  only rows that the page does not have yet
    make strength ARGS=--kept  play nothing: write the page from what was played so far, and what is still to be played

What is played is kept in build/strength, so that an interrupted run goes on where it stopped. A row that is not played
now stays in the page as it is, as long as its bots are the same.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dracotheque.bots.default_bots import level_table
from dracotheque.engine import registry
from research.shared.study import write_between

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "reports" / "strength.md"
KEPT = Path(__file__).parents[2] / "build" / "strength"
GAMES, FEWER, QUICK = 2_000, 1_000, 40
SEARCH_VARIANTS = [
    ("emerald", "search:300:explore=0.5:wide=1:advice=70", "search:300:explore=0.5:wide=1"),
    ("emerald", "search:300:explore=0.5:wide=1:advice=70", "search:300:explore=0.5:wide=1:advice=70:depth=10"),
    ("dragons-cave", "search:800", "search:800:depth=1000"),
    ("save-the-dragon", "search:2000", "search:2000:wide=1:depth=0"),
]
"""Searches as they are (Emerald as it was before anything was learned), and others with as many simulations."""
LEARNED = [
    (
        "emerald",
        2,
        "search:1800:explore=0.15:wide=1:depth=0:learned=1",
        "search:1000:explore=0.5:wide=1:advice=70",
        GAMES,
    ),
    (
        "emerald",
        3,
        "search:360:explore=0.15:wide=1:depth=0:learned=1",
        "search:200:explore=0.5:wide=1:advice=70",
        GAMES,
    ),
    ("gran", 3, "search:400:explore=0.15:depth=0:learned=1", "search:500:explore=0.15:depth=0", GAMES),
    ("dragons-cave", 2, "mixer:60:opponent_prior=50", "search:3000", GAMES),
    ("dragons-cave", 2, "mixer:60", "search:3000", 1_000),
    ("save-the-dragon", 3, "search:3600:wide=1:depth=0:learned=1", "search:2000:wide=1", 1_000),
    ("save-the-dragon", 4, "search:3600:wide=1:depth=0:learned=1", "search:2000:wide=1", 1_000),
]
"""Bots that know what was learned or solved, among others that do not; none takes longer for a choice than these."""


LEVELS = level_table()


@dataclass(frozen=True)
class Step:
    """One bot of a kind among others of another kind, at a table of a size."""

    game: str
    players: int
    better: str
    worse: str
    games: int

    @property
    def file(self) -> str:
        """Where its results are kept."""
        bots = [LEVELS.get(bot, {}).get(self.game, bot) for bot in (self.better, self.worse)]
        digest = hashlib.sha256(" ".join(bots).encode()).hexdigest()[:6]  # a level may become another bot
        return f"{self.game}-{self.players}-{self.better}-{self.worse}-{digest}.json".replace(":", "-")

    def command(self, games: int) -> list[str]:
        """The tournament's command."""
        field = ",".join([self.better, *[self.worse] * (self.players - 1)])
        deals = -(-min(games, self.games) // self.players)
        return ["dracotheque", "tournament", self.game, "--bots", field, "--deals", str(deals)]


def steps() -> list[Step]:
    """Every level among the one below, in every game; and the heuristic among random players."""
    pairs = [("greedy", "random"), *zip([*LEVELS][1:], [*LEVELS][:-1], strict=True)]
    return [Step(game.name, game.min_players, *pair, GAMES) for game in registry.games().values() for pair in pairs]


def search_variants() -> list[Step]:
    """Every search against a variant with other parameters."""
    return [
        Step(game, registry.games()[game].min_players, better, worse, FEWER) for game, better, worse in SEARCH_VARIANTS
    ]


def learned() -> list[Step]:
    """What was learned, among Dragons that know nothing of it."""
    return [Step(*each) for each in LEARNED]


def played(step: Step, games: int, folder: Path, play: bool = True) -> dict[str, Any] | None:
    """Take a step from its file; else play it, if that is wanted."""
    file = folder / step.file
    kept = json.loads(file.read_text("utf-8")) if file.exists() else None
    if kept and kept["games"] >= min(games, step.games):
        return kept
    if not play:
        return None
    file.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "dracotheque", *step.command(games)[1:], "--save", str(file)]
    print(" ".join(step.command(games)), flush=True)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return json.loads(file.read_text("utf-8"))


def head(step: Step) -> str:
    """Write how the row of a step begins: which game, how many players, and who."""
    return f"| {registry.games()[step.game].title} | {step.players} | `{step.better}` among `{step.worse}` |"


def row(step: Step, result: dict[str, Any]) -> str:
    """Write one row of the table."""
    bot = next(each for each in result["standings"] if each["bot"] == step.better)
    share, fair = bot["share"], bot["times_fair"]
    cells = (
        f"{result['games']:,}",
        f"{100 * share['value']:.1f} % ({100 * share['low']:.1f}–{100 * share['high']:.1f})",
        f"{fair['value']:.2f} ({fair['low']:.2f}–{fair['high']:.2f})",
        f"{bot['mean_ms']:.2g}",
    )
    return f"{head(step)} {' | '.join(cells)} |"


def row_in_page(step: Step, page: str) -> str | None:
    """Find the row of a step in the page, if it has enough games and its levels are still the same bots."""
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    cells = {level: [cell.strip() for cell in line.split("|")] for line in rows for level in [line.split()[1]]}
    column = [*registry.games()].index(step.game) + 2
    for level in {step.better, step.worse} & {*LEVELS}:
        if level in cells and cells[level][column] != f"`{LEVELS[level][step.game]}`":
            return None
    found = next((line for line in rows if line.startswith(head(step))), None)
    return found if found and int(found.split("|")[4].replace(",", "")) >= step.games else None


def table(results: list[tuple[Step, dict[str, Any] | None]], page: str) -> str:
    """Lay out steps, as they were played or as the page has them, and say which are missing."""
    heads = ("game", "players", "who", "games", "wins", "× fair share", "ms a choice")
    rows = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    found = {step: row(step, result) if result else row_in_page(step, page) for step, result in results}
    rows += [each for each in found.values() if each]
    missing = [
        f"`{step.better}` among `{step.worse}` ({registry.games()[step.game].title}, {step.players} players)"
        for step, each in found.items()
        if not each
    ]
    return "\n".join(rows) + (f"\n\nStill to be played: {', '.join(missing)}." if missing else "")


def levels() -> str:
    """Lay out what the levels are."""
    rows = [
        "| level | " + " | ".join(game.title for game in registry.games().values()) + " |",
        "|---|" + "---|" * len(registry.games()),
    ]
    for level, games in LEVELS.items():
        rows.append(f"| {level} | " + " | ".join(f"`{games[name]}`" for name in registry.games()) + " |")
    return "\n".join(rows)


def main() -> None:
    """Play what is missing and write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} games a step; prints, and leaves the page alone")
    parser.add_argument("--kept", action="store_true", help="play nothing: write the page from what was played so far")
    parser.add_argument("--missing", action="store_true", help="play only what the page does not have yet")
    parser.add_argument("--game", choices=registry.games(), action="append", help="play only this one")
    chosen = parser.parse_args()
    games, folder = (QUICK, KEPT / "quick") if chosen.quick else (GAMES, KEPT)
    page = before = "" if chosen.quick else PAGE.read_text("utf-8")
    for name, wanted in {"levels": steps(), "ways": search_variants(), "learned": learned()}.items():
        asked = {step for step in wanted if not chosen.kept and (not chosen.game or step.game in chosen.game)}
        asked -= {step for step in wanted if chosen.missing and row_in_page(step, before)}
        shown = [step for step in wanted if step in asked or not chosen.quick]
        text = table([(step, played(step, games, folder, step in asked)) for step in shown], before)
        if chosen.quick:
            print(text)
        page = write_between(page, name, f"{text}\n\n{levels()}" if name == "levels" else text)
    if not chosen.quick:
        PAGE.write_text(page, "utf-8")


if __name__ == "__main__":
    main()
