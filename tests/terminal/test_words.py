"""The terminal’s own words on a screen of 80 columns."""

from __future__ import annotations

import itertools
import re

from tests.terminal.script import sit


def test_no_line_begins_with_french_punctuation() -> None:
    _, printed, _ = sit(itertools.chain(["?", "règles", "aide", "journal"], ["1"] * 60), language="fr", width=80)
    assert [line for line in printed.splitlines() if re.match(r"\s*[:;!»]", line)] == []
