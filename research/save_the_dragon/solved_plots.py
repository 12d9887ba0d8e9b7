"""The pictures of the solved game, drawn as SVG by day and by night: tables as fields of colour, and positions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dracotheque.games.save_the_dragon.rules.state import FLOOR, LANES, SPOTS, STEPS
from research.shared.drawing import DAY, NIGHT, Light, line, sheet, text

__all__ = ["DAY", "NIGHT", "Board", "Panel", "board_picture", "heat_picture"]

WIDE, HIGH, LEFT, TOP = 66, 38, 104, 74
DEEP = 0.44  # of a colour in the strongest field: numbers on it can still be read by night


# --- Tables ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Panel:
    """A table of shares with the names of its rows and columns."""

    title: str
    cells: Sequence[Sequence[float]]
    rows: Sequence[str]
    columns: Sequence[str]
    even: bool = False
    """Whether one half is what parts good from bad: above it fields are gold, below blue."""


def heat_picture(panel: Panel, light: Light) -> str:
    """Draw a table: the larger a share, the more gold lies in its field."""
    most = max(map(max, panel.cells))
    parts = [text(16, 32, panel.title, light.ink, 16)]
    for x, name in enumerate(panel.columns):
        parts.append(text(LEFT + WIDE * (x + 0.5), TOP - 10, name, light.faint, 12, "middle"))
    for y, (name, row) in enumerate(zip(panel.rows, panel.cells, strict=True)):
        parts.append(text(LEFT - 10, TOP + HIGH * (y + 0.62), name, light.faint, 12, "end"))
        for x, share in enumerate(row):
            strength = 2 * share - 1 if panel.even else share / most
            parts.append(_field(LEFT + WIDE * x, TOP + HIGH * y, share, strength, light))
    return sheet(LEFT + WIDE * len(panel.columns) + 20, TOP + HIGH * len(panel.rows) + 20, panel.title, light, parts)


def _field(x: float, y: float, share: float, strength: float, light: Light) -> str:
    """Draw one field with its share in words."""
    place = f'x="{x + 1:.1f}" y="{y + 1:.1f}" width="{WIDE - 2}" height="{HIGH - 2}" rx="4"'
    colour = light.gold if strength >= 0 else light.sapphire
    ground = f'<rect {place} fill="{colour}" fill-opacity="{0.06 + DEEP * abs(strength):.2f}"/>'
    digits = 0 if share >= 0.095 or not share else 1
    return ground + text(x + WIDE / 2, y + HIGH * 0.63, f"{100 * share:.{digits}f} %", light.ink, 13, "middle")


# --- Positions ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Board:
    """A position, as the seat that has to choose sees it, and the chance of every choice that is to be shown."""

    title: str
    mine: int
    theirs: int
    shield: int
    shut: int
    tokens: tuple[int, int]
    """Mine first."""
    spots: dict[int, float]
    """Chances of choices that lead to a spot."""
    doors: dict[int, float]
    """Chances of choices that concern a door."""
    about: Sequence[str] = ()


CELL, LINE, STAIR = 62, 34, 58


def board_picture(boards: Sequence[Board], light: Light) -> str:
    """Draw positions beside each other."""
    wide = LANES * CELL + 2 * STAIR
    parts = [part for number, board in enumerate(boards) for part in _board(board, number * wide, light)]
    high = 96 + (STEPS + 2) * LINE + 22 * max(len(board.about) for board in boards)
    return sheet(len(boards) * wide, high, "; ".join(board.title for board in boards), light, parts)


def _board(board: Board, left: float, light: Light) -> Iterator[str]:
    """Draw the stairs from the doors down to the floor."""
    middle, foot = left + STAIR + LANES * CELL / 2, 78 + (STEPS + 1) * LINE
    yield text(middle, 30, board.title, light.ink, 15, "middle")
    for door in range(LANES):
        yield from _door(board, door, left + STAIR + door * CELL, 48, light)
    for spot in range(SPOTS):
        x, y = left + STAIR + spot % LANES * CELL, 82 + (STEPS - 1 - spot // LANES) * LINE
        yield _ground(x, y, light.band, 1.0)
        yield from _on_spot(board, spot, x, y, light)
        if spot % LANES == 0:
            yield text(x - 10, y + LINE * 0.63, str(spot // LANES + 1), light.faint, 12, "end")
    yield line(left + STAIR, foot - LINE + 6, left + STAIR + LANES * CELL, foot - LINE + 6, light.faint, 1.2)
    for place, seat, x in ((board.mine, 0, middle - 34), (board.theirs, 1, middle + 34)):
        if place == FLOOR:
            yield from _pawn(x, foot - 6, seat, light)
    for number, words in enumerate((_tokens(board), *board.about)):
        yield text(middle, foot + 26 + 20 * number, words, light.faint if number == 0 else light.ink, 12.5, "middle")


def _tokens(board: Board) -> str:
    """Say who has tokens."""
    mine, theirs = board.tokens
    return f"tokens: you {mine}, the other {theirs}"


def _door(board: Board, door: int, x: float, y: float, light: Light) -> Iterator[str]:
    """Draw a door, shut or open, and the chance of what concerns it."""
    shut = door == board.shut
    inside = f'x="{x + 6}" y="{y}" width="{CELL - 12}" height="26" rx="12"'
    best = board.doors.get(door, -1) >= max([*board.spots.values(), *board.doors.values()])
    fill = light.faint if shut else light.gold if best else light.paper
    yield f'<rect {inside} fill="{fill}" stroke="{light.faint}" stroke-width="1.4"/>'
    if shut:
        yield text(x + CELL / 2, y + 18, "shut", light.paper, 12, "middle")
    elif door in board.doors:
        yield text(x + CELL / 2, y + 18, f"{100 * board.doors[door]:.1f}", DAY.ink if best else light.ink, 13, "middle")


def _on_spot(board: Board, spot: int, x: float, y: float, light: Light) -> Iterator[str]:
    """Draw what stands on a spot, or the chance of a choice that leads there: the best in gold."""
    if spot == board.shield:
        yield _ground(x, y, light.amethyst, 1.0)
        yield text(x + CELL / 2, y + LINE * 0.63, "shield", light.paper, 12, "middle")
    elif spot in (board.mine, board.theirs):
        yield from _pawn(x + CELL / 2, y + LINE / 2, 0 if spot == board.mine else 1, light)
    elif spot in board.spots:
        best = board.spots[spot] >= max([*board.spots.values(), *board.doors.values()])
        yield _ground(x, y, light.gold, 0.75 if best else 0.15)
        ink = DAY.ink if best else light.ink
        yield text(x + CELL / 2, y + LINE * 0.63, f"{100 * board.spots[spot]:.1f}", ink, 13, "middle")


def _ground(x: float, y: float, fill: str, strength: float) -> str:
    """Colour a spot."""
    inside = f'x="{x + 1.5:.1f}" y="{y + 1.5:.1f}" width="{CELL - 3}" height="{LINE - 3}" rx="4"'
    return f'<rect {inside} fill="{fill}" fill-opacity="{strength}"/>'


def _pawn(x: float, y: float, seat: int, light: Light) -> Iterator[str]:
    """Draw a pawn: mine or the other's."""
    inside = f'x="{x - 24:.1f}" y="{y - 12:.1f}" width="48" height="24" rx="12"'
    yield f'<rect {inside} fill="{(light.emerald, light.ember)[seat]}"/>'
    yield text(x, y + 4.5, ("you", "other")[seat], light.paper, 12.5, "middle")
