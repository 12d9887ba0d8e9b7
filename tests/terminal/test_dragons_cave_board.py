"""Dragon's Cave in letters: any cave fits its screen, and shows everything a player may know, and nothing else."""

from __future__ import annotations

import io
import itertools
import json
import re
from typing import Any

import pytest
from rich.console import Console

from dracotheque import State, load_game
from dracotheque.engine.game import Game
from dracotheque.engine.record import Plain
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.games import drawn
from dracotheque.games.dragons_cave import state as s
from dracotheque.games.dragons_cave import terminal_board
from dracotheque.games.dragons_cave.board import pictures
from dracotheque.games.dragons_cave.scene import CRESTS
from dracotheque.terminal.screen import Screen
from tests.games.dragons_cave.situation import BOARDS
from tests.terminal.script import CATALOGUES, opened, position

WIDTHS, HEIGHTS = (80, 100, 110, 140), (24, 60)


def on_board(players: int, board: dict[str, Any]) -> Game:
    """Open the box on another board."""
    return load_game("dragons-cave", players, interpreted=True, board=board)


def first_asked(state: State) -> int:
    """Find a seat that has to choose, or a spectator."""
    if state.is_terminal():
        return -1
    return next(seat for seat in range(state.game.players) if state.legal_actions(seat))


def picture(state: State, language: str = "en", width: int = 80, height: int = 24) -> Any:
    """Draw the board for a seat that has to choose, with its choices."""
    seat = first_asked(state)
    seen, choices = state.observation(seat), state.legal_actions(seat) if seat >= 0 else []
    marks = drawn.numbered(terminal_board.place(seen, seat, action) for action in choices)
    return terminal_board.board(seen, state.game.words(language), width, marks, height)


def holdings(table: Plain, viewer: int, language: str = "en", width: int = 80) -> list[str]:
    """Draw what everybody holds, as a seat sees it."""
    out = io.StringIO()
    catalogue = load_game("dragons-cave", interpreted=True).words(language)
    who = [CATALOGUES[language].entries["bot.random"]] * table.players
    Console(file=out, width=width).print(terminal_board.players(table, catalogue, width, who, viewer))
    return out.getvalue().splitlines()


# --- The cave ---------------------------------------------------------------------------------------------------
def dwarves(state: State, language: str) -> list[str]:
    """List all dwarves as they are drawn, sorted."""
    letters = [drawn.letter(state.game.words(language), crest) for crest in CRESTS[: state.game.players]]
    if state.game.players == 2:
        return sorted(f"{letter}{number}" for letter in letters for number in (1, 2))
    return sorted(letters)


def shown_dwarves(drawing: Any) -> list[str]:
    """List the dwarves drawn: letters that stand in their crest's colours, with their numbers, sorted."""
    found: list[str] = []
    for span in drawing.spans:
        if span.style in drawn.CREST_STYLES.values():
            letter, *numbers = drawing.plain[span.start : span.end].strip()
            found += [f"{letter}{number}" for number in numbers] or [letter]
    return sorted(found)


@pytest.mark.parametrize(("width", "height"), list(itertools.product(WIDTHS, HEIGHTS)))
@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board["name"])
def test_any_cave_fits_and_shows_every_space_and_dwarf(board: dict[str, Any], width: int, height: int) -> None:
    for players, turns in itertools.product((2, 3, 4), (0, 9, 999)):
        state = position(on_board(players, board), 3, turns)
        for language in LANGUAGES:
            drawing = picture(state, language, width, height)
            lines = drawing.plain.splitlines()
            assert len({len(line) for line in lines}) == 1
            assert len(lines[0]) <= width
            assert len(lines) <= 16 if height == 24 else len(lines) <= 22
            assert shown_dwarves(drawing) == dwarves(state, language)
            for number in range(1, len(board["path"]) + 1):
                assert re.search(rf"[─═╪┼╤┬╧┴├╠] ?{number}\b", drawing.plain), number


def cell(drawing: Any, number: int, width: int = 14) -> tuple[str, str]:
    """Cut a space of the usual cave out of a drawing: its upper wall and its inside."""
    lines = drawing.plain.splitlines()
    row, column = divmod(number - 1, 5)
    x, y = 3 + column * (width + 1), 3 + 2 * (3 - row)
    return lines[y][x : x + width], lines[y + 1][x : x + width]


def usual(**fields: Any) -> State:
    """Begin a game of three in the usual cave, the Star the dragon, some fields of the table changed."""
    state = opened("dragons-cave", 3, first_dragon="3").new_initial_state()
    table = state.table()
    for name, value in fields.items():
        setattr(table, name, value)
    state._desk.set_state(table.bytes())
    return state


def test_a_space_shows_number_picture_coins_and_dwarves() -> None:
    drawing = picture(usual(place=[13, 20, 13, 0]))
    assert cell(drawing, 13) == ("─ 13 ───── ● ─", " ∞ rope    LS ")
    assert cell(drawing, 20)[1] == " ◆ crystal  T "
    assert cell(drawing, 1) == ("─ 1 ──────────", " ⚒ pickaxe    ")
    assert cell(drawing, 9) == ("─ 9 ───── ●● ─", " ◍ barrel     ")


def test_choices_are_numbered_where_they_lead() -> None:
    drawing = picture(usual(place=[18, 4, 0, 0]))
    assert "[4]" in cell(drawing, 19)[0]
    assert "[5]" in cell(drawing, 20)[0]
    niches = drawing.plain.splitlines()[2]
    assert [niche.strip() for niche in niches.strip().strip("║").split("│")] == ["[1]", "[2]", "[3]", "", ""]
    assert "[6]" not in drawing.plain, "the Chest leads nowhere"


def test_two_cards_that_lead_to_one_space_are_numbered_there_together() -> None:
    state = opened("dragons-cave", 2, first_dragon="2").new_initial_state()
    assert "[1,7]" in cell(picture(state), 1)[0]


def test_the_dragon_sits_in_its_niche_and_can_be_put_into_any() -> None:
    state = usual(dragon=2, phase=s.PLACE, to_move=2, card=[0, 1, s.NO_CARD, s.NO_CARD], waiting=0)
    niches = picture(state).plain.splitlines()[2].strip().strip("║").split("│")
    assert [niche.strip() for niche in niches] == ["[1]", "[2]", "◄▄▟▙▄▂▁ [3]", "[4]", "[5]"]


def test_start_and_treasure_are_shown() -> None:
    lines = picture(usual(place=[0, 3, 0, 0], treasure=17)).plain.splitlines()
    assert "start LS ▴" in lines[-1]
    assert "lair ●4" in lines[0]
    assert "treasure ●17" in lines[0]


def test_a_high_screen_has_room_for_the_dwarves_on_lines_of_their_own() -> None:
    low, high = (picture(usual(place=[13, 20, 13, 0]), height=height).plain for height in (24, 40))
    assert (low.count("\n"), high.count("\n")) == (11, 15)
    assert " L  S " in high


def test_every_picture_has_a_sign_of_its_own() -> None:
    signs = [terminal_board.PICTURE_SIGNS[name] for name in pictures()]
    assert len(set(signs)) == len(signs)


def test_nothing_is_told_by_colour_alone() -> None:
    out = io.StringIO()
    console = Console(file=out, width=80, force_terminal=True, no_color=True)
    console.print(picture(position(opened("dragons-cave", 4), 2, 25)))
    assert not re.search(r"\x1b\[[0-9;]*(3|4)8;", out.getvalue())


# --- What the players hold --------------------------------------------------------------------------------------
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_players_and_score_fit_even_when_rich(language: str, width: int, players: int) -> None:
    game = opened("dragons-cave", players)
    table, catalogue = position(game, 3, 999).table(), game.words(language)
    table.purse, table.chest, table.left = [30] * 4, [30] * 4, [15] * 4
    table.card, table.hand = [s.SEALED_CARD, 0, s.CHEST, s.NO_CARD], [s.WHOLE_HAND] * 4
    lines = holdings(table, 0, language, width)
    assert len(lines) == players + 1
    out = io.StringIO()
    Console(file=out, width=width).print(terminal_board.score(table, catalogue, ["random"] * players))
    lines += out.getvalue().splitlines()
    assert not any("…" in line for line in lines)
    assert all(len(line) <= width for line in lines)


def test_hand_and_open_cards_stand_in_columns() -> None:
    table = usual(hand=[0b111010, 0b100001, s.WHOLE_HAND, 0]).table()
    _, lion, tower, star = holdings(table, 0)
    assert "·☼·◍◆▣" in lion
    assert "⚒·∞··" in lion
    assert "⚒····▣" in tower
    assert "·☼∞◍◆" in tower
    assert "⚒☼∞◍◆▣" in star
    assert "dragon" in star


def test_a_card_face_down_shows_itself_to_its_owner_only() -> None:
    state = usual()
    state.apply_action(2, 0)
    for viewer in (-1, 0, 1, 2):
        _, lion, *_ = holdings(state.observation(viewer), viewer)
        assert ("▒∞ rope" in lion, "▒ face down" in lion) == (viewer == 0, viewer != 0)
    state.apply_action(0, 1)
    state.apply_action(s.NICHE + 4, 2)
    state = usual(phase=s.SPLIT, card=[2, 0, s.NO_CARD, s.NO_CARD])
    assert "∞ rope" in holdings(state.observation(1), 1)[1]


def test_everybody_knows_the_last_chest() -> None:
    table = usual(hand=[s.ONLY_CHEST, *[s.WHOLE_HAND] * 3], card=[s.CHEST, *[s.NO_CARD] * 3], waiting=1).observation(1)
    assert "▣ Chest" in holdings(table, 1)[1]


def test_with_two_players_the_dwarf_named_is_shown_beside_the_card() -> None:
    state = opened("dragons-cave", 2, first_dragon="2").new_initial_state()
    state.apply_action(s.SECOND_DWARF + 3, 0)
    assert "▒ face down L2" in holdings(state.observation(1), 1)[1]


def test_fists_show_their_coins_to_their_owner_only() -> None:
    state = usual(purse=[5, 4, 0, 0], left=[2, s.TO_SPLIT, s.NO_SPLIT, s.NO_SPLIT], phase=s.SPLIT, to_move=1)
    for viewer in (-1, 0, 1, 2):
        _, lion, tower, _ = holdings(state.observation(viewer), viewer)
        assert ("5 = 2+3" in lion, "5 = ?+?" in lion) == (viewer == 0, viewer != 0)
        assert "4 = …" in tower


@pytest.mark.parametrize(
    ("chests", "phase", "visible"), [("closed", s.SEAL, False), ("closed", s.OVER, True), ("open", s.SEAL, True)]
)
def test_a_closed_chest_is_opened_for_nobody_before_the_end(chests: str, phase: int, visible: bool) -> None:
    catalogue = opened("dragons-cave", 3).words()
    for viewer in (-1, 0, 1, 2):
        drawings: set[str] = set()
        for chest in ([0, 0, 0, 0], [11, 7, 9, 0]):
            table = usual(chest=chest, phase=phase, open_chests=int(chests == "open")).observation(viewer)
            board = terminal_board.board(table, catalogue, 80).plain
            drawings.add("\n".join([board, terminal_board.caption(table, catalogue), *holdings(table, viewer)]))
        assert len(drawings) == (2 if visible else 1)


# --- The whole screen -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("players", "seed", "turns"), [(2, 3, 0), (2, 3, 9), (3, 3, 7), (4, 3, 0), (4, 3, 3), (4, 3, 20)]
)
def test_table_and_choices_fit_on_a_small_screen(players: int, seed: int, turns: int, language: str) -> None:
    state, out = position(opened("dragons-cave", players), seed, turns), io.StringIO()
    screen = Screen(Console(file=out, width=80, height=24), state.game, language, 0, None)
    seat = first_asked(state)
    screen.show_table(state, ["random"] * players, seat, state.legal_actions(seat))
    screen.show_choices(state, seat, state.legal_actions(seat))
    lines = out.getvalue().splitlines()
    assert len(lines) <= 30
    assert all(len(line) <= 80 for line in lines)
    for number, action in enumerate(state.legal_actions(seat), 1):
        assert f" {number}  {state.action_to_string(action, seat, language)}" in out.getvalue()


def test_the_caption_names_the_dragon_and_a_cave_that_is_not_the_usual_one() -> None:
    catalogue = opened("dragons-cave", 3).words()
    assert terminal_board.caption(usual().table(), catalogue) == "dragon: Star"
    board = json.loads(json.dumps(BOARDS[1]))
    table = on_board(3, board).new_initial_state().table()
    assert terminal_board.caption(table, catalogue) == f"{board['name']} · dragon: Lion"
