"""The score sheets of all games: what their rows add up to, what decides at a tie, and how they read."""

from __future__ import annotations

import random
from typing import Any

import pytest

from dracotheque import State, load_game
from dracotheque.engine import registry
from dracotheque.engine.phrases import phrase
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.presentation.score_rows import ScoreRow, tie_rows

GAMES = 200


def played(name: str, number: int) -> State:
    """Play a game at random; with every number of players in turn."""
    box = registry.games()[name]
    players = box.min_players + number % (box.max_players - box.min_players + 1)
    state, chance = load_game(name, players).new_initial_state(), random.Random(number)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.sample_chance(chance))
        else:
            seat = next(seat for seat in range(players) if state.legal_actions(seat))
            state.apply_action(chance.choice(state.legal_actions(seat)), seat)
    return state


def rows_of(rows: list[ScoreRow], kind: str) -> list[ScoreRow]:
    """Pick the rows of a kind."""
    return [row for row in rows if row.kind == kind]


def ahead(totals: list[Any], ties: list[ScoreRow]) -> list[int]:
    """Who is ahead after the total and every row that decides at a tie."""
    level = [seat for seat, total in enumerate(totals) if total == max(totals)]
    for row in ties:
        assert [seat for seat, count in enumerate(row.counts) if count is not None] == level
        most = max(row.counts[seat] or 0 for seat in level)
        level = [seat for seat in level if row.counts[seat] == most]
    return level


@pytest.mark.parametrize("name", registry.games())
def test_rows_add_up_to_the_scores_and_ties_say_who_wins(name: str) -> None:
    ties = 0
    for number in range(GAMES):
        state = played(name, number)
        rows: list[ScoreRow] = state.game.text.score_rows(state.to_plain())
        counted = [row.counts for row in rows_of(rows, "points")]
        (total,) = rows_of(rows, "total")
        assert [sum(column) for column in zip(*counted, strict=True)] == total.counts == state.scores()
        assert ahead(total.counts, rows_of(rows, "tie")) == state.winners()
        ties += bool(rows_of(rows, "tie"))
        assert {row.rule for row in rows} <= {*state.game.rulebook().paragraphs}
    assert bool(ties) == (name in ("emerald", "dragons-cave"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", registry.games())
def test_every_row_is_said_in_every_language(name: str, language: str) -> None:
    say = load_game(name).words(language).say
    for number in range(40):
        state = played(name, number)
        said = [say(row.phrase) for row in state.game.text.score_rows(state.to_plain())]
        assert all(said)
        assert len({*said}) == len(said)


def test_a_sheet_can_be_laid_out_before_the_end() -> None:
    for name in registry.games():
        state = load_game(name).new_initial_state()
        (total,) = rows_of(state.game.text.score_rows(state.to_plain()), "total")
        assert total.counts == state.scores()


def test_what_decides_comes_row_by_row_until_one_is_ahead() -> None:
    first, second = (phrase("a"), "x", [3, 3, 9]), (phrase("b"), "y", [1, 2, 9])
    assert tie_rows([5, 6, 4], [first, second]) == []
    one, two = tie_rows([6, 6, 4], [first, second])
    assert (one.counts, two.counts) == ([3, 3, None], [1, 2, None])
    (only,) = tie_rows([6, 4, 6], [first, second])
    assert only.counts == [3, None, 9]
