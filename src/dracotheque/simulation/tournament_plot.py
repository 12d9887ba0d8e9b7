"""The plot of a tournament: for each bot its share of wins with the 95 % interval, light and dark."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from dracotheque.engine.registry import find_game
from dracotheque.simulation.report import short_name, with_interval
from dracotheque.simulation.tournament import Standing, Tournament, standings

WIDTH, TOP, ROW = 890, 96, 34
LEFT, RIGHT = 232, 556  # where the scale begins and ends
SHARE, RATING = 714, 866  # where the columns of figures end
LETTERS = 28  # of a name that have room beside the scale
DAY = {"paper": "#fdfaf2", "ink": "#2a2018", "faint": "#6d5f4e", "line": "#dccfb4", "dot": "#1f7a5c"}
NIGHT = {"paper": "#14182a", "ink": "#e6e9f5", "faint": "#a3abc6", "line": "#353d5c", "dot": "#4bbd94"}
FONT = "Georgia, 'DejaVu Serif', serif"


def svg(done: Tournament) -> str:
    """Draw a tournament, the best bot first."""
    rows, settings = standings(done), done.settings
    bottom = TOP + ROW * len(rows)
    most = _end_of_scale(rows, settings.fair)
    title = f"{find_game(settings.game).title}, {settings.players} players, {done.games:,} games"
    parts = [
        _text(24, 40, title, "ink", 16),
        _text(LEFT, 62, "Share of wins", "faint", 13),
        _text(SHARE, 62, "% (95 % interval)", "faint", 12, "end"),
        _text(RATING, 62, "rating", "faint", 12, "end"),
        *_grid(most, bottom),
        *_fair_line(_across(settings.fair, most), settings.fair, bottom),
    ]
    for number, row in enumerate(rows):
        parts += _row(row, TOP + ROW * (number + 0.5), most)
    return _sheet(bottom + 44, title, parts)


def _row(row: Standing, y: float, most: float) -> list[str]:
    """Draw a bot's dot and bar, and write its figures beside."""
    x, low, high = (_across(end or 0.0, most) for end in (row.share.value, row.share.low, row.share.high))
    rating = f"{row.bound} {row.rating.value:.0f}" if row.bound else with_interval(row.rating, 0)
    return [
        _text(LEFT - 16, y + 4.5, _cut(short_name(row.bot)), "ink", 14, "end"),
        _line("dot", low, y, high, y, ' stroke-width="2.4"'),
        *(_line("dot", end, y - 5, end, y + 5, ' stroke-width="1.6"') for end in (low, high)),
        f'<circle class="f-dot s-paper" cx="{x:.1f}" cy="{y:.1f}" r="4.8"/>',
        _text(SHARE, y + 4.5, with_interval(row.share.times(100), 1), "ink", 13, "end"),
        _text(RATING, y + 4.5, rating, "ink", 13, "end"),
    ]


def _grid(most: float, bottom: float) -> list[str]:
    """Draw the scale."""
    parts: list[str] = []
    for percent in range(0, round(100 * most) + 1, 10 if most <= 0.5 else 20):
        x = _across(percent / 100, most)
        parts.append(_line("line", x, TOP - 6, x, bottom))
        parts.append(_text(x, TOP - 12, f"{percent}", "faint", 12, "middle"))
    return parts


def _fair_line(x: float, fair: float, bottom: float) -> list[str]:
    """Draw the line of a bot of average strength."""
    return [
        _line("faint", x, TOP - 6, x, bottom + 8, ' stroke-width="1.8" stroke-dasharray="5 4"'),
        _text(x, bottom + 25, f"a fair share: {100 * fair:.1f} %", "faint", 12, "middle"),
    ]


def _end_of_scale(rows: Iterable[Standing], fair: float) -> float:
    """Find the round share that has room for every interval."""
    highest = max([fair, *(row.share.high or 0.0 for row in rows)])
    return next(end for end in (0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0) if highest <= end or end == 1.0)


def _across(share: float, most: float) -> float:
    """The position of a share."""
    return LEFT + share / most * (RIGHT - LEFT)


def _cut(name: str) -> str:
    """Shorten a name that would reach over the edge."""
    return name if len(name) <= LETTERS else f"{name[: LETTERS - 1]}…"


def _line(colour: str, x1: float, y1: float, x2: float, y2: float, extra: str = "") -> str:
    """Draw a line."""
    return f'<line class="s-{colour}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"{extra}/>'


def _text(x: float, y: float, words: str, colour: str, size: float, anchor: str = "start") -> str:
    """Write words."""
    place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}"'
    return f'<text class="f-{colour}" {place}>{escape(words)}</text>'


def _style() -> str:
    """Name the colours: those of the day, and those that take their place by night."""
    day, night = (
        "".join(f".f-{name}{{fill:{colour}}}.s-{name}{{stroke:{colour}}}" for name, colour in light.items())
        for light in (DAY, NIGHT)
    )
    return f"<style>{day}@media (prefers-color-scheme: dark){{{night}}}</style>"


def _sheet(height: float, title: str, parts: Iterable[str]) -> str:
    """Return a document with parts in it."""
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" role="img" font-family="{FONT}">\n'
        f"<title>{escape(title)}</title>\n{_style()}\n"
        f'<rect class="f-paper" width="{WIDTH}" height="{height:g}" rx="10"/>\n{body}\n</svg>\n'
    )
