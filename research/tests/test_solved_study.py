"""The study of perfect play: its page says what the table says, and it judges choices as the Oracle does."""

from __future__ import annotations

import random

import pytest

from dracotheque.games.save_the_dragon.rules.state import CHANGE, FLOOR, LET_GO, THROW, WALK
from dracotheque.games.save_the_dragon.tablebase import tablebase
from dracotheque.games.save_the_dragon.tablebase.bot import TablebaseBot
from research.save_the_dragon import solved_games as games
from research.save_the_dragon import solved_plots as plots
from research.save_the_dragon import solved_stairs as study


def between(name: str) -> str:
    """What stands on the page between two marks."""
    page = study.PAGE.read_text("utf-8")
    return page.split(f"<!-- {name}:begin -->\n")[1].split(f"\n<!-- {name}:end -->")[0]


def test_the_page_says_what_the_table_says() -> None:
    values = tablebase.read()
    for name, said in (("opening", study.opening), ("tokens", study.tokens), ("tumbles", study.tumbles)):
        assert between(name) == said(values), "make study GAME=solved writes it anew"
    for light, ending in ((plots.DAY, ""), (plots.NIGHT, "-night")):
        drawn = (study.PICTURES / f"solved-heights{ending}.svg").read_text("utf-8")
        assert drawn == plots.heat_picture(study.heights(values), light)


def test_choices_are_worth_what_the_oracle_says() -> None:
    pair = games.play(("squire", 3))
    asked = [*pair.oracle, *pair.rival]
    assert {each.phase for each in asked} == {WALK, CHANGE, THROW}
    assert all(each.cost == 0 for each in pair.oracle)
    assert max(each.cost for each in pair.rival) > 0.01
    for each in asked:
        values = study.values_of(each)
        if each.action in values:  # not through a door
            assert max(values.values()) - values[each.action] == pytest.approx(each.cost, abs=1e-6)


def test_a_pair_of_games_is_kept_as_it_was() -> None:
    pair = games.play(("oracle", 5))
    assert games.Pair.read([*pair[:3], *([list(each) for each in chosen] for chosen in pair[3:])]) == pair
    assert pair.won in (0, 1, 2)
    winner, first, found = games.one_game([TablebaseBot(1), TablebaseBot(2)], random.Random(4))
    assert {winner, first} <= {0, 1}
    assert found[0][0].mine == found[0][0].theirs == FLOOR


def test_a_mean_over_parts_has_an_interval() -> None:
    assert games.ratio([(1, 2), (1, 2)]) == (0.5, 0.0)
    mean, half = games.ratio([(0, 2), (2, 2)] * 50)
    assert mean == 0.5
    assert half == pytest.approx(1.96 * 0.5 / 100**0.5)  # as of a hundred games that are all won or all lost by two


def test_whoever_stands_on_the_first_step_throws_at_oneself_and_not_at_the_other() -> None:
    # Both stand on the first step, far apart; the middle door is shut.
    at = games.Chosen(THROW, 0.0, LET_GO + 2, 0, (2, 0), (0, 0), 4, 1, 1)
    (thrown,) = study.throws([at])
    assert thrown.at_oneself
    assert study.values_of(at)[LET_GO + 2] > study.values_of(at)[LET_GO] + 0.05
    (other,) = study.throws([at._replace(action=LET_GO)])
    assert not other.at_oneself
