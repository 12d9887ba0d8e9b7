"""The command line: what a person types, what comes back, and how mistakes are answered."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from dracotheque import load_game
from dracotheque.cli import main
from dracotheque.engine import registry
from dracotheque.engine.log import GameLog
from dracotheque.games.dragons_cave import board_view


@pytest.fixture
def run(capsys):
    """Run a command and give (exit code, output, errors)."""

    def run(*arguments: str) -> tuple[int, str, str]:
        try:
            main(arguments)
            code = 0
        except SystemExit as stop:
            code = int(stop.code or 0)
        return code, *capsys.readouterr()

    return run


def test_help_everywhere(run) -> None:
    code, out, _ = run("--help")
    assert code == 0
    assert run()[1] == out
    commands = (
        "play", "terminal", "games", "rules", "board", "simulate", "tournament", "train", "replay", "serve", "verify",
        "export", "import", "backup", "compile", "check",
    )  # fmt: skip
    for command in commands:
        assert command in out
        code, text, _ = run(command, "--help")
        assert code == 0
        assert "usage: dracotheque " + command in text


def test_help_is_printed_without_the_imports_that_take_long() -> None:
    program = "import sys; from dracotheque.cli import main; main([]); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "usage: dracotheque" in done.stdout
    imported = {name.partition(".")[0] for name in done.stderr.split()}
    assert "dracotheque" in imported
    assert not imported & {"asyncio", "mujoco", "numba", "rich", "sqlite3", "starlette", "uvicorn"}


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["simulat", "emerald"], "Did you mean 'simulate'"),
        (["rules", "emrald"], "Did you mean 'emerald'"),
        (["rules", "emerald", "move.distence"], "Did you mean 'move.distance'? `dracotheque rules GAME` lists all."),
        (["simulate", "emerald", "--players", "7"], "2 to 5 players, not 7"),
        (["simulate", "emerald", "--games", "0"], "--games must be 1 or more (got '0')."),
        (["simulate", "emerald", "--games", "many"], "--games must be 1 or more (got 'many')."),
        (
            ["simulate", "emerald", "--players", "3", "--bots", "random"],
            "--bots must name 3 bots for 3 players",
        ),
        (["simulate", "emerald", "--bots", "rnadom,random,random"], "Did you mean 'random'"),
        (["simulate", "emerald", "--bots", "no.py:A,random,random"], "Cannot find the file no.py."),
        (["simulate", "emerald", "--games", "1e400"], "--games must be 1 or more (got '1e400')."),
        (["simulate", "emerald", "--seed", "-1"], "--seed must be a whole number from 0 to 2^62 - 1 (got '-1')."),
        (["simulate", "emerald", "--option", "players=4"], "Unknown Emerald option 'players'. Valid: "),
        (["simulate", "emerald", "--option", "gold"], "Write it as NAME=VALUE."),
        (
            ["simulate", "emerald", "--option", "gold=opne"],
            "Invalid value 'opne' for option gold. Did you mean 'open'? Valid: face-down, open.",
        ),
        (["simulate", "emerald", "--on", "cloud"], "Invalid value 'cloud' for --on. Valid: cpu, cuda."),
        (["simulate", "emerald", "--on", "cuda", "--bots", "greedy,random,random"], "Remove --on cuda, or use --bots"),
        (["simulate", "emerald", "--games"], "--games needs a value. Try dracotheque simulate --help."),
        (["simulate", "emerald", "--gmaes", "5"], "Unknown argument: --gmaes 5. Try dracotheque"),
        (["tournament", "emrald", "--bots", "random,random"], "Did you mean 'emerald'"),
        (["tournament", "emerald"], "A tournament needs a game and --bots."),
        (["tournament", "emerald", "--bots", "rnadom,random"], "Did you mean 'random'"),
        (["tournament", "emerald", "--bots", "random,random", "--deals", "0"], "--deals must be 1 or more (got '0')."),
        (["tournament", "emerald", "--bots", "random,random", "--players", "7"], "2 to 5 players, not 7"),
        (
            ["tournament", "gran", "--bots", "random,random"],
            "must name 3 bots or more for 3 players (got 2).",
        ),
        (
            ["tournament", "emerald", "--bots", "random,random", "--plot", "/nowhere/a.svg"],
            "Cannot find the folder /nowhere ",
        ),
        (["tournament", "emerald", "--bots", "random,random", "--save", "/nowhere/a.json"], "/nowhere/a.json"),
        (["tournament", "emerald", "--merge", "a.json"], "Remove the game and --bots."),
        (["tournament", "--merge", "nothing.json"], "There is no file nothing.json"),
        (["terminal", "emerald", "--players", "3", "--seats", "you"], "--seats must name 3 players (got 1)."),
        (["terminal", "emerald", "--seats", "you"], "2 to 5 players, not 1"),
        (["terminal", "dragons-cave", "--resume", "examples/game.json"], "is a game of Emerald"),
        (
            ["terminal", "--resume", "examples/game.json", "--players", "3", "--watch"],
            "--players, --watch cannot change when you resume examples/game.json. Remove them.",
        ),
        (["terminal", "--resume", "examples/game.json", "--players", "3"], "examples/game.json. Remove it."),
        (["terminal", "--speed", "fast"], "--speed must be a number of 0 or more (got 'fast')."),
        (["terminal", "--players", "two"], "--players must be a whole number (got 'two')."),
        (["serve", "--port", "70000"], "--port must be 0 to 65535 (got '70000')."),
        (["serve", "--workers", "0"], "--workers must be 1 or more (got '0')."),
        (["serve", "--workers", "2", "--database", "a.db"], "--workers above 1 needs PostgreSQL."),
        (["terminal", "emerald", "--save", "examples/game.json"], "already exists. Choose another file"),
        (["board", "dragons-cave", "--night"], "--svg FILE"),
        (["board", "dragons-cave", "--svg", "/nowhere/cave.svg"], "Cannot read or write /nowhere/cave.svg"),
        (["replay", "nothing.json"], "There is no file nothing.json"),
        (["rules"], "Missing: game. Try dracotheque rules --help."),
    ],
)
def test_mistakes_are_answered(run, arguments: list[str], answer: str) -> None:
    code, _, errors = run(*arguments)
    assert code in (1, 2)
    assert answer in errors
    assert "Traceback" not in errors


def test_games(run) -> None:
    code, out, _ = run("games")
    assert code == 0
    assert "Rüdiger Dorn" in out
    assert "second_move=optional|compulsory" in out


@pytest.mark.parametrize(
    ("language", "word"), [("en", "Knights"), ("fr", "chevaliers"), ("it", "cavalieri"), ("de", "Ritter")]
)
def test_rules_in_every_language(run, language: str, word: str) -> None:
    code, out, _ = run("rules", "emerald", "--lang", language)
    assert code == 0
    assert word in out
    assert "move.distance" in out
    assert "{#" not in out
    one = run("rules", "emerald", "move.distance", "--lang", language)[1]
    assert "move.distance" in one
    assert len(one) < len(out) / 10


def simulated(run, *arguments: str) -> dict:
    code, out, errors = run("simulate", "emerald", "--json", *arguments)
    assert code == 0, errors
    return json.loads(out)


def test_simulate_in_json(run) -> None:
    done = simulated(run, "--players", "4", "--games", "12345")
    wanted = {
        "game", "players", "games", "decisions", "seconds", "games_per_second", "decisions_per_second", "wins",
        "mean_scores", "mean_decisions",
    }  # fmt: skip
    assert wanted <= done.keys()
    assert (done["game"], done["players"], done["games"]) == ("emerald", 4, 12345)
    assert sum(done["wins"]) == pytest.approx(12345, abs=0.01)
    assert sum(done["endings"].values()) == 12345
    assert done["mean_decisions"] == pytest.approx(done["decisions"] / 12345, abs=1e-3)
    for share, (low, high) in zip(done["win_shares"], done["win_share_intervals"], strict=True):
        assert low < share < high
        assert high - low < 0.02


def test_same_seed_same_games_on_any_number_of_threads(run) -> None:
    def facts(*arguments: str) -> dict:
        done = simulated(run, "--games", "20001", *arguments)
        return {key: value for key, value in done.items() if "second" not in key}

    one = facts("--threads", "1", "--seed", "9")
    assert one == facts("--threads", "1", "--seed", "9") == facts("--threads", "3", "--seed", "9")
    assert one["wins"] != facts("--threads", "1", "--seed", "10")["wins"]


def test_simulate_as_a_table(run) -> None:
    code, out, _ = run("simulate", "emerald", "--games", "2e3", "--option", "second-move=compulsory")
    assert code == 0
    first = load_game("emerald", interpreted=True).words("en").entry("crest.lion")
    for word in ("2,000 games", f"1 {first}", "95 % interval", "decisions in a game", "The last treasure", "games/s"):
        assert word in out


def test_simulate_with_a_bot_of_my_own(run, tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(
        "class First:\n    def __init__(self, seed): pass\n    def choose(self, view): return view.legal_actions[0]\n"
    )
    done = simulated(run, "--games", "20", "--bots", f"{mine}:First,random,random")
    assert done["games"] == 20
    assert done["bots"][0].endswith("mine.py:First")
    again = simulated(run, "--games", "20", "--bots", f"{mine}:First,random,random")
    assert again["wins"] == done["wins"]
    code, _, errors = run("simulate", "emerald", "--bots", f"{mine}:Second,random,random")
    assert code == 1
    assert "has no class Second" in errors


HEARING = """
import contextlib, runpy, signal, sys
from dracotheque.simulation import report

@contextlib.contextmanager
def progress(games, quiet=False):
    yield lambda done: print("playing", file=sys.stderr, flush=True)

report.progress = progress
# A program started in the background of a script is deaf to Ctrl-C, and so are those it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("dracotheque", run_name="__main__")
"""


def test_ctrl_c_shows_what_is_done_so_far() -> None:
    command = [sys.executable, "-c", HEARING, "simulate", "emerald", "--games", "2000000000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            while process.stderr.readline() != "playing\n":
                assert process.poll() is None
            process.send_signal(signal.SIGINT)
            out, errors = process.communicate(timeout=60)
        finally:
            process.kill()  # or it would play on for hours where this fails
    assert process.returncode == 0, errors
    assert "of 2,000,000,000: stopped early" in out
    assert "Traceback" not in errors


def test_replay(run, tmp_path: Path) -> None:
    state, random = load_game("emerald", 2).new_initial_state(), Random(3)
    while not state.is_terminal():
        chance = state.is_chance_node()
        state.apply_action(state.sample_chance(random) if chance else random.choice(state.legal_actions()))
    path = tmp_path / "game.json"
    GameLog.of(state, ["Ada", "Björn"]).save(path)
    code, out, _ = run("replay", str(path))
    assert code == 0
    english, german = (state.game.words(language) for language in ("en", "de"))
    assert f"{english.entry('crest.lion')}: Ada, {english.entry('crest.tower')}: Björn" in out
    assert "[score.count]" in out
    assert german.entry("seat.lion") in run("replay", str(path), "--lang", "de")[1]
    path.write_text(path.read_text("utf-8").replace('"-1:5:', '"-1:6:', 1), "utf-8")
    code, _, errors = run("replay", str(path))
    assert code == 1
    assert errors.startswith("Move ")


def test_replay_leaves_out_what_is_still_sealed(run, tmp_path: Path) -> None:
    state = load_game("dragons-cave", 4, first_dragon="1").new_initial_state()
    state.apply_action(2, 1)  # seat 1 lays a card; two others have not yet
    path = tmp_path / "game.json"
    GameLog.of(state, ["a", "b", "c", "d"]).save(path)
    code, out, _ = run("replay", str(path))
    assert code == 0
    assert "rope" not in out
    assert out.endswith("… and one more move, still secret.\n")
    assert "noch geheim" in run("replay", str(path), "--lang", "de")[1]


def test_as_many_play_as_are_named(run) -> None:
    code, out, errors = run("simulate", "emerald", "--games", "5", "--bots", "random,random", "--json")
    assert code == 0, errors
    assert json.loads(out)["players"] == 2


# --- Tournaments ------------------------------------------------------------------------------------------------
CLASH = ("tournament", "save-the-dragon", "--bots", "greedy,random", "--processes", "1")


def test_a_tournament_as_a_table_and_a_plot(run, tmp_path: Path) -> None:
    plot = tmp_path / "clash.svg"
    code, out, errors = run(*CLASH, "--deals", "5", "--plot", str(plot))
    assert code == 0, errors
    for word in ("10 games", "greedy", "× fair", "fair share 50.0 %"):
        assert word in out
    again = "dracotheque tournament save-the-dragon --bots greedy,random --players 2 --deals 5 --seed 1"
    assert again in out.splitlines()
    assert plot.read_text("utf-8").startswith("<svg")


def test_a_tournament_in_json_goes_on_and_is_added_up(run, tmp_path: Path) -> None:
    first, second, both = (str(tmp_path / name) for name in ("first.json", "second.json", "both.json"))
    run(*CLASH, "--deals", "3", "--save", first)
    code, out, errors = run(*CLASH, "--deals", "5", "--save", first, "--json")
    assert code == 0, errors
    done = json.loads(out)
    assert (done["settings"]["rules"], done["games"], list(done["deals"])) == (2, 10, ["0", "1", "2", "3", "4"])
    assert json.loads(Path(first).read_text("utf-8")) == done
    assert sum(standing["wins"] for standing in done["standings"]) == 10
    run(*CLASH, "--deals", "4", "--first-deal", "5", "--save", second)
    code, out, errors = run("tournament", "--merge", first, second, "--save", both, "--json")
    assert code == 0, errors
    assert json.loads(out)["deals"] == json.loads(run(*CLASH, "--deals", "9", "--json")[1])["deals"]
    assert "already exists" in run("tournament", "--merge", first, second, "--save", both)[2]
    before = Path(first).read_bytes()
    code, _, errors = run(*CLASH, "--deals", "9", "--save", first, "--seed", "2")
    assert code == 1
    assert "first.json is another tournament: seed 1 there, 2 here" in errors
    assert Path(first).read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["both.json", "first.json", "second.json"]


def test_a_field_larger_than_the_table(run) -> None:
    code, out, errors = run(*CLASH[:2], "--bots", "greedy,random,greedy,random,random", "--deals", "1", "--json")
    assert code == 0, errors
    assert json.loads(out)["settings"]["players"] == 4
    # Two of each side by side, turned four times, or in turns, turned twice; one greedy among three, turned four times.
    assert json.loads(out)["games"] == 4 + 2 + 4


# --- Boards -----------------------------------------------------------------------------------------------------
def test_a_board_is_shown_and_drawn(run, tmp_path: Path) -> None:
    code, out, _ = run("board", "dragons-cave", "small", "--lang", "fr")
    assert code == 0
    assert "La petite grotte" in out
    path = tmp_path / "cave.svg"
    code, out, _ = run("board", "dragons-cave", "--svg", str(path))
    assert (code, out) == (0, f"Saved to {path}.\n")
    game = load_game("dragons-cave", interpreted=True)
    assert path.read_text("utf-8") == board_view.svg(game.board, game.words("en"), night=False)
    by_day = path.read_text("utf-8")
    run("board", "dragons-cave", "--svg", str(path), "--night")
    assert path.read_text("utf-8") != by_day


@pytest.mark.parametrize("name", registry.games())
def test_the_board_of_every_game_is_written_as_svg(run, name: str, tmp_path: Path) -> None:
    code, _, _ = run("board", name, "--svg", str(tmp_path / "board.svg"))
    assert code == 0
    assert 'data-place="' in (tmp_path / "board.svg").read_text("utf-8")


def test_a_faulty_board_is_explained(run, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "Mine"\ntreasure = 44\nlair = 4\npath = ["rope one"]\nkinds = {}\n', "utf-8")
    code, _, errors = run("board", "dragons-cave", str(path))
    assert code == 1
    assert 'Space 1 of the path should be written like "rope 1"' in errors
    assert "There should be 5 kinds" in errors


def test_simulate_on_another_board(run) -> None:
    _, usual, _ = run("simulate", "dragons-cave", "--games", "1000", "--json")
    code, small, _ = run("simulate", "dragons-cave", "--games", "1000", "--board", "small", "--json")
    assert code == 0
    assert (json.loads(usual)["board"], json.loads(small)["board"]) == (None, "small")
    assert json.loads(small)["mean_decisions"] < json.loads(usual)["mean_decisions"]
    out = run("simulate", "dragons-cave", "--games", "1000", "--board", "small")[1]
    assert "Dragon’s Cave (The small cave)" in out
    assert "0.0 %" not in out


def test_a_card_that_is_not_here_is_explained(run) -> None:
    code, out, errors = run("simulate", "emerald", "--games", "1000", "--on", "cuda", "--json")
    if code == 0:
        assert json.loads(out)["games"] == 1000
    else:
        assert "No NVIDIA card can be used here." in errors
        assert "make ptx" in errors


def test_a_reader_that_stops_early_is_no_mistake() -> None:
    command = f"{sys.executable} -m dracotheque rules emerald | head -2"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def test_a_search_a_bot_of_ones_own_and_a_greedy_one_play_together(run) -> None:
    mine = Path(__file__).parents[1] / "examples" / "my_bot.py"
    code, out, errors = run("simulate", "emerald", "--games", "2", "--bots", f"search:20,{mine}:Brave,greedy", "--json")
    assert code == 0, errors
    assert json.loads(out)["games"] == 2


def test_the_list_of_games_names_the_levels(run) -> None:
    code, out, _ = run("games")
    assert code == 0
    assert "beginner, easy, medium, hard" in out
