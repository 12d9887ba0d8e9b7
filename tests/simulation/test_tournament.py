"""Tournaments: the same dice in every seating, nothing lost, and figures that are right."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from dracotheque import load_game
from dracotheque.engine.errors import DracothequeError
from dracotheque.simulation import report, statistics, tournament, tournament_plot
from dracotheque.simulation.statistics import Tally
from dracotheque.simulation.tournament import Deal, Settings, Store, Times, Tournament

OWN = """
import time
from pathlib import Path

class First:
    def __init__(self, seed): pass
    def choose(self, view): return view.legal_actions[0]

class Slow(First):
    def choose(self, view):
        time.sleep(100 if Path(__file__ + ".stuck").exists() else 0.005)
        return view.legal_actions[0]
"""

SPY = """
class Lion:
    def __init__(self, seed):
        self.note("new", seed)
    def choose(self, view):
        table = view.state
        self.note("saw", int(table.shut), int(table.shield), int(table.active), int(table.die))
        return view.legal_actions[0]
    def note(self, *words):
        with open(__file__ + ".log", "a") as log:
            print(type(self).__name__, *words, file=log)

class Tower(Lion):
    pass
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A file with bots of one's own."""
    path = tmp_path / "own.py"
    path.write_text(OWN)
    return path


def fresh(*bots: str, players: int = 2, deals: range = range(6), seed: int = 1) -> Tournament:
    game = load_game("save-the-dragon", players)
    return Tournament(tournament.settle(game, bots, seed), deals)


def play(done: Tournament, processes: int = 1, **hooks) -> Tournament:
    tournament.play(load_game(done.settings.game, done.settings.players), done, processes, **hooks)
    return done


def settled(*bots: str, players: int) -> Settings:
    return Settings("save-the-dragon", 2, players, {}, None, None, list(bots), 1, "")


def made(settings: Settings, *deals: list[list[int]]) -> Tournament:
    """A tournament with these winners."""
    done = Tournament(settings)
    for number, winners in enumerate(deals):
        done.add(Deal(number, winners, {}, 0.0))
    return done


def interrupt_after(deals: int):
    """Press Ctrl-C when so many deals are done."""

    def tell(done: Tournament) -> None:
        if len(done.deals) >= deals:
            raise KeyboardInterrupt

    return tell


# --- Seatings and dice ----------------------------------------------------------------------------------------------
def test_a_full_table_is_turned_round() -> None:
    assert settled("dragon", "knight", "knight", players=3).seatings == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    assert settled("knight", "knight", players=2).seatings == [(0, 1)]


@pytest.mark.parametrize(("field", "players", "count"), [("abc", 2, 6), ("abcd", 3, 12), ("abab", 4, 2), ("abb", 2, 3)])
def test_every_bot_has_every_seat_equally_often(field: str, players: int, count: int) -> None:
    settings = settled(*field, players=players)
    assert len(settings.seatings) == count
    seats = Counter((settings.bots[place], seat) for s in settings.seatings for seat, place in enumerate(s))
    for name in settings.names:
        assert len({seats[name, seat] for seat in range(players)}) == 1
    assert all(len(set(seating)) == players for seating in settings.seatings)


def test_every_seating_of_a_deal_has_the_same_dice_and_the_same_bots(tmp_path: Path) -> None:
    spy = tmp_path / "spy.py"
    spy.write_text(SPY)
    done = fresh(f"{spy}:Lion", f"{spy}:Tower", deals=range(8))
    (tmp_path / "spy.py.log").unlink()  # what was noted while the bots were tried out
    play(done)
    lines = [line.split() for line in (tmp_path / "spy.py.log").read_text().splitlines()]
    began = [n for n, line in enumerate(lines) if line[1] == "new" and lines[n + 1][1] == "new"]
    dice = [tuple(lines[n + 2][2:]) for n in began]
    seeds = [tuple(sorted((lines[n][0], lines[n][2]) for n in (n, n + 1))) for n in began]
    first = [lines[n][0] for n in began]
    assert len(began) == 16
    assert dice[::2] == dice[1::2]
    assert seeds[::2] == seeds[1::2]
    assert set(first[::2]) == {"Lion"}
    assert set(first[1::2]) == {"Tower"}
    assert len(set(dice)) > 4  # and other dice in other deals
    assert len(set(seeds)) == 8


def test_a_deal_is_the_same_wherever_it_is_played(own: Path) -> None:
    bots = ("greedy", "random", f"{own}:First")
    alone = play(fresh(*bots))
    together = play(fresh(*bots), processes=2)
    assert len(alone.deals) == 6
    assert together.deals == alone.deals
    assert {bot: times.decisions for bot, times in together.times.items()} == {
        bot: times.decisions for bot, times in alone.times.items()
    }
    assert play(fresh(*bots, deals=range(4, 5))).deals[4] == alone.deals[4]
    assert play(fresh(*bots, seed=2)).deals != alone.deals


def test_thinking_is_timed(own: Path) -> None:
    done = play(fresh(f"{own}:Slow", "random", deals=range(2)))
    slow, quick = done.times[f"{own}:Slow"], done.times["random"]
    assert slow.seconds >= 0.005 * slow.decisions
    assert slow.longest >= slow.seconds / slow.decisions
    assert quick.seconds < slow.seconds
    assert done.seconds >= slow.seconds


def test_a_field_too_small_and_an_unknown_bot_are_explained() -> None:
    with pytest.raises(DracothequeError, match=r"must name 3 bots or more for 3 players \(got 2\)\. A name"):
        fresh("random", "greedy", players=3)
    with pytest.raises(DracothequeError, match="Did you mean 'random'"):
        fresh("rnadom", "greedy")


# --- Nothing lost ---------------------------------------------------------------------------------------------------
def interrupted(path: Path, deals: range, after: int) -> Tournament:
    """Play until Ctrl-C, and keep every deal."""
    store = Store(path)
    done = store.resume(fresh("greedy", "random").settings)
    done.wanted = deals
    with store.writing(done.settings) as keep:
        return play(done, keep=keep, tell=interrupt_after(after))


@pytest.mark.parametrize("torn", ["", '{"number":5,"winn'])
def test_interrupted_and_resumed_is_as_uninterrupted(tmp_path: Path, torn: str) -> None:
    store = Store(tmp_path / "kept.json")
    assert len(interrupted(store.path, range(8), 3).deals) == 3
    assert not store.path.exists()
    with store.part.open("a") as part:
        part.write(torn)  # stopped in the middle of writing
    done = interrupted(store.path, range(8), 99)
    store.finish(done)
    whole = play(fresh("greedy", "random", deals=range(8)))
    assert done.deals == whole.deals
    assert {bot: times.decisions for bot, times in done.times.items()} == {
        bot: times.decisions for bot, times in whole.times.items()
    }
    assert not store.part.exists()
    assert os.listdir(tmp_path) == ["kept.json"]


def test_every_line_of_a_part_is_whole_json(tmp_path: Path) -> None:
    interrupted(tmp_path / "kept.json", range(8), 2)
    interrupted(tmp_path / "kept.json", range(8), 4)
    head, *lines = [json.loads(line) for line in (tmp_path / "kept.json.part").read_text().splitlines()]
    assert head["settings"]["bots"] == ["greedy", "random"]
    assert [line["number"] for line in lines] == [0, 1, 2, 3]


def test_more_deals_are_added_to_a_finished_file(tmp_path: Path) -> None:
    store = Store(tmp_path / "kept.json")
    store.finish(interrupted(store.path, range(3), 99))
    store.finish(interrupted(store.path, range(7), 99))
    assert tournament.read(store.path).deals == play(fresh("greedy", "random", deals=range(7))).deals


def test_a_part_that_was_not_removed_in_time_counts_once(tmp_path: Path) -> None:
    store = Store(tmp_path / "kept.json")
    done = interrupted(store.path, range(3), 99)
    part = store.part.read_bytes()
    store.finish(done)
    store.part.write_bytes(part)
    again = store.resume(done.settings)
    assert (again.deals, again.times) == (done.deals, done.times)


def test_json_comes_back_as_it_was(tmp_path: Path) -> None:
    done = play(fresh("greedy", "random", deals=range(4)))
    Store(tmp_path / "kept.json").finish(done)
    again = tournament.read(tmp_path / "kept.json")
    assert (again.settings, again.deals, again.times) == (done.settings, done.deals, done.times)
    assert again.as_dict() == json.loads((tmp_path / "kept.json").read_text()) == json.loads(json.dumps(done.as_dict()))


def test_another_tournament_is_refused_and_nothing_is_touched(tmp_path: Path, own: Path) -> None:
    store = Store(tmp_path / "kept.json")
    store.finish(interrupted(store.path, range(2), 99))
    interrupted(store.path, range(9), 4)
    before = store.path.read_bytes(), store.part.read_bytes()
    for other, answer in [
        (fresh("greedy", "random", seed=2), "seed 1 there, 2 here"),
        (fresh("greedy", "random", "random", players=3), "players 2 there, 3 here"),
        (fresh("random", "greedy"), "bots"),
    ]:
        with pytest.raises(DracothequeError, match=answer):
            store.resume(other.settings)
    store.path.unlink()  # the part alone is looked at as well
    with pytest.raises(DracothequeError, match="seed 1 there, 2 here"):
        store.resume(fresh("greedy", "random", seed=2).settings)
    store.path.write_bytes(before[0])
    assert (store.path.read_bytes(), store.part.read_bytes()) == before


def test_a_bot_that_has_changed_is_another_bot(tmp_path: Path, own: Path) -> None:
    store = Store(tmp_path / "kept.json")
    store.finish(play(fresh(f"{own}:First", "random", deals=range(1))))
    own.write_text(OWN.replace("legal_actions[0]", "legal_actions[-1]"))
    with pytest.raises(DracothequeError, match="rules or bots have changed since"):
        store.resume(fresh(f"{own}:First", "random").settings)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"tournament": 1, "settings": {"game": "emerald"}}', "no JSON"])
def test_a_file_that_is_no_tournament_is_explained(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(DracothequeError, match=r"other\.json is not a saved tournament"):
        Store(path).resume(fresh("greedy", "random").settings)
    assert path.read_text() == text


def test_files_are_added_up(tmp_path: Path) -> None:
    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    for path, deals in zip(paths, (range(3), range(3, 7)), strict=True):
        Store(path).finish(play(fresh("greedy", "random", deals=deals)))
    whole = play(fresh("greedy", "random", deals=range(7)))
    merged = tournament.merge(paths)
    assert merged.deals == whole.deals
    assert merged.times["greedy"].decisions == whole.times["greedy"].decisions
    assert merged.commands() == whole.commands()
    with pytest.raises(DracothequeError, match="is also in another file"):
        tournament.merge([paths[0], paths[0]])
    Store(paths[1]).finish(play(fresh("greedy", "random", deals=range(3, 4), seed=2)))
    with pytest.raises(DracothequeError, match="another tournament"):
        tournament.merge(paths)


def test_ctrl_c_stops_all_processes_and_keeps_what_is_done(tmp_path: Path, own: Path) -> None:
    # A program started in the background of a script is deaf to Ctrl-C, and so are those it starts.
    hear = "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    program = f"{hear}; runpy.run_module('dracotheque', run_name='__main__')"
    part = tmp_path / "kept.json.part"
    settings = ["save-the-dragon", "--bots", f"{own}:Slow,random", "--deals", "100000", "--processes", "2"]
    command = [sys.executable, "-c", program, "tournament", *settings, "--save", str(tmp_path / "kept.json")]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            for _ in range(600):
                if part.exists() and part.read_text().count("\n") > 3:
                    break
                time.sleep(0.1)
            own.with_name("own.py.stuck").touch()  # nobody waits for a bot that is in thought
            time.sleep(0.5)
            os.killpg(process.pid, signal.SIGINT)  # a terminal tells all of them
            out, errors = process.communicate(timeout=30)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # or they would play on where this fails
    assert process.returncode == 0, errors
    assert "of 200,000: stopped early" in out
    assert "Traceback" not in errors
    assert len(Store(tmp_path / "kept.json").resume(fresh(f"{own}:Slow", "random").settings).deals) >= 3


# --- Shares and intervals -------------------------------------------------------------------------------------------
def test_the_interval_of_a_share_is_that_over_deals() -> None:
    # Shares of 1, 1/2, 0, 1/2: their standard deviation is √(1/6), the standard error half of it.
    share = statistics.share_over_deals(np.array([2.0, 1, 0, 1]), np.full(4, 2.0))
    assert (share.value, share.low, share.high) == pytest.approx((0.5, 0.5 - 0.400076, 0.5 + 0.400076), abs=1e-6)


def test_deals_with_more_decided_games_weigh_more() -> None:
    share = statistics.share_over_deals(np.array([2.0, 1, 1, 2]), np.array([4.0, 2, 4, 2]))
    # What is left over is 0, 0, -1, 1: √(2 · 4/3) / 12.
    assert (share.value, share.low, share.high) == pytest.approx((0.5, 0.5 - 0.266717, 0.5 + 0.266717), abs=1e-6)


def test_where_all_deals_are_alike_the_interval_is_not_empty() -> None:
    share = statistics.share_over_deals(np.full(10, 2.0), np.full(10, 2.0))
    assert (share.value, share.high) == (1.0, pytest.approx(1.0))
    assert share.low == pytest.approx(10 / (10 + 3.841459), abs=1e-6)
    one = statistics.share_over_deals(np.array([1.0]), np.array([2.0]))
    assert one.low is not None
    assert one.low < 0.1


def test_shares_are_those_of_one_bot_of_a_name() -> None:
    done = made(settled("dragon", "knight", "knight", players=3), [[0], [1], [1]], [[1], [2], [0, 2]])
    # The dragon sits in seats 0, 2 and 1.
    by_name = {standing.bot: standing for standing in tournament.standings(done)}
    dragon, knight = by_name["dragon"], by_name["knight"]
    # First deal: seat 0 in seating 0 (dragon), seat 1 in seating 1 (a knight), seat 1 in seating 2 (dragon).
    # Second deal: a knight, then the dragon, then two knights share.
    assert (dragon.seats, knight.seats) == (6, 12)
    assert (dragon.wins, knight.wins) == (3, 3)
    assert (dragon.share.value, knight.share.value) == (0.5, 0.25)
    assert (dragon.times_fair.value, knight.times_fair.value) == (1.5, 0.75)
    # Shares of 2/3 and 1/3 in the two deals: a standard error of 1/6.
    assert dragon.share.low == pytest.approx(0.5 - 1.959964 / 6)
    assert dragon.times_fair.high == pytest.approx(3 * (0.5 + 1.959964 / 6))
    # Half of all against two knights: twice as strong as one of them.
    assert dragon.rating.value - knight.rating.value == pytest.approx(400 * np.log10(2))
    assert dragon.rating.value + knight.rating.value == pytest.approx(3000)


def test_who_beat_whom_counts_decided_games() -> None:
    settings = settled("a", "b", "c", players=2)
    assert settings.seatings == [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
    done = made(settings, [[0], [1], [0, 1], [1], [0], [0]], [[0], [0], [1], [1], [1], [0]])
    met = {(pair.bot, pair.other): pair for pair in tournament.pairs(done)}
    assert (met["a", "b"].games, met["a", "b"].share.value) == (4, 0.75)
    assert (met["b", "a"].games, met["b", "a"].share.value) == (4, 0.25)
    assert (met["a", "c"].games, met["a", "c"].share.value) == (3, pytest.approx(2 / 3))
    assert (met["b", "c"].games, met["b", "c"].share.value) == (4, 0.25)
    assert tournament.pairs(made(settled("a", "b", players=2), [[0], [1]])) == []


def test_games_that_nobody_wins_count_as_played() -> None:
    done = made(settled("a", "b", players=2), [[], [1]], [[0], [0]])
    by_name = {standing.bot: standing for standing in tournament.standings(done)}
    assert (by_name["a"].share.value, by_name["b"].share.value) == (0.5, 0.25)
    assert by_name["a"].rating.value - by_name["b"].rating.value == pytest.approx(400 * np.log10(2))


# --- Ratings --------------------------------------------------------------------------------------------------------
def fit(tables: list[list[int]], won: list[list[float]]) -> list[float]:
    return statistics.strengths(np.array(tables), np.array([won]))[0].tolist()


def test_two_bots_are_as_strong_as_their_wins() -> None:
    one, other = fit([[1, 1]], [[30.5, 9.5]])
    assert one / other == pytest.approx(30.5 / 9.5, rel=1e-9)


def test_a_table_of_one_name_tells_nothing() -> None:
    one, other = fit([[1, 1], [2, 0]], [[30, 10], [500, 0]])
    assert one / other == pytest.approx(3, rel=1e-9)


def test_known_strengths_are_found_again() -> None:
    true, random = np.array([1.0, 2.0, 4.0, 8.0]), np.random.default_rng(5)
    tables = np.array([[1, 1, 1, 0], [1, 1, 0, 1], [1, 0, 1, 1], [0, 1, 1, 1], [1, 0, 0, 2]])
    won = np.array([random.multinomial(20_000, row * true / (row @ true)) for row in tables], float)
    found = np.array(fit(tables.tolist(), won.tolist()))
    assert found / found[0] == pytest.approx(true, rel=0.05)
    exact = np.array([1000 * row * true / (row @ true) for row in tables])
    found = np.array(fit(tables.tolist(), exact.tolist()))
    assert found / found[0] == pytest.approx(true, rel=1e-5)


@pytest.mark.parametrize(
    "won",
    [
        [[10, 0, 0, 0], [10, 0, 0, 0], [10, 0, 0, 0], [0, 10, 0, 0], [0, 10, 0, 0], [0, 0, 10, 0]],  # a ladder
        [[5, 5, 0, 0], [10, 0, 0, 0], [10, 0, 0, 0], [0, 10, 0, 0], [0, 10, 0, 0], [0, 0, 5, 5]],  # two classes
    ],
)
def test_strengths_stay_finite_where_wins_do_not_go_round(won: list[list[float]]) -> None:
    found = fit([[1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 0, 1], [0, 0, 1, 1]], won)
    assert np.isfinite(found).all()
    assert found[0] >= found[1] > found[2] >= found[3] > 0


def test_a_bot_without_a_win_is_rated_less_than_some_number() -> None:
    done = made(settled("a", "b", players=2), *[[[0], [1]]] * 50)
    best, worst = tournament.standings(done)
    assert (best.bot, best.bound, worst.bound) == ("a", ">", "<")
    assert (worst.rating.low, best.rating.high) == (None, None)
    assert worst.rating.high == worst.rating.value
    # The bound is near that of Wilson's interval for no win in 100 games, which is odds of 3.84 to 100.
    assert best.rating.value - worst.rating.value == pytest.approx(400 * np.log10(100 / 3.84), rel=0.02)


def test_the_interval_of_a_rating_is_as_wide_as_theory_says() -> None:
    won = np.zeros((400, 1, 2))
    won[:300, 0, 0] = won[300:, 0, 1] = 1
    (best, _), (worst, _) = statistics.ratings(Tally(np.array([[1, 1]]), np.array([1]), won, won))
    assert best.value - worst.value == pytest.approx(400 * np.log10(3))
    assert best.low is not None
    assert best.high is not None
    # The log of the odds has a standard error of 1/√(n p q); each of the two ratings has half of the difference.
    half = 1.959964 * 200 / np.log(10) / np.sqrt(400 * 0.75 * 0.25)
    assert (best.high - best.low) / 2 == pytest.approx(half, rel=0.15)


def test_a_lonely_name_has_the_mean_rating() -> None:
    (only,) = tournament.standings(made(settled("a", "a", players=2), [[0]], [[1]]))
    assert (only.share.value, only.rating.value, only.bound) == (0.5, 1500, "")


# --- Shown ----------------------------------------------------------------------------------------------------------
def test_the_plot_is_sound_and_names_every_bot() -> None:
    names = ("dragon", "kni<ght", "a&b.py:Slow")
    done = made(settled(*names, players=2), [[0], [1], [0], [1], [0], [0]], [[0], [0], [0], [1], [1], [0]])
    done.times["dragon"] = Times(3, 0.5, 0.25)
    root = ElementTree.fromstring(tournament_plot.svg(done))
    words = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    for name in ("hard", "kni<ght", "Slow"):
        assert name in words
    assert "a fair share: 50.0 %" in words
    assert len(list(root.iter("{http://www.w3.org/2000/svg}circle"))) == 3
    assert "prefers-color-scheme: dark" in tournament_plot.svg(done)


def test_dots_stand_where_the_shares_are() -> None:
    done = made(settled("a", "b", players=2), [[0], [1]], [[0], [0]])
    root = ElementTree.fromstring(tournament_plot.svg(done))
    across = [float(dot.get("cx", "")) for dot in root.iter("{http://www.w3.org/2000/svg}circle")]
    left, right = tournament_plot.LEFT, tournament_plot.RIGHT
    assert across == pytest.approx([left + 0.75 * (right - left), left + 0.25 * (right - left)], abs=0.1)


def test_the_table_has_a_line_for_every_bot() -> None:
    done = play(fresh("greedy", "random", deals=range(4)))
    done.wanted = range(5)
    from rich.console import Console

    console = Console(width=140, record=True, file=open(os.devnull, "w"))  # noqa: SIM115
    console.print(report.tournament_table(done))
    text = console.export_text()
    for words in ("8 games of 10: stopped early", "greedy", "random", "× fair", "fair share 50.0 %", "4 deals"):
        assert words in text


def test_the_command_line_plays_it_again() -> None:
    done = made(settled("a", "b", players=2), *[[[0], [1]]] * 3)
    done.deals |= {7: [[0], [1]], 8: [[0], [1]]}
    assert done.commands() == [
        "dracotheque tournament save-the-dragon --bots a,b --players 2 --deals 3 --seed 1",
        "dracotheque tournament save-the-dragon --bots a,b --players 2 --deals 2 --first-deal 7 --seed 1",
    ]
