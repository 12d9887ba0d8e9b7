"""Lay out the pictures of `make look`: an index for a browser, and contact sheets for a quick look."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import sqrt
from pathlib import Path

from playwright.sync_api import Browser

HEIGHTS = {"index": 220, "sheet": 300, "film": 240}  # pixels of a picture
GAP, LABELS = 20, 60  # pixels between pictures, and of what is written at them
STYLE = """
:root { color-scheme: light dark }
body { margin: 1.5rem; font: 1rem/1.4 system-ui, sans-serif }
nav a { margin-inline-end: 1rem }
section { display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: start }
article > div { display: flex; flex-wrap: wrap; gap: 6px }
article h3 { margin: .4rem 0; font-size: 1rem }
figure { margin: 0 }
figcaption { font-size: .75rem; opacity: .75 }
img { display: block; width: auto; border: 1px solid color-mix(in srgb, currentColor 30%, transparent) }
"""


@dataclass(frozen=True)
class Shot:
    """A picture of a moment at a size and in a theme."""

    game: str
    moment: str
    size: str
    theme: str
    kind: str = "jpg"

    @property
    def file(self) -> str:
        """Where it is, from the folder of all."""
        return f"{self.game}/{self.moment}-{self.size}-{self.theme}.{self.kind}"


@dataclass(frozen=True)
class Film:
    """A round as it was shown: when each frame was taken, in milliseconds, and its file."""

    game: str
    size: str
    frames: tuple[tuple[int, str], ...]


def write_index(folder: Path, shots: Sequence[Shot], films: Sequence[Film], sheets: Sequence[str]) -> None:
    """Write index.html: for each game its moments, each at all sizes by day and by night, and its films."""
    games = list(dict.fromkeys(shot.game for shot in shots) | dict.fromkeys(film.game for film in films))
    links = [f'<a href="#{game}">{game}</a>' for game in games]
    links += [f'<a href="{sheet}">{escape(Path(sheet).stem)}</a>' for sheet in sheets]
    parts = ["<h1>Dracothèque</h1>", f"<nav>{''.join(links)}</nav>"]
    for game in games:
        mine = [shot for shot in shots if shot.game == game]
        strips = [strip(film, "", HEIGHTS["index"]) for film in films if film.game == game]
        parts += [f'<h2 id="{game}">{game}</h2><section>', *moments(mine, "", HEIGHTS["index"]), *strips, "</section>"]
    (folder / "index.html").write_text(document("Dracothèque", parts), "utf-8")


def write_sheets(browser: Browser, folder: Path, shots: Sequence[Shot], films: Sequence[Film]) -> list[str]:
    """Write a contact sheet for each game and theme, and one for each film, as PNG; name their files."""
    (folder / "sheets").mkdir(parents=True, exist_ok=True)
    sheets: dict[str, tuple[int, list[str]]] = {}
    for game, theme in dict.fromkeys((shot.game, shot.theme) for shot in shots):
        mine = [shot for shot in shots if (shot.game, shot.theme) == (game, theme)]
        sizes = list(dict.fromkeys(shot.size for shot in mine))
        count = len(dict.fromkeys(shot.moment for shot in mine))
        sheets[f"{game}-{theme}"] = width(sizes, HEIGHTS["sheet"], count), moments(mine, "../", HEIGHTS["sheet"])
    for film in films:
        wide = width([film.size], HEIGHTS["film"], len(film.frames))
        sheets[f"{film.game}-film-{film.size}"] = wide, [strip(film, "../", HEIGHTS["film"])]
    for name, (wide, parts) in sheets.items():
        print_sheet(browser, folder / "sheets" / f"{name}.png", wide, parts)
    return [f"sheets/{name}.png" for name in sheets]


def width(sizes: Sequence[str], height: int, count: int) -> int:
    """Return how wide a sheet is to be, so that groups of pictures of these sizes make about a square."""
    wide = sum(height * int(across) // int(down) + GAP for across, down in (size.split("x") for size in sizes)) + GAP
    return GAP + wide * max(1, round(sqrt(count * (height + LABELS) / wide)))


def print_sheet(browser: Browser, file: Path, wide: int, parts: Iterable[str]) -> None:
    """Lay pictures out in a page, and take a picture of it all."""
    page_file = file.with_suffix(".html")
    title = f"<h2>{escape(file.stem)}</h2>"
    page_file.write_text(document(file.stem, [title, "<section>", *parts, "</section>"]), "utf-8")
    page = browser.new_page(viewport={"width": wide, "height": 800})
    page.goto(page_file.as_uri())
    page.evaluate("Promise.all([...document.images].map((image) => (image.loading = 'eager', image.decode())))")
    page.screenshot(path=file, full_page=True)
    page.close()
    page_file.unlink()


def moments(shots: Sequence[Shot], root: str, height: int) -> list[str]:
    """Return the moments of a game in the order in which they came, each with all its pictures."""
    return [
        article(moment, [(shot.file, label(shot)) for shot in shots if shot.moment == moment], root, height)
        for moment in dict.fromkeys(shot.moment for shot in shots)
    ]


def label(shot: Shot) -> str:
    """Return what stands under a picture."""
    return f"{shot.size.replace('x', ' × ')}, {shot.theme}"


def strip(film: Film, root: str, height: int) -> str:
    """Return the frames of a film, each with its time."""
    pictures = [(file, f"{shown / 1000:.1f} s") for shown, file in film.frames]
    return article(f"film {film.size.replace('x', ' × ')}", pictures, root, height)


def article(title: str, pictures: Iterable[tuple[str, str]], root: str, height: int) -> str:
    """Return pictures under a heading; each leads to itself in full size."""
    figures = (
        f'<figure><a href="{root}{file}"><img src="{root}{file}" height="{height}" loading="lazy" alt=""></a>'
        f"<figcaption>{escape(about)}</figcaption></figure>"
        for file, about in pictures
    )
    return f"<article><h3>{escape(title)}</h3><div>{''.join(figures)}</div></article>"


def document(title: str, parts: Iterable[str]) -> str:
    """Return a page that needs nothing but the pictures beside it."""
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    return (
        f'<!doctype html><html lang="en"><head>{head}<style>{STYLE}</style></head><body>{"".join(parts)}</body></html>'
    )
