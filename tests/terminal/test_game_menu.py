"""The menu asks for a game until one is chosen, or the user quits."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from rich.console import Console

from dracotheque.engine import registry
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.terminal.game_menu import choose_game


def opened(*typed: str, language: str = "en") -> tuple[str | None, str]:
    """Type answers; return the name of the game chosen, and what is on the screen."""
    answers, shown = iter(typed), io.StringIO()
    ask: Callable[[str], str] = lambda question: next(answers)  # noqa: E731
    game = choose_game(list(registry.games().values()), language, Console(file=shown, width=80), ask)
    return game.name if game else None, shown.getvalue()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_is_listed_with_its_number(language: str) -> None:
    name, shown = opened("1", language=language)
    assert name == next(iter(registry.games()))
    for number, game in enumerate(registry.games().values(), 1):
        assert f"{number}  {game.title}" in shown


def test_a_game_is_chosen_by_its_number_or_the_beginning_of_its_name() -> None:
    assert [opened(typed)[0] for typed in ("2", "drag", " Dragons-Cave ", "em")] == [
        "dragons-cave", "dragons-cave", "dragons-cave", "emerald",
    ]  # fmt: skip


def test_a_wrong_answer_is_answered_and_asked_again() -> None:
    name, shown = opened("9", "", "chess", "1")
    assert name == "emerald"
    assert shown.count("There is no game") == 2
    assert "There is no game “chess”." in shown


@pytest.mark.parametrize(("language", "word"), [("en", "quit"), ("fr", "quit"), ("de", "Beenden"), ("fr", "quitter")])
def test_whoever_wants_none_may_leave(language: str, word: str) -> None:
    assert opened(word, language=language)[0] is None


def test_a_keyboard_that_goes_away_opens_nothing() -> None:
    def gone(question: str) -> str:
        raise EOFError

    assert choose_game(list(registry.games().values()), "en", Console(file=io.StringIO()), gone) is None
