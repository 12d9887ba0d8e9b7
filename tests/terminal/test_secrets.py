"""Several persons at one screen: nobody sees, at any time, what another has chosen in secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from dracotheque import State
from dracotheque.engine import log
from dracotheque.engine.takeback import undo_point
from dracotheque.games.dragons_cave.rules import state as s
from tests.terminal.script import Script, name, opened, sit

LION, TOWER, STAR = range(3)
PERSONS = ["you", "you", "random"]
WIPED = "\x1b[2J\x1b[H\x1b[3J"
CURIOUS = ["", "?", "? 1", "? 2", "? rope", "? left fist: 2 coins", "log", "save game.json", "help", "999", ""]
"""What someone types who would like to know more, after taking over the screen."""


def game_of(players: int = 3, **options: str) -> log.GameLog:
    """Begin a game."""
    return log.GameLog(opened("dragons-cave", players, **options), [], [])


def two_caught() -> log.GameLog:
    """Play until Yellow and Red have four coins each to split."""
    begun = game_of(first_dragon="3")
    barrel, crystal, pickaxe, lantern = 3, 4, 0, 1
    moves = [
        *((LION, barrel), (TOWER, barrel), (STAR, s.NICHE + 2)),
        *((TOWER, crystal), (STAR, pickaxe), (LION, s.NICHE + 2)),
        *((LION, crystal), (STAR, lantern), (TOWER, s.NICHE + 2)),
        *((LION, pickaxe), (TOWER, pickaxe), (STAR, s.NICHE + pickaxe)),
    ]
    return log.GameLog(begun.game, PERSONS, moves)


def at_table(lines: list[str], seats: list[str] = PERSONS, **more: object) -> tuple[State, str, Script]:
    """Play Dragon's Cave with a script; the log goes into one file whenever it is played."""
    return sit(lines, seats, game="dragons-cave", save=Path("game.json"), **more)


# --- What the next person sees ----------------------------------------------------------------------------------
def seen_after(secret: int, *, resume: log.GameLog | None, is_terminal: bool) -> list[str]:
    """Let Yellow choose in secret, then Red try everything: give what the screen showed from then on."""
    state, printed, script = at_table(["", str(secret), *CURIOUS], resume=resume, is_terminal=is_terminal)
    assert state.full_history()[-1][0] == LION
    return [*script.seen[2:], printed[sum(map(len, script.seen)) :], *script.prompts[2:]]


@pytest.mark.parametrize("is_terminal", [False, True])
@pytest.mark.parametrize(("resume", "choices"), [(None, 6), (two_caught(), 5)])
def test_the_next_person_learns_nothing(resume: log.GameLog | None, choices: int, is_terminal: bool) -> None:
    seen = {tuple(seen_after(n, resume=resume, is_terminal=is_terminal)) for n in range(1, choices + 1)}
    assert len(seen) == 1


def test_what_was_chosen_in_secret_comes_to_light_in_the_end() -> None:
    """The test above would notice a difference."""
    reveals = {at_table(["", str(card), "", "1"])[1].rpartition("1 to 6")[2] for card in range(1, 7)}
    assert len(reveals) == 6


def test_the_screen_is_passed_on_before_a_secret_choice_and_wiped_after_it() -> None:
    _, _, script = at_table(["", "3", "", "4"], is_terminal=True)
    passes = [prompt for prompt in script.prompts if "Hand the device" in prompt]
    assert passes[0] == f" Secret choice. Hand the device to {name(LION)}, then press Enter. "
    assert passes[1] == f" Secret choice. Hand the device to {name(TOWER)}, then press Enter. "
    assert [seen.startswith(WIPED) for seen in script.seen[:5]] == [False, False, True, False, True]
    assert "▒ face down" in script.seen[3]
    assert "rope" not in script.seen[2]


def test_what_everybody_may_read_is_not_wiped_before_it_is_read() -> None:
    _, _, script = at_table(["", "3", "", "4"], is_terminal=True)
    assert "is the dragon:" in script.seen[4]
    assert script.seen[4].count(WIPED) == 1


def test_a_file_cannot_be_wiped() -> None:
    assert "\x1b" not in at_table(["", "3", "", "4"])[1]


def test_one_person_alone_keeps_the_screen() -> None:
    _, printed, script = at_table(["3", "1", "1", "1"], ["you", "random", "random"], is_terminal=True)
    assert not any("Hand the device" in prompt for prompt in script.prompts)
    assert WIPED not in printed


def test_a_choice_in_the_open_needs_no_passing_on() -> None:
    _, _, script = at_table(["", "3"], ["random", "you", "you"])
    assert [prompt.split()[1] for prompt in script.prompts] == ["choice.", "choice,", "choice,"]
    assert "Where does the dragon hide?" in script.seen[2]


def test_emerald_has_no_secret_choices() -> None:
    _, _, script = sit(["1", "5", "1"], PERSONS)
    assert not any("Hand the device" in prompt for prompt in script.prompts)


# --- Bots -------------------------------------------------------------------------------------------------------
def test_bots_choices_are_told_as_they_happen_but_not_which() -> None:
    _, printed, _ = at_table([], ["random", "random", "you"])
    before_question = printed.split("Put the dragon")[0]
    assert before_question.count("▒ face down") == 2
    assert "caught" not in before_question
    assert "Chest," not in before_question


# --- Undo -------------------------------------------------------------------------------------------------------
def test_undo_says_whose_choice_is_taken_back() -> None:
    state, printed, script = at_table(["", "3", "", "undo", "", "2"])
    assert f"{name(LION)}: last choice undone, with everything after it." in printed
    assert script.prompts[4].startswith(f" Secret choice. Hand the device to {name(LION)},")
    assert "must be made again" not in printed
    assert state.full_history() == [(LION, 1)]


def test_undo_leaves_the_other_sealed_choices_alone_while_they_are_sealed() -> None:
    state, printed, _ = at_table(["", "3", "", "2", "undo"], ["you", "you", "you"])
    assert f"{name(TOWER)}: last choice undone" in printed
    assert "must be made again" not in printed
    assert state.full_history() == [(LION, 2)]


def test_undo_after_the_reveal_lets_everybody_choose_anew() -> None:
    state, printed, script = at_table(["", "3", "", "2", "1", "", "undo"], ["you", "you", "you"])
    assert f"{name(STAR)}: last choice undone" in printed
    assert "Secret choices already revealed must be made again." in printed
    assert state.full_history() == []
    assert script.prompts[-1].startswith(f" Secret choice. Hand the device to {name(LION)},")


def test_undo_against_bots_makes_them_choose_anew_what_was_seen() -> None:
    state, printed, _ = at_table(["3", "undo"], ["random", "you", "random"])
    assert "Your last choice and everything after it are undone." in printed
    assert "must be made again" in printed
    assert [player for player, _ in state.full_history()] == [LION]
    assert printed.rpartition("must be made again")[2].count("▒ face down") == 1


def test_undo_of_a_guess_goes_back_to_the_splits() -> None:
    caught = two_caught()
    split = len(caught.moves)
    guessed = [*caught.moves, (LION, s.HOLD + 1), (TOWER, s.HOLD + 2), (STAR, s.LEFT_FIST), (STAR, s.RIGHT_FIST)]
    whole = log.GameLog(caught.game, PERSONS, guessed)
    assert [undo_point(whole, move) for move in range(split, split + 4)] == [split] * 4
    half = log.GameLog(caught.game, PERSONS, guessed[: split + 2])
    assert [undo_point(half, move) for move in (split, split + 1)] == [split, split + 1]


def test_a_chest_that_everybody_knew_is_not_chosen_anew() -> None:
    begun = game_of(2, first_dragon="2")
    rounds = [move for card in range(5) for move in ((LION, card), (TOWER, s.NICHE + (card + 1) % 5))]
    moves = [*rounds, (TOWER, s.NICHE)]
    assert undo_point(log.GameLog(begun.game, PERSONS[:2], moves), len(moves) - 1) == len(moves) - 1


# --- Saving -----------------------------------------------------------------------------------------------------
def test_a_sealed_choice_survives_saving_and_resuming() -> None:
    at_table(["", "3", "", "save here.json", "quit", "no"])
    stored = log.load(Path("here.json"))
    assert stored.play().to_plain().card[:2] == [2, s.NO_CARD]
    state, printed, script = at_table(["", "1"], resume=stored)
    assert script.prompts[0].startswith(f" Secret choice. Hand the device to {name(TOWER)},")
    assert "The game continues after the first move." in printed
    assert state.full_history()[:2] == [(LION, 2), (TOWER, 0)]
    assert "Yellow: rope" in script.seen[2]


def test_an_interruption_in_a_secret_choice_keeps_what_lies() -> None:
    at_table(["", "3", "^C"])
    assert log.load(Path("game.json")).moves == [(LION, 2)]
