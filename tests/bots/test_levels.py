"""The levels a person can choose, and the bots they are made of."""

from __future__ import annotations

import pytest

from dracotheque import DracothequeError, load_game
from dracotheque.bots import default_bots, evaluators, is_known, kinds_of, make_bot
from dracotheque.bots.default_bots import bots_of, level_table, search_params
from dracotheque.bots.levels import LEVELS, bot_name
from dracotheque.bots.mcts_bot import SearchBot
from dracotheque.bots.search_params import SearchParams
from dracotheque.engine import registry
from dracotheque.engine.game import Game
from tests.bots.moments import first_of_many, moments, winners
from tests.engine import toy


def test_there_are_four_levels_of_every_game() -> None:
    assert [*LEVELS] == ["hatchling", "squire", "knight", "dragon"]
    for games in level_table().values():
        assert games.keys() == registry.games().keys()
    for definition in registry.games().values():
        assert registry.part(definition, "bots", registry.no_defaults).LEVELS.keys() == {*LEVELS}


def test_a_game_that_says_nothing_of_its_bots_has_the_usual_ones() -> None:
    game = Game(toy.GAME, 3, {}, interpreted=True)
    assert {level: bot_name(level, game) for level in LEVELS} == default_bots.LEVELS
    assert search_params(game, with_evaluator=True) == SearchParams()
    assert evaluators.evaluator_of(game) is None


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", registry.games())
def test_a_level_plays_as_its_bot_does(name: str, level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Without a limit of time: a busy machine would cut one of the two thoughts shorter than the other.
    game = load_game(name)
    unhurried = bot_name(level, game).partition(":within")[0]
    monkeypatch.setattr(bots_of(game), "levels", lambda table: {level: unhurried})
    shown = first_of_many(game)
    assert make_bot(level, 3, game).choose(shown) == make_bot(unhurried, 3, game).choose(shown)


@pytest.mark.parametrize("level", ["knight", "dragon"])
@pytest.mark.parametrize("name", registry.games())
def test_nobody_waits_longer_than_promised(name: str, level: str) -> None:
    definition = registry.games()[name]
    game = load_game(name, definition.min_players)
    elsewhere: str = getattr(bots_of(game), "ELSEWHERE", "")
    for bot in (make_bot(called, 1, game) for called in (level_table()[level][name], elsewhere) if called):
        if isinstance(bot, SearchBot):
            assert bot.plan.seconds is not None
            assert bot.plan.seconds <= (1.4 if level == "dragon" or elsewhere else 0.25)
            assert bot.plan.threads == 1


def test_a_hatchling_loses_to_a_squire_and_beats_who_plays_at_random() -> None:
    game = load_game("emerald", 2)
    for better, worse in (("squire", "hatchling"), ("hatchling", "random")):
        wins = 0
        for number in range(40):
            bots = [make_bot(better if seat == number % 2 else worse, number, game) for seat in range(2)]
            wins += number % 2 in winners(game, bots, number)
        assert wins > 20


# --- Names ----------------------------------------------------------------------------------------------------------
def test_every_kind_can_be_made_and_says_how_it_values_each_choice() -> None:
    for name in ("save-the-dragon", "dragons-cave"):  # for two, where their own kinds play
        game = load_game(name, players=2)
        shown = first_of_many(game)
        for kind in kinds_of(game):
            bot = make_bot(f"{kind}:100" if kind == "search" else kind, 1, game)
            values = bot.values(shown)  # pyright: ignore[reportAttributeAccessIssue]
            assert values.keys() == {*shown.legal_actions}
            assert all(0 <= value <= 1 for value in values.values())
            assert is_known(kind)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("dragn", "Unknown bot 'dragn'. Did you mean 'dragon'?"),
        ("random:3", "The bot random takes no value (got '3'). Remove ':3'."),
        ("knight:1s", "The bot knight takes no value (got '1s')."),
        ("greedy:much", "Invalid error rate 'much' for bot greedy."),
        ("greedy:101", "Invalid error rate '101' for bot greedy."),
        ("search:soon", "Invalid search budget 'soon'."),
        ("nowhere.py:Brave", "Cannot find the file nowhere.py."),
        ("mixer", "The bot mixer does not play Emerald, only Dragon’s Cave."),
    ],
)
def test_what_is_no_bot_is_refused_in_words(name: str, reason: str) -> None:
    with pytest.raises(DracothequeError) as refused:
        make_bot(name, 1, load_game("emerald", interpreted=True))
    assert reason in str(refused.value)


def test_files_of_ones_own_are_not_known() -> None:
    assert not is_known("my_bot.py:Brave")
    assert is_known("search:300ms")


# --- Who overlooks things -------------------------------------------------------------------------------------------
def test_who_overlooks_nothing_takes_the_best() -> None:
    shown = first_of_many(load_game("emerald"))
    values = make_bot("greedy", 1, shown.game).values(shown)  # pyright: ignore[reportAttributeAccessIssue]
    for seed in range(20):
        assert values[make_bot("greedy:0", seed, shown.game).choose(shown)] == max(values.values())


def test_who_overlooks_everything_takes_anything() -> None:
    shown = first_of_many(load_game("emerald"))
    assert len({make_bot("greedy:100", seed, shown.game).choose(shown) for seed in range(200)}) == len(
        shown.legal_actions
    )


def test_who_overlooks_half_takes_the_best_about_half_the_time() -> None:
    game = load_game("gran")
    for shown in moments(game, 1):
        values = make_bot("greedy", 1, shown.game).values(shown)  # pyright: ignore[reportAttributeAccessIssue]
        best = [action for action in shown.legal_actions if values[action] == max(values.values())]
        if len(best) == 1 and len(shown.legal_actions) > 4:
            taken = sum(make_bot("greedy:50", seed, shown.game).choose(shown) == best[0] for seed in range(400))
            assert 150 < taken < 260
            return
