"""The cave as a picture: everything is there and in its place, whatever the board; and nothing sealed is drawn."""

from __future__ import annotations

import itertools
import math
import random
import re
from collections import Counter
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dracotheque import State, load_game
from dracotheque.engine.record import Plain
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.games.dragons_cave import drawing_art as art
from dracotheque.games.dragons_cave import scene
from dracotheque.games.dragons_cave.board import Board, pictures
from dracotheque.games.dragons_cave.drawing import BELOW, CEILING, HALL_FLOOR, MOST_DISCS, PITCH, Layout, svg
from dracotheque.games.dragons_cave.state import KINDS, MOST_COINS, MOST_SPACES, SEATS

OURS = load_game("dragons-cave", players=4, interpreted=True)
ENGLISH = OURS.words("en")


# --- Boards, and games on them --------------------------------------------------------------------------------------
@st.composite
def boards(draw: st.DrawFn, every_kind: bool = False) -> Board:
    """Make a cave: any pictures in any order, any coins; with every kind on the path it can also be played in."""
    kinds = draw(st.permutations(pictures()))[:KINDS]
    colours = draw(st.lists(st.integers(0, 0xFFFFFF), min_size=KINDS, max_size=KINDS, unique=True))
    must = kinds if every_kind else []
    some = st.lists(st.sampled_from(kinds), min_size=0 if must else 1, max_size=MOST_SPACES - len(must))
    path = draw(st.permutations([*must, *draw(some)]))
    coins = st.integers(0, MOST_COINS)
    data = {
        "name": draw(st.sampled_from(("The cave", "Klüfte & Schründe", "<deep>", 'a "class="k" cave'))),
        "treasure": draw(st.integers(1, MOST_COINS)),
        "lair": draw(coins),
        "path": [f"{kind} {draw(coins)}" for kind in path],
        "kinds": {kind: f"#{colour:06x}" for kind, colour in zip(kinds, colours, strict=True)},
    }
    return Board(data, "")


@st.composite
def tables(draw: st.DrawFn) -> Plain:
    """Set the table for a game in some cave, the dwarves anywhere, the dragon in any niche or still asleep."""
    board = draw(boards(every_kind=True))
    players = draw(st.integers(2, SEATS))
    table = load_game("dragons-cave", players=players, board=board.data, interpreted=True).new_initial_state().table()
    places = st.integers(0, len(board.path) + KINDS)
    table.place = draw(st.one_of(st.lists(places, min_size=SEATS, max_size=SEATS), places.map(lambda at: [at] * SEATS)))
    table.dragon = draw(st.integers(0, KINDS))
    table.treasure = draw(st.integers(0, board.treasure))
    return table


def states(players: int, seed: int) -> Iterator[State]:
    """Play a game by chance and stop after every move."""
    chance, state = random.Random(seed), load_game("dragons-cave", players, interpreted=True).new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.sample_chance(chance))
        else:
            seat = chance.choice([seat for seat in range(players) if state.legal_actions(seat)])
            state.apply_action(chance.choice(state.legal_actions(seat)), seat)
        yield state


# --- Reading a drawing ----------------------------------------------------------------------------------------------
Box = tuple[float, float, float, float]
Spot = tuple[float, float]
ARGUMENTS = {"M": 2, "L": 2, "T": 2, "H": 1, "V": 1, "Q": 4, "C": 6, "A": 7, "Z": 0}


class Picture:
    """A drawing taken apart: its things by id, and the room each takes."""

    def __init__(self, drawn: str) -> None:
        """Read the XML; namespaces only get in the way."""
        self.root = ElementTree.fromstring(drawn)
        for element in self.root.iter():
            element.tag = element.tag.partition("}")[2]
        self.ids = {element.get("id", ""): element for element in self.root.iter() if element.get("id")}
        *corner, self.width, self.height = map(float, self.root.get("viewBox", "").split())
        assert corner == [0, 0]

    def named(self, beginning: str) -> dict[str, Element]:
        """Find the things whose ids begin so."""
        return {name: element for name, element in self.ids.items() if name.startswith(beginning)}

    def title(self, name: str) -> str:
        """Say what a thing is called for who cannot see it."""
        return self.ids[name].findtext("title") or ""

    def discs(self, name: str) -> int:
        """Count the coins that are drawn."""
        return sum(use.get("href") == "#cave-coin" for use in self.ids[name].iter("use"))

    def written(self, name: str) -> list[str]:
        """Read what is written on a thing."""
        return [text.text or "" for text in self.ids[name].iter("text")]

    def box(self, name: str) -> Box:
        """Find the room a thing takes: curves stay within their control points."""
        xs, ys = zip(*self.spots(self.ids[name]), strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def spots(self, element: Element) -> Iterator[Spot]:
        """List the corners and control points of a thing and all its parts, where they lie in the whole."""
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
        """Say whether a thing is wholly inside the picture."""
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
    """Say whether two things take the same room."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


# --- Any cave -------------------------------------------------------------------------------------------------------
@settings(max_examples=30)
@given(boards(), st.booleans())
def test_every_space_and_niche_is_inside_the_picture_and_none_covers_another(board: Board, night: bool) -> None:
    picture = Picture(svg(board, ENGLISH, night=night))
    spaces = ["start", *(f"space-{number}" for number in range(1, len(board.path) + 1))]
    niches = [f"niche-{kind}" for kind in board.kinds]
    assert [*picture.named("start"), *picture.named("space-")] == spaces
    assert list(picture.named("niche-")) == niches
    assert all(picture.holds(name) for name in (*spaces, *niches, "dragon", "treasure", "reward"))
    boxes = [picture.box(name) for name in (*spaces, *niches)]
    assert not any(overlap(one, other) for one, other in itertools.combinations(boxes, 2))


@pytest.mark.parametrize("spaces", range(1, MOST_SPACES + 1))
def test_the_tunnel_stays_inside_the_frame_and_leads_into_the_lair(spaces: int) -> None:
    kinds = OURS.board.data["kinds"]
    layout = Layout(Board(OURS.board.data | {"path": [f"{kind} 1" for kind in list(kinds) * 8][:spaces]}, ""))
    half = (CEILING + BELOW) / 2
    assert all(half < x < layout.width - half and y + BELOW < layout.height for x, y in layout.way())
    assert all(math.dist(one, other) < PITCH for one, other in itertools.pairwise(layout.way()))
    assert min(y for _, y in layout.way()) == HALL_FLOOR


@settings(max_examples=30)
@given(boards())
def test_every_coin_is_there_one_by_one_or_as_a_number(board: Board) -> None:
    picture = Picture(svg(board, ENGLISH))
    for number, coins in enumerate(board.coins, 1):
        few = coins <= MOST_DISCS
        assert picture.discs(f"space-{number}") == (coins if few else 1)
        assert picture.written(f"space-{number}") == ([] if few else [str(coins)]) + [str(number)]
    assert picture.discs("treasure") == board.treasure + 1
    assert picture.written("treasure") == [str(board.treasure)]
    assert picture.written("reward") == [f"+{board.lair}"]


@settings(max_examples=15)
@given(boards())
def test_every_space_shows_its_picture_in_its_colour(board: Board) -> None:
    picture = Picture(svg(board, ENGLISH))
    for number, kind in enumerate(board.path, 1):
        uses = [use.get("href") for use in picture.ids[f"space-{number}"].iter("use")]
        assert uses[0] == f"#cave-space-{board.kinds[kind]}"
    for kind, colour in zip(board.kinds, board.colours, strict=True):
        for name in (f"cave-space-{kind}", f"niche-{kind}"):
            parts = list(picture.ids[name].iter())
            assert f"#cave-picture-{kind}" in {part.get("href") for part in parts}
            assert {part.get("fill") for part in parts} - {None} == {colour}


@settings(max_examples=15)
@given(boards(), st.sampled_from(LANGUAGES))
def test_nothing_is_fetched_from_elsewhere_and_every_reference_leads_somewhere(board: Board, language: str) -> None:
    drawn = svg(board, OURS.words(language))
    picture = Picture(drawn)
    assert "http" not in drawn.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert {element.tag for element in picture.root.iter()}.isdisjoint({"image", "script", "foreignObject", "a"})
    assert "@import" not in drawn
    targets = re.findall(r'href="#([^"]+)"', drawn) + re.findall(r"url\(#([^)]+)\)", drawn)
    assert drawn.count("href=") + drawn.count("url(") == len(targets)
    assert set(targets) <= set(picture.ids)
    assert max(Counter(re.findall(r' id="([^"]+)"', drawn)).values()) == 1
    assert picture.root.findtext("title") == f"Dragon’s Cave – {board.name}"


def test_every_picture_that_has_a_name_is_drawn() -> None:
    assert set(art.PICTURES) == set(pictures())


def test_every_class_has_its_colour_or_line() -> None:
    state = next(states(2, seed=1))
    for night in (False, True):
        drawn = svg(OURS.board, ENGLISH, night=night, table=state.table())
        used = {name for names in re.findall(r'class="([^"]+)"', drawn) for name in names.split()}
        assert used <= set(re.findall(r"\.([\w-]+)(?=[,{])", drawn))


# --- Names ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("language", "rope", "coin", "dragon", "lion"),
    [
        ("en", "rope", "1 coin", "dragon", "Lion"),
        ("fr", "corde", "1\u00a0pièce", "dragon", "Lion"),
        ("it", "corda", "1\u00a0moneta", "drago", "Leone"),
        ("de", "Seil", "1\u00a0Münze", "Drache", "Löwe"),
    ],
)
def test_everything_is_named_in_every_language(language: str, rope: str, coin: str, dragon: str, lion: str) -> None:
    *_, state = itertools.islice(states(4, seed=3), 30)
    picture = Picture(svg(OURS.board, OURS.words(language), table=state.table()))
    assert rope.lower() in picture.title("niche-rope").lower()
    assert rope in picture.title("space-3")
    assert "3" in picture.title("space-3")
    assert picture.title("space-3").replace(" ", "\u00a0").endswith(coin.replace(" ", "\u00a0"))
    assert picture.title("dragon") == dragon
    assert picture.title("dwarf-lion-1").startswith(lion)
    assert picture.root.get("lang") == language
    shown = [*picture.named("space-"), *picture.named("niche-"), *picture.named("dwarf-")]
    assert all(picture.title(name) for name in (*shown, "start", "treasure", "reward"))
    assert lion in (picture.root.findtext("desc") or "")


def contrast(one: str, other: str) -> float:
    """Compare the lightness of two colours as WCAG does."""

    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True)) + 0.05

    low, high = sorted((light(one), light(other)))
    return high / low


@pytest.mark.parametrize("palette", [art.DAY, art.NIGHT], ids=["day", "night"])
def test_writing_can_be_read(palette: dict[str, str]) -> None:
    assert min(contrast(palette["label"], palette[ground]) for ground in ("card", "wood")) >= 4.5
    assert contrast(palette["title"], palette["sky-high"]) >= 4.5


# --- A game under way -----------------------------------------------------------------------------------------------
@settings(max_examples=30)
@given(tables())
def test_every_dwarf_stands_on_its_place_and_hides_no_other(table: Plain) -> None:
    picture = Picture(svg(table.board, ENGLISH, table=table))
    length, kinds = len(table.board.path), table.board.kinds
    names = ["start", *(f"space-{n}" for n in range(1, length + 1)), *(f"niche-{kind}" for kind in kinds)]
    dwarves = [(crest, 1) for crest in scene.CRESTS[: table.players]]
    dwarves += [(crest, 2) for crest in scene.CRESTS[:2]] if table.players == 2 else []
    assert sorted(picture.named("dwarf-")) == sorted(f"dwarf-{crest}-{number}" for crest, number in dwarves)
    middles: list[Spot] = []
    for crest, number in dwarves:
        left, _, right, feet = picture.box(f"dwarf-{crest}-{number}")
        place = picture.box(names[table.place[scene.CRESTS.index(crest) + 2 * (number - 1)]])
        middles.append(((left + right) / 2, feet))
        assert picture.holds(f"dwarf-{crest}-{number}")
        assert place[0] < middles[-1][0] < place[2]
        assert place[1] < feet <= place[3]
        hrefs = {use.get("href") for use in picture.ids[f"dwarf-{crest}-{number}"].iter("use")}
        assert hrefs == {f"#cave-dwarf-{number}", f"#cave-crest-{crest}"}
    assert all(math.dist(one, other) > 20 for one, other in itertools.combinations(middles, 2))


@settings(max_examples=15)
@given(tables())
def test_the_dragon_sits_in_its_niche_or_sleeps_on_what_is_left_of_the_treasure(table: Plain) -> None:
    picture = Picture(svg(table.board, ENGLISH, table=table))
    dragon = picture.box("dragon")
    met = [kind for kind in table.board.kinds if overlap(dragon, picture.box(f"niche-{kind}"))]
    if table.dragon < KINDS:
        assert met == [table.board.kinds[table.dragon]]
    else:
        middle = (dragon[0] + dragon[2]) / 2
        assert picture.box("treasure")[0] < middle < picture.box("treasure")[2]
    assert picture.holds("dragon")
    assert picture.discs("treasure") == table.treasure + 1
    assert picture.written("treasure") == [str(table.treasure)]


def test_only_the_places_are_drawn_without_a_table() -> None:
    picture = Picture(svg(OURS.board, ENGLISH))
    assert picture.named("dwarf-") == {}
    assert picture.box("dragon") == Picture(svg(OURS.board, ENGLISH, table=OURS.new_initial_state().table())).box(
        "dragon"
    )


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nothing_sealed_is_drawn(players: int) -> None:
    for state in itertools.islice(states(players, seed=players), 0, 60, 3):
        drawn = svg(OURS.board, ENGLISH, table=state.table())
        for viewer in range(-1, players):
            assert svg(OURS.board, ENGLISH, table=state.observation(viewer)) == drawn


def test_the_same_table_is_always_drawn_alike() -> None:
    table = next(states(4, seed=8)).table()
    assert svg(OURS.board, ENGLISH, table=table) == svg(OURS.board, ENGLISH, table=table)
    assert svg(OURS.board, ENGLISH, table=table) != svg(OURS.board, ENGLISH, table=table, night=True)
