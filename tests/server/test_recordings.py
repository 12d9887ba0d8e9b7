"""The recording of a falling rock is the one that the moves describe, for every viewer."""

from __future__ import annotations

import base64
import random
from collections.abc import Iterator
from typing import Any

import pytest

from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.log import GameLog, loads
from dracotheque.engine.state import State
from dracotheque.games.save_the_dragon import physical_chance, rock_physics
from dracotheque.games.save_the_dragon.rules import state as s
from tests.server.guests import HATCHLING, ME, Guest, Server

SCREEN = {"kind": "screen"}
ENOUGH = 20  # falls


def play(ann: Guest, table: str, chance: random.Random, *, until: int = 10_000) -> None:
    """Choose for every seat, rather upwards than sideways, until the game is over or so many moves are made."""
    with ann.socket(table) as screen:
        while not screen.result and screen.view["move_number"] < until:
            assert screen.prompt
            (seat,) = screen.prompt["seats"]
            screen.do("set-viewpoint", seat=seat)
            choices = screen.choices()
            upwards = [action for action in choices if action < s.THROUGH]
            high = max((action % s.SPOTS // s.LANES for action in upwards), default=0)
            wanted = [action for action in upwards if action % s.SPOTS // s.LANES == high] or choices
            assert screen.choose(chance.choice(wanted), seat)["type"] == "ack"


@pytest.fixture(scope="module")
def finished(server: Server) -> list[tuple[Guest, str, GameLog]]:
    """Some finished games of two to four players, each with a fall, and falls enough."""
    games: list[tuple[Guest, str, GameLog]] = []
    while sum(len([*falls(log)]) for *_, log in games) < ENOUGH:
        ann = Guest(server, "Ann")
        table = ann.open("save-the-dragon", ME, *[SCREEN] * (3 - len(games) % 3))
        play(ann, table, random.Random(len(games)))
        log = loads(ann.http.get(f"/api/tables/{table}/log").text)
        if any(falls(log)):  # a short game may end before the boulder comes
            games.append((ann, table, log))
    return games


def falls(log: GameLog) -> Iterator[tuple[int, int]]:
    """Find the first and the last moment of every fall in the moves of a game."""
    first = None
    for number, (player, action) in enumerate([*log.moves, (0, 0)]):
        of_a_fall = player == CHANCE and physical_chance.is_physical(action)
        if of_a_fall and first is None:
            first = number
        elif not of_a_fall and first is not None:
            yield first, number
            first = None


def told(state: State, fall: dict[str, Any]) -> int:
    """What the moves should tell next of a fall."""
    table = state.to_plain()
    if table.phase == s.LANE:
        return s.ROCK_IN + fall["lanes"][s.STEPS - table.step]
    rest = fall["rests"][table.hit]
    return (
        s.TO_SIDE + rest % s.LANES
        if table.phase == s.SIDE
        else s.DOWN + physical_chance.fate(table.place[table.hit], rest)
    )


def test_every_fall_is_the_one_that_the_moves_tell(finished: list[tuple[Guest, str, GameLog]]) -> None:
    seen = 0
    for ann, table, log in finished:
        state, at = log.game.new_initial_state(), 0
        for first, last in falls(log):
            fall = ann.get(f"/api/tables/{table}/recording?move={first}")
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
        answer = ann.http.get(f"/api/tables/{table}/recording?move={last}")
        assert len(answer.content) < 20_000
        frames = rock_physics.unpack(base64.b64decode(answer.json()["path"]))
        before = GameLog(log.game, [], log.moves[:first]).play().to_plain()
        for seat, spot in enumerate(before.place[: before.players]):
            pose = frames[0].pawns[seat]
            assert (pose is not None) == (spot < s.SPOTS)
            assert pose is None or pose.position == pytest.approx(rock_physics.place(spot), abs=0.01)
        door = frames[0].rock
        assert door is not None
        assert round(door.position[0] / rock_physics.stairs()["stair"]["lane"]) + 1 == before.lane


def test_a_fall_goes_on_from_the_throw_until_all_has_come_to_rest(
    finished: list[tuple[Guest, str, GameLog]],
) -> None:
    ann, table, log = finished[0]
    first, last = next(falls(log))
    path = f"/api/tables/{table}/recording"
    whole = ann.get(f"{path}?move={first}")
    assert all(ann.get(f"{path}?move={move}") == whole for move in range(first, last + 1))
    assert ann.get(f"{path}?move={first - 1}") == ann.get(f"{path}?move={last + 1}") == {}
    *_, (latest, end) = falls(log)
    assert ann.get(f"{path}?move={end}")["first"] == latest


def test_the_first_move_of_every_fall_names_its_recording_and_no_other_does(
    finished: list[tuple[Guest, str, GameLog]],
) -> None:
    for ann, table, log in finished:
        moves: list[dict[str, Any]] = []
        while len(moves) < len(log.moves):
            moves += ann.get(f"/api/tables/{table}/moves?first={len(moves)}")["moves"]
        named = {number: move["recording"] for number, move in enumerate(moves) if "recording" in move}
        assert named == {first: f"/api/tables/{table}/recording?move={first}" for first, _ in falls(log)}
        for (first, last), address in zip(falls(log), named.values(), strict=True):
            fall = ann.get(address)
            assert (fall["first"], fall["last"]) == (first, last)


def test_everybody_may_see_a_fall_of_a_running_game(server: Server) -> None:
    ann = Guest(server, "Ann")
    table = ann.open("save-the-dragon", ME, SCREEN)
    chance, named = random.Random(3), list[str]()
    with ann.socket(table) as screen:
        for until in range(1, 400):
            play(ann, table, chance, until=until)
            screen.do("sync")
            sent = [move for news in screen.news if news["type"] == "update" for move in news["moves"]]
            named = [move["recording"] for move in sent if "recording" in move]
            if named:
                break
    fall = ann.get(named[0])
    assert fall["path"]
    assert Guest(server).get(named[0]) == fall


def test_where_no_rock_falls_there_is_none(server: Server) -> None:
    ann = Guest(server, "Ann")
    waiting = ann.open("save-the-dragon", ME, SCREEN, begin=False)
    other = ann.open("emerald", ME, HATCHLING)
    for table in (waiting, other):
        assert ann.get(f"/api/tables/{table}/recording?move=5") == {}
    assert ann.get("/api/tables/nowhere/recording?move=5", 404)["code"] == "no_such_table"
    for wrong in ("", "?move=-1", "?move=x", "?move=1&since=1", "?move=1&seat=0"):
        assert ann.get(f"/api/tables/{waiting}/recording{wrong}", 400)["code"] == "bad_message"
