"""The physics of the rock: a fall down the stairs, simulated with MuJoCo.

`drop` lets a rock go through a door and returns where every pawn ends up. The rules never need this module: they take a
fall as a series of chance moves (`physical_chance.py`), which may as well come from the tables of `rock_model.py`.
Everything that can be measured with a ruler or a balance is in `stairs.toml`. Coordinates are as seen from the foot of
the stairs: to the right of the middle, onwards from the foot, up from the floor.
"""

from __future__ import annotations

import json
import math
import struct
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.rng import random_below, seeded
from dracotheque.games.save_the_dragon.rules.state import FLOOR, GONE, LANES, SEATS, STANDS, STEPS

ENGINE = "mujoco-core==4.0.1"
FALLS = 1  # raise it whenever the lines below let the same seed fall otherwise
FRAMES = 30  # recorded a second
CUBOID = "box"  # as the engine calls it
TICKS = 150  # how often a second a fall is looked at

Vector = tuple[float, ...]


class NoEngine(DracothequeError):  # noqa: N818 - it is what is missing
    """The physics engine is not installed."""


@dataclass(frozen=True)
class Fall:
    """What a rock did: its lane at steps 9 … 1, where every pawn ended up, and the path if it was recorded."""

    pawns: tuple[int, ...]
    lanes: tuple[int, ...]
    rests: tuple[int, ...]
    path: bytes | None = None


def step_of(spot: int) -> int:
    """The step of a spot, 1 … 9 from below; that of the floor is 0."""
    return 0 if spot == FLOOR else spot // LANES + 1


def drop(pawns: Sequence[int], shield: int, door: int, seed: int, *, record: bool = False) -> Fall:
    """Let the rock go through the door of a lane; `pawns` has the spot of every seat, or FLOOR."""
    _check(pawns, shield, door)
    return _Drop(pawns, shield, door, seed, record).fall()


def _check(pawns: Sequence[int], shield: int, door: int) -> None:
    """Say what is wrong with a situation."""
    on_stairs = [spot for spot in pawns if spot != FLOOR]
    if len(pawns) > SEATS:
        raise DracothequeError(f"There are {len(pawns)} pawns; the stairs are made for {SEATS} at most.")
    for spot in (*on_stairs, shield):
        if not 0 <= spot < FLOOR:
            raise DracothequeError(
                f"There is no spot {spot}: the stairs have 0 to {FLOOR - 1}, and {FLOOR} is the floor."
            )
    if len(set(on_stairs)) < len(on_stairs):
        raise DracothequeError(f"Two pawns stand on one spot: {sorted(on_stairs)}. Each needs a spot of its own.")
    if shield in on_stairs:
        raise DracothequeError(f"A pawn stands on spot {shield}, where the shield is. Move one of them.")
    if not 0 <= door < LANES:
        raise DracothequeError(f"There is no door {door}: doors are 0 (left), 1 (centre) and 2 (right).")


# --- What is built ------------------------------------------------------------------------------------------------
@cache
def stairs() -> dict[str, Any]:
    """Return the contents of `stairs.toml`."""
    return tomllib.loads(_STAIRS.read_text("utf-8"))


_STAIRS = Path(__file__).with_name("stairs.toml")


@cache
def version() -> str:
    """Return a hash of engine, data and method: where it is the same, a seed gives the same fall."""
    return sha256(json.dumps([ENGINE, FALLS, stairs()], sort_keys=True).encode()).hexdigest()[:16]


@cache
def _engine() -> Any:
    """Import MuJoCo, once it is needed."""
    try:
        import mujoco
    except ImportError as missing:
        raise NoEngine(
            f"The rock falls in the physics engine MuJoCo, which is not installed here: pip install {ENGINE}."
        ) from missing
    return mujoco


def place(spot: int) -> Vector:
    """Where a pawn on a spot puts its foot: right of the middle, onwards from the lowest step, up from the floor."""
    stair = stairs()["stair"]
    step, lane = step_of(spot), spot % LANES
    return ((lane - 1) * stair["lane"], (step - 0.5) * stair["tread"], step * stair["rise"])


def _scene(spots: Sequence[int], shield: int) -> str:
    """Describe stairs, walls, shield, rock and pawns to the engine."""
    data = stairs()
    contact, lean = data["contact"], math.radians(data["stair"]["lean"])
    gravity = (0.0, -981 * math.sin(lean), -981 * math.cos(lean))
    parts = [
        f'<mujoco><option timestep="{1 / data["time"]["rate"]!r}" gravity="{_row(gravity)}" iterations="20"/>',
        f'<default><geom condim="3" friction="{contact["friction"]} 0.01 0.001" '
        f'solref="{contact["softness"]} {contact["damping"]}"/></default><worldbody>',
        *_steps(), *_walls(), *_shield(shield), *_rock(),
    ]  # fmt: skip
    for spot in spots:
        parts += _pawn(spot)
    return "\n".join([*parts, "</worldbody></mujoco>"])


def _row(numbers: Sequence[float]) -> str:
    """Write numbers as the engine reads them, to the last bit."""
    return " ".join(repr(float(number)) for number in numbers)


def _geom(kind: str, size: Sequence[float], at: Sequence[float], extra: str = "") -> str:
    """Return a geom of the engine: a body's simple shape."""
    return f'<geom type="{kind}" size="{_row(size)}" pos="{_row(at)}" {extra}/>'


def _steps() -> Iterator[str]:
    """The steps, the landing above them and the floor before them, each a cuboid."""
    stair = stairs()["stair"]
    half, tread, rise = 1.5 * stair["lane"], stair["tread"], stair["rise"]
    for step in range(1, STEPS + 1):
        yield _geom(CUBOID, (half, tread / 2, rise), (0, (step - 0.5) * tread, (step - 1) * rise))
    landing, floor = stair["landing"] / 2, _floor_depth() / 2
    yield _geom(CUBOID, (half, landing, rise), (0, STEPS * tread + landing, STEPS * rise))
    yield _geom(CUBOID, (half, floor, rise), (0, -floor, -rise))


def _floor_depth() -> float:
    """Return how far the floor reaches from the lowest step to the wall, which `version` has by this name."""
    return stairs()["stair"]["box"]


def _walls() -> Iterator[str]:
    """The walls to both sides, behind the landing and at the end of the floor."""
    stair = stairs()["stair"]
    half, end = 1.5 * stair["lane"], STEPS * stair["tread"] + stair["landing"]
    smooth = f'friction="{stair["wall_friction"]} 0.01 0.001"'
    for at, facing in (((-half, 0), "1 0"), ((half, 0), "-1 0"), ((0, end), "0 -1"), ((0, -_floor_depth()), "0 1")):
        yield _geom("plane", (1, 1, 1), (*at, 0), f'zaxis="{facing} 0" {smooth}')


def _shield(spot: int) -> Iterator[str]:
    """The shield in its notch, which turns it towards the wall in an outer lane: so it leads the rock inwards."""
    shield = stairs()["shield"]
    x, y, z = place(spot)
    slant, askew, quarter = shield["slant"], (1 - spot % LANES) * shield["askew"], shield["width"] / 4
    size = (quarter / math.cos(math.radians(slant)), shield["thickness"] / 2, shield["height"] / 2)
    for side in (-1, 1):
        out, on = side * quarter * math.cos(math.radians(askew)), side * quarter * math.sin(math.radians(askew))
        turned = f'euler="0 0 {askew - side * slant!r}" friction="{shield["friction"]} 0.01 0.001"'
        yield _geom(CUBOID, size, (x + out, y + on, z + size[2]), turned)


def _rock() -> Iterator[str]:
    """The rock."""
    rock = stairs()["rock"]
    lumps = rock["lumps"]
    yield "<body><freejoint/>"
    yield _geom("sphere", [rock["radius"]], (0, 0, 0), f'mass="{0.7 * rock["mass"]!r}"')
    for lump in lumps:
        yield _geom("sphere", [rock["lump"]], lump, f'mass="{0.3 * rock["mass"] / len(lumps)!r}"')
    yield "</body>"


def _pawn(spot: int) -> Iterator[str]:
    """A pawn that stands on its spot."""
    pawn = stairs()["pawn"]
    foot, radius, mass = pawn["foot_height"] / 2, pawn["body"], f'mass="{pawn["mass"] / 2!r}"'
    low, high = pawn["foot_height"], pawn["height"] - radius
    yield f'<body pos="{_row(place(spot))}"><freejoint/>'
    yield _geom(CUBOID, (pawn["foot"], pawn["foot"], foot), (0, 0, foot), mass)
    yield _geom("capsule", (radius, (high - low) / 2), (0, 0, (low + high) / 2), mass)
    yield "</body>"


# --- How it falls -------------------------------------------------------------------------------------------------
class _Drop:
    """One fall: body 0 is the rock, the others are the pawns that stand on the stairs."""

    def __init__(self, pawns: Sequence[int], shield: int, door: int, seed: int, record: bool) -> None:
        self.mujoco = _engine()
        self.pawns = tuple(int(spot) for spot in pawns)
        self.seats = [seat for seat, spot in enumerate(self.pawns) if spot != FLOOR]
        scene = _scene([self.pawns[seat] for seat in self.seats], int(shield))
        self.model = self.mujoco.MjModel.from_xml_string(scene)
        self.data = self.mujoco.MjData(self.model)
        self.poses = self.data.qpos.reshape(-1, 7)  # views: the engine moves them
        self.speeds = self.data.qvel.reshape(-1, 6)
        self.tick = 0
        self.lanes: list[int] = []
        self.rock_gone = False  # it left the stairs, or was taken away
        self.taken = False
        self.still = [0] * len(self.poses)  # for how many ticks each body has not moved
        self.recorder = _Recorder(self.seats) if record else None
        self._let_go(door, seed)
        self._look()

    def _let_go(self, door: int, seed: int) -> None:
        """Put the rock into the door, turned anyhow, with a small push."""
        stair, rock, push = (stairs()[part] for part in ("stair", "rock", "push"))
        stream = [seeded(seed, 0)]

        def between(low: float, high: float) -> float:
            return low + (high - low) * random_below(stream, 1 << 32) / (1 << 32)

        x = (door - 1) * stair["lane"] + between(-push["aside"], push["aside"])
        turned = [between(-1, 1) for _ in range(4)]
        length = math.sqrt(math.fsum(part * part for part in turned)) or 1.0
        y = (STEPS + 0.5) * stair["tread"]
        self.poses[0, :3] = x, y, (STEPS + 1) * stair["rise"] + rock["radius"] + rock["lump"] / 2
        self.poses[0, 3:] = [part / length for part in turned]
        self.speeds[0, :3] = between(-push["sideways"], push["sideways"]), -between(*push["forward"]), 0.0

    def fall(self) -> Fall:
        """Simulate until everything rests; return the fall."""
        times = stairs()["time"]
        while not self._over():
            self._go_on()
        lanes = (*self.lanes, *[GONE] * (STEPS - len(self.lanes)))
        rests = list(self.pawns)
        for seat, pose in zip(self.seats, self.poses[1:], strict=True):
            rests[seat] = _rest(self.pawns[seat], pose)
        if self.recorder:
            for _ in range(round(times["after"] * TICKS)):
                self._go_on()
        return Fall(self.pawns, lanes, tuple(rests), self.recorder.packed() if self.recorder else None)

    def _go_on(self) -> None:
        """Simulate one tick and observe the bodies."""
        self.mujoco.mj_step(self.model, self.data, nstep=stairs()["time"]["rate"] // TICKS)
        self.tick += 1
        self._look()

    def _look(self) -> None:
        """Note how far the rock has come and which bodies rest; take away a rock that rests on the stairs."""
        times = stairs()["time"]
        for body, speed in enumerate(self.speeds.tolist()):
            slow = times["slow_pawn"] if body else times["slow_rock"]
            self.still[body] = self.still[body] + 1 if max(map(abs, speed)) < slow else 0
        if not self.rock_gone:
            self._follow_rock()
        if self.recorder:
            self.recorder.look(self.tick, self.poses, self.taken)

    def _follow_rock(self) -> None:
        """Note the rock's lane when its middle passes the middle of a step."""
        x, y = self.poses[0, :2].tolist()
        while len(self.lanes) < STEPS and y < (STEPS - len(self.lanes) - 0.5) * stairs()["stair"]["tread"]:
            self.lanes.append(_lane(x))
        if y < -stairs()["rock"]["radius"]:
            self.rock_gone = True
        elif self._rests(0):
            self._take_rock_away()

    def _take_rock_away(self) -> None:
        """Drop the rock through the floor: what leaned on it may fall now."""
        self.rock_gone = self.taken = True
        self.poses[0, :3] = 0.0, 0.0, -1000.0
        self.speeds[0] = 0.0
        self.still = [0] * len(self.still)

    def _rests(self, body: int) -> bool:
        """Whether a body has not moved for long enough."""
        return self.still[body] >= stairs()["time"]["still"] * TICKS

    def _over(self) -> bool:
        """Whether the rock is gone and no pawn moves on the stairs, or time is up."""
        if self.tick >= stairs()["time"]["limit"] * TICKS:
            return True
        return self.rock_gone and all(
            self._rests(body) or _middle(self.poses[body])[1] < 0 for body in range(1, len(self.poses))
        )


def _rest(spot: int, pose: Any) -> int:
    """Where a pawn is at the end: STANDS, the spot where it lies, or FLOOR; never higher than it stood."""
    x, y, upright = _middle(pose)
    step = min(step_of(spot), math.floor(y / stairs()["stair"]["tread"]) + 1)
    if step < 1:
        return FLOOR
    found = (step - 1) * LANES + _lane(x)
    return STANDS if found == spot and upright > 0.8 else found


def _lane(x: float) -> int:
    """The lane of a place across the stairs."""
    return min(max(math.floor(x / stairs()["stair"]["lane"] + 1.5), 0), LANES - 1)


def _middle(pose: Any) -> Vector:
    """Where the middle of a pawn is, to the right and onwards, and how upright it stands (1: quite)."""
    x, y, _, w, i, j, k = pose.tolist()
    half = stairs()["pawn"]["height"] / 2
    return x + half * 2 * (i * k + w * j), y + half * 2 * (j * k - w * i), 1 - 2 * (i * i + j * j)


# --- The recorded path --------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Pose:
    """Where a body is (centimetres to the right, onwards, up) and how it is turned (quaternion, w first)."""

    position: Vector
    turned: Vector


@dataclass(frozen=True)
class Frame:
    """A moment of a fall; None is a rock that was taken away, or a pawn that was not on the stairs."""

    time: float
    rock: Pose | None
    pawns: tuple[Pose | None, ...]


HEAD = struct.Struct("<2sBBH")  # mark, version, which seats have a pawn here, number of frames
POSE = struct.Struct("<7h")
MARK, PATH_VERSION, TAKEN = b"Rk", 1, 0x80
FINE, TURN = 500, 32767  # parts of a centimetre, parts of 1 in a quaternion
UNSEEN = (5,) * 3 + (60,) * 4  # a body that moved less than this is not written again


class _Recorder:
    """Writes thirty frames a second: a byte says which bodies moved, then come their poses."""

    def __init__(self, seats: Sequence[int]) -> None:
        self.seats = seats
        self.frames: list[bytes] = []
        self.last: list[tuple[int, ...]] = []

    def look(self, tick: int, poses: Any, taken: bool) -> None:
        """Write a frame when one is due."""
        if tick % (TICKS // FRAMES):
            return
        now = [_whole(pose) for pose in poses.tolist()]
        moved, written = TAKEN if taken else 0, b""
        for body, pose in enumerate(now):
            if (body or not taken) and (not self.last or _seen(self.last[body], pose)):
                moved |= 1 << body
                written += POSE.pack(*pose)
            elif self.last:
                now[body] = self.last[body]
        self.last = now
        self.frames.append(bytes([moved]) + written)

    def packed(self) -> bytes:
        """Return the recording as bytes."""
        standing = 0
        for seat in self.seats:
            standing |= 1 << seat
        return HEAD.pack(MARK, PATH_VERSION, standing, len(self.frames)) + b"".join(self.frames)


def _whole(pose: Sequence[float]) -> tuple[int, ...]:
    """Return a pose in whole numbers."""
    position = [round(part * FINE) for part in pose[:3]]
    return (*[min(max(part, -TURN), TURN) for part in position], *[round(part * TURN) for part in pose[3:]])


def _seen(before: Sequence[int], now: Sequence[int]) -> bool:
    """Whether a pose differs visibly from the one written last."""
    return any(abs(a - b) > unseen for a, b, unseen in zip(before, now, UNSEEN, strict=True))


def unpack(path: bytes) -> list[Frame]:
    """Return the frames of a recorded fall."""
    try:
        return list(_frames(path))
    except (struct.error, IndexError) as broken:
        raise DracothequeError(f"This is not the whole path of a rock: {broken}.") from broken


def _frames(path: bytes) -> Iterator[Frame]:
    """Read frame by frame; a body that is not written is where it was."""
    mark, made, standing, count = HEAD.unpack_from(path)
    if (mark, made) != (MARK, PATH_VERSION):
        raise DracothequeError("This is not the path of a rock, or of another version.")
    seats = [seat for seat in range(SEATS) if standing >> seat & 1]
    poses: list[Pose | None] = [None] * (1 + len(seats))
    at = HEAD.size
    for number in range(count):
        moved = path[at]
        at += 1
        for body in range(len(poses)):
            if moved >> body & 1:
                whole = POSE.unpack_from(path, at)
                at += POSE.size
                poses[body] = Pose(tuple(n / FINE for n in whole[:3]), tuple(n / TURN for n in whole[3:]))
        pawns: list[Pose | None] = [None] * SEATS
        for seat, pose in zip(seats, poses[1:], strict=True):
            pawns[seat] = pose
        yield Frame(number / FRAMES, None if moved & TAKEN else poses[0], tuple(pawns))
