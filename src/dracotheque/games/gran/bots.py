"""Gran: how strong the levels are, and how a search goes about it (`docs/explanation/reports/strength.md`)."""

from __future__ import annotations

from dracotheque.bots.default_bots import AnalysisBudget, Training
from dracotheque.bots.search_params import SearchParams

LEVELS = {
    "hatchling": "greedy:35",
    "squire": "greedy:10",
    "knight": "search:150:explore=0.15:depth=0:within=0.25",
    "dragon": "search:500:within=1.4",
}
SEARCH = SearchParams(exploration=0.15, depth=0)
SEARCH_WITH_EVALUATOR = SearchParams(exploration=0.15, depth=0, use_evaluator=1)
ANALYSIS = AnalysisBudget(4_000, 140, 12, changes=7, by_turns=True, depth=40)
"""A game played on is as long as a hundred of other games: so an analysis takes a few seconds all the same."""

TRAINING = Training(
    ((3,),),
    {
        "heuristic_weight": 5.0, "tables": 8_192, "blocks": 8, "rounds": 350, "steps": 32, "trace": 0.95,
        "advised": 0.5, "advised_rounds": 30,
    },
)  # fmt: skip
"""Every choice takes much computation, so fewer games are played at once; `docs/explanation/reports/learned.md`
says why only three players."""
