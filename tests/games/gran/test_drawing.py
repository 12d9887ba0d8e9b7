"""The map as a picture: everything is there and in its place, whatever the map, and nothing covers anything else."""

from __future__ import annotations

import itertools
import math
import random
import re
from collections import Counter
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dracotheque import load_game
from dracotheque.engine.record import Plain
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.games.gran import drawing_art as art
from dracotheque.games.gran import scene
from dracotheque.games.gran.board import KINDS, KINGDOM_NAMES, LEAST_GAP, WIDTH, Board, faults
from dracotheque.games.gran.drawing import svg
from dracotheque.games.gran.drawing_map import ACROSS, DOWN, FRAME, Box, label_box, measured
from tests.games.dragons_cave.test_drawing import Picture, contrast, overlap, path_spots

# isort: off
from dracotheque.games.gran.state import (
    AMULETS, BITS, BLACK, CRYSTAL, KINGDOMS, MOST_POINTS, NOBODY, NOWHERE, SEATS, STONES, WHITE,
)  # fmt: skip

OURS = load_game("gran", players=4, interpreted=True)
ENGLISH = OURS.words("en")
ROWS = 11  # of the grid in whose squares they lie
FEWEST = 62  # points of the maps that are made up here: enough for every kind, and for the ring
BIGGEST = 250_000


# --- Maps, and games on them ----------------------------------------------------------------------------------------
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
    assert faults(data) == []
    return Board(data, "")


def lines(chance: random.Random, names: list[str], kinds: list[str]) -> list[str]:
    """Join all points in a round, dragons beside it, and a few more across."""
    walk = [name for name, kind in zip(names, kinds, strict=True) if kind != "dragon"]
    chance.shuffle(walk)
    pairs = {frozenset(pair) for pair in itertools.pairwise([*walk, walk[0]])}
    pairs |= {frozenset((name, to)) for name in set(names) - set(walk) for to in chance.sample(walk, 2)}
    pairs |= {frozenset(chance.sample(walk, 2)) for _ in range(chance.randint(0, 60))}
    return sorted(" ".join(sorted(pair)) for pair in pairs)


def table_of(board: Board, chance: random.Random, players: int) -> Plain:
    """Set the table for a game on some map, knights, ring and stones anywhere they may be."""
    table = load_game("gran", players=players, board=board.data, interpreted=True).new_initial_state().table()
    plain = [at for at, point in enumerate(board.points) if point.kind in (BLACK, WHITE)]
    chance.shuffle(plain)
    stones = chance.randint(0, STONES)
    for at in plain[:stones]:
        table.stones[at // BITS] |= 1 << at % BITS
    table.reserve = STONES - stones
    others = [at for at in range(len(board.points)) if at not in plain[:stones]]
    if chance.random() < 0.7:
        table.place = [*chance.sample(others, players), *[NOWHERE] * (SEATS - players)]
    table.amulets = [chance.randint(0, AMULETS) for _ in range(SEATS)]
    table.seals = [chance.randrange(1 << KINGDOMS) for _ in range(SEATS)]
    table.collared = chance.randrange(1 << players)
    if chance.random() < 0.5:
        table.bearer, table.ring = chance.randrange(players), NOWHERE
    return table


def drawn_on(picture: Picture, name: str) -> Counter[str]:
    """Count what is set down on a thing."""
    return Counter(use.get("href", "").removeprefix("#gran-") for use in picture.ids[name].iter("use"))


# --- Any map --------------------------------------------------------------------------------------------------------
@settings(max_examples=6, deadline=None)
@given(boards(), st.booleans())
def test_every_point_is_there_as_what_it_is_inside_the_frame_and_none_covers_another(board: Board, night: bool) -> None:
    drawn = svg(board, ENGLISH, night=night)
    picture, names = Picture(drawn), [f"point-{point.name}" for point in board.points]
    assert len(drawn.encode()) < BIGGEST
    assert list(picture.named("point-")) == names
    boxes = [picture.box(name) for name in names]
    assert all(min(box) > FRAME and box[2] < ACROSS - FRAME and box[3] < DOWN - FRAME for box in boxes)
    assert not any(overlap(one, other) for one, other in itertools.combinations(boxes, 2))
    for number, (name, point) in enumerate(zip(names, board.points, strict=True)):
        assert drawn_on(picture, name) == {"blue" if number == board.start else KINDS[point.kind]: 1}
        lands = [land for land in KINGDOM_NAMES if f"g-of-{land}" == picture.ids[name].get("class")]
        assert lands == ([] if point.kind in (BLACK, WHITE, CRYSTAL) else [KINGDOM_NAMES[point.kingdom]])


@settings(max_examples=6, deadline=None)
@given(boards())
def test_every_line_joins_its_points_and_every_point_lies_in_its_kingdom(board: Board) -> None:
    picture, layout = Picture(svg(board, ENGLISH)), measured(board)
    assert len(picture.named("line-")) == len(board.lines)
    for one, other in board.lines:
        ends = [*path_spots(picture.ids[f"line-{board.points[one].name}-{board.points[other].name}"].get("d", ""))]
        for number, end in ((one, ends[0]), (other, ends[-1])):
            x, y, _, reach = layout.places[number]
            assert math.dist(end, (x, y)) <= reach + 7
    for point, place in zip(board.points, layout.places, strict=True):
        assert layout.ground.realm[layout.ground.cell(place.x, place.y)] == point.kingdom
        assert layout.ground.land[layout.ground.cell(place.x, place.y)] > 0
    assert all(uses(picture, link) == 1 for link in ("casing", "net"))


def uses(picture: Picture, style: str) -> int:
    """Count how often the net of lines is laid down in a style."""
    return sum(use.get("class") == f"g-{style}" for use in picture.root.iter("use") if use.get("href") == "#gran-net")


@settings(max_examples=6, deadline=None)
@given(boards())
def test_names_cover_no_point_and_no_other_name(board: Board) -> None:
    layout = measured(board)
    squares = [Box(x - reach, y - reach, x + reach, y + reach) for x, y, _, reach in layout.places]
    labels = [box for box in layout.label_boxes if box]
    assert all(box.left >= FRAME and box.right <= ACROSS - FRAME and 0 < box.top < box.bottom < DOWN for box in labels)
    assert not any(one.meets(other) for one, other in itertools.combinations(labels, 2))
    assert not any(label.meets(square) for label in labels for square in squares)
    written = [text.text for text in Picture(svg(board, ENGLISH)).ids["gran-names"].iter("text")]
    assert written == [point.name.upper() for point, box in zip(board.points, layout.label_boxes, strict=True) if box]


@settings(max_examples=6, deadline=None)
@given(boards())
def test_every_kingdom_bears_its_name_and_what_swims_in_the_sea_is_off_the_land(board: Board) -> None:
    picture, layout = Picture(svg(board, ENGLISH)), measured(board)
    for kingdom, name in enumerate(KINGDOM_NAMES):
        signs = [use.get("href", "")[-1] for use in picture.ids[f"kingdom-{name}"].iter("use")]
        assert "".join(signs) == name.upper()
        assert picture.title(f"kingdom-{name}") == name.title()
        assert picture.holds(f"kingdom-{name}")
        assert len({letter.size for letters in layout.titles for letter in letters}) == 1
        assert f"#gran-land-{name}" in {use.get("href") for use in picture.root.iter("use")}
        assert layout.ground.inland[kingdom].max() > 0
    afloat = [picture.box(name) for name in picture.named("sea-")]
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
@given(boards(), st.sampled_from(LANGUAGES))
def test_nothing_is_fetched_from_elsewhere_and_every_reference_leads_somewhere(board: Board, language: str) -> None:
    table = table_of(board, random.Random(1), players=5)
    drawn = svg(board, OURS.words(language), table=table)
    picture = Picture(drawn)
    assert "http" not in drawn.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert {element.tag for element in picture.root.iter()}.isdisjoint({"image", "script", "foreignObject", "a"})
    assert "@import" not in drawn
    assert "@font-face" not in drawn
    targets = re.findall(r'href="#([^"]+)"', drawn) + re.findall(r"url\(#([^)]+)\)", drawn)
    assert drawn.count("href=") + drawn.count("url(") == len(targets)
    assert set(targets) <= set(picture.ids)
    assert max(Counter(re.findall(r' id="([^"]+)"', drawn)).values()) == 1
    assert picture.root.findtext("title") == f"Gran – {board.name}"
    assert len(drawn.encode()) < BIGGEST


# --- Our map --------------------------------------------------------------------------------------------------------
def test_on_our_map_every_point_has_its_name_and_the_sea_its_title_and_compass() -> None:
    picture, layout = Picture(svg(OURS.board, ENGLISH)), measured(OURS.board)
    assert None not in layout.labels
    assert {"sea-title", "sea-compass"} <= set(picture.ids)
    assert [text.text for text in picture.ids["sea-title"].iter("text")] == [ENGLISH.say(scene.board_name(OURS.board))]
    assert drawn_on(picture, "sea-title") == Counter(f"letter-{sign}" for sign in "GRAN")


def test_every_class_has_its_colour_or_line() -> None:
    table = table_of(OURS.board, random.Random(3), players=4)
    for night in (False, True):
        drawn = svg(OURS.board, ENGLISH, night=night, table=table)
        used = {name for names in re.findall(r'class="([^"]+)"', drawn) for name in names.split()}
        assert used <= set(re.findall(r"\.([\w-]+)(?=[,{])", drawn))


def test_by_night_the_same_map_has_other_colours_and_a_moon() -> None:
    day, night = (svg(OURS.board, ENGLISH, night=night) for night in (False, True))
    assert day == svg(OURS.board, ENGLISH)
    styles = [re.search(r"<style>(.*?)</style>", drawn, re.DOTALL) for drawn in (day, night)]
    assert len({style[0] for style in styles if style}) == 2
    pictures = [Picture(drawn) for drawn in (day, night)]
    for name in ("point-", "line-", "kingdom-"):
        boxes = [{key: picture.box(key) for key in picture.named(name)} for picture in pictures]
        assert boxes[0] == boxes[1]
    skies = [ElementTree.tostring(picture.ids["sea-sky"]) for picture in pictures]
    assert skies[0] != skies[1]


@pytest.mark.parametrize("board", [None, "small"])
def test_on_our_maps_no_line_runs_over_a_point_that_is_not_its_own(board: str | None) -> None:
    layout = measured(load_game("gran", board=board, interpreted=True).board)
    for number, ends in enumerate(layout.board.lines):
        for at, place in enumerate(layout.places):
            over = any(max(abs(x - place.x), abs(y - place.y)) < place.reach for x, y in layout.line(number))
            assert at in ends or not over


@pytest.mark.parametrize("palette", [art.DAY, art.NIGHT], ids=["day", "night"])
def test_writing_can_be_read(palette: dict[str, str]) -> None:
    grounds = ("halo", "land", "sea", "paper", "sheet")
    assert min(contrast(palette["written"], palette[ground]) for ground in grounds) >= 4.5
    assert contrast(palette["title"], palette["sheet"]) >= 4.5


@pytest.mark.parametrize(
    ("language", "city", "blue", "exile", "lion"),
    [
        ("en", "city, Tirad", "blue crystal", "point of exile", "Lion – knight, 2 amulets, ring"),
        ("fr", "cité, Tirad", "boule bleue", "point d’exil", "Lion – chevalier, 2 amulettes, anneau"),
        ("it", "città, Tirad", "sfera azzurra", "punto d’esilio", "Leone – cavaliere, 2 amuleti, anello"),
        ("de", "Stadt, Tirad", "blaue Kugel", "Verbannungspunkt", "Löwe – Ritter, 2 Amulette, Ring"),
    ],
)
def test_everything_is_named_in_every_language(language: str, city: str, blue: str, exile: str, lion: str) -> None:
    board, table = OURS.board, OURS.new_initial_state().table()
    table.amulets[0], table.bearer, table.ring, table.collared = 2, 0, NOWHERE, 0
    picture = Picture(svg(board, OURS.words(language), table=table))
    titles = {name: picture.title(name).replace("\u00a0", " ") for name in picture.named("point-")}
    assert sum(title.endswith(f" – {city}") for title in titles.values()) == 1
    assert f" – {blue}" in titles[f"point-{board.points[board.start].name}"]
    whites = [point for point in board.points if point.kind == WHITE]
    assert all(titles[f"point-{point.name}"] == f"{point.name.upper()} – {exile}" for point in whites)
    assert picture.title("knight-lion").replace("\u00a0", " ") == lion
    assert picture.root.get("lang") == language
    described = picture.root.findtext("desc") or ""
    assert str(len(board.points)) in described
    assert lion in described.replace("\u00a0", " ")
    shown = [name for kind in ("point-", "knight-", "seat-", "kingdom-") for name in picture.named(kind)]
    assert all(picture.title(name) for name in (*shown, "reserve"))


# --- A game under way -------------------------------------------------------------------------------------------------
@settings(max_examples=6, deadline=None)
@given(boards(), st.integers(0, 999), st.integers(3, SEATS))
def test_knights_stones_and_ring_stand_where_they_are(board: Board, seed: int, players: int) -> None:
    table = table_of(board, random.Random(seed), players)
    picture, layout = Picture(svg(board, ENGLISH, table=table)), measured(board)
    crests = scene.CRESTS[:players]
    assert sorted(picture.named("knight-")) == sorted(f"knight-{crest}" for crest in crests)
    feet: list[tuple[float, float]] = []
    for seat, crest in enumerate(crests):
        name, (x, y, _, reach) = f"knight-{crest}", layout.places[table.place[seat]]
        at = standing(picture, name)
        assert math.dist(at, (x, y)) <= (1.2 * reach if alone(table, seat) else reach + 60)
        assert picture.holds(name)
        feet.append(at)
        expected = {"cone": 1, f"crest-{crest}": 1, "amulet": table.amulets[seat], "ring": int(table.bearer == seat)}
        expected["collar"] = table.collared >> seat & 1
        assert drawn_on(picture, name) == Counter({what: count for what, count in expected.items() if count})
    assert all(math.dist(one, other) > 9 for one, other in itertools.combinations(feet, 2))
    stones = {f"stone-{p.name}" for n, p in enumerate(board.points) if table.stones[n // BITS] >> n % BITS & 1}
    assert set(picture.named("stone-")) == stones
    assert all(picture.holds(name) for name in (*stones, "reserve"))
    assert ("ring" in picture.ids) == (table.ring != NOWHERE)


def standing(picture: Picture, name: str) -> tuple[float, float]:
    """Find where a piece was set down."""
    x, y = re.findall(r"translate\((\S+) (\S+?)\)", picture.ids[name].get("transform", ""))[0]
    return float(x), float(y)


def alone(table: Plain, seat: int) -> bool:
    """Say whether a knight shares its point with nobody."""
    return table.place[: table.players].count(table.place[seat]) == 1


@pytest.mark.parametrize("players", range(3, SEATS + 1))
def test_every_seal_is_pressed_into_wax_and_the_wanted_ones_have_their_place(players: int) -> None:
    table: Any = load_game("gran", players=players, interpreted=True).new_initial_state().table()
    table.seals = [0b0000, 0b0001, 0b1010, 0b1111, 0b0100, 0b0110]
    picture = Picture(svg(OURS.board, ENGLISH, table=table))
    assert len(picture.named("seat-")) == players
    wanted = 3 if players < 5 else 2
    for seat, crest in enumerate(scene.CRESTS[:players]):
        won = [name for number, name in enumerate(KINGDOM_NAMES) if table.seals[seat] >> number & 1]
        laid = drawn_on(picture, f"seat-{crest}")
        assert laid["wax"] == len(won)
        assert {name[0].upper() for name in won} == {what[-1] for what in laid if what.startswith("letter-")}
        empty = [ring for ring in picture.ids[f"seat-{crest}"].iter("circle") if ring.get("class") == "g-socket"]
        assert len(empty) == max(wanted - len(won), 0)
        assert all(name.title() in picture.title(f"seat-{crest}") for name in won)
    boxes = [picture.box(name) for name in (*picture.named("seat-"), "reserve")]
    assert not any(overlap(one, other) for one, other in itertools.combinations(boxes, 2))
    assert all(box[0] > 0 and box[1] > DOWN - 17 and box[2] < ACROSS and box[3] < picture.height for box in boxes)
    assert picture.written("reserve") == [str(table.reserve)]


def test_without_a_table_there_is_only_the_map() -> None:
    picture = Picture(svg(OURS.board, ENGLISH))
    pieces = {"knight-", "stone-", "seat-"}
    assert not any(picture.named(piece) for piece in pieces)
    assert {"ring", "reserve"}.isdisjoint(picture.ids)
    assert picture.height == DOWN


def test_at_the_beginning_all_knights_stand_around_the_blue_crystal() -> None:
    state = load_game("gran", players=SEATS, interpreted=True).new_initial_state()
    picture, layout = Picture(svg(OURS.board, ENGLISH, table=state.table())), measured(OURS.board)
    x, y, _, reach = layout.places[OURS.board.start]
    spots = [standing(picture, name) for name in picture.named("knight-")]
    assert len(spots) == SEATS
    assert all(reach < math.dist(spot, (x, y)) < reach + 60 for spot in spots)
    assert state.table().bearer == NOBODY
    assert math.dist(standing(picture, "ring"), layout.places[OURS.board.ring][:2]) < reach


def test_a_name_is_measured_by_its_letters() -> None:
    label = measured(OURS.board).labels[0]
    assert label is not None
    short, long = label_box(label, "T1"), label_box(label, "T10")
    assert (short.left + short.right) / 2 == pytest.approx(label.x)
    assert short.right - short.left < long.right - long.left
    assert (short.top, short.bottom) == (long.top, long.bottom)
