"""After the game: the score row by row, each player's chances, and the key moments."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Callable
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import pytest

from dracotheque import State, load_game
from dracotheque.bots import analysis
from dracotheque.bots.analysis import ProbabilitySwing
from dracotheque.bots.win_probability import Estimate, WinProbabilities
from dracotheque.engine import registry
from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.jit import precompile
from dracotheque.games.save_the_dragon.rules.state import ROCK_IN, STAY, THROUGH
from dracotheque.games.save_the_dragon.tablebase.bot import ExactProbabilities
from dracotheque.server import analysis_queue
from dracotheque.server.analysis_queue import AnalysisQueue, analysis_of
from dracotheque.tables.answers import Analysis
from dracotheque.tables.errors import CommandError
from dracotheque.tables.game_in_progress import GameInProgress, Position
from dracotheque.tables.snapshot import move_records
from tests.server.guests import HATCHLING, ME, OPEN, Guest, Server

Choose = Callable[[State, list[int]], int]


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Chances are estimated with compiled rules."""
    precompile.compile_all(registry.games().values(), parts=precompile.ALL)


def finished(name: str, players: int, seed: int, choose: Choose | None = None) -> Any:
    """A table at which a game was played to its end, at random unless said otherwise."""
    chance, state = random.Random(seed), load_game(name, players).new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.sample_chance(chance))
            continue
        seat = next(seat for seat in range(players) if state.legal_actions(seat))
        legal = state.legal_actions(seat)
        state.apply_action(choose(state, legal) if choose else chance.choice(legal), seat)
    return table_of(state)


def table_of(state: State, resigned: int | None = None) -> Any:
    """As much of a table as is needed to look back on its game."""
    play = GameInProgress((Position(state),))
    return SimpleNamespace(id="t", status="over", game=state.game, seed=bytes(range(32)), play=play, resigned=resigned)


# --- Over HTTP ------------------------------------------------------------------------------------------------------
def test_score_and_moments_of_a_game_that_was_played(server: Server) -> None:
    ann = Guest(server, "Ann")
    table = ann.open("dragons-cave", ME, HATCHLING, HATCHLING)
    for path in ("score", "analysis"):
        assert ann.get(f"/api/tables/{table}/{path}", 409)["code"] == "not_over"
    with ann.socket(table) as seat:
        seat.play(random.Random(3))
        assert seat.result is not None
        scores, winners = seat.result["scores"], seat.result["winners"]
    stranger = Guest(server)
    rows = stranger.get(f"/api/tables/{table}/score")["rows"]
    points = [row["counts"] for row in rows if "kind" not in row]
    assert [sum(column) for column in zip(*points, strict=True)] == scores
    found = stranger.get(f"/api/tables/{table}/analysis")
    assert found["ready"]
    assert [shares[-1] for shares in found["chances"]] == [(seat in winners) / len(winners) for seat in range(3)]
    assert found == ann.get(f"/api/tables/{table}/analysis")


def test_a_game_that_was_given_up_has_score_and_moments_too(server: Server) -> None:
    ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
    table = ann.open("emerald", ME, OPEN)
    ben.sit(table)
    ben.do(table, "resign", seat=1)
    rows = ann.get(f"/api/tables/{table}/score")["rows"]
    assert [row["counts"] for row in rows if row.get("kind") == "total"] == [[0, 0]]
    found = ann.get(f"/api/tables/{table}/analysis")
    assert [shares[-1] for shares in found["chances"]] == [1.0, 0.0]
    assert found["moves"][-2] == found["moves"][-1], "giving up is no move"
    assert found["moments"] == []


# --- The curve ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "players"), [("emerald", 3), ("dragons-cave", 4), ("gran", 3), ("save-the-dragon", 2)]
)
def test_the_curve_goes_from_the_first_choice_to_the_result(name: str, players: int) -> None:
    table = finished(name, players, 5)
    found, last = analysis_of(table), table.play.state.move_number()
    assert found.moves == sorted({*found.moves})
    first = next(number for number, (player, _) in enumerate(table.play.state.full_history()) if player >= 0)
    assert (found.moves[0], found.moves[-1]) == (first, last)
    for shares in zip(*found.chances, strict=True):
        assert sum(shares) == pytest.approx(1, abs=0.01)
    assert len({len(shares) for shares in found.chances} | {len(found.moves)}) == 1
    winners = table.play.state.winners()
    assert [shares[-1] == 0 for shares in found.chances] == [seat not in winners for seat in range(players)]
    for moment in found.moments:
        assert table.play.state.full_history()[moment.move - 1][0] == moment.player
        assert abs(moment.after - moment.before) > analysis.MIN_SWING - 0.002
        assert moment.events
    assert len(found.moments) <= analysis.MAX_SWINGS
    assert found.exact == (name == "save-the-dragon"), "the Oracle knows it for two"


def test_looking_back_twice_finds_the_same() -> None:
    table = finished("emerald", 2, 1)
    assert analysis_of(table) == analysis_of(table)


def test_what_is_sealed_counts_when_it_is_turned_up() -> None:
    table = finished("dragons-cave", 3, 2)
    history, state = table.play.state.full_history(), table.game.new_initial_state()
    secret: set[int] = set()
    for number, (player, action) in enumerate(history, 1):
        if table.game.rules.is_secret_choice(state.to_plain()):
            secret.add(number)
        state.apply_action(action, player)
    found = analysis_of(table)
    assert secret
    assert not secret & {moment.move for moment in found.moments}
    assert not secret & {*found.moves[1:-1]}


# --- Falls ----------------------------------------------------------------------------------------------------------
def falls_of(table: Any) -> list[tuple[int, int]]:
    """The falls of a game of Save the Dragon: how many moves had been made when each began and when it was over."""
    history: list[tuple[int, int]] = table.play.state.full_history()
    of_rock = [player == CHANCE and action >= ROCK_IN for player, action in history]
    edges = [move for move, both in enumerate(itertools.pairwise([False, *of_rock, False])) if both[0] != both[1]]
    return list(zip(edges[::2], edges[1::2], strict=True))


def test_a_fall_is_told_as_one_with_the_chances_before_and_after_all_of_it() -> None:
    told = 0
    for seed in range(8):
        table = finished("save-the-dragon", 2, seed)
        found, falls = analysis_of(table), falls_of(table)
        within = {move for first, last in falls for move in range(first + 1, last)}
        assert falls
        assert not within & {*found.moves}
        for moment in found.moments:
            if (moment.since, moment.move) not in falls:
                assert moment.since == moment.move - 1
                assert moment.move not in within
                continue
            told += 1
            shares = [shares_after(table, move)[moment.seat] for move in (moment.since, moment.move)]
            assert [moment.before, moment.after] == pytest.approx(shares, abs=0.001)
            whole = move_records(
                table.play.before(moment.since), table.play.state.full_history()[moment.since : moment.move]
            )
            called = [event for each in whole for event in each.events if event.phrase.key != analysis_queue.NEXT]
            assert moment.events == called
    assert told


def shares_after(table: Any, move: int) -> list[float]:
    """What the Oracle says after so many moves."""
    return ExactProbabilities().of(table.play.before(move)).shares


def test_no_two_moments_follow_each_other_and_a_fall_is_one() -> None:
    changes = [a_change(4, 5, 0.5), a_change(5, 12, 0.4), a_change(12, 13, 0.3), a_change(13, 14, 0.2)]
    assert [change.move for change in analysis._choose(changes)] == [5, 13]


def a_change(since: int, move: int, gain: float) -> ProbabilitySwing:
    """Something that chance did in some moves for the first of two."""
    before, after = Estimate([0.2, 0.8], [0.0, 0.0]), Estimate([0.2 + gain, 0.8 - gain], [0.0, 0.0])
    return ProbabilitySwing(since, move, (CHANCE, 0), since, before, after)


# --- Chances --------------------------------------------------------------------------------------------------------
def at_the_door(seed: int) -> State:
    """A game of Save the Dragon in which a pawn may go through a door now."""
    chance, state = random.Random(seed), load_game("save-the-dragon", 2).new_initial_state()
    while not any(THROUGH <= action < STAY for action in legal_now(state)):
        state.apply_action(state.sample_chance(chance) if state.is_chance_node() else max(legal_now(state)))
    return state


def legal_now(state: State) -> list[int]:
    """What may be chosen now; nothing where chance is to move."""
    return [] if state.is_chance_node() else state.legal_actions()


def test_who_can_win_at_once_wins_with_that_choice() -> None:
    state = at_the_door(1)
    seat, chances = state.current_player(), WinProbabilities(state.game, 7)
    for action in state.legal_actions():
        estimate = chances.after(state, seat, action, 200)
        wins = THROUGH <= action < STAY
        assert (estimate.shares[seat] == 1) == wins
        assert sum(estimate.shares) == pytest.approx(1, abs=1e-4)


def test_more_games_leave_less_doubt() -> None:
    state = at_the_door(2)
    chances = WinProbabilities(state.game, 7)
    few, many = chances.of(state, 50), chances.of(state, 5_000)
    assert max(many.errors) < max(few.errors)


def test_a_door_passed_by_is_told_with_what_would_have_been_better() -> None:
    passed: list[int] = []

    def choose(state: State, legal: list[int]) -> int:
        doors = [action for action in legal if THROUGH <= action < STAY]
        others = [action for action in legal if action not in doors]
        if doors and others and not passed:
            passed.append(state.move_number() + 1)
            return min(others)
        return doors[0] if doors else max(legal)

    table = next(table for seed in range(20) if (table := finished("save-the-dragon", 2, seed, choose)) and passed)
    found = analysis_of(table)
    (moment,) = [moment for moment in found.moments if moment.move == passed[0]]
    assert moment.player == moment.seat
    assert moment.after < moment.before
    assert moment.better is not None
    assert moment.better.share == 1
    assert "free the dragon" in table.game.words("en").say(moment.better.name)


# --- Asking ---------------------------------------------------------------------------------------------------------
def test_without_compiled_rules_the_answer_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_queue, "is_ready", lambda game: False)
    found = asyncio.run(AnalysisQueue().on(finished("save-the-dragon", 3, 1)))
    assert found == Analysis(False, [], [], [])
    assert asyncio.run(AnalysisQueue().on(finished("save-the-dragon", 2, 1))).ready, "the Oracle needs none"


def test_what_went_wrong_once_is_tried_again() -> None:
    back, table = AnalysisQueue(), finished("save-the-dragon", 2, 1)
    back.found[table.id] = Future()
    back.found[table.id].set_exception(MemoryError())
    assert asyncio.run(back.on(table)).ready


def test_it_is_found_once_for_all_who_ask_and_too_many_are_sent_away() -> None:
    asked: list[Any] = []

    def submit(work: Any, table: Any) -> Future[Analysis]:
        asked.append(table.id)
        return Future()

    async def ask() -> None:
        back = AnalysisQueue()
        back.pool = SimpleNamespace(submit=submit)  # pyright: ignore[reportAttributeAccessIssue]
        table = finished("save-the-dragon", 2, 1)
        waiting = [asyncio.ensure_future(back.on(table)) for _ in range(3)]
        await asyncio.sleep(0)
        assert asked == ["t"]
        waiting[0].cancel()
        for number in range(analysis_queue.MAX_WAITING - 1):
            table.id = f"t{number}"
            waiting.append(asyncio.ensure_future(back.on(table)))
            await asyncio.sleep(0)
        table.id = "another"
        with pytest.raises(CommandError) as refused:
            await back.on(table)
        assert refused.value.code == "busy"
        found = Analysis(True, [], [], [])
        for future in back.found.values():
            future.set_result(found)
        assert await asyncio.gather(*waiting[1:]) == [found] * (len(waiting) - 1), "who left took nothing away"

    asyncio.run(ask())
