"""What the README and its fellows promise: examples run, commands exist, links lead somewhere."""

from __future__ import annotations

import json
import random
import re
import runpy
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dracotheque.bots import make_bot
from dracotheque.bots.levels import LEVELS
from dracotheque.bots.view import view
from dracotheque.cli import chosen_game, make_parser
from dracotheque.engine import log
from dracotheque.games import SHELF, find_box, load_game

ROOT = Path(__file__).parents[1]
TEXTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
NAMES = [path.relative_to(ROOT).as_posix() for path in TEXTS]


def text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def blocks(name: str, language: str) -> list[str]:
    """Find the code of a language in a text, its indentation taken off."""
    found = re.finditer(rf"^( *)```{language}\n(.*?)^ *```$", text(name), re.MULTILINE | re.DOTALL)
    return [re.sub(f"^{block[1]}", "", block[2], flags=re.MULTILINE) for block in found]


# --- Python -----------------------------------------------------------------------------------------------------
def test_ten_lines_of_python(capsys: pytest.CaptureFixture[str]) -> None:
    example = blocks("README.md", "python")[0]
    assert len(example.splitlines()) == 10
    random.seed(1)
    exec(compile(example, "README.md", "exec"), {})
    assert re.fullmatch(r"\[\d+, \d+, \d+\] \[\d(, \d)*\] end\.[a-z-]+\n", capsys.readouterr().out)


def test_engine_page_runs_from_top_to_bottom(capsys: pytest.CaptureFixture[str]) -> None:
    found = blocks("docs/engine.md", "python")
    random.seed(1)
    exec(compile("\n".join(found), "docs/engine.md", "exec"), {})
    assert "turn.one-or-two – “end the turn” is not allowed here." in capsys.readouterr().out


def test_log_page_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    reading, checking = blocks("docs/log-format.md", "python")
    names: dict[str, object] = {}
    exec(compile(reading, "docs/log-format.md", "exec"), names)
    assert names["text"] == text("examples/game.json")
    monkeypatch.setattr(sys, "argv", ["check_log.py", "examples/game.json"])
    exec(compile(checking, "docs/log-format.md", "exec"), {})
    assert "every check fits" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "number", "source"),
    [
        ("README.md", 1, "src/dracotheque/games/emerald/rules.py"),
        ("CONTRIBUTING.md", 0, "src/dracotheque/games/emerald/rules.py"),
        ("CONTRIBUTING.md", 1, "tests/games/emerald/test_rules.py"),
        ("CONTRIBUTING.md", 3, "examples/my_bot.py"),
        ("docs/log-format.md", 1, "examples/check_log.py"),
    ],
)
def test_excerpts_stand_in_the_source(name: str, number: int, source: str) -> None:
    for part in blocks(name, "python")[number].strip().split("\n\n\n"):
        assert part in text(source)


def test_readme_quotes_the_error_as_it_is() -> None:
    state = load_game("emerald").new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.sample_chance(random))
    with pytest.raises(ValueError, match=r"turn\.one-or-two") as caught:
        state.apply_action(40)
    assert str(caught.value) in " ".join(text("README.md").replace("\n> ", " ").split())


def test_tensor_tables_add_up() -> None:
    page = text("docs/engine.md")
    tables = [re.findall(r"^\| (\d+) \|", part, re.MULTILINE) for part in page.split("| values |")[1:]]
    game = load_game("emerald")
    assert sum(map(int, tables[0])) == game.observation_tensor_size()
    assert sum(map(int, tables[1])) * 5 == int(tables[0][-1])
    assert sum(map(int, tables[2])) == load_game("dragons-cave").observation_tensor_size()
    assert f"{game.num_distinct_actions()} actions" in page
    assert f"{game.max_chance_outcomes()} outcomes" in page


# --- Examples ---------------------------------------------------------------------------------------------------
def test_my_bot_plays_and_wins_more_than_its_share() -> None:
    game, chance, wins = load_game("emerald"), random.Random(4), 0
    for number in range(40):
        state = game.new_initial_state()
        names = ["random"] * 3
        names[number % 3] = f"{ROOT / 'examples' / 'my_bot.py'}:Brave"
        bots = [make_bot(name, number) for name in names]
        while not state.is_terminal():
            seat = state.current_player()
            if state.is_chance_node():
                state.apply_action(state.sample_chance(chance))
            else:
                state.apply_action(bots[seat].choose(view(state, seat)), seat)
        wins += state.winners() == [number % 3]
    assert wins > 20


def test_random_game_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["random_game.py", str(tmp_path / "game.json")])
    runpy.run_path(str(ROOT / "examples" / "random_game.py"), run_name="__main__")
    assert log.load(tmp_path / "game.json").play().is_terminal()
    assert f"dracotheque replay {tmp_path}" in capsys.readouterr().out


def test_a_touched_log_is_found_without_our_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = json.loads(text("examples/game.json"))
    document["moves"][29] = document["moves"][29].replace(":", ":1", 1)
    (tmp_path / "game.json").write_text(json.dumps(document), "utf-8")
    monkeypatch.setattr(sys, "argv", ["check_log.py", str(tmp_path / "game.json")])
    with pytest.raises(SystemExit, match=r"Move 30, .* does not fit its check"):
        runpy.run_path(str(ROOT / "examples" / "check_log.py"), run_name="__main__")


# --- Commands and links -----------------------------------------------------------------------------------------
def commands(name: str, program: str) -> Iterator[list[str]]:
    """Find what is shown to be typed: lines of shell code, and code between backticks."""
    lines = "".join(blocks(name, "sh")).replace("\\\n", " ").splitlines() + re.findall(r"`([^`\n]+)`", text(name))
    for line in lines:
        words = shlex.split(line, comments=True)
        for at, word in enumerate(words):
            if word == program and (at == 0 or words[at - 1] == "-m") and len(words) > at + 1:
                yield words[at + 1 :]


@pytest.mark.parametrize("name", NAMES)
def test_commands_exist(name: str) -> None:
    for words in commands(name, "dracotheque"):
        assert words[0] in known_commands()
        if len(words) > 1:
            chosen = make_parser().parse_args(words)
            assert getattr(chosen, "game", None) is None or find_box(chosen.game)
            assert words[0] != "replay" or (ROOT / chosen.file).is_file()


def test_every_command_stands_in_the_readme() -> None:
    assert {words[0] for words in commands("README.md", "dracotheque")} == known_commands()


def known_commands() -> set[str]:
    return {name for action in make_parser()._actions if action.choices for name in action.choices}


@pytest.mark.parametrize("name", NAMES)
def test_make_targets_exist(name: str) -> None:
    targets = set(re.findall(r"^([a-z-]+):", text("Makefile"), re.MULTILINE))
    for target, *arguments in commands(name, "make"):
        assert target in targets
        if target == "terminal" and arguments:
            given = dict(argument.split("=", 1) for argument in arguments)
            assert set(given) <= {"GAME", "ARGS"}
            game = [find_box(given["GAME"]).name] if "GAME" in given else []
            chosen = make_parser().parse_args(["terminal", *game, *shlex.split(given.get("ARGS", ""))])
            if chosen.seats:
                assert chosen_game(chosen, chosen.seats, interpreted=True).players == len(chosen.seats.split(","))


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_somewhere(name: str) -> None:
    page = re.sub(r"^ *```.*?^ *```$", "", text(name), flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"\]\(([^)\s]+)\)", page) + re.findall(r'(?:src|srcset|href)="([^"]+)"', page)
    for link in links:
        if re.match(r"https?:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (ROOT / name).parent / path if path else ROOT / name
        assert target.exists(), f"{name} links to {link}, which is not there"
        if anchor:
            headings = re.findall(r"^#+ (.+)$", target.read_text("utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w -]", "", h).lower().replace(" ", "-") for h in headings}


def test_the_page_of_strength_is_about_the_levels_as_they_are() -> None:
    page = text("docs/strength.md")
    for level, games in LEVELS.items():
        assert f"| {level} | " + " | ".join(f"`{games[name]}`" for name in SHELF) + " |" in page, "run `make strength`"
    shares = re.findall(r"\| (\d+) \| `(\w+)` among `(\w+)` \| ([\d,]+) \| ([\d.]+) % ", page)
    steps = {(better, worse) for _, better, worse, _, _ in shares} - {("greedy", "random")}
    assert steps == {*zip([*LEVELS][1:], [*LEVELS][:-1], strict=True)}
    assert len(shares) == len(SHELF) * 4
    for players, _, _, games, share in shares:
        assert int(games.replace(",", "")) >= 2_000
        assert float(share) >= (60 if players == "2" else 130 / int(players))
