"""Games from outside, found by their entry points, are played in every way there is.

`examples/dragon-dice` is as small as a game can be; `tests/hoard-bluff` has hidden cards and choices made at once, so
that what only works for a dice game is found out.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.plugins import ROOT, Installed, installed

EXAMPLE = ROOT / "examples" / "dragon-dice"
BLUFF = ROOT / "tests" / "hoard-bluff"
BOTH = pytest.mark.parametrize("name", ["dragon-dice", "hoard-bluff"])
RANDOM_GAME = """
from random import Random
from dracotheque import load_game
random = Random(7)
state = load_game("{name}", 3{more}).new_initial_state()
while not state.is_terminal():
    if state.is_chance_node():
        state.apply_action(state.sample_chance(random))
    else:
        seat = random.choice([seat for seat in range(3) if state.legal_actions(seat)])
        state.apply_action(random.choice(state.legal_actions(seat)), seat)
    for seat in (-1, 0, 1, 2):
        seen = state.resample_from_infostate(seat, random).observation(seat) if seat >= 0 else state.observation(-1)
        assert seen.bytes() == state.observation(seat).bytes()
"""


@pytest.fixture(scope="module")
def plugins(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return installed(tmp_path_factory.mktemp("site"), EXAMPLE, BLUFF)


def test_the_game_is_three_small_files(plugins: Installed) -> None:
    files = {
        path.relative_to(EXAMPLE).as_posix(): path for path in EXAMPLE.rglob("*") if path.suffix in (".py", ".toml")
    }
    files.pop("pyproject.toml")
    assert set(files) == {"dragon_dice/__init__.py", "dragon_dice/rules.py", "dragon_dice/locale/en.toml"}
    assert sum(len(path.read_text("utf-8").splitlines()) for path in files.values()) < 90


def test_it_is_on_the_shelf(plugins: Installed) -> None:
    assert re.search(r"dragon-dice\s+│ Dragon Dice\s+│ 2–4", plugins.dracotheque("games"))


@BOTH
def test_python_plays_it_compiled_and_interpreted_alike(plugins: Installed, name: str) -> None:
    show = "print(state.serialize(), state.scores(), state.winners(), state.ending(), *state.observation_tensor(1))"
    compiled, plain = (
        plugins.python(RANDOM_GAME.format(name=name, more=more) + show) for more in ("", ", interpreted=True")
    )
    assert compiled.splitlines()[-1] == plain.splitlines()[-1]
    assert re.search(r" end\.(twenty|rich|last-card) ", plain)


def test_what_is_refused_is_said_in_the_rulebooks_words(plugins: Installed) -> None:
    program = (
        "from dracotheque import IllegalActionError, load_game\n"
        "state = load_game('dragon-dice', interpreted=True).new_initial_state()\n"
        "try: state.apply_action(1)\n"
        "except IllegalActionError as error: print(error)"
    )
    said = plugins.python(program).strip()
    assert said == "“bank the loot” is not allowed here. With nothing in hand you have to roll first. [bank.nothing]"


@BOTH
def test_searches_of_compiled_and_interpreted_rules_judge_alike(plugins: Installed, name: str) -> None:
    moves = (0, 5, 0, 4) if name == "dragon-dice" else (0, 1, 2, 3, 4, 5)
    program = (
        "from dracotheque import load_game\n"
        "from dracotheque.bots.mcts_bot import SearchBudget, SearchBot\n"
        "from dracotheque.bots.player_view import player_view\n"
        "state = load_game('{name}', 2, interpreted={plain}).new_initial_state()\n"
        "for move in {moves}: state.apply_action(move)\n"
        "shown = player_view(state, 0)\n"
        "print(SearchBot(3, SearchBudget(simulations=60)).values(shown))"
    )
    compiled, plain = (plugins.python(program.format(name=name, moves=moves, plain=plain)) for plain in (False, True))
    assert compiled == plain
    assert re.fullmatch(r"\{0: 0\.\d+(, \d: 0\.\d+)+\}\n", plain)


def test_random_games_are_simulated(plugins: Installed) -> None:
    found = json.loads(plugins.dracotheque("simulate", "dragon-dice", "--games", "2000", "--json").splitlines()[-1])
    assert (found["games"], found["endings"]) == (2000, {"end.twenty": 2000})
    assert sum(found["wins"]) == pytest.approx(2000)


@BOTH
def test_every_level_plays_a_tournament(plugins: Installed, name: str) -> None:
    levels = ["beginner", "easy", "medium", "hard", "random"]
    said = plugins.dracotheque("tournament", name, "--bots", ",".join(levels), "--players", "2", "--deals", "2")
    assert all(re.search(rf"│ {level}\s+│", said) for level in levels)


def test_the_terminal_shows_it_and_keeps_a_log(plugins: Installed, tmp_path: Path) -> None:
    kept = tmp_path / "game.json"
    said = plugins.dracotheque(
        "terminal", "dragon-dice", "--seats", "you,greedy", "--seed", "1", "--save", str(kept),
        typed="?\n" + "1\n2\n" * 60, DRACOTHEQUE_INTERPRETED="1",
    )  # fmt: skip
    for sentence in (
        "Dragon Dice.",
        "Roll again, or bank 0?",
        "1  roll",
        "2  bank the loot",
        "On your turn you roll the die as often as you like",
        "Yellow: roll.",
        "Chance: the die shows",
        "The game is over.",
        "wins.",
    ):
        assert sentence in said
    assert kept.is_file()
    story = plugins.dracotheque("replay", str(kept), DRACOTHEQUE_INTERPRETED="1")
    assert re.search(r"^lion: roll$", story, re.MULTILINE)
    assert re.search(r"^chance: the die shows \d$", story, re.MULTILINE)
    assert "Yellow: bank the loot. [turn.bank]" in story


def test_other_languages_fall_back_to_english(plugins: Installed) -> None:
    said = plugins.dracotheque(
        "terminal",
        "dragon-dice",
        "--seats",
        "random,random",
        "--lang",
        "de",
        "--speed",
        "0",
        DRACOTHEQUE_INTERPRETED="1",
    )
    assert "Gelb: roll." in said
    assert "gewinnt." in said
    assert "The dragon wakes" in plugins.dracotheque("rules", "dragon-dice", "--lang", "fr")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("dracotheque_dragon_dice(players=3)", "SEQUENTIAL PERFECT_INFORMATION 10000"),
        ("dracotheque_hoard_bluff(players=2,hoards=rising)", "SIMULTANEOUS IMPERFECT_INFORMATION 60"),
        ("dracotheque_hoard_bluff(players=3)", "SIMULTANEOUS IMPERFECT_INFORMATION 60"),
    ],
)
def test_openspiel_plays_it(plugins: Installed, name: str, kind: str) -> None:
    program = (
        "import pyspiel, dracotheque.adapters.openspiel\n"
        f"game = pyspiel.load_game('{name}')\n"
        "pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)\n"
        "print(game.get_type().dynamics.name, game.get_type().information.name, game.max_game_length())"
    )
    assert plugins.python(program).splitlines()[-1] == kind


def test_openspiel_tells_a_seat_its_own_cards_and_nobody_elses(plugins: Installed) -> None:
    program = (
        "import pyspiel, dracotheque.adapters.openspiel\n"
        "strings = []\n"
        "for deal in ((0, 1, 2, 3, 4, 5), (0, 2, 2, 3, 4, 5)):\n"
        "    state = pyspiel.load_game('dracotheque_hoard_bluff(players=2)').new_initial_state()\n"
        "    for card in deal: state.apply_action(card)\n"
        "    state.apply_actions([0, 3])\n"
        "    strings.append([state.information_state_string(seat) for seat in (0, 1)])\n"
        "print(strings[0][0] == strings[1][0], strings[0][1] == strings[1][1])"
    )
    assert plugins.python(program) == "True False\n"


def test_openspiel_resamples_what_a_seat_cannot_know(plugins: Installed) -> None:
    program = (
        "import random, pyspiel, dracotheque.adapters.openspiel\n"
        "chance, changed = random.Random(5), 0\n"
        "state = pyspiel.load_game('dracotheque_hoard_bluff(players=3)').new_initial_state()\n"
        "while not state.is_terminal():\n"
        "    if state.is_chance_node():\n"
        "        state.apply_action(chance.choice([what for what, _ in state.chance_outcomes()]))\n"
        "        continue\n"
        "    for seat in range(3):\n"
        "        twin = state.resample_from_infostate(seat, chance)\n"
        "        changed += twin.history() != state.history()\n"
        "        assert twin.information_state_string(seat) == state.information_state_string(seat)\n"
        "        assert twin.information_state_tensor(seat) == state.information_state_tensor(seat)\n"
        "        assert twin.legal_actions(seat) == state.legal_actions(seat)\n"
        "    legal = [state.legal_actions(seat) or [0] for seat in range(3)]\n"
        "    state.apply_actions([chance.choice(each) for each in legal])\n"
        "print(changed)"
    )
    assert int(plugins.python(program)) > 5


@BOTH
def test_pettingzoo_plays_it(plugins: Installed, name: str) -> None:
    program = (
        "from pettingzoo.test import api_test\n"
        "from dracotheque.adapters import pettingzoo\n"
        f"api_test(pettingzoo.env('{name}', players=2), num_cycles=200)\n"
    )
    assert "Passed" in plugins.python(program)


def test_pettingzoo_lets_all_choose_at_once(plugins: Installed) -> None:
    program = (
        "from pettingzoo.test import parallel_api_test\n"
        "from dracotheque.adapters import pettingzoo\n"
        "parallel_api_test(pettingzoo.parallel_env('hoard-bluff', players=3), num_cycles=200)\n"
    )
    assert "Passed" in plugins.python(program)


@BOTH
def test_gymnasium_plays_it(plugins: Installed, name: str) -> None:
    program = (
        "import gymnasium, dracotheque.adapters.gymnasium\n"
        f"env = gymnasium.make('dracotheque/{name}-v0', players=2, bots='greedy')\n"
        "seen, info = env.reset(seed=4)\n"
        "over = False\n"
        "while not over:\n"
        "    seen, reward, over, cut, info = env.step(int(info['action_mask'].nonzero()[0][-1]))\n"
        "print(reward in (1.0, 0.0, -1.0), len(info['scores']))"
    )
    assert plugins.python(program).splitlines()[-1] == "True 2"


def test_a_choice_made_in_secret_is_hidden_from_who_shares_the_screen(plugins: Installed) -> None:
    said = plugins.dracotheque(
        "terminal", "hoard-bluff", "--seats", "you,you", "--seed", "1", typed="\n1\n" * 20, DRACOTHEQUE_INTERPRETED="1"
    )
    first, second = said.split("Secret choice. Hand the device to Red, then press Enter.", 1)
    assert first.count("Secret choice. Hand the device to Yellow") == 1
    assert re.search(r"Yellow you\s+(\d ){6}", first)
    assert re.search(r"Red you\s+0 0 0 0 0 0", first)
    assert "Yellow has chosen." in second
    assert not re.search(r"Chance: |Yellow: ", said)
    assert "wins." in second


def test_simulations_know_several_endings(plugins: Installed) -> None:
    found = json.loads(plugins.dracotheque("simulate", "hoard-bluff", "--games", "3000", "--json").splitlines()[-1])
    assert found["endings"].keys() == {"end.last-card", "end.rich"}
    assert min(found["endings"].values()) > 100


@BOTH
def test_it_keeps_the_contract(plugins: Installed, name: str) -> None:
    said = plugins.dracotheque("check", name)
    assert "keeps the contract" in said
    assert "Compiled rules play the same." in said


def test_the_other_games_are_as_before(plugins: Installed) -> None:
    program = "from dracotheque import registered_games; print(*registered_games())"
    assert plugins.python(program).split() == [
        "emerald", "dragons-cave", "gran", "save-the-dragon", "dragon-dice", "hoard-bluff",
    ]  # fmt: skip


def test_a_server_offers_them_too(plugins: Installed, tmp_path: Path) -> None:
    program = (
        "import asyncio\n"
        "from dracotheque.server.app import AppContext\n"
        "async def start():\n"
        f"    service = AppContext({str(tmp_path / 'tables.db')!r})\n"
        "    await service.start()\n"
        "    print(*service.precompiler.ready)\n"
        "    await service.stop()\n"
        "asyncio.run(start())"
    )
    offered = ["emerald", "dragons-cave", "gran", "save-the-dragon", "dragon-dice", "hoard-bluff"]
    assert plugins.python(program, DRACOTHEQUE_INTERPRETED="1").split() == offered
    assert plugins.python(program, DRACOTHEQUE_INTERPRETED="1", DRACOTHEQUE_GAMES="gran").split() == ["gran"]


def test_its_author_has_the_contract_as_tests(plugins: Installed, tmp_path: Path) -> None:
    suite = 'from dracotheque.testing import contract\nTestDragonDice = contract("dragon-dice")\n'
    (tmp_path / "test_dragon_dice.py").write_text(suite, "utf-8")
    said = plugins.python(f"import pytest; pytest.main(['-p', 'no:cacheprovider', {str(tmp_path)!r}])")
    assert "9 passed" in said


@BOTH
def test_its_board_is_drawn_from_its_fields(plugins: Installed, name: str, tmp_path: Path) -> None:
    drawn = tmp_path / "board.svg"
    plugins.dracotheque("board", name, "--svg", str(drawn))
    assert drawn.read_text("utf-8").count('data-place="field-') == 1
    assert "has a single board" in plugins.dracotheque("board", name, code=1)
