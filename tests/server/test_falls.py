"""A fall of the rock can be seen again: the very same that the moves tell, by everybody."""

from __future__ import annotations

import base64
import random
from collections.abc import Iterator
from typing import Any

import pytest

from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.game import State
from dracotheque.engine.log import GameLog, loads
from dracotheque.games.save_the_dragon import nature, rock
from dracotheque.games.save_the_dragon import state as s
from tests.server.guests import HATCHLING, ME, Guest, Server

SCREEN = {"kind": "screen"}
ENOUGH = 20  # falls


def play(ann: Guest, table: str, chance: random.Random, *, until: int = 10_000) -> None:
    """Choose for every seat, rather upwards than sideways, until the game is over or so many moves are made."""
    while (view := ann.get(f"/api/tables/{table}"))["status"] == "playing" and view["moves"] < until:
        (seat,) = view["question"]["seats"]
        choices = [int(action) for action in ann.get(f"/api/tables/{table}/scene?seat={seat}")["touched"]]
        upwards = [action for action in choices if action < s.THROUGH]
        high = max((action % s.SPOTS // s.LANES for action in upwards), default=0)
        wanted = [action for action in upwards if action % s.SPOTS // s.LANES == high] or choices
        ann.do(table, "move", seat=seat, at=view["moves"], action=chance.choice(wanted))


@pytest.fixture(scope="module")
def finished(server: Server) -> list[tuple[Guest, str, GameLog]]:
    """Some finished games of two to four players, with falls enough."""
    games: list[tuple[Guest, str, GameLog]] = []
    while sum(len([*falls(log)]) for *_, log in games) < ENOUGH:
        ann = Guest(server, "Ann")
        table = ann.open("save-the-dragon", ME, *[SCREEN] * (3 - len(games) % 3))
        play(ann, table, random.Random(len(games)))
        games.append((ann, table, loads(ann.http.get(f"/api/tables/{table}/log").text)))
    return games


def falls(log: GameLog) -> Iterator[tuple[int, int]]:
    """Find the first and the last moment of every fall in the moves of a game."""
    first = None
    for number, (player, action) in enumerate([*log.moves, (0, 0)]):
        of_a_fall = player == CHANCE and nature.really_happens(action)
        if of_a_fall and first is None:
            first = number
        elif not of_a_fall and first is not None:
            yield first, number
            first = None


def told(state: State, fall: dict[str, Any]) -> int:
    """What the moves should tell next of a fall."""
    table = state.table()
    if table.phase == s.LANE:
        return s.ROCK_IN + fall["lanes"][s.STEPS - table.step]
    rest = fall["rests"][table.hit]
    return s.TO_SIDE + rest % s.LANES if table.phase == s.SIDE else s.DOWN + nature.fate(table.place[table.hit], rest)


def test_every_fall_is_the_one_that_the_moves_tell(finished: list[tuple[Guest, str, GameLog]]) -> None:
    seen = 0
    for ann, table, log in finished:
        state, at = log.game.new_initial_state(), 0
        for first, last in falls(log):
            fall = ann.get(f"/api/tables/{table}/fall?move={first}")
            assert (fall["first"], fall["last"]) == (first, last)
            for player, action in log.moves[at:last]:
                if state.move_number() >= first:
                    assert told(state, fall) == action
                else:
                    seen += state.move_number() == first - 1
                state.apply_action(action, player)
            at = last
    assert seen >= ENOUGH


def test_a_recorded_path_begins_where_rock_and_pawns_were_and_is_small(
    finished: list[tuple[Guest, str, GameLog]],
) -> None:
    for ann, table, log in finished:
        first, last = next(falls(log))
        answer = ann.http.get(f"/api/tables/{table}/fall?move={last}")
        assert len(answer.content) < 20_000
        frames = rock.unpack(base64.b64decode(answer.json()["path"]))
        before = GameLog(log.game, [], log.moves[:first]).play().table()
        for seat, spot in enumerate(before.place[: before.players]):
            pose = frames[0].pawns[seat]
            assert (pose is not None) == (spot < s.SPOTS)
            assert pose is None or pose.position == pytest.approx(rock.place(spot), abs=0.01)
        door = frames[0].rock
        assert door is not None
        assert round(door.position[0] / rock.stairs()["stair"]["lane"]) + 1 == before.lane


def test_a_fall_goes_on_from_the_throw_until_all_has_come_to_rest(
    finished: list[tuple[Guest, str, GameLog]],
) -> None:
    ann, table, log = finished[0]
    first, last = next(falls(log))
    path = f"/api/tables/{table}/fall"
    whole = ann.get(f"{path}?move={first}")
    assert all(ann.get(f"{path}?move={move}") == whole for move in range(first, last + 1))
    assert ann.get(f"{path}?move={first - 1}") == ann.get(f"{path}?move={last + 1}") == {}
    assert ann.get(f"{path}?move={last + 1}&since={first}") == whole
    assert ann.get(f"{path}?move={last + 1}&since={last}") == {}
    assert ann.get(f"{path}?move={first - 1}&since=0") == {}
    *_, (latest, end) = falls(log)
    assert ann.get(f"{path}?move=1000000&since=0")["first"] == latest
    assert ann.get(f"{path}?move={end}&since={end - 1}")["first"] == latest


def test_everybody_may_see_a_fall_of_a_running_game(server: Server) -> None:
    ann = Guest(server, "Ann")
    table = ann.open("save-the-dragon", ME, SCREEN)
    chance, fall, moves = random.Random(3), {}, 0
    for until in range(1, 400):
        play(ann, table, chance, until=until)
        moves = ann.get(f"/api/tables/{table}")["moves"]
        fall = ann.get(f"/api/tables/{table}/fall?move={moves}&since=0")
        if fall:
            break
    assert fall["path"]
    assert Guest(server).get(f"/api/tables/{table}/fall?move={moves}&since=0") == fall


def test_where_no_rock_falls_there_is_none(server: Server) -> None:
    ann = Guest(server, "Ann")
    waiting = ann.open("save-the-dragon", ME, SCREEN, begin=False)
    other = ann.open("emerald", ME, HATCHLING)
    for table in (waiting, other):
        assert ann.get(f"/api/tables/{table}/fall?move=5") == {}
    assert ann.get("/api/tables/nowhere/fall?move=5", 404)["code"] == "no_such_table"
    for wrong in ("", "?move=-1", "?move=x", "?move=1&since=-1", "?move=1&seat=0"):
        assert ann.get(f"/api/tables/{waiting}/fall{wrong}", 400)["code"] == "bad_message"
