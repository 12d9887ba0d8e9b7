"""Emerald in letters: a board that fits its screen and shows everything a player may know, and nothing else."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from dracotheque import State
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.games.emerald import terminal_view
from dracotheque.games.emerald.names import CRESTS
from dracotheque.games.emerald.rules import state as s
from dracotheque.presentation import terminal_canvas
from tests.terminal.script import CATALOGUES, opened, position


def drawn(state: State, language: str, width: int) -> list[str]:
    """Draw a board with its choices, line by line."""
    out = io.StringIO()
    choices = [] if state.is_terminal() else state.legal_actions()
    marks = terminal_canvas.numbered(terminal_view.place(state.to_plain(), 0, action) for action in choices)
    picture = terminal_view.board(state.to_plain(), state.game.words(language), width, marks)
    Console(file=out, width=width).print(picture)
    return out.getvalue().splitlines()


POSITIONS = [(players, seed, turns) for players in (2, 3, 4, 5) for seed, turns in ((1, 0), (2, 25), (3, 60), (4, 999))]


@pytest.mark.parametrize("width", [80, 100, 140])
@pytest.mark.parametrize(("players", "seed", "turns"), POSITIONS)
def test_board_fits_and_shows_every_knight(players: int, seed: int, turns: int, width: int) -> None:
    state = position(opened("emerald", players), seed, turns)
    for language in LANGUAGES:
        lines = drawn(state, language, width)
        assert len(lines) == 11
        assert len({len(line) for line in lines}) == 1
        assert len(lines[0]) <= width
        assert shown_knights(state, language, lines) == knights(state, language)
        for number in range(1, 10):
            assert f" {number} " in lines[1]


def knights(state: State, language: str) -> dict[str, int]:
    """Count every crest's knights that are not in the box."""
    catalogue, table = state.game.words(language), state.to_plain()
    counts = {crest: sum(place != s.BOX for place in table.knights[colour]) for colour, crest in enumerate(CRESTS)}
    return {terminal_canvas.letter(catalogue, crest): count for crest, count in counts.items() if count}


def shown_knights(state: State, language: str, lines: list[str]) -> dict[str, int]:
    """Count the knights drawn: letters that stand in their crest's colours."""
    catalogue = state.game.words(language)
    picture = terminal_view.board(state.to_plain(), catalogue, len(lines[0]) + 1)
    counts: dict[str, int] = {}
    for span in picture.spans:
        if span.style in terminal_canvas.CREST_STYLES.values():
            for crest, number in re.findall(r"(\D)(\d*)", picture.plain[span.start : span.end]):
                counts[crest] = counts.get(crest, 0) + int(number or 1)
    return counts


def test_a_crowd_is_counted() -> None:
    state = position(opened("emerald", 5), 1, 0)
    table, catalogue = state.to_plain(), state.game.words()
    table.knights = [[s.FIRST_FIELD] * 4 + [s.BOX] for _ in range(5)]
    assert "Y4R4P4" in terminal_view.board(table, catalogue, 80).plain
    assert "G4B4" in terminal_view.board(table, catalogue, 80).plain


def test_dragon_looks_where_it_flies_and_the_rod_lies_beside_its_caves() -> None:
    table, catalogue = position(opened("emerald", 3), 1, 0).to_plain(), opened("emerald", 3).words()
    table.rod, table.dragon, table.facing = 3, 4, s.LAIRWARD
    flight, caves, *_ = terminal_view.board(table, catalogue, 80).plain.splitlines()
    assert "◄" in flight
    assert "►" not in flight
    assert flight.index("┍") < caves.index(" 7 ") < caves.index(" 4 ") < flight.index("┑") < caves.index(" 3 ")
    assert flight.index("┍") > caves.index(" 8 ")
    assert caves.index(" 5 ") - 4 < flight.index("◄") < caves.index(" 4 ")
    assert " track " in flight


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [80, 100, 140])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_players_and_score_fit_even_when_rich(language: str, width: int, players: int) -> None:
    state = position(opened("emerald", players), 3, 999)
    table, catalogue = state.to_plain(), state.game.words(language)
    table.gold[0] = [2, 1, 1, 2, 2]
    table.treasures[0], table.four_gems = 4, 1
    who = [CATALOGUES[language].entries[key] for key in ("you", *["bot.random"] * (players - 1))]
    out = io.StringIO()
    console = Console(file=out, width=width)
    console.print(terminal_view.players(table, catalogue, width, who, 0))
    assert len(out.getvalue().splitlines()) == players + 1
    console.print(terminal_view.score(table, catalogue, who))
    assert "…" not in out.getvalue()
    assert all(len(line) <= width for line in out.getvalue().splitlines())


@pytest.mark.parametrize(("gold", "visible"), [("face-down", [True, False, False]), ("open", [True, True, True])])
def test_gold_of_others_is_hidden_unless_played_open(gold: str, visible: list[bool]) -> None:
    table, catalogue = (
        position(opened("emerald", 3, gold=gold), 1, 0).to_plain(),
        opened("emerald", 3).words(),
    )
    table.gold = [[1, 0, 0, 1, 0], [0, 1, 0, 0, 1], [0, 0, 1, 0, 0], [0] * 5, [0] * 5]
    out = io.StringIO()
    Console(file=out, width=80).print(terminal_view.players(table, catalogue, 80, ["you", "bot", "bot"], 0))
    _, *lines = out.getvalue().splitlines()
    values, hidden = ["1+4 = 5", "2+5 = 7", "3 = 3"], ["2\u00a0cards", "2\u00a0cards", "1\u00a0card"]
    for line, seen, value, cards in zip(lines, visible, values, hidden, strict=True):
        assert (value in line, cards in line) == (seen, not seen)


def test_nothing_is_told_by_colour_alone() -> None:
    out = io.StringIO()
    console = Console(file=out, width=80, force_terminal=True, no_color=True)
    console.print(
        terminal_view.board(position(opened("emerald", 4), 2, 25).to_plain(), opened("emerald", 3).words(), 80)
    )
    assert not re.search(r"\x1b\[[0-9;]*(3|4)8;", out.getvalue())
