"""Emerald: how strong the levels are, and how a search goes about it (`docs/explanation/reports/strength.md`)."""

from __future__ import annotations

from dracotheque.bots.default_bots import AnalysisBudget, Training
from dracotheque.bots.search_params import SearchParams

LEVELS = {
    "hatchling": "greedy:45",
    "squire": "greedy:10",
    "knight": "search:200:explore=0.5:wide=1:advice=70:within=0.25",
    "dragon": "search:1800:within=1.4",
}
SEARCH = SearchParams(exploration=0.5, widening=1.0, heuristic_percent=70)
SEARCH_WITH_EVALUATOR = SearchParams(exploration=0.15, widening=1.0, depth=0, use_evaluator=1)
ANALYSIS = AnalysisBudget(100_000, 1_500, 100)
TRAINING = Training(((2,), (3, 4, 5)), {"heuristic_weight": 1.0, "tables": 65_536, "blocks": 16, "rounds": 400})
"""`docs/explanation/reports/learned.md` says why these numbers of players share what is learned."""
