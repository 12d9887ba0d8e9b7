"""Reading a board's SVG: its places, its things by id, and the room each takes."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

Box = tuple[float, float, float, float]
Spot = tuple[float, float]
ARGUMENTS = {"M": 2, "L": 2, "T": 2, "H": 1, "V": 1, "Q": 4, "C": 6, "A": 7, "Z": 0}


class Picture:
    """A board taken apart: its places by key, its other things by id, and the room each takes."""

    def __init__(self, drawn: str) -> None:
        """Read the XML; namespaces only get in the way."""
        self.root = ElementTree.fromstring(drawn)
        for element in self.root.iter():
            element.tag = element.tag.partition("}")[2]
        self.ids = {element.get("id", ""): element for element in self.root.iter() if element.get("id")}
        found = [element for element in self.root.iter() if element.get("data-place")]
        self.places = {element.get("data-place", ""): element for element in found}
        assert len(self.places) == len(found)
        *corner, self.width, self.height = map(float, self.root.get("viewBox", "").split())
        assert corner == [0, 0]

    def named(self, beginning: str) -> dict[str, Element]:
        """Find the things whose ids begin so."""
        return {name: element for name, element in self.ids.items() if name.startswith(beginning)}

    def label(self, key: str) -> str:
        """Return what a place is called for who cannot see it."""
        return self.places[key].get("aria-label", "")

    def thing(self, name: str) -> Element:
        """Find a place by its key, or another thing by its id."""
        return self.places[name] if name in self.places else self.ids[name]

    def discs(self, name: str) -> int:
        """Count the coins that are drawn."""
        return sum(use.get("href") == "#a-coin" for use in self.thing(name).iter("use"))

    def written(self, name: str) -> list[str]:
        """Read what is written on a thing."""
        return [text.text or "" for text in self.thing(name).iter("text")]

    def box(self, name: str) -> Box:
        """Find the room a thing takes: curves stay within their control points."""
        xs, ys = zip(*self.spots(self.thing(name)), strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def spots(self, element: Element) -> Iterator[Spot]:
        """List the corners and control points of a thing and all its parts, in the coordinates of the whole."""
        inner: Iterator[Spot] = itertools.chain.from_iterable(self.spots(part) for part in element)
        if element.tag == "use":
            inner = self.spots(self.ids[element.get("href", "")[1:]])
        elif element.tag == "path":
            inner = path_spots(element.get("d", ""))
        elif element.tag in {"circle", "ellipse"}:
            inner = round_spots(element)
        elif element.tag == "text":
            inner = iter([(float(element.get("x", 0)), float(element.get("y", 0)))])
        yield from transformed(inner, element.get("transform", ""))

    def holds(self, name: str) -> bool:
        """Return whether a thing is wholly inside the picture."""
        left, top, right, bottom = self.box(name)
        return left >= 0 and top >= 0 and right <= self.width and bottom <= self.height


def path_spots(data: str) -> Iterator[Spot]:
    """List the corners and control points of a path; of an arc, the square around its end."""
    tokens = re.findall(r"[A-Za-z]|-?\d*\.?\d+", data)
    x = y = 0.0
    first, letter = (0.0, 0.0), ""
    while tokens:
        if tokens[0].isalpha():
            letter = tokens.pop(0)
        kind, relative = letter.upper(), letter.islower()
        numbers = [float(tokens.pop(0)) for _ in range(ARGUMENTS[kind])]
        ox, oy = (x, y) if relative else (0.0, 0.0)
        if kind == "H":
            x = ox + numbers[0]
        elif kind == "V":
            y = oy + numbers[0]
        elif kind == "Z":
            x, y = first
        elif kind == "A":
            x, y = ox + numbers[5], oy + numbers[6]
            yield from ((x - numbers[0], y - numbers[1]), (x + numbers[0], y + numbers[1]))
        else:
            pairs = [(ox + a, oy + b) for a, b in zip(numbers[::2], numbers[1::2], strict=True)]
            yield from pairs
            x, y = pairs[-1]
        if kind == "M":
            first, letter = (x, y), "l" if relative else "L"
        yield x, y


def round_spots(element: Element) -> Iterator[Spot]:
    """List the corners around a circle or an ellipse."""
    x, y, r = (float(element.get(name, 0)) for name in ("cx", "cy", "r"))
    rx, ry = float(element.get("rx", r)), float(element.get("ry", r))
    return ((x + a * rx, y + b * ry) for a, b in itertools.product((-1, 1), repeat=2))


def transformed(spots: Iterator[Spot], transform: str) -> Iterator[Spot]:
    """Move, scale and turn spots as a transform says."""
    steps = [
        (name, [float(n) for n in re.split(r"[ ,]+", at)]) for name, at in re.findall(r"(\w+)\((.*?)\)", transform)
    ]
    for x, y in spots:
        for name, numbers in reversed(steps):
            if name == "translate":
                x, y = x + numbers[0], y + numbers[1]  # noqa: PLW2901
            elif name == "scale":
                x, y = x * numbers[0], y * numbers[-1]  # noqa: PLW2901
            else:
                assert name == "rotate"
                turn = math.radians(numbers[0])
                x, y = x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)  # noqa: PLW2901
        yield x, y


def overlap(one: Box, other: Box) -> bool:
    """Return whether two things take the same room."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def contrast(one: str, other: str) -> float:
    """Compare the lightness of two colours as WCAG does."""

    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True)) + 0.05

    low, high = sorted((light(one), light(other)))
    return high / low


def classes(drawn: str) -> set[str]:
    """List the classes that are used; `place` is the page's own."""
    return {name for names in re.findall(r'class="([^"]+)"', drawn) for name in names.split()} - {"place"}


def styled(drawn: str) -> set[str]:
    """List the classes that the style sheet has rules for."""
    return set(re.findall(r"\.(a-[\w-]+)(?=[,{])", drawn))


def assert_stands_alone(drawn: str) -> None:
    """Nothing is fetched from elsewhere, every reference leads somewhere, and all ids are its own."""
    picture = Picture(drawn)
    assert "http" not in drawn.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert {element.tag for element in picture.root.iter()}.isdisjoint({"image", "script", "foreignObject", "a"})
    assert not any(fetched in drawn for fetched in ("@import", "@font-face", "filter"))
    targets = re.findall(r'href="#([^"]+)"', drawn) + re.findall(r"url\(#([^)]+)\)", drawn)
    assert drawn.count("href=") + drawn.count("url(") == len(targets)
    assert set(targets) <= set(picture.ids)
    ids = Counter(re.findall(r' id="([^"]+)"', drawn))
    assert max(ids.values()) == 1
    assert all(name.startswith("a-") for name in ids)
    assert classes(drawn) <= styled(drawn)
