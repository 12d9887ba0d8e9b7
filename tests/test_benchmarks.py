"""What the benchmarks write, figures in their place and nothing else touched; and a match, in a few short games."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from dracotheque.engine import registry

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the benchmarks find each other, as they do when they are run."""
    monkeypatch.syspath_prepend(ROOT / "benchmarks")


@pytest.fixture
def rows() -> ModuleType:
    return importlib.import_module("rows")


@pytest.fixture
def report() -> ModuleType:
    return importlib.import_module("report")


@pytest.fixture
def searches() -> ModuleType:
    return importlib.import_module("searches")


@pytest.fixture
def match() -> ModuleType:
    pytest.importorskip("pyspiel")
    return importlib.import_module("openspiel_match")


@pytest.fixture
def cuda() -> ModuleType:
    """The benchmark of cards, under another name: `cuda` is a package of NVIDIA's."""
    spec = importlib.util.spec_from_file_location("cuda_benchmark", ROOT / "benchmarks" / "cuda.py")
    assert spec
    assert spec.loader
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_game_of_the_shelf_is_measured_beside_its_peers(rows: ModuleType) -> None:
    every = rows.rows(2)
    names = [row.name for row in every]
    assert len(set(names)) == len(names)
    assert [subject.game for subject in rows.SUBJECTS] == list(registry.games())
    for subject in rows.SUBJECTS:
        own = {subject.loop, subject.our_way, subject.one_core, subject.all_cores, *subject.others()}
        assert own == {row.name for row in every if row.ours and row.game == subject.game}
        assert {f"spiel-{subject.nearest}", f"rollouts-{subject.nearest}"} <= {*names}


def test_the_search_is_measured_in_every_game_beside_openspiels(
    rows: ModuleType, report: ModuleType, searches: ModuleType
) -> None:
    every = searches.rows()
    names = [row.name for row in every]
    assert len({*names, *(row.name for row in rows.rows(2))}) == len(names) + len(rows.rows(2))
    assert set(searches.TABLES) == set(registry.games())
    for row in every:
        pace = {"search-maedn-mcts": 1e4, "search-emerald-2": 1.5e5}.get(row.name, 1e5)
        decisions = 2e6 if row.name == "search-gran-rollouts" else 4e6
        row.rounds = [rows.Round(decisions if row.group == searches.ROLLING else None, None, pace, 1.0)] * 3
    late = {"emerald": [0.004, 0.021], "gran": [0.001, -0.001]}
    more = searches.markdown(report.Run(every, {}, 2), late)
    page = report.markdown(
        report.Run(every, {}, 2), command="make bench", how="3 rounds", mine="a", theirs="b", more=more
    )
    assert page.index("## Search") < page.index("## How to read this")
    for line in (
        "| **Emerald, 2 players, one thread** | 100 k | 100 k – 100 k | 10 × maedn, 1 × connect_four |",
        "| OpenSpiel C++ MCTS, maedn, 2 players | 10 k | 10 k – 10 k |  |",
        "| **Gran, 3 players** | 2 M | 2 M – 2 M |  |",
        "| Gran, 3 players, inside rollouts | ≥ 3 M decisions/s "
        "| 2 M decisions/s (0.67 of the target), rounds 2 M – 2 M | no |",
        "| Emerald, 2 players, two threads ÷ one, simulations | ≥ 1.8 × | 1.5 ×, rounds 1.5 – 1.5 | no |",
        "| 4 thoughts of 100 ms: beyond their time | ≤ 20 ms | 21.0 ms at most, 2.5 in the middle "
        "(Emerald 21.0, Gran 1.0) | no |",
    ):
        assert f"\n{line}\n" in page


def test_a_search_that_cannot_be_measured_says_why(report: ModuleType, searches: ModuleType) -> None:
    every = searches.rows()
    for row in every:
        row.missing = "no network"
    page = "\n".join(searches.markdown(report.Run(every, {}, 2), None))
    assert "| OpenSpiel C++ MCTS, connect_four, 2 players | not available: no network |  |  |" in page


# --- The match against OpenSpiel's search -------------------------------------------------------------------------
@pytest.mark.parametrize(("game", "pairs"), [("emerald", 1), ("save-the-dragon", 2)])
def test_a_match_gives_both_sides_every_seat_and_the_same_time(
    match: ModuleType, game: str, pairs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats: list[int] = []
    dice: list[Any] = []
    play = match.Table.play

    def noted(table: Any, sides: Any, seat: int, chance: Random) -> float:
        seats.append(seat)
        dice.append(chance.getstate())
        return play(table, sides, seat, chance)

    monkeypatch.setattr(match.Table, "play", noted)
    played = match.play_match(match.Setting(game, milliseconds=2, solve=False), pairs)
    assert seats == [0, 1] * pairs
    assert dice[::2] == dice[1::2]
    assert len(set(dice)) == pairs
    ours, theirs = played.effort("ours"), played.effort("theirs")
    assert min(ours.moves, theirs.moves) > 10
    assert ours.milliseconds >= 2
    assert theirs.milliseconds >= 2
    assert ours.simulations_a_move > theirs.simulations_a_move >= 1
    assert [len(pair.won) for pair in played.pairs] == [2] * pairs
    share = played.share()
    assert 0 <= share.low <= share.value <= share.high <= 1
    assert json.loads(json.dumps(played.as_dict()))["games"] == 2 * pairs


def test_openspiels_search_gets_as_long_as_ours_took(match: ModuleType) -> None:
    table = match.Table(match.Setting("save-the-dragon", milliseconds=2))
    table.effort = match.Effort(moves=10, seconds=0.2)
    assert table.pace() == 0.02
    table.effort = match.Effort(moves=10, seconds=0.001)
    assert table.pace() == 0.002


def test_ctrl_c_keeps_the_pairs_that_are_played(match: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    def pair(_: Any, number: int) -> Any:
        if number == 1:
            raise KeyboardInterrupt
        return match.Pair(number, [1.0, 0.5], match.Effort(1, 0.02, 0.02, 5), match.Effort(1, 0.02, 0.02, 5))

    monkeypatch.setattr(match.Table, "play_pair", pair)
    played = match.play_match(match.Setting("save-the-dragon", milliseconds=2), pairs=9)
    assert [pair.number for pair in played.pairs] == [0]
    assert played.share().value == 0.75
    assert match.shown(played).row_count == 2


def test_ours_and_a_peer_take_turns(rows: ModuleType) -> None:
    ours = [row.ours for row in rows.rows(2)]
    assert ours[:4] == [True, False, True, False]


def test_figures_of_a_run_reach_the_readme_and_the_pages(
    rows: ModuleType, report: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = rows.rows(2)
    for row in every:
        decisions = 3e6 if row.ours else 1.5e6
        row.rounds = [rows.Round(decisions * pace, decisions * pace, 40_000, 1.0) for pace in (0.5, 1, 2)]
    run = report.Run(every, {"emerald": report.Memory(10_000, 2**27, 10**7, 2**27)}, 2)
    blocks = {}
    for name in ("README", "SPEED"):
        written = tmp_path / f"{name}.md"
        written.write_text("before\n<!-- speed:begin -->\nold\n<!-- speed:end -->\nafter\n", "utf-8")
        monkeypatch.setattr(report, name, written)
    report.write_pages(run)
    for name in ("README", "SPEED"):
        head, _, rest = getattr(report, name).read_text("utf-8").partition("<!-- speed:begin -->\n")
        blocks[name], _, tail = rest.partition("<!-- speed:end -->\n")
        assert (head, tail) == ("before\n", "after\n")
        assert "old" not in blocks[name]
    assert blocks["README"].startswith(
        "Random games with three players make 3 million to 3 million decisions per second on one core, "
    )
    assert "| decisions/s |" not in blocks["README"]
    block = blocks["SPEED"]
    for nearest in ("maedn", "goofspiel"):
        beside = f"2 × OpenSpiel’s C++ rollouts of {nearest}, 1 × in whole games"
        assert f"| inside compiled code, one core | 3 M (1.5 M – 6 M) | {beside} |" in block
    assert "128 MiB for 10,000 and 128 MiB for 10,000,000 games of Emerald." in block.replace("\n", " ")
    page = report.markdown(run, command="make bench", how="3 rounds", mine="a", theirs="b")
    emerald, cave = page.index("\n## Emerald\n"), page.index("\n## Dragon’s Cave\n")
    assert emerald < page.index("OpenSpiel C++ rollouts, pig") < cave < page.index("OpenSpiel oshi_zumo")
    assert page.count("| Emerald, 3 players, one core | ≥ 15 M decisions/s | 3 M decisions/s (0.20 of the target)") == 1


def test_a_game_measured_on_a_card_leaves_the_others_figures_alone(cuda: ModuleType, tmp_path: Path) -> None:
    kept = json.loads((ROOT / "benchmarks" / "results-cuda.json").read_text("utf-8"))["emerald"]
    (tmp_path / "results-cuda.json").write_text(json.dumps({"emerald": kept}), "utf-8")
    rate = {"name": "Dragon’s Cave, 3 players", "decisions_per_second": 2e9, "rounds": [1e9, 2e9]}
    new = kept | {"title": "Dragon’s Cave", "card": "another card", "pgx": {}, "ratios": {}, "equal_games": 60_000}
    cuda.write(tmp_path, {"dragons-cave": new | {"ours": [rate | {"games_per_second": 4e7}]}})
    written = json.loads((tmp_path / "results-cuda.json").read_text("utf-8"))
    assert written["emerald"] == kept
    assert list(written) == ["emerald", "dragons-cave"]
    page = (tmp_path / "results-cuda.md").read_text("utf-8")
    emerald, cave = page.split("\n## ")[1:]
    assert kept["card"] in emerald
    assert "60,000 games" not in emerald
    assert "another card" in cave
    assert "60,000 games, equal" in cave
    assert "| Dragon’s Cave, 3 players | 2e+09 | 1e+09 | 4e+07 |  |" in cave
    assert "Pgx" not in cave


def test_the_card_is_not_hidden_by_a_file_of_its_name(cuda: ModuleType) -> None:
    found = importlib.util.find_spec("cuda")
    assert found is None or str(ROOT) not in (found.origin or "")
    assert cuda.HERE == ROOT / "benchmarks"


def test_the_page_of_the_card_shows_what_its_figures_are(cuda: ModuleType) -> None:
    figures = json.loads((ROOT / "benchmarks" / "results-cuda.json").read_text("utf-8"))
    assert (ROOT / "benchmarks" / "results-cuda.md").read_text("utf-8") == cuda.markdown(figures)
