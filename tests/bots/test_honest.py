"""Bots know what their seat may know, and no more: change everything hidden, and they choose the same."""

from __future__ import annotations

from random import Random

import pytest

from dracotheque import load_game
from dracotheque.bots import make_bot
from dracotheque.bots.player_view import player_view
from dracotheque.engine import registry
from tests.bots.moments import states

BOTS = ("random", "greedy", "greedy:40", "search:40", "hatchling", "squire")
SECRETS = [("dragons-cave", 2), ("dragons-cave", 3), ("dragons-cave", 4)]


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize(("name", "players"), SECRETS)
def test_other_secrets_lead_to_the_same_choice(name: str, players: int, bot: str) -> None:
    game, random, different = load_game(name, players), Random(1), 0
    for number, (state, seat) in enumerate(states(game, 2)):
        if number > 120:
            break
        other = state.resample_from_infostate(seat, random)
        different += other.record() != state.record()
        chosen = [make_bot(bot, number, game).choose(player_view(each, seat)) for each in (state, other)]
        assert chosen[0] == chosen[1]
    assert different > 5, "nothing hidden was changed"


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize(("name", "players"), SECRETS)
def test_values_do_not_tell_secrets(name: str, players: int, bot: str) -> None:
    game, random = load_game(name, players), Random(1)
    for number, (state, seat) in enumerate(states(game, 3)):
        if number > 40:
            break
        other = state.resample_from_infostate(seat, random)
        one, two = (make_bot(bot, number, game).values(player_view(each, seat)) for each in (state, other))  # pyright: ignore[reportAttributeAccessIssue]
        assert one == two
        assert one.keys() == {*state.legal_actions(seat)}


@pytest.mark.parametrize("name", registry.games())
def test_a_view_holds_an_observation_and_no_state(name: str) -> None:
    for number, (state, seat) in enumerate(states(load_game(name), 1)):
        if number > 60:
            break
        shown = player_view(state, seat)
        assert shown.state.bytes() == state.observation(seat).bytes()
        assert {*vars(shown)} == {"game", "seat", "state", "legal_actions"}
