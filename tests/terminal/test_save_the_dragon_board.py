"""Save the Dragon in letters: stairs that fit every screen, everything on its spot, every choice where it leads."""

from __future__ import annotations

import functools
import io
import itertools
import random
import re
from typing import Any

import pytest
from rich.color import parse_rgb_hex
from rich.console import Console

from dracotheque import State, load_game
from dracotheque.engine.dispatch import CHANCE, TERMINAL
from dracotheque.engine.plain_state import PlainState
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.games.save_the_dragon import terminal_view
from dracotheque.games.save_the_dragon.names import CRESTS, spot_name
from dracotheque.games.save_the_dragon.rules import state as s
from dracotheque.presentation import terminal_canvas
from dracotheque.terminal.renderer import TerminalRenderer
from tests.games.save_the_dragon.position_builder import put
from tests.terminal.pictures import asked, picture
from tests.terminal.script import CATALOGUES, opened, play_whole

SIZES = [(60, 24), (80, 24), (80, 25), (100, 32), (110, 40), (140, 60)]
PLAYERS = (2, 3, 4)
ASKED = {"walk": s.WALK, "change": s.CHANGE, "throw": s.THROW}
FRAME = set("─│┌┘╭╮╰╯═║╔╗╦")


# --- Positions of the tests' own --------------------------------------------------------------------------------
def at(*names: str) -> list[int]:
    """Find places by their names, nowhere for the players who are not there."""
    places = [s.FLOOR if name == "floor" else s.CHAMBER if name == "chamber" else spot(name) for name in names]
    return [*places, *[s.NOWHERE] * (s.SEATS - len(places))]


def spot(name: str) -> int:
    """Find a spot by its name."""
    return next(number for number in range(s.SPOTS) if spot_name(number) == name)


def changed(players: int = 2, **fields: Any) -> State:
    """Set up a move of the first pawn from b7, the shield on c4 and door b closed, some fields changed."""
    state = opened("save-the-dragon", players, starts="1", youngest="everybody").new_initial_state()
    usual = {"phase": s.WALK, "to_move": 0, "die": 2, "shield": spot("c4"), "shut": 1}
    places = at(*["b7", "floor", "a3", "floor"][:players])
    table = state.to_plain()
    for name, value in (usual | {"place": places} | fields).items():
        setattr(table, name, value)
    return put(state, table)


def falling(phase: int, **fields: Any) -> State:
    """Let the rock fall onto four pawns."""
    places = at("b7", "a7", "a3", "floor")
    return changed(4, **{"phase": phase, "to_move": CHANCE, "place": places} | fields)


@functools.cache
def most_choices(players: int, phase: str) -> State:
    """Play at random until a question has been asked some times, and give the moment with the most choices."""
    game, chance = opened("save-the-dragon", players, starts="1", youngest="everybody"), random.Random(players)
    state, found = game.new_initial_state(), list[State]()
    while len(found) < 12:
        if state.is_terminal():
            state = game.new_initial_state()
        if state.is_chance_node():
            state.apply_action(state.sample_chance(chance))
            continue
        if state.to_plain().phase == ASKED[phase]:
            found.append(state.clone())
        state.apply_action(chance.choice(state.legal_actions()))
    return max(found, key=lambda moment: len(moment.legal_actions()))


def rich_walker(players: int) -> State:
    """Ask for the walk with the most choices there are: three steps and three tokens, from the floor."""
    return changed(players, die=3, place=at(*["floor"] * players), tokens=[3, 0, 0, 0], shield=spot("b9"))


# --- Drawing ----------------------------------------------------------------------------------------------------
def lines(state: State, **more: Any) -> list[str]:
    """Draw the stairs as lines of plain text."""
    return picture(state, **more).plain.splitlines()


def step(state: State, number: int, **more: Any) -> list[str]:
    """Read what is on the three spots of a step."""
    [line] = [line for line in lines(state, **more) if re.match(rf" +{number} ┌", line)]
    inside = re.fullmatch(r" +\d ┌─*┘(.*)┌─*┘.*", line)
    assert inside
    return [here.strip() for here in inside[1].split("┊")]


def floor(state: State, **more: Any) -> str:
    """Read what is on the floor."""
    below = re.fullmatch(r"─+┘─ (.*?) ─+┘.*", lines(state, **more)[-1])
    assert below
    return below[1].strip()


def doors(state: State, **more: Any) -> list[str]:
    """Read what is in the three doors."""
    [line] = [line for line in lines(state, **more) if line.count("║") == s.LANES + 1]
    return [door.strip() for door in line.split("║")[1:-1]]


def holdings(table: PlainState, language: str = "en", width: int = 80, bot: str = "") -> list[str]:
    """Draw what everybody has."""
    out = io.StringIO()
    catalogue = opened("save-the-dragon", 2).words(language)
    who = [bot or CATALOGUES[language].entries["bot.random"]] * table.players
    Console(file=out, width=width).print(terminal_view.players(table, catalogue, width, who, 0))
    return out.getvalue().splitlines()


# --- The stairs -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("phase", ASKED)
def test_the_stairs_fit_and_number_every_choice(phase: str, width: int, height: int, language: str) -> None:
    for players in PLAYERS:
        state = most_choices(players, phase)
        shown = picture(state, language, width, height).plain
        assert all(len(line) <= width for line in shown.splitlines())
        assert len({len(line) for line in shown.splitlines()}) == 1, "nothing is written beyond the sheet"
        numbers = [number for mark in re.findall(r"\[([\d,…]+)\]", shown) for number in mark.split(",")]
        if "…" not in numbers:
            assert sorted(map(int, numbers)) == list(range(1, len(state.legal_actions()) + 1))


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_step_stands_further_to_the_right_than_the_one_below(width: int, height: int) -> None:
    shown = lines(changed(), width=width, height=height, marked=False)
    rails = [line.index("┌") for line in shown if re.match(r" +\d ┌", line)]
    assert len(rails) == s.STEPS
    assert len({higher - lower for higher, lower in itertools.pairwise(rails)}) == 1
    assert rails[0] > rails[-1]
    for line in shown:
        if re.match(r" +\d ┌", line):
            assert line.count("┊") == 2


def test_a_high_screen_shows_the_fronts_of_the_steps() -> None:
    assert not any("░" in line for line in lines(changed(), height=39))
    assert sum("░" in line for line in lines(changed(), height=40)) == s.STEPS


def test_pawns_and_shield_stand_on_their_spots() -> None:
    state = changed(4)
    assert step(state, 7, marked=False) == ["·", "Y", "·"]
    assert step(state, 4, marked=False) == ["·", "·", "▜█▛"]
    assert step(state, 3, marked=False) == ["P", "·", "·"]
    assert floor(state) == "bottom  R   G"
    assert floor(changed(place=at("a1", "a2"))) == "bottom"


def test_the_shut_door_is_filled_and_says_so() -> None:
    a, b, c = doors(changed(), marked=False)
    assert (a, c) == ("", "")
    assert re.fullmatch("▓+ closed ▓+", b)
    for language in LANGUAGES:
        word = opened("save-the-dragon", 2).words(language).entries["drawn.shut"]
        for width, _ in SIZES:
            assert re.fullmatch(f"▓+ {word} ▓+", doors(changed(), language=language, width=width, marked=False)[1])
    assert re.fullmatch("▓+", doors(changed(), language="fr", width=40, marked=False)[1]), "no room for the word"


def test_choices_are_numbered_where_they_lead() -> None:
    state = changed(tokens=[2, 0, 0, 0])
    assert step(state, 8) == ["[1,7]", "[4]", "[2,8]"]
    assert step(state, 9) == ["[5]", "[3,9]", "[6]"]
    assert [doors(state)[lane] for lane in (0, 2)] == ["[10]", "[11]"]
    stuck = changed(die=1, place=at("b9", "a9"), shield=spot("c9"))
    assert step(stuck, 9) == ["R", "Y  [1]", "▜█▛"]


def test_shield_door_and_rock_are_numbered_where_they_go() -> None:
    change = changed(phase=s.CHANGE)
    assert step(change, 4) == ["[10]", "[11]", "▜█▛ [28]"]
    assert [doors(change)[lane] for lane in (0, 2)] == ["[26]", "[27]"]
    throw = changed(phase=s.THROW)
    assert [doors(throw)[lane] for lane in (0, 2)] == ["[1]", "[2]"]
    assert "[" not in floor(throw)


def test_who_cannot_leave_the_floor_chooses_it() -> None:
    state = changed(place=at("floor", "floor"))
    shown = terminal_view.board(state.to_plain(), state.game.words(), 80, {s.FLOOR: "1"}, 24).plain
    assert "bottom  Y   R  [1]" in shown
    assert terminal_view.place(state.to_plain(), 0, s.STAY) == s.FLOOR


@pytest.mark.parametrize("width", [60, 80, 100, 140])
@pytest.mark.parametrize("players", PLAYERS)
def test_even_the_most_choices_can_all_be_read_on_the_stairs(players: int, width: int) -> None:
    state = rich_walker(players)
    assert len(state.legal_actions()) == 43
    drawing = "\n".join(lines(state, width=width))
    numbers = [number for mark in re.findall(r"\[([\d,…]+)\]", drawing) for number in mark.split(",")]
    assert sorted(map(int, numbers)) == list(range(1, 44))
    assert all(len(line) <= width for line in drawing.splitlines())


@pytest.mark.parametrize("width", [60, 80, 140])
def test_the_stairs_say_which_choices_take_tokens(width: int) -> None:
    state = rich_walker(2)
    drawing = lines(state, width=width)
    spent = [action // s.SPOTS for action in state.legal_actions()]
    for tokens in (1, 2, 3):
        first, last = spent.index(tokens) + 1, len(spent) - spent[::-1].index(tokens)
        assert drawing[tokens - 4].endswith(f" {first}–{last} {tokens}♦")
    assert [step(state, number, width=width)[0] for number in (1, 9)] == ["[1]", "·"], "nothing is covered"
    one = changed(place=at("a9", "b9"), die=1, shut=0, shield=spot("a1"), tokens=[1, 0, 0, 0])
    assert lines(one)[-1].endswith(" 1 1♦"), "a single choice"
    assert not any("♦" in line for line in lines(changed()))
    assert not any("♦" in line for line in lines(state, marked=False))


def test_marks_that_do_not_fit_even_on_steep_stairs_are_cut_between_numbers() -> None:
    narrow = re.findall(r"\[[^\]]+\]", "".join(lines(rich_walker(2), width=44)))
    assert any("…" in mark for mark in narrow)
    assert all(re.fullmatch(r"\[\d+(,\d+)*(,…)?\]", mark) for mark in narrow)


def test_before_the_game_is_set_up_neither_shield_nor_door_is_shown() -> None:
    state = opened("save-the-dragon", 2).new_initial_state()
    catalogue = state.game.words()
    assert doors(state) == ["", "", ""]
    assert not any("▜█▛" in line for line in lines(state))
    assert terminal_view.caption(state.to_plain(), catalogue) == ""
    state.apply_action(s.SHUT + 2)
    assert terminal_view.caption(state.to_plain(), catalogue) == "door c closed"
    assert not any("▜█▛" in line for line in lines(state))
    state.apply_action(s.NOTCHED + spot("a5"))
    assert terminal_view.caption(state.to_plain(), catalogue) == "shield on a5 · door c closed"


# --- The dice and the rock --------------------------------------------------------------------------------------
def test_the_dice_show_what_was_rolled_in_this_turn() -> None:
    def faces(state: State) -> list[str]:
        [_, *found] = re.split("│", lines(state)[1].partition("╔")[0])
        return [face.strip() for face in found[::2]][: len(found) // 2]

    assert faces(changed(die=0, phase=s.DIE, to_move=CHANCE)) == []
    assert faces(changed(die=1)) == ["•"]
    assert faces(changed(die=3)) == ["• • •"]
    assert faces(changed(phase=s.CHANGE)) == ["• •", "▜█▛ ▓"]
    assert faces(changed(phase=s.THROW)) == ["• •", "●"]
    assert faces(falling(s.LANE, step=9, down=1, lane=0)) == ["• •", "●"]


def test_the_rock_is_seen_in_its_door_and_on_its_way() -> None:
    for distance in range(1, 10):
        assert doors(falling(s.LANE, step=10 - distance, down=distance, lane=0, above=0))[0] == "●"
    for distance in range(1, 7):
        assert step(falling(s.LANE, step=7 - distance, down=distance, lane=2, above=2), 7) == ["R", "Y", "●"]
    hit = falling(s.FATE, step=7, down=3, lane=1, above=1, hit=1)
    assert step(hit, 7) == ["R!", "Y  ●", "·"]
    gone = falling(s.FATE, step=7, down=3, lane=s.GONE, above=1, hit=1)
    assert sum("●" in line for line in lines(gone)) == 1, "on the die alone"
    assert sum("●" in line for line in lines(changed(4))) == 0


def test_pawns_lie_where_the_rock_threw_them() -> None:
    fates = [spot("c6"), spot("c6"), s.STANDS, s.STANDS]
    state = falling(s.LANE, step=3, down=4, lane=1, above=1, fate=fates)
    assert step(state, 7) == ["·", "●", "·"]
    assert step(state, 6) == ["·", "·", "┠Y  ┠R"]
    assert step(state, 3) == ["P", "·", "·"]
    down = falling(s.LANE, step=3, down=4, lane=1, above=1, fate=[s.FLOOR, s.STANDS, s.STANDS, s.STANDS])
    assert floor(down) == "bottom ┠Y   G"
    assert step(down, 7) == ["R", "●", "·"]
    crowded = falling(s.LANE, step=3, down=3, lane=2, above=2, fate=[spot("c6")] * 3 + [s.STANDS])
    assert step(crowded, 6, width=60)[2] == "┠Y ┠R ┠P ●", "everybody is seen, even on a small spot"


@pytest.mark.parametrize("width", [60, 80, 140])
def test_whole_games_are_drawn_move_by_move(width: int) -> None:
    game, chance = opened("save-the-dragon", 4), random.Random(7)
    state, seen = game.new_initial_state(), set[int]()
    while not state.is_terminal():
        seen.add(state.to_plain().phase)
        shown = lines(state, width=width)
        assert len({len(line) for line in shown}) == 1
        table = state.to_plain()
        for seat in range(4):
            letter = terminal_canvas.letter(game.words(), CRESTS[seat])
            assert sum(line.count(letter) for line in shown) == 1, (letter, table)
        outcome = state.sample_chance(chance) if state.is_chance_node() else chance.choice(state.legal_actions())
        state.apply_action(outcome)
    assert seen >= {s.WALK, s.CHANGE, s.THROW, s.LANE, s.FATE, s.SIDE}
    dragon = lines(state, width=width)[0]
    winner = CRESTS[state.to_plain().place[:4].index(s.CHAMBER)]
    assert re.search(rf"{terminal_canvas.letter(game.words(), winner)}  {terminal_canvas.LOOKS_LEFT}", dragon)


# --- Without colours, by night and by day -----------------------------------------------------------------------
def test_nothing_is_told_by_colour_alone() -> None:
    out = io.StringIO()
    console = Console(file=out, width=80, force_terminal=True, no_color=True)
    console.print(picture(falling(s.FATE, step=7, down=3, lane=1, above=1, hit=1)))
    assert not re.search(r"\x1b\[[0-9;]*(3|4)8;", out.getvalue())
    board = terminal_view
    signs = [
        board.SHIELD_SIGN, board.ROCK_SIGN, board.TOKEN_SIGN, board.WIN_SIGN, board.SHELTER_SIGN, board.LIES_SIGN,
        board.SPOT_SIGN, board.SHUT_SIGN, board.RISER_SIGN, board.PIP, board.HIT_SIGN,
    ]  # fmt: skip
    assert len(set(signs)) == len(signs)
    for language in LANGUAGES:
        letters = terminal_canvas.all_letters(opened("save-the-dragon", 2).words(language), CRESTS).plain
        assert len(set(letters)) == len(CRESTS)


def test_every_colour_can_be_read_by_night_and_by_day() -> None:
    for style in (terminal_view.SHIELD_STYLE, terminal_view.ROCK_STYLE):
        assert style.color
        light, night = luminance(style.color.name), luminance("#14182a")
        assert (light + 0.05) / (night + 0.05) > 4.5
        assert 1.05 / (light + 0.05) > 3


def luminance(colour: str) -> float:
    """Return how bright a colour is, as contrast is estimated."""
    parts = [part / 255 for part in parse_rgb_hex(colour[1:])]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


# --- What the players have --------------------------------------------------------------------------------------
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [60, 80, 110])
@pytest.mark.parametrize("players", PLAYERS)
def test_players_and_score_fit(language: str, width: int, players: int) -> None:
    places = at("chamber", *["floor"] * (players - 1))
    table = changed(players, phase=s.OVER, to_move=TERMINAL, place=places, tokens=[3, 2, 1, 0]).to_plain()
    listed = holdings(table, language, width)
    assert len(listed) == (players + 1) // 2
    assert "♦♦♦" in listed[0]
    long_names = holdings(table, language, width, "TheVeryBestBotThatEverWas")
    assert len(long_names) == len(listed)
    out = io.StringIO()
    who = [CATALOGUES[language].entries["bot.random"]] * players
    catalogue = opened("save-the-dragon", 2).words(language)
    Console(file=out, width=width).print(terminal_view.score(table, catalogue, who))
    *_, total = out.getvalue().splitlines()
    assert total.split()[-players:] == ["1", *["0"] * (players - 1)]
    assert all(len(line) <= width for line in [*listed, *long_names, *out.getvalue().splitlines()])
    if width >= 80:
        assert not any("…" in line for line in listed)


def test_players_show_turn_place_and_tokens() -> None:
    state = changed(4, active=1, to_move=1, tokens=[2, 0, 3, 1])
    assert [line.split() for line in holdings(state.to_plain())] == [
        ["Y", "Yellow", "random", "b7", "♦♦·", "P", "Purple", "random", "a3", "♦♦♦"],
        ["▸", "R", "Red", "random", "bottom", "···", "G", "Green", "random", "bottom", "♦··"],
    ]
    fallen = falling(s.LANE, active=1, step=3, down=4, lane=1, above=1, fate=[spot("a5"), s.FLOOR, s.STANDS, s.STANDS])
    first, second = holdings(fallen.to_plain())
    assert "a5" in first, "it lies there"
    assert second.split()[0] == "▸", "whose turn it is, though chance decides now"
    over = changed(phase=s.OVER, to_move=TERMINAL, place=at("chamber", "floor"))
    assert "▸" not in "".join(holdings(over.to_plain()))
    begun = opened("save-the-dragon", 2).new_initial_state()
    assert "▸" not in "".join(holdings(begun.to_plain()))


# --- Choices in signs -------------------------------------------------------------------------------------------
def told(state: State) -> list[tuple[str, str]]:
    """Tell all choices in signs."""
    seen, words = state.observation(asked(state)), state.game.words()
    briefs = [terminal_view.brief(seen, words, asked(state), action) for action in state.legal_actions()]
    return [(name.plain, preview.plain) for name, preview in briefs]


def test_walks_are_told_in_signs() -> None:
    spots = [("a8", ""), ("c8", ""), ("b9", "")]
    spent = [("b8 1♦", ""), ("a9 1♦", ""), ("c9 1♦", "")]
    assert told(changed(tokens=[1, 0, 0, 0])) == [*spots, *spent]
    doors = told(changed(tokens=[2, 0, 0, 0]))[-2:]
    assert doors == [("⚑ a 2♦", ""), ("⚑ c 2♦", "")]
    assert told(changed(place=at("a8", "floor")))[-1] == ("⚑ a", "")
    assert ("c3", "▼") in told(changed(place=at("c2", "floor"), die=1))
    assert ("c2", "▼") in told(changed(place=at("c1", "floor"), die=1))
    assert told(changed(die=1, place=at("b9", "a9"), shield=spot("c9"))) == [("stay", "")]


def test_changes_and_rocks_are_told_in_signs() -> None:
    change = told(changed(phase=s.CHANGE))
    assert change[0] == ("a1", "")
    both = dict(told(changed(phase=s.CHANGE, place=at("b7", "b6"))))
    assert (both["b8"], both["b9"], both["a8"]) == ("▼ YR", "▼ Y", "")
    assert not [preview for name, preview in told(changed(phase=s.CHANGE, place=at("floor", "floor"))) if preview]
    assert change[-3:] == [("▓ a", ""), ("▓ c", ""), ("no change", "")]
    assert told(changed(phase=s.THROW)) == [("● a", ""), ("● c", "")]


def test_only_signs_that_stand_there_are_explained() -> None:
    def key(state: State) -> str:
        return terminal_view.brief_key(state.observation(asked(state)), state.game.words())

    assert key(changed(place=at("a1", "floor"), shield=spot("c9"))) == ""
    assert key(changed(place=at("c1", "floor"), tokens=[1, 0, 0, 0])) == "♦ tokens  ▼ sheltered"
    assert key(changed(place=at("a9", "floor"))).startswith("⚑ ")
    assert re.fullmatch("▼ .*  ▓ .*", key(changed(phase=s.CHANGE)))
    assert key(changed(phase=s.THROW)).startswith("● ")


# --- The whole screen -------------------------------------------------------------------------------------------
def shown(state: State, language: str, width: int, height: int) -> list[str]:
    """Show the table and the choices to the seat that has to choose."""
    out, players = io.StringIO(), state.game.players
    screen = TerminalRenderer(Console(file=out, width=width, height=height), state.game, language, 0, None)
    who = [CATALOGUES[language].entries["bot.random"]] * players
    screen.show_table(state, who, asked(state), state.legal_actions())
    screen.show_choices(state, asked(state), state.legal_actions())
    return out.getvalue().splitlines()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("width", "height"), [(60, 24), (80, 24), (100, 32), (110, 40)])
@pytest.mark.parametrize("players", PLAYERS)
def test_table_choices_and_prompt_fit_on_the_screen(players: int, width: int, height: int, language: str) -> None:
    moments = [most_choices(players, phase) for phase in ASKED]
    moments += [rich_walker(players), changed(players, tokens=[3, 0, 0, 0]), changed(players, phase=s.CHANGE)]
    for state in moments:
        listed = shown(state, language, width, height)
        assert len(listed) < height, "a line is left for the prompt"
        assert all(len(line) <= width for line in listed)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sign_is_explained(language: str) -> None:
    catalogue = opened("save-the-dragon", 2).words(language)
    explained = {sign for text, _ in terminal_view.legend(catalogue) for sign in text.plain}
    fates = [spot("c6"), s.STANDS, s.STANDS, s.STANDS]
    states = [
        changed(4, tokens=[2, 0, 0, 0]), changed(phase=s.CHANGE), changed(phase=s.THROW),
        falling(s.FATE, step=3, down=4, lane=1, above=1, hit=2, fate=fates),
    ]  # fmt: skip
    signs: set[str] = set()
    for state in states:
        signs |= set(picture(state, language, 100, 48).plain)
        signs |= {sign for line in holdings(state.to_plain(), language) for sign in line}
        for action in state.legal_actions() if asked(state) >= 0 else []:
            briefs = terminal_view.brief(state.observation(asked(state)), catalogue, asked(state), action)
            signs |= {sign for text in briefs for sign in text.plain}
    assert {sign for sign in signs if not sign.isalnum()} - FRAME - set(" \n,") <= explained


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_person_and_a_bot_play_a_whole_game(language: str) -> None:
    game = load_game("save-the-dragon", 2, interpreted=True)
    state, printed = play_whole(game, ["you", "random"], language)
    assert state.is_terminal()
    assert "Save the Dragon" in printed
    assert all(len(line) <= 80 for line in printed.splitlines())
