"""The terminal player: whole games typed by a script, every command, and a board that fits its screen."""

from __future__ import annotations

import functools
import io
import itertools
import random
import re
import string
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from rich.console import Console

from dracotheque import State, load_game, terminal
from dracotheque.engine import log
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.engine.words import words
from dracotheque.games.emerald import state as s
from dracotheque.games.emerald import terminal_board

CATALOGUES = {lang: words(Path(terminal.__file__).parents[1] / "words", lang) for lang in LANGUAGES}
THREE = ["you", "random", "random"]


# --- A person made of a list of lines ---------------------------------------------------------------------------
class Script:
    """Types its lines one after the other; then the keyboard is gone."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines: Iterator[str] = iter(lines)
        self.prompts: list[str] = []

    def __call__(self, prompt: str) -> str:
        """Answer a prompt with the next line."""
        self.prompts.append(prompt)
        for line in self.lines:
            if line == "^C":
                raise KeyboardInterrupt
            return line
        raise EOFError


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Play in an empty folder, where games left are saved."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def sit(
    lines: Iterable[str], seats: list[str] = THREE, language: str = "en", width: int = 100, **more: object
) -> tuple[State, str, Script]:  # fmt: skip
    """Play with a script; give the last state, everything printed and the script."""
    out, script = io.StringIO(), Script(lines)
    options: dict[str, str] = more.pop("options", {"starts": "1"})  # type: ignore[assignment]
    game = load_game("emerald", players=len(seats), interpreted=True, **options)
    console = Console(file=out, width=width, height=40)
    state = terminal.play(game, seats, language, 5, 0, console=console, ask=script, **more)  # type: ignore[arg-type]
    return state, out.getvalue(), script


# --- Whole games ------------------------------------------------------------------------------------------------
class Player(Script):
    """Always makes the first choice until the game is over, and then says no to another one."""

    def __call__(self, prompt: str) -> str:
        """Answer a prompt."""
        return "1" if "1" in prompt else "no"


@pytest.mark.parametrize(("language", "players"), list(zip(LANGUAGES, (2, 3, 4, 5), strict=True)))
def test_whole_game_against_bots_in_every_language(language: str, players: int) -> None:
    out = io.StringIO()
    game = load_game("emerald", players=players, interpreted=True)
    console = Console(file=out, width=80, height=24)
    seats = ["you", *["random"] * (players - 1)]
    state = terminal.play(game, seats, language, 5, 0, console=console, ask=Player([]))
    assert state.is_terminal()
    printed = out.getvalue()
    assert "{" not in printed
    assert not set(printed) & set("\ue000\ue001"), "a stand-in for a space was left behind"
    assert all(len(line) <= 80 for line in printed.splitlines())
    assert CATALOGUES[language].entries["end.title"] in printed
    total = next(
        line for line in printed.splitlines() if line.strip().startswith(game.words(language).entries["hand.points"])
    )
    assert [int(number) for number in re.findall(r"\d+", total)] == state.scores()


def test_bots_play_each_other_with_the_board_shown_every_turn() -> None:
    state, printed, script = sit([], ["random"] * 3)
    assert state.is_terminal()
    assert script.prompts == []
    turns = len({number for number, (player, _) in enumerate(state.full_history()) if player >= 0})
    assert turns / 3 < printed.count("── Emerald") <= turns + 1
    assert re.search(r"(wins|shares the victory)[^\n]*\.$", printed, re.MULTILINE)


def test_several_people_share_the_screen() -> None:
    _, printed, _ = sit(["1", "5", "1"], ["you", "you", "random"])
    assert "The Lion is yours." in printed
    assert "The Tower is yours." in printed
    assert " T  Move one of your knights." in printed


def test_another_game_begins_where_wanted(desk: Path) -> None:
    over = position(3, 1, 999)
    *before, _ = [number for number, (player, _) in enumerate(over.full_history()) if player == 0]
    nearly = log.GameLog(over.game, THREE, over.full_history()[: before[-1]])
    first, rest = Player([]), iter(["yes", "quit", "yes"])
    asked: list[str] = []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return next(rest) if any("Another game?" in prompt for prompt in asked) else first(prompt)

    file, console = desk / "game.json", Console(file=io.StringIO())
    terminal.play(nearly.game, THREE, "en", 5, 0, file, console, resume=nearly, ask=ask)
    assert log.load(file).play().is_terminal()
    assert not log.load(desk / "game-2.json").play().is_terminal()


def test_every_bot_and_person_needs_a_seat() -> None:
    with pytest.raises(DracothequeError, match="3 seats are needed, not 2"):
        terminal.play(load_game("emerald", players=3, interpreted=True), ["you", "random"])


@pytest.mark.parametrize("watched", [True, False])
def test_pauses_are_made_only_where_somebody_watches(monkeypatch: pytest.MonkeyPatch, watched: bool) -> None:
    naps: list[float] = []
    monkeypatch.setattr("dracotheque.terminal.screen.time.sleep", naps.append)
    game = load_game("emerald", players=3, interpreted=True)
    console = Console(file=io.StringIO(), force_terminal=watched)
    terminal.play(game, THREE, "en", 5, 2.0, console=console, ask=Script(["1", "1"]))
    assert bool(naps) == watched
    assert all(0 < nap <= 1.25 for nap in naps)


# --- Questions and bad input ------------------------------------------------------------------------------------
def answers(*lines: str, language: str = "en") -> str:
    """What is printed after the first question, when these lines are typed."""
    _, printed, _ = sit(lines, language=language)
    first = CATALOGUES[language].entries["save.interrupted"]
    question = load_game("emerald", interpreted=True).words(language).entries["question.first_move"]
    return printed.split(question, 1)[1].split(first)[0]


def test_question_mark_shows_the_rule_in_force() -> None:
    assert "One knight or two  turn.one-or-two" in answers("?")
    assert "Wer beginnt" not in answers("?", language="de")
    assert "turn.one-or-two" in answers("?", language="de")


def test_question_mark_explains_a_choice() -> None:
    printed = answers("? 2")
    assert "Choice 2: knight from tower 2." in printed
    assert "3 spaces, to field 3" in printed
    assert "Leaving the castle  move.castle" in printed
    assert "There is no choice 9 to explain." in answers("?9")


def test_question_mark_looks_rules_up() -> None:
    assert "Turning round  dragon.turns" in answers("?dragon.turns")
    assert "Catching its breath  bribe.rests" in answers("? breath")
    many = answers("? dragon")
    assert "These rules speak of “dragon”" in many
    assert "dragon.off-rod     Left behind by the rod" in many
    assert "No rule speaks of “unicorn”. Type rules to read them all." in answers("? unicorn")
    assert "end.treasures" in answers("? tresor", language="fr"), "accents do not matter"


def test_question_mark_says_why_not() -> None:
    printed = answers("? field 6")
    assert "Not possible now: knight from field 6." in printed
    assert "move.own-knight" in printed
    assert "Choice 5: knight from the keep." in answers("? from the keep")


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("9", "There is no choice 9: they go from 1 to 5."),
        ("0", "There is no choice 0: they go from 1 to 5."),
        ("-1", "“-1” says nothing to me."),
        ("9" * 5000, "says nothing to me."),
        ("[bold]", "“[bold]” says nothing to me."),
        ("{seat}", "“{seat}” says nothing to me."),
        ("move", "“move” says nothing to me. Type a number, ? for the rule, or help."),
        ("undo", "You have not chosen anything yet."),
    ],
)
def test_bad_input_gets_an_answer_and_changes_nothing(line: str, reply: str) -> None:
    state, printed, _ = sit([line])
    assert reply in printed
    assert all(player < 0 for player, _ in state.full_history())


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
    assert "The Lion leads a knight from tower 1" in answers("1", "log").rpartition("end the turn")[2]


# --- Undo -------------------------------------------------------------------------------------------------------
def test_undo_takes_back_a_choice_and_all_that_followed() -> None:
    state, printed, _ = sit(["1", "5", "undo"])
    assert "Your last choice is taken back, with all that followed." in printed
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
    assert f"The game is saved in {file.name}." in printed
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
    assert f"The game goes on after {left.move_number()} moves." in printed
    assert state.full_history()[: left.move_number()] == left.full_history()
    assert state.move_number() > left.move_number()


def test_a_game_that_is_over_shows_its_score_again(desk: Path) -> None:
    sit([], ["random"] * 3, save=desk / "over.json")
    _, printed, _ = sit([], ["random"] * 3, resume=log.load(desk / "over.json"))
    assert "The score" in printed
    assert re.search(r"wins|shares", printed)


@pytest.mark.parametrize(("answer", "files"), [("yes", 1), ("no", 0)])
def test_quit_asks_whether_to_save(desk: Path, answer: str, files: int) -> None:
    _, printed, script = sit(["quit", answer])
    assert "Save the game before you leave?" in script.prompts[-1]
    assert "Until next time." in printed
    assert len(list(desk.iterdir())) == files


def test_quit_can_be_thought_better_of() -> None:
    state, _, _ = sit(["quit", "", "1"])
    assert [action for player, action in state.full_history() if player >= 0] == [0]


def test_a_file_that_cannot_be_written_is_no_disaster() -> None:
    state, printed, _ = sit(["save nowhere/at/all.json", "1"])
    assert "The game could not be written to nowhere/at/all.json" in printed
    assert state.full_history()[-1] == (0, 0)


# --- The board --------------------------------------------------------------------------------------------------
@functools.cache
def position(players: int, seed: int, turns: int, **options: str) -> State:
    """Play some moves at random."""
    state = load_game("emerald", players=players, interpreted=True, **options).new_initial_state()
    chance = random.Random(seed)
    while not state.is_terminal() and (turns > 0 or state.is_chance_node()):
        if state.is_chance_node():
            state.apply_action(state.sample_chance(chance))
        else:
            state.apply_action(chance.choice(state.legal_actions()))
            turns -= 1
    return state


def drawn(state: State, language: str, width: int) -> list[str]:
    """Draw a board with its choices, line by line."""
    out = io.StringIO()
    choices = [] if state.is_terminal() else state.legal_actions()
    picture = terminal_board.board(state.table(), state.game.words(language), width, choices)
    Console(file=out, width=width).print(picture)
    return out.getvalue().splitlines()


POSITIONS = [(players, seed, turns) for players in (2, 3, 4, 5) for seed, turns in ((1, 0), (2, 25), (3, 60), (4, 999))]


@pytest.mark.parametrize("width", [80, 100, 140])
@pytest.mark.parametrize(("players", "seed", "turns"), POSITIONS)
def test_board_fits_and_shows_every_knight(players: int, seed: int, turns: int, width: int) -> None:
    state = position(players, seed, turns)
    for language in LANGUAGES:
        lines = drawn(state, language, width)
        assert len(lines) == 11
        assert len({len(line) for line in lines}) == 1
        assert len(lines[0]) <= width
        assert shown_knights(state, language, lines) == knights(state, language)
        for number in range(1, 10):
            assert f" {number} " in lines[1]


def knights(state: State, language: str) -> dict[str, int]:
    """Count every crest's knights that are not in the box."""
    catalogue, table = state.game.words(language), state.table()
    counts = {terminal_board.letter(catalogue, c): sum(p != s.BOX for p in table.knights[c]) for c in range(s.COLOURS)}
    return {crest: count for crest, count in counts.items() if count}


def shown_knights(state: State, language: str, lines: list[str]) -> dict[str, int]:
    """Count the knights drawn: letters that stand in their crest's colours."""
    catalogue = state.game.words(language)
    picture = terminal_board.board(state.table(), catalogue, len(lines[0]) + 1)
    counts: dict[str, int] = {}
    for span in picture.spans:
        if span.style in terminal_board.CREST_STYLES:
            for crest, number in re.findall(r"(\D)(\d*)", picture.plain[span.start : span.end]):
                counts[crest] = counts.get(crest, 0) + int(number or 1)
    return counts


def test_a_crowd_is_counted() -> None:
    state = position(5, 1, 0)
    table, catalogue = state.table(), state.game.words()
    table.knights = [[s.FIRST_FIELD] * 4 + [s.BOX] for _ in range(5)]
    assert "L4T4S4" in terminal_board.board(table, catalogue, 80).plain
    assert "O4W4" in terminal_board.board(table, catalogue, 80).plain


def test_dragon_looks_where_it_flies_and_the_rod_lies_beside_its_caves() -> None:
    table, catalogue = position(3, 1, 0).table(), load_game("emerald", interpreted=True).words()
    table.rod, table.dragon, table.facing = 3, 4, s.LAIRWARD
    flight, caves, *_ = terminal_board.board(table, catalogue, 80).plain.splitlines()
    assert "◄" in flight
    assert "►" not in flight
    assert flight.index("┍") < caves.index(" 7 ") < caves.index(" 4 ") < flight.index("┑") < caves.index(" 3 ")
    assert flight.index("┍") > caves.index(" 8 ")
    assert caves.index(" 5 ") - 4 < flight.index("◄") < caves.index(" 4 ")
    assert " rod " in flight


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [80, 100, 140])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_players_and_score_fit_even_when_rich(language: str, width: int, players: int) -> None:
    state = position(players, 3, 999)
    table, catalogue = state.table(), state.game.words(language)
    table.gold[0] = [2, 1, 1, 2, 2]
    table.treasures[0], table.four_gems = 4, 1
    who = [CATALOGUES[language].entries[key] for key in ("you", *["bot.random"] * (players - 1))]
    out = io.StringIO()
    console = Console(file=out, width=width)
    console.print(terminal_board.players(table, catalogue, width, who, 0))
    assert len(out.getvalue().splitlines()) == players + 1
    console.print(terminal_board.score(table, catalogue, who))
    assert "…" not in out.getvalue()
    assert all(len(line) <= width for line in out.getvalue().splitlines())


@pytest.mark.parametrize(("gold", "visible"), [("face-down", [True, False, False]), ("open", [True, True, True])])
def test_gold_of_others_is_hidden_unless_played_open(gold: str, visible: list[bool]) -> None:
    table, catalogue = position(3, 1, 0, gold=gold).table(), load_game("emerald", interpreted=True).words()
    table.gold = [[1, 0, 0, 1, 0], [0, 1, 0, 0, 1], [0, 0, 1, 0, 0], [0] * 5, [0] * 5]
    out = io.StringIO()
    Console(file=out, width=80).print(terminal_board.players(table, catalogue, 80, ["you", "bot", "bot"], 0))
    _, *lines = out.getvalue().splitlines()
    values, hidden = ["1+4 = 5", "2+5 = 7", "3 = 3"], ["2 cards", "2 cards", "1 card"]
    for line, seen, value, cards in zip(lines, visible, values, hidden, strict=True):
        assert (value in line, cards in line) == (seen, not seen)


def test_nothing_is_told_by_colour_alone() -> None:
    out = io.StringIO()
    console = Console(file=out, width=80, force_terminal=True, no_color=True)
    console.print(terminal_board.board(position(4, 2, 25).table(), load_game("emerald", interpreted=True).words(), 80))
    assert not re.search(r"\x1b\[[0-9;]*(3|4)8;", out.getvalue())


# --- The catalogues ---------------------------------------------------------------------------------------------
def gaps(entry: str) -> set[str]:
    """List the gaps of an entry."""
    return {name for _, name, _, _ in string.Formatter().parse(entry) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_the_same_in_good_typography(language: str) -> None:
    entries, english = CATALOGUES[language].entries, CATALOGUES["en"].entries
    assert entries.keys() == english.keys()
    for key, entry in entries.items():
        assert gaps(entry) == gaps(english[key]), key
        assert not set(entry) & set("'\"`"), key
        assert entry == entry.strip(), key


def test_french_punctuation_keeps_its_spaces() -> None:
    for key, entry in CATALOGUES["fr"].entries.items():
        for before, sign in itertools.pairwise(entry):
            assert sign != ":" or before == "\u00a0", key
            assert sign not in ";!" or before == "\u202f", key
            assert (before, sign) not in ((" ", "?"), ("«", " "), (" ", "»")), key


def test_no_line_begins_with_french_punctuation() -> None:
    _, printed, _ = sit(itertools.chain(["?", "règles", "aide", "journal"], ["1"] * 60), language="fr", width=80)
    assert [line for line in printed.splitlines() if re.match(r"\s*[:;!»]", line)] == []
