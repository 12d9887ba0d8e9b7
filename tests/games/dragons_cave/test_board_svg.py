"""The drawn cave: everything is there and in its place, whatever the board."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dracotheque import load_game
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.games.dragons_cave import board_svg_parts as parts
from dracotheque.games.dragons_cave import text as game_text
from dracotheque.games.dragons_cave.board_files import Board, pictures
from dracotheque.games.dragons_cave.board_svg import MOST_DISCS, svg
from dracotheque.games.dragons_cave.mountain_svg import BELOW, CEILING, HALL_FLOOR, PITCH, Layout
from dracotheque.games.dragons_cave.rules.state import KINDS, MOST_COINS, MOST_SPACES
from tests.games.svg_reader import Picture, assert_stands_alone, classes, contrast, overlap, styled

OURS = load_game("dragons-cave", players=4, interpreted=True)
ENGLISH = OURS.words("en")


# --- Boards --------------------------------------------------------------------------------------
@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Make a cave: any pictures in any order, any coins."""
    kinds = draw(st.permutations(pictures()))[:KINDS]
    colours = draw(st.lists(st.integers(0, 0xFFFFFF), min_size=KINDS, max_size=KINDS, unique=True))
    path = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=MOST_SPACES))
    coins = st.integers(0, MOST_COINS)
    data = {
        "name": draw(st.sampled_from(("The cave", "Klüfte & Schründe", "<deep>", 'a "class="k" cave'))),
        "treasure": draw(st.integers(1, MOST_COINS)),
        "lair": draw(coins),
        "path": [f"{kind} {draw(coins)}" for kind in path],
        "kinds": {kind: f"#{colour:06x}" for kind, colour in zip(kinds, colours, strict=True)},
    }
    return Board(data, "")


# --- Any cave -------------------------------------------------------------------------------------------------------
@settings(max_examples=30)
@given(boards(), st.booleans())
def test_every_space_and_niche_is_inside_the_picture_and_none_covers_another(board: Board, night: bool) -> None:
    picture = Picture(svg(board, ENGLISH, night=night))
    spaces = [str(number) for number in range(len(board.path) + 1)]
    niches = [f"niche-{kind}" for kind in range(KINDS)]
    assert {*spaces, *niches} < set(picture.places)
    assert all(picture.holds(key) for key in (*spaces, *niches, "bed", "treasure"))
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
    picture = Picture(svg(board, ENGLISH, night=False))
    for number, coins in enumerate(board.coins, 1):
        few = coins <= MOST_DISCS
        assert picture.discs(str(number)) == (coins if few else 1)
        assert picture.written(str(number)) == ([] if few else [str(coins)]) + [str(number)]
    assert f"+{board.lair}" in {text.text for text in picture.root.iter("text")}


@settings(max_examples=15)
@given(boards())
def test_every_space_shows_its_picture_in_its_colour(board: Board) -> None:
    picture = Picture(svg(board, ENGLISH, night=False))
    for number, kind in enumerate(board.path, 1):
        uses = [use.get("href") for use in picture.places[str(number)].iter("use")]
        assert uses[0] == f"#a-space-{board.kinds[kind]}"
    for number, (kind, colour) in enumerate(zip(board.kinds, board.colours, strict=True)):
        for name in (f"a-space-{kind}", f"niche-{number}"):
            shapes = list(picture.thing(name).iter())
            assert f"#a-picture-{kind}" in {shape.get("href") for shape in shapes}
            assert {shape.get("fill") for shape in shapes} - {None} == {colour}


@settings(max_examples=15)
@given(boards(), st.sampled_from(LANGUAGES), st.booleans())
def test_it_stands_alone_and_bears_the_name_of_its_board(board: Board, language: str, night: bool) -> None:
    words = OURS.words(language)
    drawn = svg(board, words, night=night)
    assert_stands_alone(drawn)
    assert Picture(drawn).root.findtext("title") == f"Dragon’s Cave – {words.say(game_text.board_name(board))}"
    assert drawn == svg(board, words, night=night)
    assert drawn != svg(board, words, night=not night)


def test_every_picture_that_has_a_name_is_drawn() -> None:
    assert set(parts.PICTURES) == set(pictures())


def test_no_class_is_styled_for_nothing() -> None:
    """What no shape bears may still lend its colour to a line."""
    drawn = "".join(svg(OURS.board, ENGLISH, night=night) for night in (False, True))
    lines = "".join(parts.LINES.values())
    lent = {f"a-{name}" for name in parts.DAY if f"%({name})s" in lines}
    assert styled(drawn) - classes(drawn) - lent <= classes("".join(parts.PICTURES.values()))


# --- Names ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("language", "rope", "coin", "lair"),
    [
        ("en", "rope", "1 coin", "lair"),
        ("fr", "corde", "1\u00a0pièce", "antre"),
        ("it", "corda", "1\u00a0moneta", "tana"),
        ("de", "Seil", "1\u00a0Münze", "Hort"),
    ],
)
def test_everything_is_named_in_every_language(language: str, rope: str, coin: str, lair: str) -> None:
    picture = Picture(svg(OURS.board, OURS.words(language), night=False))
    niche = OURS.board.kinds.index("rope")
    assert rope.lower() in picture.label(f"niche-{niche}").lower()
    assert rope in picture.label("3")
    assert "3" in picture.label("3")
    assert picture.label("3").replace(" ", "\u00a0").endswith(coin.replace(" ", "\u00a0"))
    assert lair.lower() in picture.label("bed").lower()
    assert picture.root.get("lang") == language
    assert all(map(picture.label, picture.places))


@pytest.mark.parametrize("palette", [parts.DAY, parts.NIGHT], ids=["day", "night"])
def test_writing_can_be_read(palette: dict[str, str]) -> None:
    assert min(contrast(palette["label"], palette[ground]) for ground in ("card", "wood")) >= 4.5
