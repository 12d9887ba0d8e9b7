"""The rock in the laboratory: physical falls by the thousand, and the tables that the compiled rules draw from.

    python -m dracotheque.lab.rock fit --drops 100000 --processes 2    writes rock_model.py
    python -m dracotheque.lab.rock compare                             model against fresh falls

Falls are kept in `build/rock`, a thousand a file: a fit that was stopped goes on where it was, and files made on
another machine may be laid beside them. docs/save-the-dragon-rock.md has the figures.
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
from dracotheque.engine.stream import below, seeded
from dracotheque.games.save_the_dragon import rock
from dracotheque.games.save_the_dragon.rock import FLOOR, GONE, LANES, SEATS, STANDS, STEPS, step_of

KEPT = Path("build/rock")
MODEL = Path(rock.__file__).with_name("rock_model.py")
CHUNK = 1000
# No fall serves two purposes: seeds below 2³² tuned the stairs, those of 2 and 4 chose what the tables look at.
TO_FIT, TO_MEASURE, TO_COMPARE, TO_REPEAT = 1, 3, 5, 6
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
    for _ in range(1 + below(stream, SEATS)):
        pawns.append(_spot(stream, pawns, (-LANES, LANES)))
    shield = _spot(stream, pawns, (LANES, LANES, 2 * LANES))
    return Situation(tuple(pawns), shield, below(stream, LANES))


def _spot(stream: list[int], pawns: Sequence[int], ways: Sequence[int]) -> int:
    """Draw a free spot, half the time near a pawn."""
    if pawns and below(stream, 2):
        near = pawns[below(stream, len(pawns))] + ways[below(stream, len(ways))]
        if 0 <= near < FLOOR and near not in pawns:
            return near
    free = [spot for spot in range(FLOOR) if spot not in pawns]
    return free[below(stream, len(free))]


def seed_of(purpose: int, number: int) -> int:
    """The seed of a fall."""
    return (purpose << 32) + number


def fall(purpose: int, number: int) -> Seen:
    """Let the rock fall in one of the situations."""
    at = situation(purpose, number // REPEATS if purpose == TO_REPEAT else number)
    return fall_at(at, seed_of(purpose, number))


def fall_at(at: Situation, seed: int) -> Seen:
    """Let the rock fall where you like."""
    seen = rock.drop(at.pawns, at.shield, at.door, seed)
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
    return kept / rock.version() / f"falls-{purpose}-{chunk:05}.json"


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
    """The rock one step higher: how it came there, its lane, and what stands ahead in that lane."""

    course: int
    lane: int
    ahead: int


NOTHING, A_PAWN, THE_SHIELD = 0, 1, 2
# A course: from where the rock came into its lane, how many steps ago, and what was ahead of it one step higher.
STRAIGHT, FROM_LOWER, FROM_HIGHER = 0, 4, 8
LONG = 3  # three steps ago, or more
STRUCK = 12  # times NOTHING, A_PAWN, THE_SHIELD
COURSES = 3 * STRUCK
RELATIONS = 4 * 4 * 2 * 2


def way(at: Situation, lanes: Sequence[int]) -> Way:
    """How the rock comes to its next step; `lanes` are those at the steps above."""
    course, lane = STRAIGHT, at.door
    for passed, then in enumerate(lanes):
        course, lane = on_course(course, lane, _ahead(at, passed, lane), then), then
    return Way(course, lane, _ahead(at, len(lanes), lane))


def _ahead(at: Situation, passed: int, lane: int) -> int:
    """What stands in a lane on the step after so many."""
    spot = (STEPS - 1 - passed) * LANES + lane
    return THE_SHIELD if spot == at.shield else A_PAWN if spot in at.pawns else NOTHING


def on_course(course: int, lane: int, ahead: int, then: int) -> int:
    """The course of a rock that goes from a lane to the next; when it is thrown it is STRAIGHT."""
    came = course % STRUCK
    if lane == then:
        came = min(came + 1, came // 4 * 4 + LONG)
    else:
        came = FROM_LOWER if lane < then else FROM_HIGHER
    return ahead * STRUCK + came


def mirrored(course: int) -> int:
    """The course of a rock seen in the mirror."""
    came = course % STRUCK
    return course if came < FROM_LOWER else course + 4 if came < FROM_HIGHER else course - 4


def relation(at: Situation, spot: int, lanes: Sequence[int]) -> int:
    """How a pawn stands to the rock that passes it, to the shield, and to another pawn."""
    place, lane = STEPS - step_of(spot), spot % LANES

    def distance(rocks: int) -> int:
        return 3 if rocks == GONE else abs(rocks - lane)

    above, own = distance(lanes[place - 1] if place else at.door), distance(lanes[place])
    below_pawn = spot + LANES in at.pawns
    return ((above * 4 + own) * 2 + sheltered(at, spot)) * 2 + below_pawn


def sheltered(at: Situation, spot: int) -> bool:
    """The shield stands one or two steps higher in the pawn's lane."""
    return at.shield in (spot + LANES, spot + 2 * LANES)


# --- The fit ------------------------------------------------------------------------------------------------------
TRAVEL_SUM, FELL_SUM, SHIFT_SUM = 10_000, 10_000, 100
DOWN = 2  # from two steps down on, where a pawn lies across the stairs is one and the same
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
        self._rock(seen)
        for spot, rest in zip(seen.situation.pawns, seen.rests, strict=True):
            self._pawn(spot, rest, relation(seen.situation, spot, seen.lanes))

    def _rock(self, seen: Seen) -> None:
        """Count the rock's way, and the same in the mirror."""
        for place, lane in enumerate(seen.lanes):
            came = way(seen.situation, seen.lanes[:place])
            self.travel[came, lane] += 1
            self.travel[Way(mirrored(came.course), 2 - came.lane, came.ahead), lane if lane == GONE else 2 - lane] += 1
            if lane == GONE:
                return

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
            self.shift[min(down, DOWN), lane, lies] += 1
            self.shift[min(down, DOWN), 2 - lane, 2 - lies] += 1


def fitted(falls: Iterable[Seen]) -> Model:
    """Make the tables from falls."""
    counts = Counts()
    for seen in falls:
        counts.add(seen)
    return Model(_travel(counts), _fell(counts), _shift(counts))


def _travel(counts: Counts) -> tuple[tuple[tuple[tuple[int, ...], ...], ...], ...]:
    """Where the rock goes; a course that was hardly seen is taken as the usual one in that lane."""

    def weights(course: int, lane: int, ahead: int) -> tuple[int, ...]:
        if lane == 2 or (lane == 1 and course % STRUCK >= FROM_HIGHER):
            return _in_mirror(weights(mirrored(course), 2 - lane, ahead))
        everybody, alike = range(COURSES), range(course % STRUCK, COURSES, STRUCK)
        usual = [sum(counts.travel[Way(other, lane, ahead), to] for other in everybody) + 0.25 for to in range(4)]
        likes = [sum(counts.travel[Way(other, lane, ahead), to] for other in alike) for to in range(4)]
        seen = [counts.travel[Way(course, lane, ahead), to] for to in range(4)]
        found = _whole(_filled(seen, _filled(likes, usual)), TRAVEL_SUM)
        return _evened(found) if lane == 1 and course % STRUCK < FROM_LOWER else found

    return tuple(
        tuple(tuple(weights(course, lane, ahead) for ahead in range(3)) for lane in range(LANES))
        for course in range(COURSES)
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

    return tuple(tuple(weights(down, lane) for lane in range(LANES)) for down in range(DOWN + 1))


def _filled(seen: Sequence[float], usual: Sequence[float]) -> list[float]:
    """Fill up what was seen with the usual, so that a rare case is not taken for a law."""
    total = math.fsum(usual)
    return [count + DOUBT * part / total for count, part in zip(seen, usual, strict=True)]


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


PAGE = '''"""The compiled model of the rock, fitted to physical falls. Written by `python -m dracotheque.lab.rock fit`.

TRAVEL[course][lane][ahead] has the weights of the rock's next lane (0, 1, 2, gone), FELL[relation] those of what
happens to a pawn (stands, lies on its own step, 1 … 8 steps down, on the floor), SHIFT[steps down, 2 at most][lane]
those of the lane where it lies. docs/save-the-dragon-rock.md explains them.
"""

# fmt: off
# ruff: noqa: E501
DROPS = {drops}
FALLS = "{falls}"  # rock.version() of the falls
MODEL_HASH = "{hash}"

TRAVEL = (
{travel}
)

FELL = (  # ((above * 4 + own) * 2 + sheltered) * 2 + below_pawn
{fell}
)

SHIFT = (
{shift}
)
'''


def written(model: Model, drops: int) -> str:
    """The tables as a module."""
    fell = [f"    {row},  # {number:2} {_relation_words(number)}" for number, row in enumerate(model.fell)]
    travel = [
        f"    (\n{_rows(part)}\n    ),  # {words}" for part, words in zip(model.travel, COURSE_WORDS, strict=True)
    ]
    shift = [f"    {part},  # {words}" for part, words in zip(model.shift, DOWNS, strict=True)]
    return PAGE.format(
        drops=f"{drops:_}", falls=rock.version(), hash=model.hash(),
        travel="\n".join(travel), fell="\n".join(fell), shift="\n".join(shift),
    )  # fmt: skip


COURSE_WORDS = tuple(
    f"{came}, {ago}{struck}"
    for struck in ("", ", past a pawn", ", past the shield")
    for came in ("straight from the door", "came from a lower lane", "came from a higher lane")
    for ago in ("just now", "1 step ago", "2 steps ago", "3 or more")
)
DOWNS = ("on its own step", "one step down", "two or more")
NEAR = ("own lane", "next lane", "far lane", "gone")


def _rows(part: Iterable[object]) -> str:
    """A row a line."""
    return "\n".join(f"        {row},  # lane {lane}" for lane, row in enumerate(part))


def _relation_words(number: int) -> str:
    """Say a relation in words."""
    words = f"{NEAR[number // 16]} above, {NEAR[number // 4 % 4]} here"
    return words + (", sheltered" if number & 2 else "") + (", below a pawn" if number & 1 else "")


# --- The model, drawn from ----------------------------------------------------------------------------------------
def model() -> Model:
    """The model that the rules use."""
    from dracotheque.games.save_the_dragon import rock_model

    return Model(rock_model.TRAVEL, rock_model.FELL, rock_model.SHIFT)


def drawn(tables: Model, at: Situation, stream: list[int]) -> Seen:
    """Draw a fall from the tables, as the rules do."""
    lanes: list[int] = []
    while len(lanes) < STEPS and GONE not in lanes:
        came = way(at, lanes)
        lanes.append(_draw(stream, tables.travel[came.course][came.lane][came.ahead]))
    lanes += [GONE] * (STEPS - len(lanes))
    rests = [_rest(tables, at, spot, lanes, stream) for spot in at.pawns]
    return Seen(at, tuple(lanes), tuple(rests))


def _rest(tables: Model, at: Situation, spot: int, lanes: Sequence[int], stream: list[int]) -> int:
    """Draw what happens to a pawn."""
    outcome = _draw(stream, tables.fell[relation(at, spot, lanes)])
    if outcome == 0:
        return STANDS
    down = outcome - 1
    if down >= step_of(spot):
        return FLOOR
    lane = _draw(stream, tables.shift[min(down, DOWN)][spot % LANES])
    return spot - spot % LANES - down * LANES + lane


def _draw(stream: list[int], weights: Sequence[int]) -> int:
    """Draw a place by weight."""
    left = below(stream, sum(weights))
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
    """Fates of pawns, told apart by how they stood."""
    return lambda seen: [
        (condition(seen.situation, spot), became)
        for spot, became in zip(seen.situation.pawns, fates(seen), strict=True)
    ]


def lanes_off(at: Situation, spot: int) -> int:
    """How many lanes a pawn stands beside the door."""
    return abs(at.door - spot % LANES)


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
    "how many pawns fell and reached the floor in a fall": lambda seen: [
        (len(seen.rests), sum(rest != STANDS for rest in seen.rests), seen.rests.count(FLOOR))
    ],
    "the fates of all pawns in a fall, from the top": lambda seen: [
        tuple(became for _, became in sorted(zip(seen.situation.pawns, fates(seen), strict=True), reverse=True))
    ],
    "the rock's lane at steps 7, 4 and 1": lambda seen: [(seen.situation.door, *seen.lanes[2::3])],
}
EACH: dict[str, Kind] = {
    "in one situation, a pawn's fate": _by(lambda at, spot: spot),
    "in one situation, the fates of all pawns": lambda seen: [tuple(fates(seen))],
    "in one situation, the rock's lane at steps 7, 4 and 1": lambda seen: [seen.lanes[2::3]],
}


# --- The command --------------------------------------------------------------------------------------------------
def main(arguments: Sequence[str] | None = None) -> int:
    """Fit the tables, or compare them."""
    parser = argparse.ArgumentParser(
        "python -m dracotheque.lab.rock", description="Drop rocks, fit the model, compare."
    )
    parser.add_argument(
        "what", choices=("drops", "fit", "compare"), help="make falls only, fit the tables, compare them"
    )
    parser.add_argument("--drops", type=int, help="how many falls (100,000 to fit, 10,000 to compare)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--kept", type=Path, default=KEPT, help="where falls are kept (build/rock)")
    given = parser.parse_args(arguments)
    try:
        return _run(given.what, given.drops, given.processes, given.kept)
    except DracothequeError as wrong:
        print(wrong, file=sys.stderr)
        return 1


def _run(what: str, drops: int | None, processes: int, kept: Path) -> int:
    """Carry out a command."""
    from dracotheque.lab.report import bar

    drops = drops or (10_000 if what == "compare" else 100_000)
    with bar(drops, "rocks dropped") as tell:
        if what == "compare":
            for error in against_physics(drops, processes, tell, kept):
                print(f"{100 * error.distance:5.1f} % apart (by chance {100 * error.by_chance:.1f} %): {error.what}")
            return 0
        falls = kept_falls(TO_FIT, drops, processes, tell, kept)
    if what == "drops":
        print(f"{len(falls):,} falls are in {kept / rock.version()}.")
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
