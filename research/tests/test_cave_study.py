"""The study of mixed strategies in Dragon's Cave: it runs, gives the same figures again, and fits its report."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from research.dragons_cave import cave
from research.dragons_cave import cave_equilibrium_bots as bots
from research.dragons_cave import cave_exploitability as exploitability
from research.shared import study

TINY = exploitability.Settings(
    stages=((20, 1), (60, 1)),
    positions=3,
    games=20,
    budgets=(20,),
    copies=1,
    shares=(0.0, 0.8),
    solved=cave.TINY,
)


def test_stages_are_measured_drawn_and_told() -> None:
    found, value, mixed, summary = exploitability.solve(cave.TINY)
    first, again = study.Store("key", None), study.Store("key", None)
    for store in (first, again):
        exploitability.staged(TINY, store, found, value, mixed)
    assert first.done == again.done
    assert len(first.done) == 2 * len(exploitability.PLAYERS)
    for kept in first.done.values():
        assert [len(losses) for losses in kept.values()] == [3] * 4
        assert min(min(losses) for losses in kept.values()) > -1e-5
    words = exploitability.stage_text(TINY, first)
    assert len(words.splitlines()) == 2 + len(first.done)
    pictures = dict(exploitability.draw(TINY, first))
    assert [*pictures] == ["exploitability-stages.svg", "exploitability-stages-night.svg"]
    for picture in pictures.values():
        assert len(re.findall("<polyline", picture)) == len(exploitability.PLAYERS)
        ElementTree.fromstring(picture)
    assert "6,239" in exploitability.solved_text([summary])


def test_games_are_played_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    store = study.Store("key", None)
    exploitability.played(store, (*exploitability.leaning_rows(TINY), *exploitability.rows(TINY)))
    lines = exploitability.game_text(exploitability.rows(TINY), store).splitlines()[2:]
    assert len(lines) == 5
    store.done |= {"leaning, 0": [0.2, 0.3], "leaning, 0.8": [0.5]}
    leaning, more = exploitability.leaning_text(TINY, store).splitlines()[2:]
    assert leaning.startswith("| 0 % | 25.0 % (20.0–30.0) | ")
    assert more == "| 80 % | 50.0 % (50.0–50.0) | – | – |"
    for line in lines:
        games, share, low, high = re.findall(r"\| (\d+) \| ([\d.]+) % \(([\d.]+)–([\d.]+)\)", line)[0]
        assert games == "20"
        assert 0 <= float(low) <= float(share) <= float(high) <= 100
    assert "20 of 20 games" in capsys.readouterr().err


def test_the_page_has_room_for_all_that_is_told() -> None:
    page = exploitability.REPORT.read_text("utf-8")
    for part in ("solved", "tiny", "stages", "leaning", "splits", "games"):
        assert page.count(f"<!-- {part}:begin -->") == page.count(f"<!-- {part}:end -->") == 1


def test_what_the_page_says_of_games_comes_from_enough_of_them() -> None:
    page = exploitability.REPORT.read_text("utf-8")
    rows = " ".join(page.partition(f"<!-- {name}:begin -->")[2].partition("<!--")[0] for name in ("leaning", "games"))
    games = [int(number.replace(",", "")) for number in re.findall(r"\| (\d,?\d{3}|\d{1,3}) \|", rows)]
    settings = exploitability.Settings()
    assert len(games) == len([*exploitability.leaning_rows(settings), *exploitability.rows(settings)])
    assert min(games) >= 1_000


# --- Bots that mix --------------------------------------------------------------------------------------------------
FEW = bots.Settings(
    games=2,
    simulations=60,
    taught_games=2,
    known=30,
    plan=bots.training.Plan(rounds=4, tables=64, blocks=2, examine=4),
    budgets=(1,),
    solved=cave.TINY,
    positions=5,
)


def test_what_is_learned_in_small_caves_is_measured_and_told() -> None:
    store = study.Store("key", None)
    bots.small_caves(FEW, store)
    done = store.done["taught"]
    assert (done["positions"], len(done["lines"])) == (5, 1)
    assert 0 < done["mean"] < done["most"] < 1
    assert done["true"] == pytest.approx(0.69932, abs=1e-5)
    (line,) = done["lines"]
    assert line["guesses"] == pytest.approx(0, abs=1e-5)
    assert 0 < line["gain"] < 0.5
    assert len(bots.taught_text(store).splitlines()) == 5
    bots.small_caves(FEW, store)  # what is kept is not done again


def test_games_of_mixers_are_played_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exploitability, "CHUNK", 1)
    store = study.Store("key", None)
    for rows in (bots.rows, bots.exploiter_rows):
        exploitability.played(store, rows(FEW))
        lines = exploitability.game_text(rows(FEW), store).splitlines()[2:]
        assert len(lines) == len([*rows(FEW)])
        assert all("| 2 |" in line for line in lines)


def test_the_page_tells_of_mixers_from_enough_games() -> None:
    page = bots.REPORT.read_text("utf-8")
    for part in bots.PARTS:
        assert page.count(f"<!-- {part}:begin -->") == page.count(f"<!-- {part}:end -->") == 1
    for part, rows in (("bots", bots.rows), ("exploiter", bots.exploiter_rows)):
        text = page.partition(f"<!-- {part}:begin -->")[2].partition("<!--")[0]
        games = [int(number.replace(",", "")) for number in re.findall(r"\| (\d,?\d{3}|\d{1,3}) \|", text)]
        assert len(games) == len([*rows(bots.Settings())])
        assert min(games) >= 1_000
