"""The Oracle at the terminal: it sits down where it knows the game, and says how often each choice wins."""

from __future__ import annotations

import re

import pytest

from dracotheque.bots import make_bot
from dracotheque.bots.player_view import player_view
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.rulebook import LANGUAGES
from tests.terminal.script import CATALOGUES, opened, position, sit

TWO = ["you", "oracle"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_says_how_often_each_choice_wins(language: str) -> None:
    entries = CATALOGUES[language].entries
    _, _, script = sit([entries["command.oracle"]], TWO, language, game="save-the-dragon")
    state = sit([], TWO, language, game="save-the-dragon")[0]
    known = make_bot("oracle", 1, state.game).values(player_view(state, 0))  # pyright: ignore[reportAttributeAccessIssue]
    told = re.findall(r"^ +(\d+) +(\d+)[.,](\d)", script.seen[1], re.MULTILINE)
    shares = {int(number): float(f"{whole}.{tenths}") for number, whole, tenths in told}
    assert shares == {number: pytest.approx(100 * known[action], abs=0.051) for number, action in enumerate(known, 1)}
    assert [*shares.values()] == sorted(shares.values(), reverse=True)
    assert entries["bot.oracle"] in script.out.getvalue()


@pytest.mark.parametrize("language", LANGUAGES)
def test_elsewhere_it_says_what_it_knows(language: str) -> None:
    _, printed, _ = sit(["oracle"], ["you", "random"], language, game="save-the-dragon", options={"youngest": "1"})
    unknown = " ".join(CATALOGUES[language].entries["oracle.unknown"].split())
    assert unknown in " ".join(printed.split())


def test_a_name_that_is_only_begun_is_enough_and_the_game_goes_on() -> None:
    state, _, script = sit(["or", "1"], TWO, game="save-the-dragon")
    assert "%" in script.seen[1]
    assert state.move_number() > position(opened("save-the-dragon", 2, starts="1"), 5, 0).move_number()


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("save-the-dragon", ["you", "oracle", "random"], {}),
        ("save-the-dragon", TWO, {"youngest": "everybody"}),
        ("emerald", TWO, {}),
    ],
)
def test_it_does_not_sit_down_elsewhere(game: str, seats: list[str], options: dict[str, str]) -> None:
    with pytest.raises(DracothequeError, match=r"only (knows )?Save the Dragon"):
        sit([], seats, game=game, options=options)
