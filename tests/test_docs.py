"""What README, CONTRIBUTING and docs say holds: examples run, commands exist, links lead somewhere."""

from __future__ import annotations

import importlib.util
import json
import random
import re
import runpy
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from dracotheque.bots import make_bot
from dracotheque.bots.default_bots import level_table
from dracotheque.bots.player_view import player_view
from dracotheque.cli import main, make_parser
from dracotheque.engine import log, registry
from dracotheque.engine.registry import find_game, load_game
from dracotheque.presentation.command_line import game_of

ROOT = Path(__file__).parents[1]
TEXTS = [*ROOT.glob("*.md"), *sorted(ROOT.glob("docs/**/*.md"))]
NAMES = [path.relative_to(ROOT).as_posix() for path in TEXTS]
PAGES = [name for name in NAMES if name.startswith("docs/")]
EXCERPTS = {
    ("docs/explanation/one-rule-source.md", 0): "src/dracotheque/games/emerald/rules/mechanics.py",
    ("docs/how-to/write-rules.md", 0): "src/dracotheque/games/emerald/rules/mechanics.py",
    ("docs/how-to/write-rules.md", 1): "tests/games/emerald/test_rules.py",
    ("docs/how-to/add-a-game.md", 0): "tests/hoard-bluff/hoard_bluff/__init__.py",
    ("docs/how-to/add-a-game.md", 1): "tests/hoard-bluff/hoard_bluff/rules.py",
    ("docs/how-to/add-a-bot.md", 0): "examples/my_bot.py",
    ("docs/reference/log-format.md", 1): "examples/check_log.py",
}
"""Blocks of Python that are not run, but stand word for word in a file."""
RUN_ELSEWHERE = {"docs/how-to/use-adapters.md"}  # tests/adapters/test_page.py
OWN_GAME = "dragon-dice"
"""The game that readers write; tests/test_tutorial.py follows the pages with its files and commands."""


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
    found = blocks("docs/reference/engine.md", "python")
    random.seed(1)
    exec(compile("\n".join(found), "docs/reference/engine.md", "exec"), {})
    assert "turn.one-or-two – “end turn” is not allowed here." in capsys.readouterr().out


def test_log_page_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    reading, checking = blocks("docs/reference/log-format.md", "python")
    names: dict[str, object] = {}
    exec(compile(reading, "docs/reference/log-format.md", "exec"), names)
    assert names["text"] == text("examples/game.json")
    monkeypatch.setattr(sys, "argv", ["check_log.py", "examples/game.json"])
    exec(compile(checking, "docs/reference/log-format.md", "exec"), {})
    assert "every check fits" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "number"), EXCERPTS)
def test_excerpts_stand_in_the_source(name: str, number: int) -> None:
    for part in blocks(name, "python")[number].strip().split("\n\n\n"):
        assert part in text(EXCERPTS[name, number])


@pytest.mark.parametrize(
    "name", [name for name in PAGES if re.match(r"docs/(tutorial|how-to)/", name) and name not in RUN_ELSEWHERE]
)
def test_blocks_of_python_in_tutorials_and_guides_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    random.seed(1)
    programs = [each for number, each in enumerate(blocks(name, "python")) if (name, number) not in EXCERPTS]
    exec(compile("\n".join(programs), name, "exec"), {})


def test_the_error_is_quoted_as_it_is() -> None:
    state = load_game("emerald").new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.sample_chance(random))
    with pytest.raises(ValueError, match=r"turn\.one-or-two") as caught:
        state.apply_action(40)
    assert str(caught.value) in " ".join(text("docs/explanation/one-rule-source.md").replace("\n> ", " ").split())


def test_tensor_tables_add_up() -> None:
    page = text("docs/reference/engine.md")
    tables = [part.partition("\n\n")[0] for part in page.split("| offset | values |")[1:]]
    sizes = [sum(map(int, re.findall(r"^\| \d+ \| (\d+) \|", table, re.MULTILINE))) for table in tables]
    assert sizes == [load_game(name).observation_tensor_size() for name in registry.games()]
    game = load_game("emerald")
    assert f"{game.num_distinct_actions()} actions" in page
    assert f"{game.max_chance_outcomes()} outcomes" in page


# --- Examples ---------------------------------------------------------------------------------------------------
def test_my_bot_plays_and_wins_more_than_its_share() -> None:
    game, chance, wins = load_game("emerald"), random.Random(4), 0
    for number in range(40):
        state = game.new_initial_state()
        names = ["random"] * 3
        names[number % 3] = f"{ROOT / 'examples' / 'my_bot.py'}:Brave"
        bots = [make_bot(name, number, game) for name in names]
        while not state.is_terminal():
            seat = state.current_player()
            if state.is_chance_node():
                state.apply_action(state.sample_chance(chance))
            else:
                state.apply_action(bots[seat].choose(player_view(state, seat)), seat)
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
            assert getattr(chosen, "game", None) in (None, OWN_GAME) or find_game(chosen.game)
            assert words[0] != "replay" or (ROOT / chosen.file).is_file()


def test_every_command_is_in_the_reference() -> None:
    assert {words[0] for words in commands("docs/reference/commands.md", "dracotheque")} == known_commands()


def test_the_reference_describes_commands_as_their_help_does_group_by_group() -> None:
    sections = dict(
        part.split("\n", 1) for part in re.split(r"^## ", text("docs/reference/commands.md"), flags=re.MULTILINE)[1:]
    )
    listing = (make_parser().description or "").split("\n\n")[1:]
    assert len(listing) == 4
    for group in listing:
        title, *lines = group.splitlines()
        section = sections[title.rstrip(":")]
        for line in lines:
            name, summary = line.split(maxsplit=1)
            assert re.search(rf"^\| `dracotheque {name}\b[^`]*` \| {re.escape(summary)}", section, re.MULTILINE), line


def test_the_reference_quotes_an_error_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    found = re.search(r"^    \$ dracotheque (.+)\n    (.+)$", text("docs/reference/commands.md"), re.MULTILINE)
    assert found is not None
    with pytest.raises(SystemExit):
        main(shlex.split(found[1]))
    assert capsys.readouterr().err == f"{found[2]}\n"


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
            game = [find_game(given["GAME"]).name] if "GAME" in given else []
            chosen = make_parser().parse_args(["terminal", *game, *shlex.split(given.get("ARGS", ""))])
            if chosen.seats:
                assert game_of(chosen, chosen.seats, interpreted=True).players == len(chosen.seats.split(","))


@pytest.mark.parametrize("name", NAMES)
def test_python_commands_name_files_that_exist(name: str) -> None:
    for program in ("python", ".venv/bin/python"):
        for words in commands(name, program):
            arguments = words[2:] if words[0] == "-m" else words
            if words[:2] != ["-m", "dracotheque"]:
                assert words[0] != "-m" or words[1] == "pytest" or importlib.util.find_spec(words[1]), words
                for argument in arguments:
                    assert not re.match(r"[\w.-]+/", argument) or (ROOT / argument).exists(), argument


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


# --- Order of the pages -----------------------------------------------------------------------------------------
KINDS = {"tutorial": "Tutorial", "how-to": "How-to guide", "reference": "Reference", "explanation": "Explanation"}


@pytest.mark.parametrize("name", [name for name in PAGES if name != "docs/README.md"])
def test_a_page_names_its_kind_and_readers_first(name: str) -> None:
    _, folder, *rest = name.split("/")
    kind = "Report" if rest[0] == "reports" else KINDS[folder]
    title, empty, opening, *_ = text(name).splitlines()
    assert title.startswith("# ")
    assert not empty
    assert opening.startswith(f"**{kind}**")


def test_every_page_is_in_the_index_and_in_the_site() -> None:
    def linked(name: str) -> set[str]:
        links = re.findall(r"\]\(([^)#\s]+\.md)[^)\s]*\)", text(name))
        return {((ROOT / name).parent / link).resolve().relative_to(ROOT).as_posix() for link in links}

    def listed(part: object) -> Iterator[str]:
        if isinstance(part, str):
            yield f"docs/{part}"
        else:
            for inner in part.values() if isinstance(part, dict) else part:
                yield from listed(inner)

    index = linked("docs/README.md") | linked("docs/explanation/decisions/README.md") | {"docs/README.md"}
    assert {name for name in index if name.startswith("docs/")} == set(PAGES)
    assert sorted(listed(yaml.safe_load(text("mkdocs.yml"))["nav"])) == sorted(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_code_inside_lists_is_indented_for_the_site_as_well(name: str) -> None:
    assert not re.findall(r"^ {1,3}```", text(name), re.MULTILINE)  # MkDocs wants four columns, GitHub takes them


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_the_first_pages_stay_short(name: str) -> None:
    assert len(text(name).splitlines()) <= 120
    assert len(text(name).split()) <= 900


# --- Reference --------------------------------------------------------------------------------------------------
def documented() -> Iterator[str]:
    """Find the names that mkdocstrings is asked for, as full dotted names."""
    for name in PAGES:
        for found in re.finditer(r"^::: (\S+)\n(?:    options:\n      members: \[(.*)\]\n)?", text(name), re.MULTILINE):
            yield found[1]
            yield from (f"{found[1]}.{member}" for member in found[2].split(", ")) if found[2] else ()


@pytest.mark.parametrize("name", list(documented()))
def test_a_name_of_the_reference_exists(name: str) -> None:
    module, attributes = name, []
    while importlib.util.find_spec(module.partition(".")[0]) and not is_module(module):
        module, _, attribute = module.rpartition(".")
        attributes.insert(0, attribute)
    value: object = importlib.import_module(module)
    for attribute in attributes:
        value = getattr(value, attribute)


def is_module(name: str) -> bool:
    """Return whether a dotted name is a module."""
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def test_the_public_interface_is_in_the_reference() -> None:
    pages = "".join(text(name) for name in PAGES if name.startswith("docs/reference/api/"))
    for package in ("dracotheque", "dracotheque.bots", "dracotheque.rules", "dracotheque.testing"):
        for public in importlib.import_module(package).__all__:
            assert f"{package}.{public}" in pages, public


def test_the_readme_gives_the_figures_of_the_page_on_speed() -> None:
    tables = text("docs/explanation/speed.md")
    letters = {"k": "thousand", "M": "million", "G": "billion"}
    scale = {"k": 1e3, "M": 1e6, "G": 1e9}

    def rates(row: str) -> list[tuple[str, str]]:
        found = re.findall(rf"^\| {row} \| ([\d.]+) (\w)", tables, re.MULTILINE)
        return sorted(found, key=lambda each: float(each[0]) * scale[each[1]])

    cores, cards = rates("inside compiled code, one core"), rates("on an NVIDIA [^|]*")
    sentence = " ".join(text("README.md").split())
    for number, letter in (cores[0], cores[-1], cards[-1]):
        assert f"{number} {letters[letter]}" in sentence


def test_the_page_of_strength_is_about_the_levels_as_they_are() -> None:
    page = text("docs/explanation/reports/strength.md")
    for level, games in level_table().items():
        assert f"| {level} | " + " | ".join(f"`{games[name]}`" for name in registry.games()) + " |" in page, (
            "run `make strength`"
        )
    shares = re.findall(r"\| (\d+) \| `(\w+)` among `(\w+)` \| ([\d,]+) \| ([\d.]+) % ", page)
    steps = {(better, worse) for _, better, worse, _, _ in shares} - {("greedy", "random")}
    levels = [*level_table()]
    assert steps == {*zip(levels[1:], levels[:-1], strict=True)}
    assert len(shares) == len(registry.games()) * 4
    for players, _, _, games, share in shares:
        assert int(games.replace(",", "")) >= 2_000
        assert float(share) >= (60 if players == "2" else 130 / int(players))
