"""What mattered in a finished game, found from its log alone; the server's tests look at every game."""

from __future__ import annotations

from random import Random

import pytest

from dracotheque import Game, load_game
from dracotheque.bots import default_bots
from dracotheque.bots.analysis import GameAnalysis, analyse
from dracotheque.bots.default_bots import AnalysisBudget
from dracotheque.bots.random_bot import RandomBot
from dracotheque.engine.log import GameLog
from dracotheque.simulation.simulate import play_with_bots
from tests.engine import toy


def played(game: Game, seed: int) -> GameLog:
    """Play a game at random."""
    bots = [RandomBot(seed + seat) for seat in range(game.players)]
    return GameLog.of(play_with_bots(game, bots, Random(seed))[0])


def test_a_log_and_a_seed_have_one_analysis(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("emerald", 3)
    monkeypatch.setattr(default_bots.bots_of(game), "ANALYSIS", AnalysisBudget(4_000, 400, 20))
    log = played(game, 3)
    found = analyse(log, 1)
    assert analyse(log, 1) == found != analyse(log, 2)
    check(found, log)
    assert not found.is_exact
    assert found.swings, "a random game has its blunders"


def test_where_perfect_play_is_known_it_is_exact() -> None:
    log = played(load_game("save-the-dragon", 2), 4)
    found = analyse(log, 1)
    check(found, log)
    assert found.is_exact
    assert analyse(log, 2) == found
    assert {error for each in found.curve for error in each.errors} == {0.0}


def check(found: GameAnalysis, log: GameLog) -> None:
    """The curve ends with the result, and every swing is a move of the game that changed much."""
    winners = log.play().winners()
    assert found.moves[-1] == len(log.moves)
    assert [share > 0 for share in found.curve[-1].shares] == [seat in winners for seat in range(log.game.players)]
    for swing in found.swings:
        assert swing.made == log.moves[swing.move - 1]
        assert swing.size > 0.05
        assert swing.better is None or swing.better.share > swing.after.shares[swing.seat]


def test_a_game_that_says_nothing_of_it_is_analysed_with_a_cautious_number() -> None:
    assert AnalysisBudget() == default_bots.bots_of(Game(toy.GAME, 3, {}, interpreted=True)).ANALYSIS
