"""Dragon's Cave in letters: any cave fits its screen, and shows everything a player may know, and nothing else."""

from __future__ import annotations

import io
import itertools
import json
import re
from typing import Any

import pytest
from rich.color import parse_rgb_hex
from rich.console import Console

from dracotheque import State, load_game
from dracotheque.engine.game import Game
from dracotheque.engine.plain_state import PlainState
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.games.dragons_cave import terminal_view
from dracotheque.games.dragons_cave.board_files import pictures
from dracotheque.games.dragons_cave.names import CRESTS
from dracotheque.games.dragons_cave.rules import state as s
from dracotheque.presentation import terminal_canvas
from dracotheque.terminal.renderer import TerminalRenderer
from tests.games.dragons_cave.position_builder import BOARDS
from tests.terminal.pictures import asked, picture
from tests.terminal.script import CATALOGUES, opened, position

WIDTHS, HEIGHTS = (80, 100, 110, 140), (24, 60)


def on_board(players: int, board: dict[str, Any]) -> Game:
    """Load the game on another board."""
    return load_game("dragons-cave", players, interpreted=True, board=board)


def holdings(table: PlainState, viewer: int, language: str = "en", width: int = 80) -> list[str]:
    """Draw what everybody holds, as a seat sees it."""
    out = io.StringIO()
    catalogue = load_game("dragons-cave", interpreted=True).words(language)
    who = [CATALOGUES[language].entries["bot.random"]] * table.players
    Console(file=out, width=width).print(terminal_view.players(table, catalogue, width, who, viewer))
    return out.getvalue().splitlines()


# --- The cave ---------------------------------------------------------------------------------------------------
def dwarves(state: State, language: str) -> list[str]:
    """List all dwarves as they are drawn, sorted."""
    letters = [terminal_canvas.letter(state.game.words(language), crest) for crest in CRESTS[: state.game.players]]
    if state.game.players == 2:
        return sorted(f"{letter}{number}" for letter in letters for number in (1, 2))
    return sorted(letters)


def shown_dwarves(drawing: Any) -> list[str]:
    """List the dwarves drawn: letters that stand in their crest's colours, with their numbers, sorted."""
    found: list[str] = []
    for span in drawing.spans:
        if span.style in terminal_canvas.CREST_STYLES.values():
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
    """Cut a space of the default board out of a drawing: its upper wall and its inside."""
    lines = drawing.plain.splitlines()
    row, column = divmod(number - 1, 5)
    x, y = 3 + column * (width + 1), 3 + 2 * (3 - row)
    return lines[y][x : x + width], lines[y + 1][x : x + width]


def usual(**fields: Any) -> State:
    """Begin a game of three in the default board, the Star the dragon, some fields of the table changed."""
    state = opened("dragons-cave", 3, first_dragon="3").new_initial_state()
    table = state.to_plain()
    for name, value in fields.items():
        setattr(table, name, value)
    state._workspace.set_state(table.bytes())
    return state


def test_a_space_shows_number_picture_coins_and_dwarves() -> None:
    drawing = picture(usual(place=[13, 20, 13, 0]))
    assert cell(drawing, 13) == ("─ 13 ───── ● ─", " ∞ rope    YP ")
    assert cell(drawing, 20)[1] == " ◆ crystal  R "
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
    assert "start YP ▴" in lines[-1]
    assert "lair ●4" in lines[0]
    assert "treasure ●17" in lines[0]


def test_a_high_screen_has_room_for_the_dwarves_on_lines_of_their_own() -> None:
    low, high = (picture(usual(place=[13, 20, 13, 0]), height=height).plain for height in (24, 40))
    assert (low.count("\n"), high.count("\n")) == (11, 15)
    assert " Y  P " in high


def test_every_picture_has_a_sign_of_its_own() -> None:
    signs = [terminal_view.PICTURE_SIGNS[name] for name in pictures()]
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
    table, catalogue = position(game, 3, 999).to_plain(), game.words(language)
    table.purse, table.chest, table.left = [30] * 4, [30] * 4, [15] * 4
    table.card, table.hand = [s.SEALED_CARD, 0, s.CHEST, s.NO_CARD], [s.WHOLE_HAND] * 4
    lines = holdings(table, 0, language, width)
    assert len(lines) == players + 1
    out = io.StringIO()
    Console(file=out, width=width).print(terminal_view.score(table, catalogue, ["random"] * players))
    lines += out.getvalue().splitlines()
    assert not any("…" in line for line in lines)
    assert all(len(line) <= width for line in lines)


def test_hand_and_open_cards_stand_in_columns() -> None:
    table = usual(hand=[0b111010, 0b100001, s.WHOLE_HAND, 0]).to_plain()
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
    assert "▒ face down Y2" in holdings(state.observation(1), 1)[1]


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
            board = terminal_view.board(table, catalogue, 80).plain
            drawings.add("\n".join([board, terminal_view.caption(table, catalogue), *holdings(table, viewer)]))
        assert len(drawings) == (2 if visible else 1)


# --- The whole screen -------------------------------------------------------------------------------------------
def changed(players: int, **fields: Any) -> State:
    """Begin a game in which the last player is the dragon, some fields of the table changed."""
    state = opened("dragons-cave", players, first_dragon=str(players)).new_initial_state()
    table = state.to_plain()
    for name, value in fields.items():
        setattr(table, name, value)
    state._workspace.set_state(table.bytes())
    return state


def all_cards(players: int, place: list[int]) -> State:
    """Let a player choose any card, with a purse that is not small."""
    return changed(players, place=place, purse=[12, 11, 10, 0])


def niches(players: int) -> State:
    """Let the dragon choose a niche, everybody else a suspect in all of them."""
    card = [*[1] * (players - 1), *[s.NO_CARD] * (5 - players)]
    return changed(players, phase=s.PLACE, to_move=players - 1, card=card, waiting=0, purse=[12, 11, 10, 0])


def fists(players: int, coins: int) -> State:
    """Let the first player split a purse."""
    left = [s.TO_SPLIT, *[s.NO_SPLIT] * 3]
    card = [1, *[s.NO_CARD] * 3]
    return changed(players, phase=s.SPLIT, to_move=0, waiting=1, card=card, left=left, purse=[coins, 0, 0, 0])


def guess(players: int) -> State:
    """Let the dragon choose a fist."""
    left = [12, *[s.NO_SPLIT] * 3]
    card = [1, *[s.NO_CARD] * 3]
    return changed(players, phase=s.GUESS, to_move=players - 1, guessing=0, card=card, left=left, purse=[24, 0, 0, 0])


WORST = {
    "cards at the start": lambda players: all_cards(players, [0, 0, 0, 0]),
    "cards on the path": lambda players: all_cards(players, [13, 20, 14, 0]),
    "cards before the lair": lambda players: all_cards(players, [20, 20, 20, 20]),
    "cards that end the game": lambda players: changed(players, place=[12] * 4, treasure=1, purse=[12] * 4),
    "one dwarf at home": lambda players: all_cards(players, [23, 20, 19, 20] if players == 2 else [19] * 4),
    "niches": niches,
    "few coins": lambda players: fists(players, 1),
    "ten coins": lambda players: fists(players, 10),
    "a large purse": lambda players: fists(players, 27),
    "guess": guess,
}


def shown(state: State, language: str, width: int, height: int) -> list[str]:
    """Show the table and the choices to a seat that has to choose."""
    out, players = io.StringIO(), state.game.players
    screen = TerminalRenderer(Console(file=out, width=width, height=height), state.game, language, 0, None)
    seat = asked(state)
    who = [CATALOGUES[language].entries["bot.random"]] * players
    screen.show_table(state, who, seat, state.legal_actions(seat))
    screen.show_choices(state, seat, state.legal_actions(seat))
    return out.getvalue().splitlines()


def whole(state: State, language: str, lines: list[str], number: int, action: int) -> bool:
    """Return whether a choice stands there with all that is foretold of it, in words or in signs."""
    seat, catalogue, text = asked(state), state.game.words(language), flat(lines)
    seen = state.observation(seat)
    foretold = state.game.text.preview(seen, seat, action)
    sentence = flat([catalogue.say(foretold)]) if foretold else ""
    full = state.action_to_string(action, seat, language)
    name, signs = terminal_view.brief(seen, catalogue, seat, action)
    return any(
        f" {number} {flat([called])}{f' {told}' if told else ''}" in text
        for called, told in [(full, sentence), (name.plain, sentence), (name.plain, flat([signs.plain]))]
    )


def flat(lines: list[str]) -> str:
    """Write lines as one, every space single."""
    return " ".join(" ".join(lines).split())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("width", "height"), [(80, 24), (80, 25), (100, 32), (110, 40)])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("situation", WORST)
def test_table_choices_and_prompt_fit_on_the_screen(
    situation: str, players: int, width: int, height: int, language: str
) -> None:  # fmt: skip
    state = WORST[situation](players)
    lines = shown(state, language, width, height)
    assert len(lines) < height, "a line is left for the prompt"
    assert all(len(line) <= width for line in lines)
    for number, action in enumerate(state.legal_actions(asked(state)), 1):
        assert whole(state, language, lines, number, action), (number, lines)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_choice_of_a_game_fits_on_a_small_screen(players: int, language: str) -> None:
    for seed, turns in itertools.product((3, 4), (0, 1, 2, 3, 5, 7, 9, 12, 20, 30)):
        state = position(opened("dragons-cave", players), seed, turns)
        if state.is_terminal():
            continue
        lines = shown(state, language, 80, 24)
        assert len(lines) <= 23
        for number, action in enumerate(state.legal_actions(asked(state)), 1):
            assert whole(state, language, lines, number, action), (number, lines)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("situation", "players", "key"),
    [("cards on the path", 2, "card"), ("cards on the path", 4, "card"), ("niches", 4, "niche"),
     ("a large purse", 2, "split"), ("a large purse", 4, "split")],
)  # fmt: skip
def test_signs_are_explained_where_they_stand_for_sentences(
    situation: str, players: int, key: str, language: str
) -> None:  # fmt: skip
    state = WORST[situation](players)
    explained = state.game.words(language).entries[f"drawn.brief.key_{key}"]
    assert explained in flat(shown(state, language, 80, 24))


def test_choices_in_signs_are_read_downwards_dwarf_by_dwarf() -> None:
    lines = shown(all_cards(2, [3, 0, 9, 0]), "en", 80, 24)
    assert flat(lines[-6:-5]) == "1 ⚒ pickaxe Y1 → 6 ← 1 7 ⚒ pickaxe Y2 → 11 ← 6"
    assert flat(lines[-2:-1]) == "5 ◆ crystal Y1 → 5 ●●● ← start 11 ◆ crystal Y2 → 10 ●●● ← 5"
    assert flat(lines[-1:]) == "6 ▣ Chest Y1 ●12 safe ↺ hand 12 ▣ Chest Y2 ●12 safe ↺ hand"


def test_choices_in_signs_show_what_ends_the_game() -> None:
    def way(state: State) -> str:
        return terminal_view.brief(state.observation(0), state.game.words(), 0, 0)[1].plain

    assert way(changed(3, place=[16, 0, 0, 0])) == "→ lair ●4 ⚑ ← 11"
    assert way(changed(2, place=[16, 0, 1, 0])) == "→ lair ●4 ← 11"
    assert way(changed(2, place=[16, 0, 23, 0])) == "→ lair ●4 ⚑ ← 11"
    assert way(changed(2, place=[16, 0, 1, 0], treasure=4)) == "→ lair ●4 ⚑ ← 11"
    assert way(changed(3, place=[0, 0, 0, 0])) == "→ 1 ← start"


def test_suspects_in_signs() -> None:
    state = niches(4)
    table = state.to_plain()
    table.hand = [s.ONLY_CHEST, s.WHOLE_HAND, s.WHOLE_HAND, s.WHOLE_HAND]
    told = [terminal_view.brief(table, state.game.words(), 3, s.NICHE)[1].plain]
    table.hand = [s.ONLY_CHEST] * 4
    told += [terminal_view.brief(table, state.game.words(), 3, s.NICHE)[1].plain]
    assert told == ["R ●11  P ●10", "no one"]


def test_an_empty_purse_leaves_the_chest_only_the_cards() -> None:
    state = changed(3)
    assert terminal_view.brief(state.observation(0), state.game.words(), 0, s.CHEST)[1].plain == "↺ hand"


def test_a_fist_leads_to_no_place() -> None:
    seen = guess(3).observation(2)
    assert [terminal_view.place(seen, 2, action) for action in (s.LEFT_FIST, s.RIGHT_FIST, s.HOLD)] == [None] * 3


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("height", HEIGHTS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_word_covers_the_end_of_a_wall(players: int, height: int, language: str) -> None:
    first, *_, last = picture(changed(players), language, 80, height).plain.splitlines()
    assert (first.count("╤"), last.count("┴")) == (4, 4)


def test_every_colour_can_be_read_on_black_and_on_white() -> None:
    for colour in opened("dragons-cave", 3).board.colours:
        red, green, blue = parse_rgb_hex(terminal_view._readable(colour)[1:])
        light = sum((part / 255) ** 2.2 * weight for part, weight in ((red, 0.21), (green, 0.72), (blue, 0.07)))
        assert (light + 0.05) / 0.05 > 4.5


def test_the_caption_names_the_dragon_and_a_cave_that_is_not_the_usual_one() -> None:
    catalogue = opened("dragons-cave", 3).words()
    assert terminal_view.caption(usual().to_plain(), catalogue) == "dragon: Purple"
    board = json.loads(json.dumps(BOARDS[1]))
    table = on_board(3, board).new_initial_state().to_plain()
    assert terminal_view.caption(table, catalogue) == f"{board['name']} · dragon: Yellow"
