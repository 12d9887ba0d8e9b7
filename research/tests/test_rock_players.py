"""Players who imagine a throw by physics or by the tables: they aim, they are alike, and they change seats."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from dracotheque import load_game
from dracotheque.engine.plain_state import PlainState
from dracotheque.games.save_the_dragon.rules import state as s
from research.save_the_dragon import rock_players as lab
from research.save_the_dragon.rock_players import Match, Result


def before_a_throw(active: int, *places: int) -> PlainState:
    """A table where somebody is about to throw, with pawns on these places and the shield out of the way."""
    table = load_game("save-the-dragon", 3, interpreted=True).new_initial_state().to_plain()
    table.phase, table.active, table.shield = s.THROW, active, 1
    table.place[: len(places)] = places
    return table


@pytest.mark.parametrize("falls", [lab.by_physics, lab.by_tables])
def test_the_rock_is_aimed_at_the_others_and_not_at_oneself(falls: lab.Falls) -> None:
    table = before_a_throw(0, 18, 20, s.FLOOR)  # on step 7, in lanes 0 and 2
    chance = Random(1)
    assert lab.aim(table, 0, falls, chance) < 0 < lab.aim(table, 2, falls, chance)


def test_on_empty_stairs_every_door_is_the_same() -> None:
    table = before_a_throw(0, s.FLOOR, s.FLOOR, s.FLOOR)
    assert {lab.aim(table, door, lab.by_tables, Random(1)) for door in range(3)} == {0}


def test_a_door_is_worth_most_then_a_high_spot_without_tokens() -> None:
    high, low, with_token = 24, 3, s.SPOTS + 24
    assert sorted([with_token, s.THROUGH, low, high], key=lab.walk_value) == [with_token, low, high, s.THROUGH]


def test_an_aim_wins_and_both_seats_are_played() -> None:
    match = Match("tables", "anywhere", False)
    wins = [lab.first_wins((match, number)) for number in range(300)]
    assert sum(wins) > 150  # 60 % in 4,000 games: half of these would be more than three standard deviations off
    assert wins[::2] != wins[1::2]
    assert wins[:4] == [lab.first_wins((match, number)) for number in range(4)], "the same games again"


def test_a_game_is_played_with_a_real_rock(monkeypatch: pytest.MonkeyPatch) -> None:
    dropped: list[int] = []
    drop = lab.by_physics

    def counted(at: lab.Situation, chance: Random) -> Sequence[int]:
        dropped.append(at.door)
        return drop(at, chance)

    monkeypatch.setitem(lab.FALLS, "physics", counted)
    lab.first_wins((Match("physics", "tables", True), 3))
    assert {*dropped} <= {0, 1, 2}
    assert len(dropped) >= 2 * lab.TRIED, "both doors were tried at least once"


def test_shares_come_with_their_intervals() -> None:
    one, other = (Result(Match("tables", "anywhere", real), 400, wins) for real, wins in ((True, 240), (False, 200)))
    assert str(one) == (
        "tables against anywhere, with a real rock: 240 of 400 games won, 60.0 % (95 % interval 55.1–64.7)"
    )
    apart, interval = lab.difference(one, other)
    assert apart == pytest.approx(0.1)
    assert interval == pytest.approx(1.959964 * (0.24 / 400 + 0.25 / 400) ** 0.5)


def test_the_command_plays_all_matches(capsys: pytest.CaptureFixture[str]) -> None:
    assert lab.main(["--games", "1", "--processes", "1"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in printed[:3]] == [
        "physics against tables, with a real rock",
        "tables against anywhere, with a real rock",
        "tables against anywhere, with the tables",
    ]
    assert all("of 2 games won" in line for line in printed[:3]), "an odd number is made even"
    assert printed[3].startswith("With a real rock a good aim wins ")
