"""A broken game gets a sentence that says what to do, and leaves all others running."""

from __future__ import annotations

import importlib
import itertools
import re
import shutil
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from dracotheque import DracothequeError, check, cli, load_game, register_game
from dracotheque.engine import registry
from dracotheque.testing import Contract, contract
from tests.plugins import ROOT, write_metadata

DICE = ROOT / "examples" / "dragon-dice" / "dragon_dice"
OURS = ["emerald", "dragons-cave", "gran", "save-the-dragon"]
Change = tuple[str, str]
Install = Callable[..., str]
_numbers = itertools.count(1)


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install a copy of Dragon Dice, texts of one file replaced; return why it is left out, or nothing."""
    for name, value in (("_games", {}), ("_left_out", {}), ("_found", False)):
        monkeypatch.setattr(registry, name, value)
    package = tmp_path / f"broken_dice_{next(_numbers)}"  # what is imported once stays
    monkeypatch.syspath_prepend(tmp_path)

    def installed(file: str = "rules.py", *changes: Change) -> str:
        shutil.copytree(DICE, package, ignore=shutil.ignore_patterns("__pycache__"))
        path = package / file
        text = path.read_text("utf-8")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path.write_text(text, "utf-8")
        write_metadata(tmp_path, "broken-dice", "1", {"broken-dice": f"{package.name}:GAME"})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", registry.GameLeftOutWarning)
            return registry.left_out().get("broken-dice", "").replace(package.name, "broken_dice")

    return installed


def test_an_unbroken_copy_is_offered(install: Install) -> None:
    assert install() == ""
    assert "dragon-dice" in registry.games()


FUNCTION = "@compiled\ndef scores(game, out):"
BROKEN = {
    "missing function": (
        [(FUNCTION, "@compiled\ndef points(game, out):")],
        r"broken_dice\.rules needs a function scores\(game, out\): Write every seat's points to `out`",
    ),
    "missing constant": (
        [('ENDINGS = ("end.twenty",)', "")],
        r"broken_dice\.rules needs ENDINGS, a tuple of rule ids such as .*, not None\.",
    ),
    "wrong type of a constant": (
        [("ROLL, BANK = range(ACTIONS)", "ROLL, BANK = range(ACTIONS)\nVERSION = 'x'")],
        r"broken_dice\.rules needs VERSION, a whole number from 1 on, not 'x'\.",
    ),
    "wrong type of a function": (
        [("def scores(game, out):", "def scores(game):"), ("out[seat] = game.gold[seat]", "pass")],
        r"broken_dice\.rules\.scores should be a function scores\(game, out\)",
    ),
    "a function that cannot be compiled": (
        [(FUNCTION, "def scores(game, out):")],
        r"broken_dice\.rules\.scores needs @rule\(…\) or @compiled above it",
    ),
    "a field that is missing": (
        [('("to_move", "i1"), ', "")],
        r'State of broken_dice\.rules needs a field \'to_move\': add \("to_move", "i1"\)\.',
    ),
    "a field of the wrong type": (
        [('("to_move", "i1")', '("to_move", "u1")')],
        r"The field 'to_move' of broken_dice\.rules\.State should be signed",
    ),
    "a fraction": (
        [('("loot", "u1")', '("loot", "f4")')],
        r"The field 'loot' of broken_dice\.rules\.State should hold whole numbers",
    ),
    "crash on import": (
        [('ACTION_NAMES = ("roll", "bank")', "raise RuntimeError('no dice')")],
        r"broken_dice\.rules cannot be imported: RuntimeError: no dice \(broken_dice/rules\.py, line \d+\)",
    ),
    "no names for all actions": (
        [('ACTION_NAMES = ("roll", "bank")', 'ACTION_NAMES = ("roll",)')],
        r"ACTION_NAMES of broken_dice\.rules has 1 names for 2 actions: give each one\.",
    ),
    "a seat that there is not": (
        [("game.turn = next_seat(game, seat)", "game.turn = seat + 9")],
        r"After \d+ moves of 2 players to_move is \d+: it should be a seat, CHANCE, SIMULTANEOUS or TERMINAL\.",
    ),
    "a position without choices": (
        [("if game.to_move != seat:", "if game.to_move != seat or game.gold[seat] > 0:")],
        r"After \d+ moves of 2 players somebody should choose, but every action is refused\.",
    ),
    "a number that does not fit": (
        [("game.loot += face + 1", "game.loot += 100 * face")],
        r"A game broke off: OverflowError: a field of the state does not fit",
    ),
    "a field that the state does not have": (
        [("        game.loot += face + 1", "        game.lot = face + 1")],
        r"A game broke off: AttributeError: the state has no field 'lot' \(broken_dice/rules\.py, line \d+\)",
    ),
    "chance that brings what there is not": (
        [("out[face], weights[face] = face, 1", "out[face], weights[face] = face + 1, 1")],
        r"After \d+ moves of 2 players chance may bring \[1, 2, 3, 4, 5, 6\]: that should be some of 0 to",
    ),
    "a refusal without a rule": (
        [("return NOTHING_TO_BANK if", "return 7 if")],
        r"After \d+ moves of 2 players refusal gives 7: REFUSALS are numbered 0 to 3\.",
    ),
    "choices at once, unannounced": (
        [("game.to_move = game.turn", "game.to_move = -2")],
        r"After \d+ moves of 2 players several seats choose at once: the definition should say simultaneous=True\.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
def test_broken_rules_are_left_out_with_a_sentence(what: str, install: Install) -> None:
    changes, sentence = BROKEN[what]
    reason = install("rules.py", *changes)
    assert reason.startswith("broken_dice cannot be played:")
    assert re.search(sentence, reason), reason
    assert list(registry.games()) == OURS
    assert load_game("emerald", interpreted=True).new_initial_state().is_chance_node()


@pytest.mark.parametrize(
    ("file", "change", "sentence"),
    [
        (
            "rulebook/en.md",
            ("{#dragon.wakes}", "{#a.b}"),
            "lacks a rule: add a heading “### Its title {#dragon.wakes}”",
        ),
        ("rulebook/en.md", ("{#dragon.wakes}", "{#turn.bank}"), "rule turn.bank is empty or stands there twice"),
        ("locale/en.toml", ("prompt = ", "prompt "), "The catalogue broken_dice/locale/en.toml cannot be read"),
        ("locale/en.toml", ("{ loot", "{ lot"), "locale/en.toml names a field 'lot' that State does not have."),
        ("__init__.py", ('"dragon-dice"', '"Dragon Dice"'), "should be small letters and digits with hyphens between"),
        (
            "__init__.py",
            ("max_players=4", "max_players=40"),
            "It is for 2 to 40 players; that should be 2 to 6, or less.",
        ),
        ("__init__.py", ("GAME = ", "GAMES = "), "cannot be imported: AttributeError"),
        ("__init__.py", ("GAME = ", "1 / 0\nGAME = "), "cannot be imported: ZeroDivisionError: division by zero"),
        ("__init__.py", ("GAME = GameDefinition", "GAME = dict"), "should name a GameDefinition, not {'name': "),
        ("__init__.py", ('name="dragon-dice"', 'name="gran"'), "Two games are called 'gran': those of the packages"),
    ],
)
def test_broken_packages_are_left_out_with_a_sentence(
    file: str, change: Change, sentence: str, install: Install
) -> None:
    assert sentence in install(file, change)
    assert list(registry.games()) == OURS


def test_a_package_without_rules_or_rulebook_hears_what_to_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "empty_dice"
    package.mkdir()
    shutil.copy(DICE / "__init__.py", package)
    monkeypatch.syspath_prepend(tmp_path)
    game = importlib.import_module("empty_dice").GAME
    with pytest.raises(DracothequeError, match=r"There is no module empty_dice\.rules: write it as"):
        register_game(game)
    shutil.copy(DICE / "rules.py", package)
    importlib.invalidate_caches()
    with pytest.raises(DracothequeError, match=r"There is no rulebook: write empty_dice/rulebook/en\.md"):
        register_game(game)
    assert "dragon-dice" not in registry.games()


def test_the_command_explains_what_is_left_out(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install("rules.py", (FUNCTION, "def scores(game, out):"))
    with pytest.raises(SystemExit) as left:
        cli.main(["check", "broken-dice"])
    assert left.value.code == 1
    assert ".rules.scores needs @rule(…) or @compiled above it" in capsys.readouterr().err
    cli.main(["games"])
    assert "The game 'broken-dice' is left out. broken_dice_" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("file", "change", "sentence"),
    [
        ("__init__.py", ("min_players=2", "min_players=2, max_moves=9"), "A random game was not over after 9 moves"),
        ("locale/en.toml", ("{loot}", "{treasure}"), "A game broke off: KeyError: 'treasure'"),
    ],
)
def test_the_command_plays_whole_games(
    file: str, change: Change, sentence: str, install: Install, capsys: pytest.CaptureFixture[str]
) -> None:
    assert install(file, change) == ""
    with pytest.raises(SystemExit):
        cli.main(["check", "dragon-dice"])
    assert f"Dragon Dice does not keep the contract:\n  - {sentence}" in capsys.readouterr().err


def test_the_command_is_content_with_a_whole_game(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    assert install() == ""
    cli.main(["check", "dragon-dice"])
    assert "Dragon Dice keeps the contract" in capsys.readouterr().out


@pytest.mark.parametrize("name", OURS)
def test_ours_keep_the_contract(name: str) -> None:
    assert check.problems(registry.find_game(name)) == []


class TestEmerald(contract("emerald")):  # type: ignore[misc]
    """The suite for authors, on a game of ours; what takes long is left to the tests of the rules."""

    test_whole_games_end_and_have_events = None
    test_compiled_rules_play_the_same_games = None


def test_the_suite_has_every_check() -> None:
    looked = {name for each in vars(Contract).values() if callable(each) for name in each.__code__.co_names}
    assert {each.__name__ for each in (*check.QUICK, *check.THOROUGH)} <= looked


def test_a_piece_that_stands_nowhere_is_found(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRACOTHEQUE_INTERPRETED", "1")
    assert install() == ""
    game = registry.games()["dragon-dice"]
    pieces = "def pieces(table, viewer): return {'loot': Piece('number', 'nowhere')}\n"
    (game.folder / "board_view.py").write_text(f"from dracotheque.presentation.pieces import Piece\n{pieces}", "utf-8")
    importlib.invalidate_caches()
    first, *_ = check.thorough_problems(game)
    assert first == "board_view has a piece at 'nowhere', but its svg has no place of that name: draw it."
