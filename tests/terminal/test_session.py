"""The terminal player: whole games typed by a script, and every command."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from dracotheque import terminal
from dracotheque.engine import log
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.rulebook import LANGUAGES
from tests.terminal.script import CATALOGUES, THREE, Player, Script, name, opened, play_whole, position, sit

TOTALS = {"emerald": "hand.points", "dragons-cave": "drawn.coins", "save-the-dragon": "drawn.points"}
"""What a score adds up to, in the words of every game."""


# --- Whole games ------------------------------------------------------------------------------------------------
WHOLE_GAMES = [
    *(("emerald", language, 1, players, {}) for language, players in zip(LANGUAGES, (2, 3, 4, 5), strict=True)),
    *(("dragons-cave", language, 1, players, {}) for language, players in zip(LANGUAGES, (2, 3, 4, 2), strict=True)),
    *(("dragons-cave", language, players, players, {"chests": "open"}) for language in LANGUAGES for players in (2, 4)),
    *(("dragons-cave", "en", 2, players, {"first_dragon": "2"}) for players in (2, 3, 4)),
    *(("save-the-dragon", language, 1, players, {}) for language, players in zip(LANGUAGES, (2, 3, 4, 2), strict=True)),
    ("save-the-dragon", "en", 2, 2, {"youngest": "everybody"}),
]


@pytest.mark.parametrize(("name", "language", "persons", "players", "options"), WHOLE_GAMES)
def test_whole_game_in_every_language(
    name: str, language: str, persons: int, players: int, options: dict[str, str]
) -> None:
    game = opened(name, players, **options)
    state, printed = play_whole(game, ["you"] * persons + ["random"] * (players - persons), language)
    assert state.is_terminal()
    assert "{" not in printed
    assert not set(printed) & set("\ue000\ue001"), "a stand-in for a space was left behind"
    assert all(len(line) <= 80 for line in printed.splitlines())
    _, score = printed.split(f" {CATALOGUES[language].entries['end.title']}\n")
    total = game.words(language).entries[TOTALS[name]]
    (counted,) = [line for line in score.splitlines() if line.strip().startswith(f"{total} ")]
    assert [int(number) for number in re.findall(r"\d+", counted)] == state.scores()


@pytest.mark.parametrize(
    ("name", "players"), [("emerald", 3), *(("dragons-cave", players) for players in (2, 3, 4)), ("save-the-dragon", 2)]
)
def test_bots_play_each_other_with_the_board_shown_every_turn(name: str, players: int) -> None:
    state, printed, script = sit([], ["random"] * players, game=name, options={})
    title = state.game.definition.title
    assert state.is_terminal()
    assert script.prompts == []
    turns = len({number for number, (player, _) in enumerate(state.full_history()) if player >= 0})
    assert turns / 3 < printed.count(f"── {title}") <= turns + 1
    assert re.search(r"(wins|shares the victory)[^\n]*[.!]$", printed, re.MULTILINE)


def test_the_table_is_shown_once_where_several_bots_choose_at_the_same_time() -> None:
    state, printed, _ = sit([], ["random"] * 4, game="dragons-cave", options={})
    asked, before = list[int](), state.game.new_initial_state()
    for player, action in state.full_history():
        if player >= 0 and asked[-1:] != [before.current_player()]:
            asked.append(before.current_player())
        before.apply_action(action, player)
    assert printed.count("── Dragon’s Cave") == len(asked) + 1, "and once at the end"


def test_every_player_a_move_speaks_of_has_a_line_with_their_crest() -> None:
    _, _, script = sit(["4"], game="dragons-cave")
    told = re.findall(r"^  ([YRP])  (Round\W1 · )?(Yellow|Red|Purple)(:| is the dragon:)", script.seen[1], re.MULTILINE)
    assert [(sign, name) for sign, _, name, _ in told] == [("P", "Purple"), ("Y", "Yellow"), ("R", "Red")]


def test_the_lines_of_a_turn_are_those_of_the_page_and_none_is_printed_twice() -> None:
    _, printed, _ = sit(["1", "1", "1", "1", "1", "1"])
    numbers = [int(number) for number in re.findall(r"^  [YRP]  (\d+) · ", printed, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) > 3
    assert "tower 1 → field" in printed.replace("\u00a0", " ")


def test_several_people_share_the_screen() -> None:
    _, printed, _ = sit(["1", "5", "1"], ["you", "you", "random"])
    assert f"You are {name(0)}." in printed
    assert f"You are {name(1)}." in printed
    assert " R  Move one of your knights." in printed


def test_another_game_begins_where_wanted(desk: Path) -> None:
    over = position(opened("emerald", 3), 1, 999)
    *before, _ = [number for number, (player, _) in enumerate(over.full_history()) if player == 0]
    nearly = log.GameLog(over.game, THREE, over.full_history()[: before[-1]])
    first, rest = Player(), iter(["yes", "quit", "yes"])
    asked: list[str] = []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return next(rest) if any("Play again?" in prompt for prompt in asked) else first(prompt)

    file, console = desk / "game.json", Console(file=io.StringIO())
    terminal.play(nearly.game, THREE, "en", 5, 0, file, console, resume=nearly, ask=ask)
    assert log.load(file).play().is_terminal()
    assert not log.load(desk / "game-2.json").play().is_terminal()


def test_every_bot_and_person_needs_a_seat() -> None:
    with pytest.raises(DracothequeError, match="3 seats are needed, not 2"):
        terminal.play(opened("emerald", 3), ["you", "random"])


@pytest.mark.parametrize("watched", [True, False])
def test_pauses_are_made_only_where_somebody_watches(monkeypatch: pytest.MonkeyPatch, watched: bool) -> None:
    naps: list[float] = []
    monkeypatch.setattr("dracotheque.terminal.renderer.time.sleep", naps.append)
    game = opened("emerald", 3)
    console = Console(file=io.StringIO(), force_terminal=watched)
    terminal.play(game, THREE, "en", 5, 2.0, console=console, ask=Script(["1", "1"]))
    assert bool(naps) == watched
    assert all(0 < nap <= 1.25 for nap in naps)


# --- Questions and bad input ------------------------------------------------------------------------------------
def answers(*lines: str, language: str = "en") -> str:
    """What is printed after the first question, when these lines are typed."""
    _, printed, _ = sit(lines, language=language)
    first = CATALOGUES[language].entries["save.interrupted"]
    question = opened("emerald", 3).words(language).entries["question.first_move"]
    return printed.split(question, 1)[1].split(first)[0]


def test_question_mark_shows_the_rule_in_force() -> None:
    assert "One knight or two  turn.one-or-two" in answers("?")
    assert "Wer beginnt" not in answers("?", language="de")
    assert "turn.one-or-two" in answers("?", language="de")


def test_question_mark_explains_a_choice() -> None:
    printed = answers("? 2")
    assert "Choice 2: tower\u00a02." in printed
    assert "→\u00a0field\u00a03 (3)" in printed
    assert "Leaving the castle  move.castle" in printed
    assert "There is no choice 9." in answers("?9")


def test_question_mark_looks_rules_up() -> None:
    assert "Turning round  dragon.turns" in answers("?dragon.turns")
    assert "Catching its breath  bribe.rests" in answers("? breath")
    many = answers("? dragon")
    assert "These rules mention “dragon”" in many
    assert "dragon.off-rod     Left behind by the track" in many
    assert "No rule mentions “unicorn”. Type rules to read them all." in answers("? unicorn")
    assert "end.treasures" in answers("? tresor", language="fr"), "accents do not matter"


def test_question_mark_says_why_not() -> None:
    printed = answers("? field 6")
    assert "Not possible now: field\u00a06." in printed
    assert "move.own-knight" in printed
    assert "Choice 5: keep." in answers("? keep")


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("9", "9 is not a choice. Type 1 to 5."),
        ("0", "0 is not a choice. Type 1 to 5."),
        ("-1", "I don’t understand “-1”."),
        ("9" * 5000, "I don’t understand"),
        ("[bold]", "I don’t understand “[bold]”."),
        ("{seat}", "I don’t understand “{seat}”."),
        ("move", "I don’t understand “move”. Type a number, ? for the rule, or help."),
        ("undo", "No move to undo."),
    ],
)
def test_bad_input_gets_an_answer_and_changes_nothing(line: str, reply: str) -> None:
    state, printed, _ = sit([line])
    assert reply in printed
    assert all(player < 0 for player, _ in state.full_history())


def test_a_choice_can_be_named_instead_of_numbered() -> None:
    state, printed, _ = sit(["? g12", "E1", "g9"], game="gran")
    assert "Not possible now: G12." in printed
    assert "I don’t understand “E1”." in printed
    assert state.game.board.points[state.history()[0]].name == "g9"


def test_enter_shows_the_table_again() -> None:
    assert answers("").count("── Emerald") == 1
    assert answers("?").count("── Emerald") == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_commands_are_understood_in_english_and_in_the_players_language(language: str) -> None:
    entries = CATALOGUES[language].entries
    for command in ("help", entries["command.help"], entries["command.help"].upper(), "h"):
        assert entries["help.signs"] in answers(command, language=language)
    for command in ("rules", entries["command.rules"]):
        assert "score.shared" in answers(command, language=language)
    for command in ("log", entries["command.log"]):
        assert "setup.knights" in answers(command, language=language)


def test_log_tells_the_last_moves_with_their_rules() -> None:
    assert "Yellow leads a knight out of the castle: tower\u00a01" in answers("1", "log").rpartition("end turn")[2]


# --- Undo -------------------------------------------------------------------------------------------------------
def test_undo_takes_back_a_choice_and_all_that_followed() -> None:
    state, printed, _ = sit(["1", "5", "undo"])
    assert "Your last choice and everything after it are undone." in printed
    mine = [action for player, action in state.full_history() if player >= 0]
    assert mine == [0], "the bots' moves and the end of the turn are taken back, the first knight is not"
    assert state.current_player() == 0
    state, _, _ = sit(["1", "5", "undo", "u"])
    assert all(player < 0 for player, _ in state.full_history())


# --- Saving, leaving and coming back ----------------------------------------------------------------------------
def test_end_of_input_saves_the_game(desk: Path) -> None:
    state, printed, _ = sit(["1"])
    (file,) = desk.glob("emerald-*.json")
    assert re.fullmatch(r"emerald-\d{8}-\d{6}\.json", file.name)
    assert f"Game saved to {file.name}." in printed
    assert f"dracotheque terminal emerald --resume {file.name}" in printed
    assert log.load(file).play() == state


def test_interrupt_saves_the_game_where_it_was_asked_to(desk: Path) -> None:
    state, _, _ = sit(["1", "^C"], save=desk / "mine.json")
    assert log.load(desk / "mine.json").play() == state


def test_a_game_goes_on_where_it_was_left(desk: Path) -> None:
    left, _, _ = sit(["1", "save here.json"])
    stored = log.load(desk / "here.json")
    assert stored.seats == THREE
    state, printed, _ = sit(["5"], resume=stored)
    assert f"The game continues after {left.move_number()}\u00a0moves." in printed
    assert state.full_history()[: left.move_number()] == left.full_history()
    assert state.move_number() > left.move_number()


def test_a_game_that_is_over_shows_its_score_again(desk: Path) -> None:
    sit([], ["random"] * 3, save=desk / "over.json")
    _, printed, _ = sit([], ["random"] * 3, resume=log.load(desk / "over.json"))
    assert "Score\n" in printed
    assert re.search(r"wins|shares", printed)


@pytest.mark.parametrize(("answer", "files"), [("yes", 1), ("no", 0)])
def test_quit_asks_whether_to_save(desk: Path, answer: str, files: int) -> None:
    _, printed, script = sit(["quit", answer])
    assert "Save the game before leaving?" in script.prompts[-1]
    assert "See you soon." in printed
    assert len(list(desk.iterdir())) == files


def test_quit_can_be_thought_better_of() -> None:
    state, _, _ = sit(["quit", "", "1"])
    assert [action for player, action in state.full_history() if player >= 0] == [0]


def test_a_file_that_cannot_be_written_is_no_disaster() -> None:
    state, printed, _ = sit(["save nowhere/at/all.json", "1"])
    assert "The game can’t be saved to nowhere/at/all.json" in printed
    assert state.full_history()[-1] == (0, 0)
