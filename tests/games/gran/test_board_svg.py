"""The drawn map: everything is there and in its place, whatever the map, and nothing covers anything else."""

from __future__ import annotations

import itertools
import math
import random
import re
from collections import Counter
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dracotheque import load_game
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.games.gran import board_svg_parts as parts
from dracotheque.games.gran import text as game_text
from dracotheque.games.gran.board_files import KINDS, KINGDOM_NAMES, LEAST_GAP, WIDTH, Board, problems
from dracotheque.games.gran.board_svg import NAME_SIZES, RESERVE, svg
from dracotheque.games.gran.map_layout import ACROSS, DOWN, FRAME, Rectangle, label_area, measured, names_beside
from dracotheque.games.gran.rules.state import KINGDOMS, MOST_POINTS, SEATS, WHITE
from tests.games.svg_reader import Picture, assert_stands_alone, classes, contrast, overlap, path_spots, styled

OURS = load_game("gran", players=4, interpreted=True)
ENGLISH = OURS.words("en")
ROWS = 11  # of the grid in whose squares they lie
FEWEST = 62  # points of the maps that are made up here: enough for every kind, and for the ring


# --- Maps ----------------------------------------------------------------------------------------
@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Make a map: points crowded or far apart, kingdoms in one piece or scattered, lines anywhere."""
    chance = random.Random(draw(st.integers(0, 10**6)))
    count, pitch = draw(st.integers(FEWEST, MOST_POINTS)), draw(st.integers(LEAST_GAP, WIDTH // ROWS))
    cells = chance.sample(range(ROWS * ROWS), count)
    spots = [[at * pitch + chance.randint(0, pitch - LEAST_GAP) for at in divmod(cell, ROWS)] for cell in cells]
    rest = ["magic"] * 5 + ["sword"] * 4 + ["dragon"] * draw(st.integers(0, 5)) + ["white"] * (SEATS + 2)
    kinds = ["crystal", "crystal", *["city"] * KINGDOMS, *rest]
    kinds += ["black"] * (count - len(kinds))
    if draw(st.booleans()):
        spots.sort()  # kinds then lie in stripes
    names = [draw(st.sampled_from(("p", "é", "straße", "place_with_a_long_name"))) + str(at) for at in range(count)]
    data = {
        "name": draw(st.sampled_from(("The map", "Länder & Meere", "<far>", 'a "class="k" map', "x" * 90))),
        "start": names[0],
        "ring": names[1],
        "points": [
            f"{name} white {x} {y}" if kind == "white" else f"{name} {kind} {KINGDOM_NAMES[at % KINGDOMS]} {x} {y}"
            for at, (name, kind, (x, y)) in enumerate(zip(names, kinds, spots, strict=True))
        ],
        "lines": [*lines(chance, names, kinds)],
    }
    assert problems(data) == []
    return Board(data, "")


def lines(chance: random.Random, names: list[str], kinds: list[str]) -> list[str]:
    """Join all points in a round, dragons beside it, and a few more across."""
    walk = [name for name, kind in zip(names, kinds, strict=True) if kind != "dragon"]
    chance.shuffle(walk)
    pairs = {frozenset(pair) for pair in itertools.pairwise([*walk, walk[0]])}
    pairs |= {frozenset((name, to)) for name in set(names) - set(walk) for to in chance.sample(walk, 2)}
    pairs |= {frozenset(chance.sample(walk, 2)) for _ in range(chance.randint(0, 60))}
    return sorted(" ".join(sorted(pair)) for pair in pairs)


def drawn_on(picture: Picture, name: str) -> Counter[str]:
    """Count what is set down on a thing."""
    return Counter(use.get("href", "").removeprefix("#a-") for use in picture.thing(name).iter("use"))


# --- Any map --------------------------------------------------------------------------------------------------------
@settings(max_examples=6, deadline=None)
@given(boards(), st.booleans())
def test_every_point_is_there_as_what_it_is_inside_the_frame_and_none_covers_another(board: Board, night: bool) -> None:
    picture, layout = Picture(svg(board, ENGLISH, night=night)), measured(board)
    assert list(picture.places) == [*map(str, range(len(board.points))), RESERVE]
    areas = [(x - reach, y - reach, x + reach, y + reach) for x, y, _, reach in layout.places]
    assert all(min(area) > FRAME and area[2] < ACROSS - FRAME and area[3] < DOWN - FRAME for area in areas)
    assert not any(overlap(one, other) for one, other in itertools.combinations(areas, 2))
    for number, (point, at) in enumerate(zip(board.points, layout.places, strict=True)):
        place = picture.places[str(number)]
        assert (place.get("data-x"), place.get("data-y")) == (str(round(at.x)), str(round(at.y)))
        assert drawn_on(picture, str(number)) == {"blue" if number == board.start else KINDS[point.kind]: 1}
        colours = [use.get("class", "") for use in place.iter("use")]
        lands = [land for land in KINGDOM_NAMES if f"a-of-{land}" in colours]
        assert lands == ([KINGDOM_NAMES[point.kingdom]] if KINDS[point.kind] == "city" else [])


@settings(max_examples=6, deadline=None)
@given(boards())
def test_every_line_joins_its_points_and_every_point_lies_in_its_kingdom(board: Board) -> None:
    picture, layout = Picture(svg(board, ENGLISH, night=False)), measured(board)
    strokes = [f"M{stroke}" for stroke in picture.ids["a-net"].get("d", "")[1:].split("M")]
    for stroke, ends in zip(strokes, board.lines, strict=True):
        spots = [*path_spots(stroke)]
        for number, end in zip(ends, (spots[0], spots[-1]), strict=True):
            x, y, _, reach = layout.places[number]
            assert math.dist(end, (x, y)) <= reach + 8
    for point, place in zip(board.points, layout.places, strict=True):
        assert layout.ground.realm[layout.ground.cell(place.x, place.y)] == point.kingdom
        assert layout.ground.land[layout.ground.cell(place.x, place.y)] > 0
    nets = [use.get("class") for use in picture.root.iter("use") if use.get("href") == "#a-net"]
    assert nets == ["a-casing", "a-net"]


@settings(max_examples=6, deadline=None)
@given(boards())
def test_names_cover_no_point_and_no_other_name(board: Board) -> None:
    layout = measured(board)
    squares = [Rectangle(x - reach, y - reach, x + reach, y + reach) for x, y, _, reach in layout.places]
    labels = [*names_beside(layout, NAME_SIZES)]
    areas = [label_area(label, name) for label, name in zip(labels, layout.names, strict=True) if label]
    assert all(
        area.left >= FRAME and area.right <= ACROSS - FRAME and 0 < area.top < area.bottom < DOWN for area in areas
    )
    assert not any(one.meets(other) for one, other in itertools.combinations(areas, 2))
    assert not any(area.meets(square) for area in areas for square in squares)
    written = names_written(Picture(svg(board, ENGLISH, night=False)))
    assert written == [name for name, label in zip(layout.names, labels, strict=True) if label]


def names_written(picture: Picture) -> list[str]:
    """Read the points' names off a map."""
    (names,) = [node for node in picture.root.iter("g") if "a-names" in node.get("class", "").split()]
    return [text.text or "" for text in names.iter("text")]


@settings(max_examples=6, deadline=None)
@given(boards())
def test_every_kingdom_bears_its_name_and_what_swims_in_the_sea_is_off_the_land(board: Board) -> None:
    picture, layout = Picture(svg(board, ENGLISH, night=False)), measured(board)
    for kingdom, name in enumerate(KINGDOM_NAMES):
        signs = [use.get("href", "")[-1] for use in picture.ids[f"a-kingdom-{name}"].iter("use")]
        assert "".join(signs) == name.upper()
        assert picture.ids[f"a-kingdom-{name}"].findtext("title") == name.title()
        assert picture.holds(f"a-kingdom-{name}")
        assert len({letter.size for letters in layout.titles for letter in letters}) == 1
        assert f"#a-land-{name}" in {use.get("href") for use in picture.root.iter("use")}
        assert layout.ground.inland[kingdom].max() > 0
    afloat = [picture.box(name) for name in picture.named("a-sea-")]
    assert not any(overlap(one, other) for one, other in itertools.combinations(afloat, 2))
    for left, top, right, bottom in afloat:
        land = layout.ground.land > 0
        inside = (
            (layout.ground.x > left) & (layout.ground.x < right) & (layout.ground.y > top) & (layout.ground.y < bottom)
        )
        assert not (land & inside).any()
        assert left > FRAME
        assert top > FRAME
        assert right < ACROSS - FRAME
        assert bottom < DOWN - FRAME


@settings(max_examples=4, deadline=None)
@given(boards(), st.sampled_from(LANGUAGES), st.booleans())
def test_it_stands_alone_and_bears_the_name_of_its_map(board: Board, language: str, night: bool) -> None:
    words = OURS.words(language)
    drawn = svg(board, words, night=night)
    assert_stands_alone(drawn)
    assert Picture(drawn).root.findtext("title") == f"Gran – {words.say(game_text.board_name(board))}"
    assert drawn == svg(board, words, night=night)


# --- Our map --------------------------------------------------------------------------------------------------------
def test_on_our_map_every_point_has_its_name_and_the_sea_its_title_and_compass() -> None:
    picture, layout = Picture(svg(OURS.board, ENGLISH, night=False)), measured(OURS.board)
    assert names_written(picture) == layout.names
    assert {"a-sea-title", "a-sea-compass"} <= set(picture.ids)
    assert picture.written("a-sea-title") == [ENGLISH.say(game_text.board_name(OURS.board))]
    assert drawn_on(picture, "a-sea-title") == Counter(f"l-{sign}" for sign in "GRAN")


def test_no_class_is_styled_for_nothing() -> None:
    """What no shape bears may still lend its colour to a line."""
    drawn = "".join(svg(OURS.board, ENGLISH, night=night) for night in (False, True))
    lines = "".join(parts.LINES.values())
    lent = {f"a-{name}" for name in parts.DAY if f"%({name})s" in lines}
    assert styled(drawn) - classes(drawn) - lent == set()


def test_by_night_the_same_map_has_other_colours_and_a_moon() -> None:
    day, night = (svg(OURS.board, ENGLISH, night=night) for night in (False, True))
    styles = [re.search(r"<style>(.*?)</style>", drawn, re.DOTALL) for drawn in (day, night)]
    assert len({style[0] for style in styles if style}) == 2
    pictures = [Picture(drawn) for drawn in (day, night)]
    places = [{key: picture.box(key) for key in picture.places} for picture in pictures]
    assert places[0] == places[1]
    skies = [ElementTree.tostring(picture.ids["a-sea-sky"]) for picture in pictures]
    assert skies[0] != skies[1]


@pytest.mark.parametrize("board", [None, "small"])
def test_on_our_maps_no_line_runs_over_a_point_that_is_not_its_own(board: str | None) -> None:
    layout = measured(load_game("gran", board=board, interpreted=True).board)
    for number, ends in enumerate(layout.board.lines):
        for at, place in enumerate(layout.places):
            over = any(max(abs(x - place.x), abs(y - place.y)) < place.reach for x, y in layout.line(number))
            assert at in ends or not over


@pytest.mark.parametrize("palette", [parts.DAY, parts.NIGHT], ids=["day", "night"])
def test_writing_can_be_read(palette: dict[str, str]) -> None:
    grounds = ("halo", "land", "sea", "paper", "sheet")
    assert min(contrast(palette["written"], palette[ground]) for ground in grounds) >= 4.5
    assert contrast(palette["title"], palette["sheet"]) >= 4.5


@pytest.mark.parametrize(
    ("language", "city", "start", "exile"),
    [
        ("en", "city, Tirad", "start crystal", "point of exile"),
        ("fr", "cité, Tirad", "boule de départ", "point d’exil"),
        ("it", "città, Tirad", "sfera di partenza", "punto d’esilio"),
        ("de", "Stadt, Tirad", "Startkugel", "Verbannungspunkt"),
    ],
)
def test_everything_is_named_in_every_language(language: str, city: str, start: str, exile: str) -> None:
    board = OURS.board
    picture = Picture(svg(board, OURS.words(language), night=False))
    labels = [picture.label(str(number)).replace("\u00a0", " ") for number in range(len(board.points))]
    assert sum(label.endswith(f" – {city}") for label in labels) == 1
    assert f" – {start}" in labels[board.start]
    assert all(
        label == f"{point.name.upper()} – {exile}"
        for point, label in zip(board.points, labels, strict=True)
        if point.kind == WHITE
    )
    assert picture.root.get("lang") == language
    assert all(map(picture.label, picture.places))


def test_a_name_is_measured_by_its_letters() -> None:
    label = measured(OURS.board).labels[0]
    assert label is not None
    short, long = label_area(label, "T1"), label_area(label, "T10")
    assert (short.left + short.right) / 2 == pytest.approx(label.x)
    assert short.right - short.left < long.right - long.left
    assert (short.top, short.bottom) == (long.top, long.bottom)
