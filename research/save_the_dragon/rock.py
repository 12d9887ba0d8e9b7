"""The rock in the laboratory: physical falls by the thousand, and the tables that the compiled rules draw from.

    python -m research.save_the_dragon.rock fit --drops 120000 --processes 2    writes rock_model.py
    python -m research.save_the_dragon.rock compare                             model against fresh falls

Falls are kept in `build/rock`, a thousand a file: a fit that was stopped goes on where it was, and files made on
another machine may be laid beside them. docs/explanation/reports/save-the-dragon-rock.md has the figures.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.rng import random_below, seeded
from dracotheque.games.save_the_dragon import rock_physics
from dracotheque.games.save_the_dragon.rock_physics import FLOOR, GONE, LANES, SEATS, STANDS, STEPS, step_of
from dracotheque.games.save_the_dragon.rules.state import (
    COURSES,
    FAR,
    FROM_HIGHER,
    FROM_LOWER,
    FURTHER,
    LONG_AGO,
    RELATIONS,
    THROWN,
    WAYS,
)  # fmt: skip

KEPT = Path("build/rock")
MODEL = Path(rock_physics.__file__).with_name("rules") / "rock_model.py"
CHUNK = 1000
# No fall serves two purposes: seeds below 2³² tuned the stairs, those of 2 and 4 chose what the tables look at.
TO_FIT, TO_MEASURE, TO_COMPARE, TO_REPEAT = 1, 3, 5, 6
UNSEEN = -1  # the rock's lane on a step where nobody looked
REPEATS = 250  # falls in the same situation, where that is the purpose


# --- Situations ---------------------------------------------------------------------------------------------------
class Situation(NamedTuple):
    """Where everything stands when the rock is thrown."""

    pawns: tuple[int, ...]
    shield: int
    door: int


class Seen(NamedTuple):
    """A fall and where it began."""

    situation: Situation
    lanes: tuple[int, ...]
    rests: tuple[int, ...]


def situation(purpose: int, number: int) -> Situation:
    """Set up pawns and shield anyhow, but often one below the other: there the tables need most falls."""
    stream = [seeded(purpose, number)]
    pawns: list[int] = []
    for _ in range(1 + random_below(stream, SEATS)):
        pawns.append(_spot(stream, pawns, (-LANES, LANES)))
    shield = _spot(stream, pawns, (LANES, LANES, 2 * LANES))
    return Situation(tuple(pawns), shield, random_below(stream, LANES))


def _spot(stream: list[int], pawns: Sequence[int], steps: Sequence[int]) -> int:
    """Draw a free spot, half the time near a pawn."""
    if pawns and random_below(stream, 2):
        near = pawns[random_below(stream, len(pawns))] + steps[random_below(stream, len(steps))]
        if 0 <= near < FLOOR and near not in pawns:
            return near
    free = [spot for spot in range(FLOOR) if spot not in pawns]
    return free[random_below(stream, len(free))]


def seed_of(purpose: int, number: int) -> int:
    """The seed of a fall."""
    return (purpose << 32) + number


def fall(purpose: int, number: int) -> Seen:
    """Let the rock fall in one of the situations."""
    at = situation(purpose, number // REPEATS if purpose == TO_REPEAT else number)
    return fall_at(at, seed_of(purpose, number))


def fall_at(at: Situation, seed: int) -> Seen:
    """Let the rock fall where you like."""
    seen = rock_physics.drop(at.pawns, at.shield, at.door, seed)
    return Seen(at, seen.lanes, seen.rests)


# --- Falls by the thousand ----------------------------------------------------------------------------------------
def kept_falls(purpose: int, drops: int, processes: int, tell: Callable[[int], None], kept: Path = KEPT) -> list[Seen]:
    """Read the falls that are kept, make those that are missing, in chunks, and return them all."""
    chunks = range((drops + CHUNK - 1) // CHUNK)
    files = [_file(kept, purpose, chunk) for chunk in chunks]
    missing = [(str(kept), purpose, chunk) for chunk, file in zip(chunks, files, strict=True) if not file.exists()]
    tell(CHUNK * (len(files) - len(missing)))
    for _ in _spread(_make, missing, processes):
        tell(CHUNK)
    return [seen for file in files for seen in _read(file)][:drops]


def _spread(
    work: Callable[[tuple[str, int, int]], int], jobs: list[tuple[str, int, int]], processes: int
) -> Iterator[int]:
    """Do jobs in this process, or in several."""
    if processes == 1 or len(jobs) < 2:
        yield from map(work, jobs)
        return
    with multiprocessing.Pool(processes) as pool:
        yield from pool.imap_unordered(work, jobs)


def _file(kept: Path, purpose: int, chunk: int) -> Path:
    """Where a chunk of falls is kept; falls of other stairs lie elsewhere."""
    return kept / rock_physics.version() / f"falls-{purpose}-{chunk:05}.json"


def _make(job: tuple[str, int, int]) -> int:
    """Let a thousand rocks fall and write them down."""
    kept, purpose, chunk = job
    falls = [fall(purpose, number) for number in range(CHUNK * chunk, CHUNK * (chunk + 1))]
    file = _file(Path(kept), purpose, chunk)
    file.parent.mkdir(parents=True, exist_ok=True)
    # Written beside it first: a run stopped in between must not leave half a file.
    part = file.with_suffix(f".{os.getpid()}.part")
    part.write_text(json.dumps(falls, separators=(",", ":")), "utf-8")
    part.replace(file)
    return chunk


def _read(file: Path) -> list[Seen]:
    """Read a chunk of falls."""
    rows = json.loads(file.read_text("utf-8"))
    return [
        Seen(Situation(tuple(pawns), shield, door), tuple(lanes), tuple(rests))
        for (pawns, shield, door), lanes, rests in rows
    ]


# --- What the tables are asked ------------------------------------------------------------------------------------
class Way(NamedTuple):
    """How the rock comes to a step: on which course, how far down, from which lane, and the lane of a shield here."""

    course: int
    down: int
    lane: int
    shield: int


class Stop(NamedTuple):
    """A step where the rock is looked at: the way it came, and its lane now."""

    step: int
    way: Way
    lane: int


def stops(at: Situation) -> list[int]:
    """The steps where the rock is looked at, from the top: those with a pawn, and the shield's above any of them."""
    steps = {step_of(spot) for spot in at.pawns if spot < FLOOR}
    if steps and step_of(at.shield) > min(steps):
        steps.add(step_of(at.shield))
    return sorted(steps, reverse=True)


def followed(at: Situation, lanes: Callable[[int, Way], int]) -> Iterator[Stop]:
    """Follow the rock from stop to stop; `lanes` says where it is on a step to which it comes."""
    course, before, lane = THROWN, STEPS + 1, at.door
    for step in stops(at):
        shield = at.shield % LANES if step_of(at.shield) == step else LANES
        way = Way(course, before - step, lane, shield)
        then = GONE if lane == GONE else lanes(step, way)
        yield Stop(step, way, then)
        course, before, lane = on_course(course, lane, then, _struck(at, step, way, then)), step, then


def _struck(at: Situation, step: int, way: Way, then: int) -> int:
    """What the rock strikes on a step: 1 for a pawn in its lane, 2 for the shield in the one it came in, else 0."""
    if then != GONE and (step - 1) * LANES + then in at.pawns:
        return 1
    return 2 if way.shield == way.lane else 0


def on_course(course: int, lane: int, then: int, struck: int) -> int:
    """The course of a rock that comes from a lane into the same or another and strikes something."""
    came = course % WAYS | LONG_AGO
    if lane != then:
        came = FROM_LOWER if lane < then else FROM_HIGHER
    return struck * WAYS + came


def mirrored(course: int) -> int:
    """The course of a rock seen in the mirror."""
    came = course % WAYS
    return course if came < FROM_LOWER else course + 2 if came < FROM_HIGHER else course - 2


def relation(at: Situation, spot: int, stop: Stop) -> int:
    """How a pawn stands to the rock that passes it, to the shield, and to another pawn."""
    lane, thrown = spot % LANES, stop.step + stop.way.down > STEPS

    def distance(rocks: int) -> int:
        return GONE if rocks == GONE else abs(rocks - lane)

    came = 0 if thrown else 1 if stop.way.down == 1 else 2
    passed = (came * (GONE + 1) + distance(stop.way.lane)) * (GONE + 1) + distance(stop.lane)
    return (passed * 2 + sheltered(at, spot)) * 2 + (spot + LANES in at.pawns)


def sheltered(at: Situation, spot: int) -> bool:
    """The shield stands one or two steps higher in the pawn's lane."""
    return at.shield in (spot + LANES, spot + 2 * LANES)


# --- The fit ------------------------------------------------------------------------------------------------------
TRAVEL_SUM, FELL_SUM, SHIFT_SUM = 10_000, 10_000, 100
DOUBT = 20.0  # a rare case is filled up with so many falls of the usual kind


@dataclass(frozen=True)
class Model:
    """The tables: where the rock goes, what it does to a pawn, in which lane a fallen one lies."""

    travel: tuple[tuple[tuple[tuple[int, ...], ...], ...], ...]
    fell: tuple[tuple[int, ...], ...]
    shift: tuple[tuple[tuple[int, ...], ...], ...]

    def hash(self) -> str:
        """A name for exactly these tables."""
        return sha256(json.dumps([self.travel, self.fell, self.shift]).encode()).hexdigest()[:16]


class Counts:
    """Falls counted the way the tables are laid out."""

    def __init__(self) -> None:
        self.travel: Counter[tuple[Way, int]] = Counter()
        self.stood: Counter[int] = Counter()
        self.fell: Counter[int] = Counter()
        self.passed: Counter[tuple[int, int]] = Counter()  # fell past so many steps, of those that had them below
        self.stopped: Counter[tuple[int, int]] = Counter()
        self.shift: Counter[tuple[int, int, int]] = Counter()

    def add(self, seen: Seen) -> None:
        """Count a fall."""
        at, rests = seen.situation, dict(zip(seen.situation.pawns, seen.rests, strict=True))
        for stop in followed(at, lambda step, _: seen.lanes[STEPS - step]):
            self._rock(stop)
            for spot in range((stop.step - 1) * LANES, stop.step * LANES):
                if spot in rests:
                    self._pawn(spot, rests[spot], relation(at, spot, stop))

    def _rock(self, stop: Stop) -> None:
        """Count the rock's way, and the same in the mirror."""
        course, down, lane, shield = stop.way
        if lane == GONE:
            return
        self.travel[stop.way, stop.lane] += 1
        self.travel[Way(mirrored(course), down, 2 - lane, _other(shield)), _other(stop.lane)] += 1

    def _pawn(self, spot: int, rest: int, related: int) -> None:
        """Count a pawn; one on the floor has fallen past every step it had below."""
        if rest == STANDS:
            self.stood[related] += 1
            return
        self.fell[related] += 1
        down = step_of(spot) - step_of(rest)
        for step in range(down):
            self.passed[related, step] += 1
        if rest != FLOOR:
            self.stopped[related, down] += 1
            lane, lies = spot % LANES, rest % LANES
            self.shift[min(down, FAR), lane, lies] += 1
            self.shift[min(down, FAR), 2 - lane, 2 - lies] += 1


def fitted(falls: Iterable[Seen]) -> Model:
    """Make the tables from falls."""
    counts = Counts()
    for seen in falls:
        counts.add(seen)
    return Model(_travel(counts), _fell(counts), _shift(counts))


def kinds_of_way() -> list[tuple[int, int]]:
    """Courses and steps down in the order of the table: after the throw every number of steps, later a few."""
    thrown = [(THROWN, down) for down in range(1, STEPS + 1)]
    return thrown + [(course, down) for course in range(1, COURSES) for down in range(1, FURTHER + 1)]


def _travel(counts: Counts) -> tuple[tuple[tuple[tuple[int, ...], ...], ...], ...]:
    """Where the rock goes; a way that was hardly seen is taken as the usual one in that lane."""
    by_course: Counter[tuple[int, int, int, int, int]] = Counter()
    by_distance: Counter[tuple[int, int, int, int]] = Counter()
    by_lane: Counter[tuple[int, int, int]] = Counter()
    for (way, to), count in counts.travel.items():
        down = way.down if way.course == THROWN else min(way.down, FURTHER)
        by_course[way.course, down, way.lane, way.shield, to] += count
        by_distance[down, way.lane, way.shield, to] += count
        by_lane[way.lane, way.shield, to] += count

    def weights(course: int, down: int, lane: int, shield: int) -> tuple[int, ...]:
        usual = [by_lane[lane, shield, to] + 0.25 for to in range(4)]
        likes = [by_distance[down, lane, shield, to] for to in range(4)]
        seen = [by_course[course, down, lane, shield, to] for to in range(4)]
        return _whole(_filled(seen, _filled(likes, usual)), TRAVEL_SUM)

    def evened(course: int, down: int, lane: int, shield: int) -> tuple[int, ...]:
        one, twin = (course, down, lane, shield), (mirrored(course), down, 2 - lane, _other(shield))
        if one == twin:
            return _evened(weights(*one))
        return weights(*one) if one < twin else _in_mirror(weights(*twin))

    return tuple(
        tuple(tuple(evened(course, down, lane, shield) for shield in range(LANES + 1)) for lane in range(LANES))
        for course, down in kinds_of_way()
    )


def _fell(counts: Counts) -> tuple[tuple[int, ...], ...]:
    """What happens to a pawn: whether it falls, then at every step down whether it stays there."""

    def weights(related: int) -> tuple[int, ...]:
        # Pawns that stand alike to the rock, whatever else is near: what a rare relation is filled up with.
        alike = range(related // 4 * 4, related // 4 * 4 + 4)
        usual = [sum(counts.stood[other] for other in alike) + 1.0, sum(counts.fell[other] for other in alike) + 0.1]
        stood, fell = _filled([counts.stood[related], counts.fell[related]], usual)
        shares, left = [stood / (stood + fell)], fell / (stood + fell)
        for down in range(STEPS):
            everybody = [
                sum(table[other, down] for other in range(RELATIONS)) + 0.5 for table in (counts.stopped, counts.passed)
            ]
            likes = [sum(table[other, down] for other in alike) for table in (counts.stopped, counts.passed)]
            own = [counts.stopped[related, down], counts.passed[related, down]]
            stopped, passed = _filled(own, _filled(likes, everybody))
            shares.append(left * stopped / (stopped + passed))
            left *= passed / (stopped + passed)
        return _whole([*shares, left], FELL_SUM)

    return tuple(weights(related) for related in range(RELATIONS))


def _shift(counts: Counts) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """In which lane a fallen pawn lies."""

    def weights(down: int, lane: int) -> tuple[int, ...]:
        if lane == 2:
            return _in_mirror(weights(down, 0))
        found = _whole([counts.shift[down, lane, lies] + 0.5 for lies in range(LANES)], SHIFT_SUM)
        return _evened(found) if lane == 1 else found

    return tuple(tuple(weights(down, lane) for lane in range(LANES)) for down in range(FAR + 1))


def _filled(seen: Sequence[float], usual: Sequence[float]) -> list[float]:
    """Fill up what was seen with the usual, so that a rare case is not taken for a law."""
    total = math.fsum(usual)
    return [count + DOUBT * part / total for count, part in zip(seen, usual, strict=True)]


def _other(lane: int) -> int:
    """A lane in the mirror; what is no lane stays."""
    return 2 - lane if lane < LANES else lane


def _in_mirror(weights: Sequence[int]) -> tuple[int, ...]:
    """Left for right; what comes after the lanes stays."""
    left, centre, right, *rest = weights
    return (right, centre, left, *rest)


def _evened(weights: Sequence[int]) -> tuple[int, ...]:
    """Left and right are equal: a unit too much, left over by rounding, goes to the centre."""
    left, centre, right, *rest = weights
    side = (left + right) // 2
    return (side, centre + left + right - 2 * side, side, *rest)


def _whole(shares: Sequence[float], total: int) -> tuple[int, ...]:
    """Whole numbers of that sum, none below 1, as near to the shares as may be."""
    whole = math.fsum(shares)
    exact = [share * total / whole for share in shares]
    weights = [max(1, round(share)) for share in exact]
    while sum(weights) != total:
        step = 1 if sum(weights) < total else -1
        allowed = [place for place, weight in enumerate(weights) if weight + step >= 1]
        weights[max(allowed, key=lambda place: step * (exact[place] - weights[place]))] += step
    return tuple(weights)


PAGE = '''"""The model of the rock, fitted to physical falls. Written by `python -m research.save_the_dragon.rock fit`.

TRAVEL[way][lane][the shield's lane] has the weights of the rock's next lane (0, 1, 2, gone), FELL[relation] those of
what happens to a pawn (stands, lies on its own step, 1 … 8 steps down, on the floor), SHIFT[steps down][lane], with two
steps for more, those of the lane where it lies. docs/explanation/reports/save-the-dragon-rock.md explains them.
"""

# fmt: off
# ruff: noqa: E501
DROPS = {drops}
FALLS = "{falls}"  # rock.version() of the falls
MODEL_HASH = "{hash}"

TRAVEL = (
{travel}
)

FELL = (  # (((came * 4 + above) * 4 + own) * 2 + sheltered) * 2 + below_pawn
{fell}
)

SHIFT = (
{shift}
)
'''


def written(model: Model, drops: int) -> str:
    """The tables as a module."""
    fell = [f"    {row},  # {number:3} {_relation_words(number)}" for number, row in enumerate(model.fell)]
    travel = [
        f"    (\n{_rows(part)}\n    ),  # {_way_words(*kind)}"
        for part, kind in zip(model.travel, kinds_of_way(), strict=True)
    ]
    shift = [f"    {part},  # {words}" for part, words in zip(model.shift, DOWNS, strict=True)]
    return PAGE.format(
        drops=f"{drops:_}", falls=rock_physics.version(), hash=model.hash(),
        travel="\n".join(travel), fell="\n".join(fell), shift="\n".join(shift),
    )  # fmt: skip


DOWNS = ("on its own step", "one step down", "two or more")
NEAR = ("own lane", "next lane", "far lane", "gone")


def _rows(part: Iterable[object]) -> str:
    """A row a line."""
    return "\n".join(f"        {row},  # lane {lane}" for lane, row in enumerate(part))


def _way_words(course: int, down: int) -> str:
    """Say in words how the rock comes to a step."""
    steps = f"{down} down" if course == THROWN or down < FURTHER else f"{down} or more down"
    if course == THROWN:
        return f"{steps} from the door"
    if course % WAYS == THROWN:
        return f"{steps}: never, since a rock seen once has gone straight on or has changed lanes"
    came = ("straight from the door", "came from a lower lane", "came from a higher lane")[course % WAYS // 2]
    ago = ", then straight on" if course % WAYS > 1 and course & LONG_AGO else ""
    return f"{steps}, {came}{ago}{('', ', struck a pawn', ', struck the shield')[course // WAYS]}"


def _relation_words(number: int) -> str:
    """Say a relation in words."""
    came = ("from the door", "from one step above", "from further above")[number // 64]
    words = f"{came}, {NEAR[number // 16 % 4]} there, {NEAR[number // 4 % 4]} here"
    return words + (", sheltered" if number & 2 else "") + (", below a pawn" if number & 1 else "")


# --- The model, drawn from ----------------------------------------------------------------------------------------
def model() -> Model:
    """The model that the rules use."""
    from dracotheque.games.save_the_dragon.rules import rock_model

    return Model(rock_model.TRAVEL, rock_model.FELL, rock_model.SHIFT)


def drawn(tables: Model, at: Situation, stream: list[int]) -> Seen:
    """Draw a fall from the tables, as the rules do; between the stops nobody knows the rock's lane."""
    rows = dict(zip(kinds_of_way(), tables.travel, strict=True))

    def lane(_: int, way: Way) -> int:
        down = way.down if way.course == THROWN else min(way.down, FURTHER)
        return _draw(stream, rows[way.course, down][way.lane][way.shield])

    path = list(followed(at, lane))
    by_step = {stop.step: stop for stop in path}
    lanes = [by_step[step].lane if step in by_step else UNSEEN for step in range(STEPS, 0, -1)]
    rests = [_rest(tables, at, spot, by_step[step_of(spot)], stream) for spot in at.pawns]
    return Seen(at, tuple(lanes), tuple(rests))


def _rest(tables: Model, at: Situation, spot: int, stop: Stop, stream: list[int]) -> int:
    """Draw what happens to a pawn."""
    outcome = _draw(stream, tables.fell[relation(at, spot, stop)])
    if outcome == 0:
        return STANDS
    down = outcome - 1
    if down >= step_of(spot):
        return FLOOR
    lane = _draw(stream, tables.shift[min(down, FAR)][spot % LANES])
    return spot - spot % LANES - down * LANES + lane


def _draw(stream: list[int], weights: Sequence[int]) -> int:
    """Draw a place by weight."""
    left = random_below(stream, sum(weights))
    for place, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return place
    raise AssertionError("weights sum up")


# --- Model against physics ----------------------------------------------------------------------------------------
Kind = Callable[[Seen], Iterable[object]]


@dataclass(frozen=True)
class Error:
    """How far apart model and physics are (total variation), and how far chance alone would bring them."""

    what: str
    distance: float
    by_chance: float


def compare(tables: Model, falls: Sequence[Seen], copies: int = 10) -> list[Error]:
    """Draw the same situations from the tables, and compare what happened in all of them together."""
    drawings = _drawings(tables, falls, copies)
    return [_error(what, kind, falls, drawings) for what, kind in KINDS.items()]


def compare_each(tables: Model, falls: Sequence[Seen], copies: int = 10) -> list[Error]:
    """Compare situation by situation, for falls that come by REPEATS, and take the mean."""
    means = []
    places = [falls[first : first + REPEATS] for first in range(0, len(falls), REPEATS)]
    drawings = [_drawings(tables, place, copies) for place in places]
    for what, kind in EACH.items():
        errors = [_error(what, kind, place, draws) for place, draws in zip(places, drawings, strict=True)]
        distances, chances = [error.distance for error in errors], [error.by_chance for error in errors]
        means.append(Error(what, math.fsum(distances) / len(errors), math.fsum(chances) / len(errors)))
    return means


def _drawings(tables: Model, falls: Sequence[Seen], copies: int) -> list[Seen]:
    """Draw falls in the same situations, several for each."""
    seeds = [(seed_of(TO_COMPARE, copy), number) for copy in range(copies) for number in range(len(falls))]
    return [drawn(tables, falls[number].situation, [seeded(seed, number)]) for seed, number in seeds]


def _error(what: str, kind: Kind, falls: Sequence[Seen], drawings: Sequence[Seen]) -> Error:
    """Compare one kind of result."""
    halves = [Counter(thing for seen in falls[start::2] for thing in kind(seen)) for start in (0, 1)]
    model_says = Counter(thing for seen in drawings for thing in kind(seen))
    # Two halves differ from each other twice as much as the whole does from the truth.
    return Error(what, distance(halves[0] + halves[1], model_says), distance(*halves) / 2)


def distance(one: Counter[object], other: Counter[object]) -> float:
    """Total variation between two counts: the share that would have to be moved."""
    first, second = max(one.total(), 1), max(other.total(), 1)
    return sum(abs(one[thing] / first - other[thing] / second) for thing in one | other) / 2


def fate(spot: int, rest: int) -> str:
    """What became of a pawn, roughly."""
    if rest == STANDS:
        return "stands"
    if rest == FLOOR:
        return "floor"
    return "own step" if step_of(rest) == step_of(spot) else "lower step"


def fates(seen: Seen) -> list[str]:
    """What became of every pawn."""
    return [fate(spot, rest) for spot, rest in zip(seen.situation.pawns, seen.rests, strict=True)]


def _by(condition: Callable[[Situation, int], object]) -> Kind:
    """Fates of pawns, by how they stood."""
    return lambda seen: [
        (condition(seen.situation, spot), became)
        for spot, became in zip(seen.situation.pawns, fates(seen), strict=True)
    ]


def lanes_off(at: Situation, spot: int) -> int:
    """How many lanes a pawn stands beside the door."""
    return abs(at.door - spot % LANES)


def _seen_lanes(seen: Seen) -> tuple[int, ...]:
    """Where the rock passed the steps on which pawns stand."""
    return tuple(seen.lanes[STEPS - step] for step in sorted({*map(step_of, seen.situation.pawns)}, reverse=True))


KINDS: dict[str, Kind] = {
    "a pawn's fate": _by(lambda at, spot: None),
    "a pawn's fate, by its lane from the door and the shield above": _by(
        lambda at, spot: (lanes_off(at, spot), sheltered(at, spot))
    ),
    "a pawn's fate, by its step": _by(lambda at, spot: step_of(spot)),
    "how far down a pawn comes to lie, in lanes and steps": lambda seen: [
        (rest if rest >= FLOOR else (step_of(spot) - step_of(rest), rest % LANES - spot % LANES))
        for spot, rest in zip(seen.situation.pawns, seen.rests, strict=True)
    ],
    "how many pawns fell and reached the bottom in a fall": lambda seen: [
        (len(seen.rests), sum(rest != STANDS for rest in seen.rests), seen.rests.count(FLOOR))
    ],
    "the fates of all pawns in a fall, from the top": lambda seen: [
        tuple(became for _, became in sorted(zip(seen.situation.pawns, fates(seen), strict=True), reverse=True))
    ],
    "the boulder's lane where pawns stand, from the top": lambda seen: [(seen.situation.door, *_seen_lanes(seen))],
}
EACH: dict[str, Kind] = {
    "in one situation, a pawn's fate": _by(lambda at, spot: spot),
    "in one situation, the fates of all pawns": lambda seen: [tuple(fates(seen))],
    "in one situation, the boulder's lane where pawns stand": lambda seen: [_seen_lanes(seen)],
}


# --- The command --------------------------------------------------------------------------------------------------
def main(arguments: Sequence[str] | None = None) -> int:
    """Fit the tables, or compare them."""
    parser = argparse.ArgumentParser(
        "python -m research.save_the_dragon.rock", description="Drop rocks, fit the model, compare."
    )
    parser.add_argument(
        "what", choices=("drops", "fit", "compare"), help="make falls only, fit the tables, compare them"
    )
    parser.add_argument("--drops", type=int, help="how many falls (120,000 to fit, 20,000 to compare)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="processes at once (one a core)")
    parser.add_argument("--kept", type=Path, default=KEPT, help="where falls are kept (build/rock)")
    given = parser.parse_args(arguments)
    try:
        return _run(given.what, given.drops, given.processes, given.kept)
    except DracothequeError as wrong:
        print(wrong, file=sys.stderr)
        return 1


def _run(what: str, drops: int | None, processes: int, kept: Path) -> int:
    """Carry out a command."""
    from dracotheque.simulation.progress import bar

    drops = (20_000 if what == "compare" else 120_000) if drops is None else drops
    if drops < 1 or processes < 1:
        raise DracothequeError("At least one rock has to fall, in at least one process.")
    with bar(drops, "rocks dropped") as tell:
        if what == "compare":
            for error in against_physics(drops, processes, tell, kept):
                print(f"{100 * error.distance:5.1f} % apart (by chance {100 * error.by_chance:.1f} %): {error.what}")
            return 0
        falls = kept_falls(TO_FIT, drops, processes, tell, kept)
    if what == "drops":
        print(f"{len(falls):,} falls are in {kept / rock_physics.version()}.")
    else:
        MODEL.write_text(written(fitted(falls), len(falls)), "utf-8")
        print(f"{MODEL.name} is fitted to {len(falls):,} falls.")
    return 0


def against_physics(drops: int, processes: int, tell: Callable[[int], None], kept: Path = KEPT) -> list[Error]:
    """Compare the model that the rules use with fresh falls: half of them anywhere, half in repeated situations."""
    anywhere = kept_falls(TO_COMPARE, drops // 2, processes, tell, kept)
    repeated = kept_falls(TO_REPEAT, drops // 2, processes, tell, kept)
    return [*compare(model(), anywhere), *compare_each(model(), repeated)]


if __name__ == "__main__":
    sys.exit(main())
