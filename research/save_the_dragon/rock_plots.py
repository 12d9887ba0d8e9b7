"""The pictures of the study of the rock, drawn as SVG by day and by night."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dracotheque.games.save_the_dragon import rock_physics
from dracotheque.games.save_the_dragon.rock_physics import LANES, STEPS, Frame, Pose
from research.shared.drawing import DAY, NIGHT, Light, line, sheet, text

__all__ = ["DAY", "NIGHT", "Light", "Panel", "fall_picture", "felled_picture"]

Point = tuple[float, float, float]


# --- A fall, moment by moment -------------------------------------------------------------------------------------
class Camera:
    """Looks up the stairs from in front of the floor."""

    EYE, TARGET, LENGTH = (9.0, -44.0, 56.0), (0.0, 17.0, 12.0), 545.0

    def __init__(self, left: float, top: float) -> None:
        """Stand so that the middle of the picture is there."""
        self.left, self.top = left, top
        ahead = _unit([b - a for a, b in zip(self.EYE, self.TARGET, strict=True)])
        right = _unit([ahead[1], -ahead[0], 0.0])
        up = [
            right[1] * ahead[2] - right[2] * ahead[1],
            right[2] * ahead[0] - right[0] * ahead[2],
            right[0] * ahead[1] - right[1] * ahead[0],
        ]
        self.axes = (right, up, ahead)

    def at(self, point: Sequence[float]) -> tuple[float, float, float]:
        """Where a point is on the paper, and how many units a centimetre has there."""
        seen = [part - eye for part, eye in zip(point, self.EYE, strict=True)]
        x, y, far = (math.fsum(a * b for a, b in zip(seen, axis, strict=True)) for axis in self.axes)
        scale = self.LENGTH / far
        return self.left + x * scale, self.top - y * scale, scale

    def area(self, corners: Sequence[Sequence[float]], fill: str, stroke: str, extra: str = "") -> str:
        """A flat thing."""
        points = " ".join("{:.1f},{:.1f}".format(*self.at(corner)[:2]) for corner in corners)
        return f'<polygon points="{points}" fill="{fill}" stroke="{stroke}" stroke-width="0.7" {extra}/>'

    def solid(self, corners: Sequence[Sequence[float]], fill: str, stroke: str) -> str:
        """The outline of a body without hollows."""
        flat = sorted({self.at(corner)[:2] for corner in corners})
        outline = [*_half(flat), *_half(flat[::-1])]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in outline)
        return f'<polygon points="{points}" fill="{fill}" stroke="{stroke}" stroke-width="0.7"/>'

    def ball(self, middle: Sequence[float], radius: float, fill: str, stroke: str, width: float = 0.7) -> str:
        """A ball."""
        x, y, scale = self.at(middle)
        return (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius * scale:.1f}" fill="{fill}" stroke="{stroke}" '
            f'stroke-width="{width}"/>'
        )


def _unit(vector: Sequence[float]) -> list[float]:
    """A vector of length 1."""
    length = math.sqrt(math.fsum(part * part for part in vector))
    return [part / length for part in vector]


def _half(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """One side of the outline of points that are sorted."""
    side: list[tuple[float, float]] = []
    for point in points:
        while len(side) > 1 and _turn(side[-2], side[-1], point) <= 0:
            side.pop()
        side.append(point)
    return side[:-1]


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    """Above 0: left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _placed(pose: Pose, point: Sequence[float]) -> list[float]:
    """Where a point of a body is."""
    w, x, y, z = pose.turned
    px, py, pz = point
    tx, ty, tz = 2 * (y * pz - z * py), 2 * (z * px - x * pz), 2 * (x * py - y * px)
    moved = (px + w * tx + y * tz - z * ty, py + w * ty + z * tx - x * tz, pz + w * tz + x * ty - y * tx)
    return [part + at for part, at in zip(moved, pose.position, strict=True)]


WIDE, HIGH = 270, 470
EDGE = -6.5  # so much of the floor is drawn


def fall_picture(frames: Sequence[Frame], moments: Sequence[int], shield: int, light: Light) -> str:
    """Draw some moments of a fall; a thin line shows where the rock's middle was."""
    parts: list[str] = []
    columns = (len(moments) + 1) // 2
    for number, moment in enumerate(moments):
        left, top = 14 + number % columns * WIDE, 14 + number // columns * HIGH
        camera = Camera(left + WIDE / 2, top + HIGH / 2)
        parts += _scene(camera, frames, moment, shield, light)
        parts.append(text(left + 12, top + 24, f"{frames[moment].time:.2f} s", light.ink, 14))
    return sheet(28 + columns * WIDE, 28 + 2 * HIGH, "A rock falls down the stairs", light, parts)


def _scene(camera: Camera, frames: Sequence[Frame], moment: int, shield: int, light: Light) -> Iterator[str]:
    """Draw the stairs from the top, with everything that is on each step."""
    stair = rock_physics.stairs()["stair"]
    half, tread, rise = 1.5 * stair["lane"], stair["tread"], stair["rise"]
    bodies = list(_bodies(camera, frames[moment], light))
    yield from _doors(camera, light)
    for step in range(STEPS + 1, -1, -1):
        z, near, far = step * rise, (step - 1) * tread, step * tread
        if step == 0:
            near, far = EDGE, 0.0
        if step == STEPS + 1:
            far = near + 0.9 * tread
        if step <= STEPS:
            riser = [(-half, far, z), (half, far, z), (half, far, z + rise), (-half, far, z + rise)]
            yield camera.area(riser, light.line, light.faint)
        yield camera.area([(-half, near, z), (half, near, z), (half, far, z), (-half, far, z)], light.band, light.faint)
        for edge in (-half / 3, half / 3) if 1 <= step <= STEPS else ():
            (x1, y1, _), (x2, y2, _) = camera.at((edge, near, z)), camera.at((edge, far, z))
            yield line(x1, y1, x2, y2, light.faint, 0.6, "2 2")
        if rock_physics.step_of(shield) == step:
            yield from _shield(camera, shield, light)
        for nearest, drawing in bodies:
            if (near <= nearest < far) or (step == 0 and nearest < near):
                yield from drawing
    yield _trail(camera, frames[: moment + 1], light)


def _doors(camera: Camera, light: Light) -> Iterator[str]:
    """Draw the wall of the dragon's chamber with its three doors."""
    stair = rock_physics.stairs()["stair"]
    lane, y, z = stair["lane"], (STEPS + 0.9) * stair["tread"], (STEPS + 1) * stair["rise"]
    half = 1.5 * lane
    yield camera.area([(-half, y, z), (half, y, z), (half, y, z + 6), (-half, y, z + 6)], light.line, light.faint)
    for door in range(LANES):
        middle = (door - 1) * lane
        arch = [
            (middle + 1.9 * math.cos(turn / 8 * math.pi), y, z + 3 + 1.9 * math.sin(turn / 8 * math.pi))
            for turn in range(9)
        ]
        yield camera.area([(middle + 1.9, y, z), *arch, (middle - 1.9, y, z)], DAY.ink, light.faint)


def _shield(camera: Camera, spot: int, light: Light) -> Iterator[str]:
    """Draw the two plates of the shield."""
    shield = rock_physics.stairs()["shield"]
    x, y, z = rock_physics.place(spot)
    askew, quarter = (1 - spot % LANES) * shield["askew"], shield["width"] / 4
    long, thick = quarter / math.cos(math.radians(shield["slant"])), shield["thickness"] / 2
    plates = []
    for side in (-1, 1):
        turn, away = math.radians(askew - side * shield["slant"]), math.radians(askew)
        mx, my = x + side * quarter * math.cos(away), y + side * quarter * math.sin(away)
        corners = [
            (mx + a * math.cos(turn) - b * math.sin(turn), my + a * math.sin(turn) + b * math.cos(turn), z + high)
            for a in (-long, long) for b in (-thick, thick) for high in (0, shield["height"])
        ]  # fmt: skip
        plates.append((my, corners))
    for _, corners in sorted(plates, reverse=True):
        yield camera.solid(corners, light.amethyst, light.ink)


def _bodies(camera: Camera, frame: Frame, light: Light) -> Iterator[tuple[float, list[str]]]:
    """Draw rock and pawns, each with how near it comes; the far ones first."""
    things = []
    if frame.rock and frame.rock.position[1] > EDGE:
        things.append(
            (frame.rock.position[1] - rock_physics.stairs()["rock"]["radius"], _rock(camera, frame.rock, light))
        )
    colours = (light.emerald, light.gold, light.ember, light.sapphire)
    for pose, colour in zip(frame.pawns, colours, strict=True):
        if pose:
            head = _placed(pose, (0, 0, rock_physics.stairs()["pawn"]["height"]))
            things.append((min(pose.position[1], head[1]) - 0.6, _pawn(camera, pose, colour, light)))
    yield from sorted(things, key=lambda thing: -thing[0])


def _rock(camera: Camera, pose: Pose, light: Light) -> list[str]:
    """Draw the rock: its lumps that are turned away, the ball, and the lumps in front."""
    data = rock_physics.stairs()["rock"]
    lumps = sorted((_placed(pose, lump) for lump in data["lumps"]), key=lambda at: -at[1])
    behind = [camera.ball(at, data["lump"], light.faint, light.ink) for at in lumps if at[1] > pose.position[1]]
    front = [camera.ball(at, data["lump"], light.faint, light.ink, 0.4) for at in lumps if at[1] <= pose.position[1]]
    return [*behind, camera.ball(pose.position, data["radius"], light.faint, light.ink), *front]


def _pawn(camera: Camera, pose: Pose, colour: str, light: Light) -> list[str]:
    """Draw a pawn: its foot and its body, whichever is further away first."""
    data = rock_physics.stairs()["pawn"]
    wide, high, radius = data["foot"], data["foot_height"], data["body"]
    corners = [_placed(pose, (x, y, z)) for x in (-wide, wide) for y in (-wide, wide) for z in (0, high)]
    low, top = _placed(pose, (0, 0, high)), _placed(pose, (0, 0, data["height"] - radius))
    (x1, y1, scale), (x2, y2, _) = camera.at(low), camera.at(top)
    body = "".join(
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}" '
        f'stroke-width="{2 * radius * scale + more:.1f}" stroke-linecap="round"/>'
        for stroke, more in ((light.ink, 1.2), (colour, 0))
    )
    foot = camera.solid(corners, colour, light.ink)
    head = camera.ball(top, radius * 1.15, colour, light.ink)
    return [foot, body, head] if low[1] >= top[1] - 1 else [body, head, foot]


def _trail(camera: Camera, frames: Sequence[Frame], light: Light) -> str:
    """Draw where the rock was."""
    places = [frame.rock.position for frame in frames if frame.rock]
    points = " ".join("{:.1f},{:.1f}".format(*camera.at(place)[:2]) for place in places if place[1] > EDGE)
    return f'<polyline points="{points}" fill="none" stroke="{light.ember}" stroke-width="1.6" stroke-dasharray="3 3"/>'


# --- Who is felled where ------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Panel:
    """How often a lone pawn is felled on each spot; None in the way of the rock is the shield."""

    title: str
    door: int
    shield: int | None
    shares: Mapping[int, float]


CELL, LINE, BETWEEN = 58, 34, 38


def felled_picture(panels: Sequence[Panel], light: Light) -> str:
    """Draw the stairs from above, each spot the darker the more often a pawn is felled on it."""
    parts = [text(40, 36, "How often a pawn that stands there alone is felled, %", light.ink, 15)]
    for number, panel in enumerate(panels):
        parts += _panel(panel, 40 + number * (LANES * CELL + BETWEEN), light)
    return sheet(40 + len(panels) * (LANES * CELL + BETWEEN), 122 + STEPS * LINE, "Who is felled where", light, parts)


def _panel(panel: Panel, left: float, light: Light) -> Iterator[str]:
    """Draw one pair of door and shield."""
    yield text(left, 62, panel.title, light.ink, 13)
    arrow = left + (panel.door + 0.5) * CELL
    yield f'<path d="M{arrow - 9:.1f},76 h18 l-9,14 z" fill="{light.ember}"/>'
    for spot in range(STEPS * LANES):
        x, y = left + spot % LANES * CELL, 98 + (STEPS - rock_physics.step_of(spot)) * LINE
        inside = f'x="{x + 1.5:.1f}" y="{y + 1.5:.1f}" width="{CELL - 3}" height="{LINE - 3}" rx="4"'
        if spot == panel.shield:
            yield f'<rect {inside} fill="{light.amethyst}"/>'
            yield text(x + CELL / 2, y + LINE / 2 + 4.5, "shield", light.paper, 12, "middle")
            continue
        share = panel.shares[spot]
        yield f'<rect {inside} fill="{light.band}"/><rect {inside} fill="{light.ember}" opacity="{share:.2f}"/>'
        colour = light.paper if share > 0.55 else light.ink
        yield text(x + CELL / 2, y + LINE / 2 + 4.5, f"{100 * share:.0f}", colour, 13, "middle")
    if left < 50:
        for step in range(1, STEPS + 1):
            yield text(left - 10, 98 + (STEPS - step) * LINE + LINE / 2 + 4.5, str(step), light.faint, 12, "end")
