"""Measure how strong the bots are, and write it into docs/strength.md: tournaments of every level among the one below.

    make strength              every step of every game, 2,000 games each (about an hour on two cores)
    make strength ARGS=--quick a rough look, kept apart

What is played is kept in build/strength, so that an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dracotheque.bots.levels import LEVELS
from dracotheque.games import SHELF

PAGE = Path(__file__).parents[1] / "strength.md"
KEPT = Path(__file__).parents[2] / "build" / "strength"
GAMES, FEWER, QUICK = 2_000, 200, 40
WAYS = [
    ("emerald", "search:300", "search:300:explore=0.5:wide=1"),
    ("emerald", "search:300", "search:300:explore=0.5:wide=1:advice=70:depth=10"),
    ("dragons-cave", "search:800", "search:800:trust=1"),
    ("save-the-dragon", "search:2000", "search:2000:wide=1:depth=0"),
]
"""Searches as they are, and others with as many simulations."""


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
        return f"{self.game}-{self.better}-{self.worse}.json".replace(":", "-")

    def command(self, games: int) -> list[str]:
        """The tournament's command."""
        field = ",".join([self.better, *[self.worse] * (self.players - 1)])
        deals = -(-min(games, self.games) // self.players)
        return ["dracotheque", "tournament", self.game, "--bots", field, "--deals", str(deals)]


def steps() -> list[Step]:
    """Every level among the one below, in every game; and who follows the advice among those who play at random."""
    pairs = [("greedy", "random"), *zip([*LEVELS][1:], [*LEVELS][:-1], strict=True)]
    return [Step(box.name, box.fewest, *pair, GAMES) for box in SHELF.values() for pair in pairs]


def ways() -> list[Step]:
    """Every search as it is against another way of searching."""
    return [Step(game, SHELF[game].fewest, better, worse, FEWER) for game, better, worse in WAYS]


def played(step: Step, games: int, folder: Path) -> dict[str, Any]:
    """Play a step, or take it from its file."""
    file = folder / step.file
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "dracotheque", *step.command(games)[1:], "--save", str(file)]
        print(" ".join(step.command(games)), flush=True)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return json.loads(file.read_text("utf-8"))


def row(step: Step, result: dict[str, Any]) -> str:
    """Write one row of the table."""
    bot = next(each for each in result["standings"] if each["bot"] == step.better)
    share, fair = bot["share"], bot["times_fair"]
    cells = (
        SHELF[step.game].title,
        str(step.players),
        f"`{step.better}` among `{step.worse}`",
        f"{result['games']:,}",
        f"{100 * share['value']:.1f} % ({100 * share['low']:.1f}–{100 * share['high']:.1f})",
        f"{fair['value']:.2f} ({fair['low']:.2f}–{fair['high']:.2f})",
        f"{bot['mean_ms']:.2g}",
    )
    return f"| {' | '.join(cells)} |"


def table(results: list[tuple[Step, dict[str, Any]]]) -> str:
    """Lay out steps."""
    heads = ("game", "players", "who", "games", "wins", "× fair share", "ms a choice")
    rows = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads), *(row(step, result) for step, result in results)]
    return "\n".join(rows)


def levels() -> str:
    """Lay out what the levels are."""
    rows = ["| level | " + " | ".join(box.title for box in SHELF.values()) + " |", "|---|" + "---|" * len(SHELF)]
    for level, games in LEVELS.items():
        rows.append(f"| {level} | " + " | ".join(f"`{games[name]}`" for name in SHELF) + " |")
    return "\n".join(rows)


def write(name: str, text: str) -> None:
    """Put what was measured between the marks of the page."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, _, rest = PAGE.read_text("utf-8").partition(begin)
    _, _, after = rest.partition(end)
    PAGE.write_text(f"{before}{begin}\n{text}\n{end}{after}", "utf-8")


def main() -> None:
    """Play what is missing and write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} games a step; prints, and leaves the page alone")
    parser.add_argument("--game", choices=SHELF, action="append", help="only this one; leaves the page alone")
    chosen = parser.parse_args()
    games, folder = (QUICK, KEPT / "quick") if chosen.quick else (GAMES, KEPT)
    parts = {"levels": steps(), "ways": ways()}
    for name, wanted in parts.items():
        asked = [step for step in wanted if not chosen.game or step.game in chosen.game]
        text = table([(step, played(step, games, folder)) for step in asked])
        if chosen.quick or chosen.game:
            print(text)
        else:
            write(name, f"{text}\n\n{levels()}" if name == "levels" else text)


if __name__ == "__main__":
    main()
