"""The log is short: few lines a turn, none too long; and nothing that happened is lost in it."""

from __future__ import annotations

import functools
import re
from collections import Counter
from random import Random

import pytest

from dracotheque import load_game
from dracotheque.bots.greedy import GreedyBot
from dracotheque.bots.player_view import player_view
from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.presentation.turn_log import LONGEST, LONGEST_ELSEWHERE, TurnLog
from dracotheque.tables.protocol import MoveRecord
from dracotheque.tables.snapshot import move_records

GAMES, PLAYERS = 20, 3
MOST_LINES = {"emerald": 2.0, "dragons-cave": 1.2 * PLAYERS, "gran": 1.3, "save-the-dragon": 1.6}
"""Lines a turn on average; those of Dragon's Cave are rounds."""

NUMBER = re.compile(r"^[\w ]*\d+ · ")
"""The number of a turn before its first line."""

every_game = pytest.mark.parametrize("name", MOST_LINES)


@functools.cache
def played(name: str) -> list[list[MoveRecord]]:
    """Play seeded games with bots, and return what is sent of their moves."""
    return [_played(name, seed) for seed in range(GAMES)]


def _played(name: str, seed: int) -> list[MoveRecord]:
    """Play a game with greedy bots that overlook a few actions."""
    game = load_game(name, PLAYERS)
    state, chance = game.new_initial_state(), Random(seed)
    bots = [GreedyBot(chance.randrange(1 << 30), 0.2) for _ in range(PLAYERS)]
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.sample_chance(chance), CHANCE)
            continue
        seat = next(seat for seat in range(PLAYERS) if state.legal_actions(seat))
        state.apply_action(bots[seat].choose(player_view(state, seat)), seat)
    return move_records(game.new_initial_state(), state.full_history())


@functools.cache
def logs(name: str, language: str) -> list[TurnLog]:
    """Return the logs of some games in a language."""
    found: list[TurnLog] = []
    for records in played(name):
        found.append(TurnLog(load_game(name, PLAYERS).words(language)))
        for record in records:
            found[-1].add(record.player, record.events, record.lines)
    return found


@every_game
def test_a_turn_has_few_lines(name: str) -> None:
    turns = [turn for log in logs(name, "en") for turn in log.turns if turn.number]
    lines = sum(len(turn.lines) for turn in turns)
    assert lines / len(turns) <= MOST_LINES[name]


@every_game
def test_the_set_up_is_one_line(name: str) -> None:
    for log in logs(name, "en"):
        (line,) = log.turns[0].lines
        assert line.events
        assert log.said(line).startswith("Set-up: ")


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_is_too_long_and_each_is_a_whole_sentence(name: str, language: str) -> None:
    for log in logs(name, language):
        said = [NUMBER.sub("", log.said(line)) for turn in log.turns for line in turn.lines]
        assert [line for line in said if len(line) > LONGEST.get(language, LONGEST_ELSEWHERE)] == []
        assert [
            line for line in said if line[-1:] not in (".", "!") or "{" in line or ".." in line or "  " in line
        ] == []


@every_game
def test_everything_that_happened_is_told_by_some_line_with_its_rule(name: str) -> None:
    for log, records in zip(logs(name, "en"), played(name), strict=True):
        told = Counter(str(event) for turn in log.turns for line in turn.lines for event in line.events)
        assert told == Counter(str(event) for record in records for event in record.events)
