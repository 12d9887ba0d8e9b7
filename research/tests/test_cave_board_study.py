"""The study of Dragon's Cave's coins: it runs, gives the same figures again, and its report says what it found."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dracotheque import load_game
from dracotheque.games.dragons_cave.rules.state import NO_CARD, PLACE, SEALED_CARD
from research.dragons_cave import dragons_cave_board as study
from research.dragons_cave.cave_players import NEVER, POPULATION, play_games
from research.dragons_cave.cave_population import FIRST, Room, place, real

TINY = study.Settings(1, ((3, 20), (1, 30)), 2, 120, 1, ((2, 20), (1, 20)))
USUAL = np.tile(FIRST, (POPULATION, 1))


def room(players: int = 3) -> Room:
    return Room(study.board("00123"), players)


# --- Playing ------------------------------------------------------------------------------------------------------
def test_the_same_seeds_give_the_same_figures_on_any_number_of_threads(tmp_path: Path) -> None:
    one = study.survey(TINY, study.Store(TINY, None), 1, ["00123", "01234"])
    two = study.survey(TINY, study.Store(TINY, tmp_path / "kept.json"), 2, ["00123", "01234"])
    kept = study.survey(TINY, study.Store(TINY, tmp_path / "kept.json"), 1, ["00123", "01234"])
    assert one == two == kept
    assert {seen.games for seen in one.values()} == {120}
    assert one["00123", 3] != replace(one["01234", 3], candidate="00123")


def test_other_seeds_give_other_games() -> None:
    first, again, other = (room().play(USUAL, USUAL, seed, 0, 50).sums.tolist() for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_games_add_up_to(players: int) -> None:
    seen = room(players).play(USUAL, USUAL, 1, 0, 120)
    assert seen["games"] == 120 == sum(seen[name] for name in ("in_lair", "no_coin_left", "shortage", "both_home"))
    assert seen.sat.sum() == 120 * players
    assert seen.won.sum() == 120 * 60
    assert 0 < seen["in_chests"] + seen["on_purses"] <= 120 * 44
    assert 0 < seen["banked"] < seen["rounds"] * (players - 1)
    assert 0 < seen["frights"] < seen["rounds"] * (players - 1)


def test_a_player_chooses_without_the_cards_of_the_others() -> None:
    table, looked = room().table, 0
    table["traits"][0] = FIRST
    for number in range(30):
        play_games(table, 1, number, 1)
        seen = table["seen"][0]
        if seen["phase"] == PLACE:
            cards = [int(seen["card"][seat]) for seat in range(3)]
            assert cards.count(SEALED_CARD) == 2
            assert cards[int(seen["dragon_seat"])] == NO_CARD
            looked += 1
    assert looked > 5


def test_a_threshold_decides_when_a_purse_is_banked() -> None:
    banked = [room().play(study.firm(USUAL, n), study.firm(USUAL, n), 1, 0, 200)["banked"] for n in (1, 3, NEVER)]
    assert banked[0] > 1.3 * banked[1] > 1.3 * 1.3 * banked[2]


def test_a_probe_that_throws_games_away_loses() -> None:
    lost = USUAL.copy()
    lost[:, study.STEP] = -3.0
    assert room().play(USUAL, lost, 1, 0, 300).wins < 0.6 * 100 < room().play(USUAL, USUAL, 1, 0, 300).wins


def test_traits_and_their_places_are_the_same_thing() -> None:
    places = np.random.default_rng(1).random((POPULATION, len(FIRST)))
    assert np.allclose(place(real(places)), places)
    assert np.allclose(real(place(FIRST)), FIRST)


# --- Judging ------------------------------------------------------------------------------------------------------
def even(candidate: str, players: int, **changes: Any) -> study.Figures:
    """Figures that nothing speaks against."""
    one = study.Share(1.0, 0.99, 1.01)
    curve = {"1": study.Share(0.7, 0.69, 0.71), "3": one, "never": study.Share(0.9, 0.89, 0.91)}
    empty = study.Share(0.02, 0.018, 0.022)
    usual = study.Figures(candidate, players, 24000, empty, 17.0, 3.0, 0.5, 0.4, 10.0, 4.0, one, one, curve)
    return replace(usual, **changes)


def both(candidate: str, **changes: Any) -> dict[tuple[str, int], study.Figures]:
    return {(candidate, players): even(candidate, players, **changes) for players in (3, 4)}


@pytest.mark.parametrize(
    ("candidate", "changes", "objection"),
    [
        ("00123", {"empty": study.Share(0.049, 0.047, 0.051)}, "runs out too often (3)"),
        ("00123", {"empty": study.Share(0.006, 0.004, 0.008)}, "hardly ever runs out (4)"),
        ("00123", {"rusher": study.Share(0.76, 0.74, 0.78)}, "rushers lose (3)"),
        ("00123", {"banker": study.Share(0.76, 0.74, 0.78)}, "bankers lose (4)"),
        ("00123", {"curve": {"1": study.Share(1.1, 1, 1.2), "3": study.Share(1, 0.9, 1.1)}}, "bank at once (3)"),
        ("00123", {"curve": {"3": study.Share(1, 0.9, 1.1), "never": study.Share(1.1, 1, 1.2)}}, "bank never (4)"),
        ("00122", {}, "crystal not alone the richest"),
        ("11123", {}, "crystal not alone the richest"),
    ],
)
def test_what_speaks_against_a_board(candidate: str, changes: dict[str, Any], objection: str) -> None:
    assert study.objections("00123", both("00123")) == []
    assert objection in study.objections(candidate, both(candidate, **changes))


def test_of_the_boards_that_pass_the_best_balanced_with_equal_laps_is_chosen() -> None:
    better, worse = study.Share(0.95, 0.94, 0.96), study.Share(0.85, 0.84, 0.86)
    some = both("00012", rusher=worse) | both("00123", rusher=better) | both("00012 00012 00123 00123")
    assert study.choose(some) == "00123"
    assert study.choose(both("00012", empty=study.Share(0.5, 0.4, 0.6))) is None
    assert study.choose(both("00012", empty=study.Share(0.5, 0.4, 0.6)) | both("00012 00012 00123 00123")) == (
        "00012 00012 00123 00123"
    )


# --- The report ---------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def results() -> study.Results:
    """The figures as they were written down."""
    found = {}
    with study.FIGURES.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            shares = {
                name: study.Share(*(float(row[f"{name}{end}"]) for end in ("", " low", " high")))
                for name in row
                if f"{name} low" in row and row[name]
            }
            curve = {name.removeprefix("bank "): share for name, share in shares.items() if name.startswith("bank")}
            numbers = [float(row[name]) for name in study.NUMBERS]
            found[row["board"], int(row["players"])] = study.Figures(
                row["board"], int(row["players"]), int(row["games"]), shares["empty"], *numbers,
                shares["rusher"], shares[f"bank {study.BANKER}"], curve,
            )  # fmt: skip
    return found


def between(name: str) -> str:
    """What the study wrote into the report under a name."""
    found = re.search(rf"<!-- {name}:begin -->\n(.*)\n<!-- {name}:end -->", study.REPORT.read_text("utf-8"), re.DOTALL)
    assert found
    return found[1]


def test_our_cave_has_the_coins_that_were_chosen(results: study.Results) -> None:
    chosen = study.choose(results)
    assert chosen
    assert load_game("dragons-cave", interpreted=True).board.data["path"] == study.board(chosen)["path"]


def test_the_report_says_what_the_figures_say(results: study.Results) -> None:
    chosen = study.choose(results)
    assert chosen
    assert between("choice") == study.choice_text(results, chosen)
    assert between("boards") == study.boards_table(results, chosen)
    assert between("chosen") == study.chosen_table(results, chosen)


def test_the_pictures_show_the_figures(results: study.Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = study.PICTURES
    monkeypatch.setattr(study, "PICTURES", tmp_path)
    study.draw(results, study.choose(results) or "")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "dragons-cave-board-banking-night.svg", "dragons-cave-board-banking.svg",
        "dragons-cave-board-night.svg", "dragons-cave-board.svg",
    ]  # fmt: skip
    for path in tmp_path.iterdir():
        assert path.read_text("utf-8") == (drawn / path.name).read_text("utf-8")


def test_enough_games_were_counted(results: study.Results) -> None:
    assert len(results) == 3 * len(study.CANDIDATES)
    assert min(seen.games for seen in results.values()) >= 20_000


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_small_cave_is_quickly_played(players: int) -> None:
    small, usual = Room("small", players), Room(None, players)
    rounds = [one.play(USUAL, USUAL, 1, 0, 100)["rounds"] for one in (small, usual)]
    assert 3 * 100 < rounds[0] < 0.6 * rounds[1]
