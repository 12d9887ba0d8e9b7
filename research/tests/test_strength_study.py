"""The report on the strength of bots: what is not played again stays in the page, unless a level became another bot."""

from __future__ import annotations

from dataclasses import replace

import pytest

from research.strength import strength

PAGE = strength.PAGE.read_text("utf-8")
PLAYED = {
    "games": 2_000,
    "standings": [
        {
            "bot": "dragon",
            "share": {"value": 0.625, "low": 0.6, "high": 0.65},
            "times_fair": {"value": 1.25, "low": 1.2, "high": 1.3},
            "mean_ms": 3.21,
        }
    ],
}


def dragon(game: str) -> strength.Step:
    """The Dragon among Knights."""
    return next(step for step in strength.steps() if step.game == game and step.better == "dragon")


def test_every_row_of_the_page_is_found_again() -> None:
    for step in (*strength.steps(), *strength.search_variants(), *strength.learned()):
        kept = strength.row_in_page(step, PAGE)
        assert kept
        assert kept.startswith(strength.head(step))
        assert kept in strength.table([(step, None)], PAGE)


def test_what_is_played_now_takes_the_place_of_the_row() -> None:
    step = dragon("emerald")
    table = strength.table([(step, PLAYED)], PAGE)
    assert table.splitlines()[2:] == [f"{strength.head(step)} 2,000 | 62.5 % (60.0–65.0) | 1.25 (1.20–1.30) | 3.2 |"]


def test_a_level_that_became_another_bot_is_to_be_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = {**strength.LEVELS, "dragon": {**strength.LEVELS["dragon"], "gran": "search:1"}}
    monkeypatch.setattr(strength, "LEVELS", changed)
    assert strength.row_in_page(dragon("emerald"), PAGE)
    assert strength.row_in_page(dragon("gran"), PAGE) is None
    assert strength.table([(dragon("gran"), None)], PAGE).endswith(
        "Still to be played: `dragon` among `knight` (Gran, 3 players)."
    )


def test_rows_for_other_players_are_not_confused() -> None:
    step = replace(dragon("emerald"), players=5)
    assert strength.row_in_page(step, PAGE) is None
