"""Gran in letters: any map fits its screen, shows every point and piece, and numbers every choice at its point."""

from __future__ import annotations

import functools
import io
import itertools
import random
import re
from collections import Counter
from typing import Any

import pytest
from rich.color import parse_rgb_hex
from rich.console import Console

from dracotheque import State, load_game
from dracotheque.engine.game import Game
from dracotheque.engine.plain_state import PlainState
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.games.gran import terminal_view
from dracotheque.games.gran.names import CRESTS, point_name
from dracotheque.games.gran.rules import mechanics
from dracotheque.games.gran.rules import state as s
from dracotheque.presentation import terminal_canvas
from dracotheque.terminal.renderer import TerminalRenderer
from tests.terminal.pictures import asked, picture
from tests.terminal.script import CATALOGUES, position

SIZES = [(80, 24), (80, 25), (100, 32), (110, 40), (140, 60)]
PLAYERS = (3, 4, 5, 6)
ASKED = {"first": s.FIRST, "second": s.SECOND, "exile": s.EXILE, "drop": s.DROP, "stone": s.STONE, "lift": s.LIFT}
DOTS = "".join(map(chr, range(0x2801, 0x2900)))


# --- Maps of the tests' own -------------------------------------------------------------------------------------
KINGDOMS = ("tirad", "urgad", "galad", "elgad")
SYMBOLS = ("city", "dragon", "magic", "sword", "white", "white", "crystal")


def country(columns: int, rows: int, step: int, far: tuple[int, int] | None = None) -> dict[str, Any]:
    """Write a map: points in rows and columns, each joined to the next, the kingdoms in its four quarters.

    The last point may lie far from all others.
    """
    seen: Counter[str] = Counter()
    cells = list(itertools.product(range(rows), range(columns)))
    points: list[str] = []
    for row, column in cells:
        kingdom = KINGDOMS[2 * (row >= rows // 2) + (column >= columns // 2)]
        kind = SYMBOLS[seen[kingdom]] if seen[kingdom] < len(SYMBOLS) else "black"
        seen[kingdom] += 1
        where = f"{20 + step * column} {20 + step * row}"
        if far and (row, column) == cells[-1]:
            where = f"{far[0]} {far[1]}"
        what = "white" if kind == "white" else f"{kind} {kingdom}"
        points.append(f"{kingdom[0]}{seen[kingdom]} {what} {where}")
    names = [point.split()[0] for point in points]
    across = [" ".join(names[row * columns : (row + 1) * columns]) for row in range(rows)]
    down = [" ".join(names[column::columns]) for column in range(columns)]
    return {"name": "A country", "start": "t7", "ring": "g7", "points": points, "lines": [*across, *down]}


COUNTRY = country(10, 6, 90)
LARGEST = country(12, 10, 87)
HUDDLED = country(12, 10, 21, far=(1000, 1000))
BOARDS = {"usual": None, "small": "small", "country": COUNTRY, "largest": LARGEST, "huddled": HUDDLED}


@functools.cache
def on_board(players: int, board: str) -> Game:
    """Load the game on one of the maps."""
    source: Any = BOARDS[board]
    return load_game("gran", players, interpreted=True, board=source, starts="1")


def changed(players: int = 3, board: str = "country", **fields: Any) -> State:
    """Begin a game in which the first seat moves first, some fields of the table changed."""
    state = on_board(players, board).new_initial_state()
    table = state.to_plain()
    for name, value in fields.items():
        setattr(table, name, value)
    state._workspace.set_state(table.bytes())
    return state


def at(*names: str) -> list[int]:
    """Put knights on points of the country, all others beside the map."""
    number = on_board(3, "country").board.number
    return [*(number[name] for name in names), *[s.NOWHERE] * (s.SEATS - len(names))]


def stones(*names: str) -> list[int]:
    """Lay stones on points of the country."""
    laid = [0, 0]
    for name in names:
        mechanics.put(laid, on_board(3, "country").board.number[name])
    return laid


# --- Drawing ----------------------------------------------------------------------------------------------------
def holdings(table: PlainState, language: str = "en", width: int = 80) -> list[str]:
    """Draw what everybody has."""
    out = io.StringIO()
    catalogue = load_game("gran", interpreted=True).words(language)
    who = [CATALOGUES[language].entries["bot.random"]] * table.players
    Console(file=out, width=width).print(terminal_view.players(table, catalogue, width, who, 0))
    return out.getvalue().splitlines()


def covered(table: PlainState) -> Counter[str]:
    """Count the signs that should be seen on a map: what lies or stands on a plain point hides it."""
    signs: Counter[str] = Counter()
    standing = set(table.place[: table.players])
    for number, point in enumerate(table.board.points):
        plain = point.kind in (s.BLACK, s.WHITE)
        stone, ring = mechanics.has(table.stones, number), table.ring == number
        signs[terminal_view.STONE_SIGN] += stone
        signs[terminal_view.RING_SIGN] += ring
        hidden = stone or (plain and number in standing) or (point.kind == s.BLACK and ring)
        signs[terminal_view.SIGNS[point.kind]] += not hidden
    return +signs


def knights(drawing: Any) -> list[str]:
    """List the knights drawn: letters in their crest's colours, sorted."""
    spans = [span for span in drawing.spans if span.style in terminal_canvas.CREST_STYLES.values()]
    return sorted("".join(drawing.plain[span.start : span.end] for span in spans))


# --- The map ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("board", BOARDS)
def test_any_map_fits_and_hides_no_point_and_no_piece(board: str, width: int, height: int) -> None:
    for players, turns in itertools.product((3, 6), (0, 40, 90)):
        state = position(on_board(players, board), 3, turns)
        table, language = state.to_plain(), LANGUAGES[(players + turns) % len(LANGUAGES)]
        drawing = picture(state, language, width, height)
        lines = drawing.plain.splitlines()
        assert len({len(line) for line in lines}) == 1
        assert len(lines[0]) <= width
        assert 10 <= len(lines) <= height - 8
        letters = [terminal_canvas.letter(state.game.words(language), crest) for crest in CRESTS[:players]]
        assert knights(drawing) == sorted(letters)
        signs = {*terminal_view.SIGNS.values(), terminal_view.STONE_SIGN}
        shown = Counter(sign for sign in drawing.plain if sign in signs)
        expected = covered(table)
        del expected[terminal_view.RING_SIGN]
        assert shown == expected
        assert drawing.plain.count(terminal_view.RING_SIGN) == 1, "it lies there, or somebody carries it"


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("board", BOARDS)
def test_every_choice_is_numbered_at_its_point(board: str, width: int, height: int) -> None:
    for phase in ("first", "second", "stone"):
        state = most_choices(3, phase, board)
        seat, seen = asked(state), state.observation(asked(state))
        points = [terminal_view.place(seen, seat, action) for action in state.legal_actions()]
        unfolded = terminal_view.unfolded(seen, state.game.words(), width, terminal_canvas.numbered(points), height)
        lines = unfolded.draw().plain.splitlines()
        for number, point in enumerate(points, 1):
            x, y = unfolded.places[point]
            label = lines[y][terminal_view.MARGIN + x :].partition("]")[0]
            assert re.fullmatch(rf"[^\[{DOTS}]{{1,14}}\[{number}", label), (number, label)
        assert "\n".join(lines).count("[") == len(points)


@pytest.mark.parametrize("board", ["usual", "small", "country"])
@pytest.mark.parametrize("players", PLAYERS)
def test_every_point_is_named_where_no_number_needs_the_room(board: str, players: int) -> None:
    state = position(on_board(players, board), 5, 60)
    for width, height in SIZES:
        drawing = picture(state, "en", width, height, marked=False).plain
        for number in range(len(state.to_plain().board.points)):
            assert re.search(rf"\b{point_name(state.to_plain().board, number)}\b", drawing), (width, number)


@functools.cache
def most_choices(players: int, phase: str, board: str = "usual") -> State:
    """Play at random until a question has been asked some times, and give the moment with the most choices."""
    game, chance = on_board(players, board), random.Random(players)
    state, found = game.new_initial_state(), list[State]()
    while len(found) < 4:
        if state.is_terminal():
            state = game.new_initial_state()
        if state.is_chance_node():
            state.apply_action(state.sample_chance(chance))
            continue
        if state.to_plain().phase == ASKED[phase] and state.move_number() > 1:
            found.append(state.clone())
        state.apply_action(chance.choice(state.legal_actions()))
    return max(found, key=lambda moment: len(moment.legal_actions()))


def test_points_stay_where_they_are_whatever_is_chosen() -> None:
    places = {
        terminal_view.unfolded(state.observation(0), state.game.words(), 80, {}, 24).places
        for state in (position(on_board(4, "usual"), 3, turns) for turns in (0, 30, 60))
    }
    assert len(places) == 1


def test_points_keep_their_order_on_the_sheet() -> None:
    state = on_board(3, "country").new_initial_state()
    for width, height in SIZES:
        places = terminal_view.unfolded(state.observation(0), state.game.words(), width, {}, height).places
        rows = [places[first : first + 10] for first in range(0, 60, 10)]
        assert all(len({y for _, y in row}) == 1 for row in rows), "what lies on one height stands in one row"
        assert all(row == tuple(sorted(row)) for row in rows)
        assert sorted({row[0][1] for row in rows}) == [row[0][1] for row in rows]


@pytest.mark.parametrize(("width", "rows"), [(50, 13), (80, 19), (140, 34), (300, 34)])
def test_a_map_that_is_only_printed_is_as_high_as_its_width_wants(width: int, rows: int) -> None:
    state = on_board(3, "usual").new_initial_state()
    lines = picture(state, width=width, height=0, marked=False).plain.splitlines()
    assert len(lines) == rows
    assert max(map(len, lines)) <= width


def test_lines_are_drawn_where_there_are_lines_and_nowhere_else() -> None:
    def between(lines: list[str]) -> str:
        game = load_game("gran", 3, interpreted=True, board=COUNTRY | {"lines": lines})
        row = picture(game.new_initial_state(), width=140, height=40, marked=False).plain.splitlines()[0]
        return row[row.index("T3") + 2 : row.index("†T4")]

    first, *others = COUNTRY["lines"]
    assert set(between([first, *others])) <= set(DOTS)
    before, after = first.split(" t4")
    assert set(between([before, f"t4{after}", *others])) == {" "}


def test_lines_the_knight_can_take_now_stand_out() -> None:
    state = changed(place=at("t13", "u12", "g12"), waiting=0)
    bright = {span.style for span in picture(state).spans if picture(state).plain[span.start] in DOTS}
    assert bright == {terminal_canvas.SOFT, terminal_canvas.MARK}
    quiet = {span.style for span in picture(state, marked=False).spans if picture(state).plain[span.start] in DOTS}
    assert terminal_canvas.MARK not in quiet


def test_pieces_stand_on_their_points() -> None:
    fields = {"place": at("t13", "t2", "u12"), "waiting": 0, "stones": stones("t8"), "bearer": 1, "ring": s.NOWHERE}
    shown = picture(changed(**fields), width=140, height=60, marked=False).plain
    for label in ("Y T13", "§R◎ T2", "P U12", "■T8", "○T5", "◇T7", "⌂T1 Tirad", "✶T3", "†T4", "•T9"):
        assert label in shown, label
    above = fields | {"place": at("t8", "t2", "u12"), "bearer": 0, "phase": s.SECOND, "origin": at("t9")[0]}
    assert "■Y◎ T8" in picture(changed(**above), width=140, height=60).plain, "a flyer above a stone"
    waiting = picture(changed(6), width=140, height=60).plain
    assert "◇YRPGBS T7" in waiting
    assert "◇◎G7" in waiting


def test_a_ring_on_a_black_point_and_two_knights_on_one_point() -> None:
    fields = {"place": at("t13", "u12", "t13"), "waiting": 0, "ring": at("t9")[0], "victim": 2, "phase": s.EXILE}
    shown = picture(changed(**fields), width=140, height=60).plain
    assert "◎T9" in shown
    assert "YP T13" in shown
    assert shown.count("[") == 8, "every white point"


def test_a_crowded_point_still_shows_knight_and_number() -> None:
    state = changed(place=at("t9", "t2", "u12"), waiting=0, bearer=1, ring=s.NOWHERE)
    table = state.to_plain()
    table.board = state.game.board
    marks = dict.fromkeys(range(60), "108")
    shown = terminal_view.board(table, state.game.words(), 80, marks, 24).plain
    assert shown.count("[108]") == 60
    assert re.search(r"R◎?\[108\]", shown)


def test_nothing_is_told_by_colour_alone() -> None:
    out = io.StringIO()
    console = Console(file=out, width=80, force_terminal=True, no_color=True)
    console.print(picture(position(on_board(4, "usual"), 2, 45)))
    assert not re.search(r"\x1b\[[0-9;]*(3|4)8;", out.getvalue())
    signs = [*terminal_view.SIGNS.values(), terminal_view.STONE_SIGN, terminal_view.RING_SIGN]
    assert len(set(signs)) == len(signs)


def test_every_colour_can_be_read_by_night_and_by_day() -> None:
    board = terminal_view
    for style in (*board.LAND_STYLES, board.EXILE_STYLE, board.STONE_STYLE):
        assert style.color
        light, night = luminance(style.color.name), luminance("#14182a")
        assert (light + 0.05) / (night + 0.05) > 4.5
        assert 1.05 / (light + 0.05) > 3


def luminance(colour: str) -> float:
    """Return how bright a colour is, as contrast is estimated."""
    parts = [part / 255 for part in parse_rgb_hex(colour[1:])]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def test_the_caption_says_what_wins_and_names_another_map() -> None:
    catalogue = load_game("gran", interpreted=True).words()
    usual = on_board(3, "usual").new_initial_state().to_plain()
    assert terminal_view.caption(usual, catalogue) == "3 seals to win · obstacles: 16"
    assert (
        terminal_view.caption(changed(5, reserve=4).to_plain(), catalogue)
        == "A country · 2 seals to win · obstacles: 4"
    )
    game = load_game("gran", 3, interpreted=True, board=COUNTRY | {"name": "A very long name for a very small country"})
    assert len(terminal_view.caption(game.new_initial_state().to_plain(), catalogue)) < 60


# --- What the players have --------------------------------------------------------------------------------------
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [80, 100, 110, 140])
@pytest.mark.parametrize("players", PLAYERS)
def test_players_and_score_fit_even_when_rich(language: str, width: int, players: int) -> None:
    state = changed(players, "usual", seals=[0b1111] * 6, collared=0b111111, bearer=0, ring=s.NOWHERE)
    table, catalogue = state.to_plain(), state.game.words(language)
    longest = max(range(len(table.board.points)), key=lambda point: len(table.board.points[point].name))
    table.place = [longest] * s.SEATS
    lines = holdings(table, language, width)
    assert len(lines) == (players + 1) // 2
    out = io.StringIO()
    who = [CATALOGUES[language].entries["bot.random"]] * players
    Console(file=out, width=width).print(terminal_view.score(table, catalogue, who))
    assert len(out.getvalue().splitlines()) == 7
    lines += out.getvalue().splitlines()
    assert not any("…" in line for line in lines)
    assert all(len(line) <= width for line in lines)


def test_players_show_place_amulets_seals_ring_and_collar() -> None:
    state = changed(place=at("t13", "t2", "u12"), waiting=0, bearer=1, ring=s.NOWHERE, collared=0b100)
    table = state.to_plain()
    table.amulets, table.seals = [3, 1, 0, 0, 0, 0], [0b101, 0, 0b1010, 0, 0, 0]
    lion, tower = holdings(table)
    assert re.split(r" {2,}", lion.strip()) == [
        "▸",
        "Y",
        "Yellow random T13 ♦♦♦ T·G·",
        "P",
        "Purple random U12 ··· ·U·E ⊗",
    ]
    assert re.split(r" {2,}", tower.strip()) == ["R", "Red random", "T2", "♦·· ···· ◎"]
    wide = "\n".join(holdings(table, width=120))
    assert "◎ ring" in wide
    assert "⊗ shackle" in wide


def test_a_bot_with_a_long_name_leaves_room_for_what_it_has() -> None:
    table = on_board(6, "usual").new_initial_state().to_plain()
    for width in (80, 110):
        out = io.StringIO()
        catalogue = load_game("gran", interpreted=True).words("it")
        sheet = terminal_view.players(table, catalogue, width, ["TheVeryBestBotThatEverWas"] * 6, 0)
        Console(file=out, width=width).print(sheet)
        assert out.getvalue().count("♦♦♦") == 6
        assert all(len(line) <= width for line in out.getvalue().splitlines())
        assert len(out.getvalue().splitlines()) == 3


# --- Choices in signs -------------------------------------------------------------------------------------------
def told(state: State, point: str | int) -> tuple[str, str]:
    """Tell a choice in signs."""
    action = point if isinstance(point, int) else on_board(3, "country").board.number[point]
    assert action in state.legal_actions()
    name, preview = terminal_view.brief(state.observation(asked(state)), state.game.words(), asked(state), action)
    return name.plain, preview.plain


def beside(name: str, **fields: Any) -> State:
    """Let the first knight set out from a point, the second be two points to its right, the third far away."""
    usual = {"place": at(name, "t5", "g12"), "waiting": 0}
    return changed(**usual | fields)


def test_a_step_is_told_in_signs() -> None:
    assert told(beside("t7"), "t2") == ("§ T2", "§ 58%")
    assert told(beside("t7"), "t12") == ("• T12", "")
    assert told(beside("t8"), "t3") == ("✶ T3", "+■")
    assert told(beside("t8", reserve=0), "t3") == ("✶ T3", "")
    assert told(beside("t9", stones=stones("u11")), "t4") == ("† T4", "↷■")
    assert told(beside("t9"), "t4") == ("† T4", "")
    assert told(beside("t10"), "t5") == ("○ T5", "attack R")
    assert told(beside("t10", bearer=1, ring=s.NOWHERE), "t5") == ("○ T5", "attack R +◎")
    assert told(beside("t11", ring=at("t12")[0]), "t12") == ("• T12", "+◎")


def test_a_city_is_told_in_signs() -> None:
    two = {"amulets": [1, 3, 3, 0, 0, 0]}
    carried = {"bearer": 0, "ring": s.NOWHERE}
    assert told(beside("t6", **two), "t1") == ("⌂ T1", "+♦")
    assert told(beside("t6"), "t1") == ("⌂ T1", "")
    assert told(beside("t6", **two, **carried), "t1") == ("⌂ T1", "seal T +♦♦")
    assert told(beside("t6", **two, **carried, seals=[1, 0, 0, 0, 0, 0]), "t1") == ("⌂ T1", "+♦♦")
    assert told(beside("t6", **two, **carried, seals=[6, 0, 0, 0, 0, 0]), "t1") == ("⌂ T1", "seal T ⚑")


def test_what_can_only_be_flown_over_is_told_and_so_is_staying() -> None:
    state = beside("t11", bearer=0, ring=s.NOWHERE, stones=stones("t12"))
    assert told(state, "t12") == ("• T12", "can’t stop")
    state = beside("t8", reserve=3)
    state.apply_action(on_board(3, "country").board.number["t3"])
    assert told(state, s.STAY) == ("stay", "+■")
    assert terminal_view.place(state.observation(0), 0, s.STAY) == at("t3")[0]
    assert told(changed(place=at("t2", "t5", "g12"), waiting=0, flies=1), s.STAY) == ("stay", "")


def test_points_for_ring_and_stones_are_told_by_their_names() -> None:
    state = beside("t3", phase=s.STONE)
    assert told(state, "u12") == ("U12", "")
    assert terminal_view.brief_key(state.observation(0), state.game.words()) == ""


def test_only_signs_that_stand_there_are_explained() -> None:
    def key(state: State) -> str:
        return terminal_view.brief_key(state.observation(0), state.game.words())

    assert key(beside("t7")) == "§ chance to win"
    assert key(beside("t13")) == "+■ place an obstacle"
    assert key(beside("u15")) == ""


# --- The whole screen -------------------------------------------------------------------------------------------
def shown(state: State, language: str, width: int, height: int) -> list[str]:
    """Show the table and the choices to the seat that has to choose."""
    out, players = io.StringIO(), state.game.players
    screen = TerminalRenderer(Console(file=out, width=width, height=height), state.game, language, 0, None)
    who = [CATALOGUES[language].entries["bot.random"]] * players
    screen.show_table(state, who, asked(state), state.legal_actions())
    screen.show_choices(state, asked(state), state.legal_actions())
    return out.getvalue().splitlines()


def flat(text: str) -> str:
    """Write lines as one, every space single."""
    return " ".join(text.split())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("width", "height"), [(80, 24), (100, 32), (110, 40)])
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("phase", ASKED)
def test_table_choices_and_prompt_fit_on_the_screen(
    phase: str, players: int, width: int, height: int, language: str
) -> None:  # fmt: skip
    state = most_choices(players, phase)
    lines = shown(state, language, width, height)
    assert len(lines) < height, "a line is left for the prompt"
    assert all(len(line) <= width for line in lines)
    text, seen, catalogue = "\n".join(lines), state.observation(asked(state)), state.game.words(language)
    for number, action in enumerate(state.legal_actions(), 1):
        assert text.count(f"[{number}]") == 1
        if phase in ("first", "second"):
            name, signs = terminal_view.brief(seen, catalogue, asked(state), action)
            preview = state.game.text.preview(seen, asked(state), action)
            full = state.action_to_string(action, language=language), catalogue.say(preview) if preview else ""
            ways = [
                flat(f"{number} {' '.join(way)}") for way in (full, (name.plain, signs.plain), (name.plain, full[1]))
            ]
            assert any(way in flat(text) for way in ways), ways


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_longest_question_fits_on_a_small_screen(language: str) -> None:
    for players in PLAYERS:
        state = most_choices(players, "first")
        for fields in ({"bearer": asked(state), "ring": s.NOWHERE}, {"flies": 1}):
            table = state.to_plain()
            for name, value in fields.items():
                setattr(table, name, value)
            flown = state.clone()
            flown._workspace.set_state(table.bytes())
            assert len(shown(flown, language, 80, 24)) <= 23


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sign_is_explained(language: str) -> None:
    catalogue = load_game("gran", interpreted=True).words(language)
    explained = {sign for text, _ in terminal_view.legend(catalogue) for sign in text.plain}
    signs: set[str] = set()
    for phase in ASKED:
        state = most_choices(4, phase)
        signs |= set(picture(state, language).plain)
        signs |= {sign for line in holdings(state.to_plain(), language) for sign in line}
        for action in state.legal_actions():
            told = terminal_view.brief(state.observation(asked(state)), catalogue, asked(state), action)
            signs |= {sign for text in told for sign in text.plain}
    assert {sign for sign in signs if not sign.isalnum()} - set(DOTS) - set(" \n") <= explained
