"""The levels a person can choose, and the bots they are made of."""

from __future__ import annotations

import pytest

from dracotheque import DracothequeError, load_game
from dracotheque.bots import KINDS, is_known, make_bot
from dracotheque.bots.levels import ELSEWHERE, LEVELS, Level, bot_name
from dracotheque.bots.search import SearchBot
from dracotheque.games import SHELF
from tests.bots.moments import first_of_many, moments, winners


def test_there_are_four_levels_of_every_game() -> None:
    assert [*LEVELS] == ["hatchling", "squire", "knight", "dragon"]
    for games in LEVELS.values():
        assert games.keys() == SHELF.keys()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", SHELF)
def test_a_level_plays_as_its_bot_does(name: str, level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Without a limit of time: a busy machine would cut one of the two thoughts shorter than the other.
    game = load_game(name)
    unhurried = bot_name(level, game).partition(":within")[0]
    monkeypatch.setitem(LEVELS[level], name, unhurried)
    shown = first_of_many(game)
    assert make_bot(level, 3).choose(shown) == make_bot(unhurried, 3).choose(shown)


@pytest.mark.parametrize("level", ["knight", "dragon"])
@pytest.mark.parametrize("name", SHELF)
def test_nobody_waits_longer_than_promised(name: str, level: str) -> None:
    for bot in (make_bot(LEVELS[level][name], 1), make_bot(ELSEWHERE.get(name, LEVELS[level][name]), 1)):
        if isinstance(bot, SearchBot):
            assert bot.plan.seconds is not None
            assert bot.plan.seconds <= (1.4 if level == "dragon" or name in ELSEWHERE else 0.25)
            assert bot.plan.threads == 1


def test_a_level_may_change_games() -> None:
    bot = make_bot("squire", 1)
    for name in ("emerald", "save-the-dragon", "emerald"):
        shown = first_of_many(load_game(name))
        assert bot.choose(shown) in shown.legal


def test_a_hatchling_loses_to_a_squire_and_beats_who_plays_at_random() -> None:
    game = load_game("emerald", 2)
    for better, worse in (("squire", "hatchling"), ("hatchling", "random")):
        wins = 0
        for number in range(40):
            bots = [make_bot(better if seat == number % 2 else worse, number) for seat in range(2)]
            wins += number % 2 in winners(game, bots, number)
        assert wins > 20


# --- Names ----------------------------------------------------------------------------------------------------------
def test_every_kind_can_be_made_and_says_how_it_values_each_choice() -> None:
    solved, learned = (first_of_many(load_game(name, players=2)) for name in ("save-the-dragon", "dragons-cave"))
    for kind in KINDS:
        shown = learned if kind == "mixer" else solved  # which even the Oracle knows
        bot = make_bot(f"{kind}:100" if kind == "search" else kind, 1)
        values = bot.values(shown)  # pyright: ignore[reportAttributeAccessIssue]
        assert values.keys() == {*shown.legal}
        assert all(0 <= value <= 1 for value in values.values())
        assert is_known(kind)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("dragn", "There is no bot 'dragn'. Did you mean 'dragon'?"),
        ("random:3", "There is nothing to say of the bot “random”"),
        ("knight:1s", "There is nothing to say of the bot “knight”"),
        ("greedy:much", "does not say how much it overlooks"),
        ("greedy:101", "does not say how much it overlooks"),
        ("search:soon", "is no budget"),
        ("nowhere.py:Brave", "There is no file nowhere.py"),
    ],
)
def test_what_is_no_bot_is_refused_in_words(name: str, reason: str) -> None:
    with pytest.raises(DracothequeError) as refused:
        make_bot(name, 1)
    assert reason in str(refused.value)


def test_files_of_ones_own_are_not_known() -> None:
    assert not is_known("my_bot.py:Brave")
    assert is_known("search:300ms")
    assert isinstance(make_bot("dragon", 1), Level)


# --- Who overlooks things -------------------------------------------------------------------------------------------
def test_who_overlooks_nothing_takes_the_best() -> None:
    shown = first_of_many(load_game("emerald"))
    values = make_bot("greedy", 1).values(shown)  # pyright: ignore[reportAttributeAccessIssue]
    for seed in range(20):
        assert values[make_bot("greedy:0", seed).choose(shown)] == max(values.values())


def test_who_overlooks_everything_takes_anything() -> None:
    shown = first_of_many(load_game("emerald"))
    assert len({make_bot("greedy:100", seed).choose(shown) for seed in range(200)}) == len(shown.legal)


def test_who_overlooks_half_takes_the_best_about_half_the_time() -> None:
    game = load_game("gran")
    for shown in moments(game, 1):
        values = make_bot("greedy", 1).values(shown)  # pyright: ignore[reportAttributeAccessIssue]
        best = [action for action in shown.legal if values[action] == max(values.values())]
        if len(best) == 1 and len(shown.legal) > 4:
            taken = sum(make_bot("greedy:50", seed).choose(shown) == best[0] for seed in range(400))
            assert 150 < taken < 260
            return
