"""Measure what the rock of Save the Dragon does, on seeds that nobody looked at while tuning, and write it down.

make study GAME=save-the-dragon                 docs/explanation/reports/save-the-dragon-rock.md and its pictures
make study GAME=save-the-dragon ARGS=--quick    a rough look, printed only
"""

from __future__ import annotations

import argparse
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from dracotheque.engine.rng import random_below, seeded
from dracotheque.games.save_the_dragon import rock_physics
from dracotheque.games.save_the_dragon.rock_physics import FLOOR, GONE, LANES, STANDS, STEPS, step_of, unpack
from dracotheque.games.save_the_dragon.rules import rock_model
from dracotheque.simulation.progress import bar
from research.save_the_dragon import rock as lab
from research.save_the_dragon.rock import TO_MEASURE, Seen, Situation
from research.save_the_dragon.rock_plots import DAY, NIGHT, Light, Panel, fall_picture, felled_picture
from research.shared.study import Share, Store, percent, processor, table, write_between

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE, PICTURES = DOCS / "explanation" / "reports" / "save-the-dragon-rock.md", DOCS / "pictures"
NEAR = ("in the lane of the door", "one lane beside", "two lanes beside")
SHOWN = Situation((16, 7, 10, 12), 19, 1)  # the fall in the picture


class Study:
    """Lets rocks fall; every measurement has its own seeds, and every fall one of these."""

    def __init__(self, falls: int, store: Store, tell: Callable[[int], None]) -> None:
        """So many falls for every line of the tables; what was measured before is in the store."""
        self.falls, self.store, self.tell = falls, store, tell
        self.stream, self.numbers = [0], count()

    def measured(self, name: str) -> list[Any]:
        """Measure what has that name, unless it was."""
        if name not in self.store.done:
            first = (1 + MEASURED.index(name)) << 24
            self.stream, self.numbers = [seeded(TO_MEASURE, first)], count(first)
            with self.store.timed():
                self.store.keep(name, list(getattr(self, name)()))
        return self.store.done[name]

    def any(self, number: int) -> int:
        """Draw a number."""
        return random_below(self.stream, number)

    def fall(self, pawns: tuple[int, ...], shield: int, door: int) -> Seen:
        """Let the next rock fall."""
        self.tell(1)
        return lab.fall_at(Situation(pawns, shield, door), lab.seed_of(TO_MEASURE, next(self.numbers)))

    def low_shield(self, spot: int) -> int:
        """A place for the shield lower than a pawn, where it comes too late to help."""
        return self.any((step_of(spot) - 1) * LANES)

    # --- Pawns
    def alone(self) -> Iterator[list[str]]:
        """A pawn alone on steps 2 … 9: felled, and how far, by its lane from the door."""
        for off, words in enumerate(NEAR):
            falls = []
            for _ in range(self.falls):
                door = (0, 2)[self.any(2)] if off == 2 else self.any(LANES)
                lanes = [lane for lane in range(LANES) if abs(lane - door) == off]
                spot = (1 + self.any(STEPS - 1)) * LANES + lanes[self.any(len(lanes))]
                falls.append(self.fall((spot,), self.low_shield(spot), door))
            fell = [seen for seen in falls if seen.rests[0] != STANDS]
            floor = sum(seen.rests[0] == FLOOR for seen in fell)
            yield [words, f"{len(falls):,}", _percent(len(fell), len(falls)), _percent(floor, len(falls))]

    def passed(self) -> Iterator[list[str]]:
        """A pawn alone, by where the rock passes its step."""
        seen_by: dict[int, list[bool]] = {0: [], 1: [], 2: []}
        while min(map(len, seen_by.values())) < self.falls / 4:
            lane, door = self.any(LANES), self.any(LANES)
            spot = (1 + self.any(STEPS - 1)) * LANES + lane
            seen = self.fall((spot,), self.low_shield(spot), door)
            rocks = seen.lanes[STEPS - step_of(spot)]
            if rocks != GONE:
                seen_by[abs(rocks - lane)].append(seen.rests[0] != STANDS)
        for off, words in enumerate(("in the pawn's lane", "one lane beside it", "two lanes beside it")):
            yield [words, f"{len(seen_by[off]):,}", _percent(sum(seen_by[off]), len(seen_by[off]))]

    def sheltered(self) -> Iterator[list[str]]:
        """A pawn on steps 2 … 6 in the lane of the door, with the shield above it or out of the way."""
        places = {"no shield above": 0, "shield 1 step above": 1, "shield 2 steps above": 2, "shield 3 steps above": 3}
        for words, above in places.items():
            fell = 0
            for _ in range(self.falls):
                lane = self.any(LANES)
                spot = (1 + self.any(5)) * LANES + lane
                shield = spot + above * LANES if above else self.low_shield(spot)
                fell += self.fall((spot,), shield, lane).rests[0] != STANDS
            yield [words, f"{self.falls:,}", _percent(fell, self.falls)]

    # --- The rock
    def turned(self) -> Iterator[list[str]]:
        """A rock that comes to the shield, on steps 2 … 8, in its lane."""
        for words, lanes in (("in the centre", (1,)), ("in an outer lane", (0, 2))):
            aside = on = stopped = falls = 0
            while falls < self.falls:
                lane = lanes[self.any(len(lanes))]
                step = 2 + self.any(STEPS - 2)
                seen = self.fall((), (step - 1) * LANES + lane, lane)
                if seen.lanes[STEPS - step - 1] != lane:
                    continue
                falls += 1
                after = seen.lanes[STEPS - step + 1]
                stopped += after == GONE
                on += after == lane
                aside += after not in (GONE, lane)
            yield [f"shield {words}", f"{falls:,}", *(_percent(part, falls) for part in (aside, on, stopped))]

    def roams(self) -> Iterator[list[str]]:
        """A rock on empty stairs: how far from the lane of its door, and whether it stops."""
        for words, doors in (("centre", (1,)), ("outer", (0, 2))):
            seen = []
            for _ in range(self.falls):
                door = doors[self.any(len(doors))]
                # The shield stands on the lowest step: what the rock does above does not depend on it.
                seen.append((door, self.fall((), self.any(LANES), door).lanes[:-1]))
            cells = [_percent(sum(lanes[place] == door for door, lanes in seen), len(seen)) for place in (2, 5, 7)]
            more = sum(len({door, *lanes} - {GONE}) > 1 for door, lanes in seen)
            stopped = sum(GONE in lanes for _, lanes in seen)
            yield [words, f"{len(seen):,}", *cells, _percent(more, len(seen)), _percent(stopped, len(seen))]

    def crowd(self) -> Iterator[list[str]]:
        """Two and four pawns anywhere, the shield anywhere."""
        for pawns in (2, 4):
            felled = floor = stopped = nobody = 0
            begun = time.process_time()
            for _ in range(self.falls):
                spots = list(range(FLOOR))
                placed = [spots.pop(self.any(len(spots))) for _ in range(pawns + 1)]
                seen = self.fall(tuple(placed[1:]), placed[0], self.any(LANES))
                fell = sum(rest != STANDS for rest in seen.rests)
                felled, floor, nobody = felled + fell, floor + seen.rests.count(FLOOR), nobody + (fell == 0)
                stopped += GONE in seen.lanes
            rate = self.falls / (time.process_time() - begun)
            shares = (_percent(part, self.falls) for part in (nobody, stopped))
            yield [
                str(pawns),
                f"{self.falls:,}",
                f"{felled / self.falls:.2f}",
                f"{floor / self.falls:.2f}",
                *shares,
                f"{rate:.0f}",
            ]

    # --- Pictures
    def panels(self) -> Iterator[list[float]]:
        """How often a lone pawn is felled on every spot, for each of the PANELS."""
        for _, door, shield in PANELS:
            yield [0.0 if spot == shield else self.felled(spot, shield, door) for spot in range(FLOOR)]

    def felled(self, spot: int, shield: int | None, door: int) -> float:
        """How often a pawn on a spot is felled; None is a shield out of the way."""
        falls, fell = self.falls // 6, 0
        for _ in range(falls):
            low = self.low_shield(spot) if step_of(spot) > 1 else (spot + 1 + self.any(2)) % LANES
            fell += self.fall((spot,), low if shield is None else shield, door).rests[0] != STANDS
        return fell / falls


PANELS = (
    ("Centre, no shield above", 1, None),
    ("Centre, shield on step 6", 1, 16),
    ("Left, no shield above", 0, None),
    ("Left, shield on step 6", 0, 15),
)


def _percent(part: int, whole: int) -> str:
    """A share with its interval, in per cent."""
    return percent(Share.of(part, whole), 1 if part < whole / 20 else 0)


HEADINGS = {
    "alone": ("pawn", "falls", "felled, %", "down to the bottom, %"),
    "passed": ("the boulder passes the pawn's step", "falls", "felled, %"),
    "sheltered": ("pawn in the lane of the door", "falls", "felled, %"),
    "turned": ("the boulder meets the", "boulders", "turned aside, %", "goes on in its lane, %", "stopped, %"),
    "roams": (
        "door", "boulders", "in its lane at step 7, %", "at step 4, %", "at step 2, %", "left it, %", "stopped, %",
    ),
    "crowd": (
        "pawns", "falls", "felled", "down to the bottom", "no one felled, %", "boulder stopped, %", "falls a second",
    ),
}  # fmt: skip


MEASURED = (*HEADINGS, "panels")
MEASUREMENT = 1  # raise it when something is measured otherwise: what is kept is then measured again


def compared(falls: int, tell: Callable[[int], None]) -> str:
    """The model against fresh falls."""
    errors = lab.against_physics(falls, 1, tell)
    rows = [[error.what, f"{100 * error.distance:.1f}", f"{100 * error.by_chance:.1f}"] for error in errors]
    return table([f"{falls:,} fresh falls", "total variation, %", "by chance alone, %"], rows)


def shown(light: Light) -> str:
    """Draw a fall in which much happens: the first one that fells two pawns, and not the one behind the shield."""
    path = b""
    for seed in count(lab.seed_of(TO_MEASURE, 0)):
        fall = rock_physics.drop(SHOWN.pawns, SHOWN.shield, SHOWN.door, seed, record=True)
        fell = [rest != STANDS for rest in fall.rests]
        if fell == [False, True, False, True] and FLOOR in fall.rests and fall.path:
            path = fall.path
            break
    frames = unpack(path)
    end = next(number for number, frame in enumerate(frames) if frame.rock and frame.rock.position[1] < 0)
    moments = [0, *(round(end * part) for part in (0.3, 0.5, 0.7, 0.88)), len(frames) - 1]
    return fall_picture(frames, moments, SHOWN.shield, light)


def ran(study: Study) -> str:
    """Say what the figures come from."""
    minutes = study.store.seconds[1] / 60
    return (
        f"Physics {rock_physics.ENGINE}, falls of version {rock_physics.version()}, "
        f"model {rock_model.MODEL_HASH} fitted to "
        f"{rock_model.DROPS:,} falls. Measured in {minutes:.0f} minutes on one core ({processor()}), which others used "
        f"too, with Python {platform.python_version()}."
    )


def main() -> None:
    """Measure, draw and write."""
    parser = argparse.ArgumentParser(description="Measure what the rock does.")
    parser.add_argument("--quick", action="store_true", help="a rough look, printed only")
    quick = parser.parse_args().quick
    falls = 60 if quick else 1000
    key = f"{rock_physics.version()} {falls} {MEASUREMENT}"
    with bar(falls * (20 if quick else 56), "rocks dropped, about") as tell:
        study = Study(falls, Store(key, None if quick else lab.KEPT / "measured.json"), tell)
        tables = {name: table(heads, study.measured(name)) for name, heads in HEADINGS.items()}
        tables["compared"] = compared(1000 if quick else 20_000, tell)
        tables["run"] = ran(study)
        if quick:
            print("\n\n".join(tables.values()))
        else:
            write(tables, study.measured("panels"))


def write(tables: Mapping[str, str], shares: Sequence[Sequence[float]]) -> None:
    """Put tables and pictures into the page."""
    page = PAGE.read_text("utf-8")
    for name, words in tables.items():
        page = write_between(page, name, words)
    PAGE.write_text(page, "utf-8")
    panels = [Panel(*panel, dict(enumerate(found))) for panel, found in zip(PANELS, shares, strict=True)]
    for light, ending in ((DAY, ""), (NIGHT, "-night")):
        (PICTURES / f"rock-felled{ending}.svg").write_text(felled_picture(panels, light), "utf-8")
        (PICTURES / f"rock-fall{ending}.svg").write_text(shown(light), "utf-8")


if __name__ == "__main__":
    main()
