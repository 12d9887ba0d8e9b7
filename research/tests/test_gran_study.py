"""The study of Gran's map: it runs, gives the same figures again, and its report says what it found."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from dracotheque import load_game
from dracotheque.games.gran.board_files import Board, problems
from dracotheque.games.gran.rules.state import CITY
from research.gran import gran_map as study
from research.gran import gran_maps as maps
from research.gran.gran_players import GREEDY, RANDOM, SUMS

ROOT = Path(__file__).parents[2]


def played(players: int, guest: int, field: int, candidate: str = "passes") -> study.Figures:
    job = study.Job(candidate, players, guest, field, 0)
    return study.Figures.added((candidate, players, guest, field), [job.run()])


# --- The candidates -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("candidate", maps.CANDIDATES)
def test_candidates_can_be_played_on_and_have_what_a_kingdom_needs(candidate: str) -> None:
    data = maps.map_of(maps.CANDIDATES[candidate])
    assert problems(data) == []
    for kingdom in maps.KINGDOMS:
        kinds = [point.split()[1] for point in data["points"] if f" {kingdom} " in point]
        assert kinds.count("black") >= 10
        assert [kinds.count(kind) for kind in ("city", "dragon", "sword")] == [1, 1, 1]
        assert kinds.count("magic") >= 1
        assert kinds.count("crystal") == (kingdom in ("galad", "tirad"))
    assert data["start"][0] == "g"
    assert data["ring"][0] == "t"


@pytest.mark.parametrize("candidate", maps.CANDIDATES)
def test_the_white_points_touch_every_kingdom_and_no_city_lies_near_them(candidate: str) -> None:
    board = Board(maps.map_of(maps.CANDIDATES[candidate]), "")
    far = study.steps(board)
    middle = [number for number, point in enumerate(board.points) if point.name[0] == "w"]
    assert len(middle) >= 6
    assert {board.points[near].name[0] for point in middle for near in board.near[point]} == set("wtuge")
    cities = [number for number, point in enumerate(board.points) if point.kind == CITY]
    assert min(far[city, point] for city in cities for point in middle) >= 3


def test_lines_left_out_leave_the_rest_of_their_row() -> None:
    rows = [("a", "b", "c", "d"), ("c", "e")]
    assert maps.without(rows, ["c-b"]) == [("a", "b"), ("c", "d"), ("c", "e")]
    assert maps.without(rows, ["e-c", "a-b"]) == [("b", "c", "d")]
    with pytest.raises(AssertionError, match="no such lines"):
        maps.without(rows, ["a-c"])


# --- Playing ------------------------------------------------------------------------------------------------------
def test_the_same_seeds_give_the_same_figures_on_any_number_of_threads(tmp_path: Path) -> None:
    cells = {("passes", 3, GREEDY, GREEDY): 2 * study.CHUNK, ("open", 4, GREEDY, GREEDY): study.CHUNK}
    one = study.play(cells, study.Store(None), 1, "")
    two = study.play(cells, study.Store(tmp_path / "kept.json"), 2, "")
    kept = study.Store(tmp_path / "kept.json")
    assert len(kept.done) == 3
    assert one == two == study.play(cells, kept, 1, "")
    assert [seen.games for seen in one.values()] == [2 * study.CHUNK, study.CHUNK]


@pytest.mark.parametrize("players", study.PLAYERS)
def test_what_games_add_up_to(players: int) -> None:
    seen = played(players, GREEDY, GREEDY)
    assert seen.games == study.CHUNK == sum(seen.counts["length"]) == sum(seen.counts["won"])
    assert seen.sum("unfinished") == 0
    assert 0 <= seen.sum("duels_won") <= seen.sum("duels")
    assert 0 < seen.sum("robberies") <= seen.sum("attacks")
    assert 0 < seen.sum("with_stone") <= min(seen.sum("laid"), seen.games)
    wanted = 3 if players < 5 else 2
    assert wanted * seen.games <= sum(seen.counts["seals"]) < players * wanted * seen.games
    assert max(seen.counts["with_seal"]) <= seen.games


def test_thinking_beats_the_rule_of_thumb_and_that_beats_chance() -> None:
    assert played(3, GREEDY, RANDOM).guest_share.low > 1.5
    assert played(3, study.FIELD, GREEDY).guest_share.low > 1


# --- Judging ------------------------------------------------------------------------------------------------------
def even(candidate: str, players: int, **changes: int) -> study.Figures:
    """Figures that nothing speaks against."""
    sums = dict.fromkeys(SUMS, 1000) | {"rounds": 25_000, "rounds_squared": 700_000} | changes
    length = [0] * (study.LONGEST + 1)
    length[25] = 1000
    counts: Mapping[str, tuple[int, ...]] = {
        "sums": tuple(sums[name] for name in SUMS),
        "won": (1000 // players,) * players + (0,) * (6 - players),
        "guest_won": (1000 // players,),
        "seals": (500,) * 4,
        "with_seal": (400,) * 4,
        "length": tuple(length),
    }
    return study.Figures(candidate, players, study.FIELD, study.FIELD, counts)


def with_counts(seen: study.Figures, **changes: tuple[int, ...]) -> study.Figures:
    return replace(seen, counts={**seen.counts, **changes})


def all_of(candidate: str, changed: study.Figures | None = None) -> study.Results:
    found = {(candidate, players): even(candidate, players) for players in study.PLAYERS}
    return found | ({(candidate, changed.players): changed} if changed else {})


LONG = (*[0] * 60, 1000, *[0] * 40)


@pytest.mark.parametrize(
    ("changed", "objection"),
    [
        (with_counts(even("open", 3, rounds=60_000), length=LONG), "too long (3)"),
        (with_counts(even("open", 3, rounds=9_000), length=(*[0] * 9, 1000, *[0] * 91)), "too short (3)"),
        (with_counts(even("open", 4), won=(330, 230, 220, 220, 0, 0)), "uneven turns (4)"),
        (with_counts(even("open", 6), seals=(600, 600, 600, 300)), "a city of no account (6)"),
        (even("open", 4, with_duel=500), "few duels (4)"),
        (even("open", 3, with_attack=500), "few attacks (3)"),
        (even("open", 6, with_stone=500), "few stones laid (6)"),
        (even("open", 3, with_lift=500), "few stones lifted (3)"),
    ],
)
def test_what_speaks_against_a_map(changed: study.Figures, objection: str) -> None:
    assert study.objections("open", all_of("open")) == []
    assert study.objections("open", all_of("open", changed)) == [objection]


def test_of_the_maps_that_pass_the_one_with_most_games_of_a_good_length_is_chosen() -> None:
    longer = with_counts(even("open", 6), length=LONG)
    assert study.choose({**all_of("open", longer), **all_of("passes")}) == "passes"
    assert study.choose({**all_of("open"), **all_of("passes", even("passes", 3, with_duel=1))}) == "open"
    assert study.choose(all_of("open", even("open", 3, with_duel=1))) is None


# --- The report ---------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def figures() -> list[study.Figures]:
    """The figures as they were written down."""
    return study.read_figures(study.FIGURES)


@pytest.fixture(scope="module")
def results(figures: list[study.Figures]) -> study.Results:
    return {(seen.candidate, seen.players): seen for seen in figures if seen.guest == seen.field}


@pytest.fixture(scope="module")
def chosen(results: study.Results) -> str:
    found = study.choose(results)
    assert found
    return found


def between(name: str) -> str:
    """What the study wrote into the report under a name."""
    found = re.search(rf"<!-- {name}:begin -->\n(.*)\n<!-- {name}:end -->", study.REPORT.read_text("utf-8"), re.DOTALL)
    assert found
    return found[1]


def test_our_map_is_the_one_that_was_chosen(chosen: str) -> None:
    data = maps.map_of(maps.CANDIDATES[chosen])
    assert load_game("gran", interpreted=True).board.data == data
    ours = ROOT / "src" / "dracotheque" / "games" / "gran" / "board.toml"
    assert ours.read_text("utf-8") == maps.map_file(data)


def test_the_report_says_what_the_figures_say(
    figures: list[study.Figures], results: study.Results, chosen: str
) -> None:
    assert between("choice") == study.choice_text(results, chosen)
    assert between("maps") == study.maps_table(results, chosen)
    assert between("chosen") == study.chosen_table(results, chosen)
    assert between("matches") == study.matches_table(seen for seen in figures if seen.guest != seen.field)


def test_the_pictures_show_the_figures(
    results: study.Results, chosen: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = study.PICTURES
    monkeypatch.setattr(study, "PICTURES", tmp_path)
    study.draw(results, chosen)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "gran-map-night.svg", "gran-map-rounds-night.svg", "gran-map-rounds.svg", "gran-map.svg",
    ]  # fmt: skip
    for path in tmp_path.iterdir():
        assert path.read_text("utf-8") == (drawn / path.name).read_text("utf-8")


def test_enough_games_were_counted(results: study.Results, chosen: str) -> None:
    assert len(results) == len(study.PLAYERS) * len(study.CANDIDATES)
    assert min(results[chosen, players].games for players in study.PLAYERS) >= 1000
    assert min(seen.games for seen in results.values()) >= 180


def test_the_figures_are_those_of_the_first_games(results: study.Results, chosen: str) -> None:
    again = played(3, study.FIELD, study.FIELD, chosen)
    assert again.games <= results[chosen, 3].games
    assert all(
        few <= many for few, many in zip(again.counts["length"], results[chosen, 3].counts["length"], strict=True)
    )
