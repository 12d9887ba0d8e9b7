"""What a beginner is taught before choosing: what a rule keeps away, and what a good player would look at."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from dracotheque import load_game
from dracotheque.engine import registry, rulebook
from dracotheque.engine.state import State
from dracotheque.tables import hints
from dracotheque.tables.game_in_progress import choosers
from tests.server.guests import HATCHLING, LINK, ME, Guest, Server

STEPS = 120


def positions(name: str, seed: int, **options: Any) -> list[tuple[State, int]]:
    """Play at random, and keep every position in which a seat has to choose."""
    state, random = load_game(name, **options).new_initial_state(), Random(seed)
    found: list[tuple[State, int]] = []
    while not state.is_terminal() and len(found) < STEPS:
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(outcomes, weights)[0])
            continue
        seat = choosers(state)[0]
        found.append((state.clone(), seat))
        state.apply_action(random.choice(state.legal_actions(seat)), seat)
    return found


@pytest.mark.parametrize("name", registry.games())
def test_what_is_blocked_is_refused_by_that_rule_and_what_looks_good_is_allowed(name: str) -> None:
    met: set[str] = set()
    for state, seat in positions(name, 1) + positions(name, 2):
        hint = hints.hints(state, seat, advised=True)
        refused = {action: hints.forbidding(state, seat, action) for action in range(state.game.num_distinct_actions())}
        for blocked in hint.blocked:
            met.add(blocked.rule)
            forbidden = [action for action, rule in refused.items() if rule == blocked.rule]
            assert len(blocked.choices) + blocked.more == len(forbidden) > 0
            assert blocked.choices[0] == state.game.text.action(state.game, seat, forbidden[0])
        legal = set(state.legal_actions(seat))
        assert set(hint.promising) <= legal
        assert 2 * len(hint.promising) <= len(legal)
    assert met
    assert met <= set(load_game(name, interpreted=True).text.EXPLAINED_RULES)


def test_every_rule_that_is_told_to_forbid_something_is_in_the_rulebook() -> None:
    for name, game in registry.games().items():
        explained = load_game(name, interpreted=True).text.EXPLAINED_RULES
        assert explained
        assert set(explained) <= set(rulebook.read(game.folder / "rulebook", "en").paragraphs)


@pytest.mark.rule("emerald", "turn.same-knight")
def test_the_knight_that_has_moved_is_named_with_its_rule() -> None:
    state = load_game("emerald", players=3, starts="1").new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    assert hints.hints(state, 0, advised=False).blocked == []
    state.apply_action(state.legal_actions(0)[0], 0)
    [blocked] = hints.hints(state, 0, advised=False).blocked
    assert (blocked.rule, blocked.choices[0].key, blocked.more) == ("turn.same-knight", "action.knight", 0)


def test_whoever_need_not_choose_gets_no_lesson() -> None:
    [(state, seat), *_] = positions("emerald", 3, players=3)
    other = (seat + 1) % 3
    assert hints.hints(state, other, advised=True) == hints.Hints([], [], [])


def test_advice_is_given_only_where_nobody_else_plays(server: Server) -> None:
    ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
    alone = ann.open("dragons-cave", ME, HATCHLING, HATCHLING, options={"first_dragon": "2"})
    hint = ann.get(f"/api/tables/{alone}/hints?seat=0")
    assert hint["promising"]
    assert len(hint["places"]) >= 1

    together = ann.open("dragons-cave", ME, LINK, HATCHLING, options={"first_dragon": "3"})
    ben.sit(together, invitation=ann.invitation(together, 1))
    assert ann.get(f"/api/tables/{together}/hints?seat=0") == {"blocked": [], "promising": [], "places": []}


def test_nobody_is_taught_about_the_choices_of_another(server: Server) -> None:
    ann, eve = Guest(server, "Ann"), Guest(server, "Eve")
    table = ann.open("dragons-cave", ME, HATCHLING, HATCHLING)
    assert eve.get(f"/api/tables/{table}/hints?seat=0", 403)["code"] == "not_your_seat"
    assert ann.get(f"/api/tables/{table}/hints?seat=1", 403)["code"] == "not_your_seat"
