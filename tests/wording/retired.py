"""Count the words that left code and docs for the ones of the field; `python -m tests.wording.retired` prints where.

`--lower` writes counts that have fallen to `retired.toml`; a count is never raised by it.
"""

from __future__ import annotations

import argparse
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
COUNTS = Path(__file__).with_suffix(".toml")
RETIRED = {
    "anew": "again",
    "box": "game",
    "boxes": "games",
    "carving": "precompiling",
    "club": "population",
    "desk": "workspace, prompt panel",
    "glue": "non-breaking text",
    "house": "table manager",
    "hunch": "opponent prior",
    "imagine": "determinize, resample",
    "imagined": "determinized, resampled",
    "kit": "helpers, board module",
    "lesson": "hint, transition",
    "lessons": "hints, transitions",
    "luck": "client seed",
    "mind": "evaluator, value network",
    "minds": "evaluators",
    "mixture": "mixed strategy",
    "nature": "physical chance",
    "outlook": "state heuristic",
    "patience": "turn timeout",
    "pupil": "exploiter",
    "reckon": "calculate",
    "shelf": "lobby, registry",
    "told": "events, narration",
    "ways": "search parameters, paths",
    "whoever": "who, anyone who",
    "worth": "action heuristic, value",
}
"""What is written instead of each."""

WHERE = {
    "": ("Makefile", "README.md", "CONTRIBUTING.md"),
    "docs": ("how-to/*.md", "reference/**/*.md", "tutorial/*.md", "explanation/*.md"),
    "examples": ("**/*.py",),
    "src/dracotheque": ("**/*.py", "**/*.js", "**/*.css", "**/*.html"),
}
NOT_OURS = re.compile(r"/vendor/|/rulebook/")
WORD = re.compile(r"[A-Z]?[a-z]+")  # each part of a name such as `box_of` or `BoxView`
OF_SVG_AND_CSS = re.compile(r"viewBox|BBox|box-\w+|[a-z]+-box\b")


def files() -> Iterator[Path]:
    """Yield every file that is counted."""
    for folder, patterns in WHERE.items():
        for pattern in patterns:
            for path in sorted((ROOT / folder).glob(pattern)):
                if not NOT_OURS.search(path.as_posix()):
                    yield path


def places() -> Iterator[tuple[str, str]]:
    """Yield every retired word with where it stands."""
    for path in files():
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            for word in WORD.findall(OF_SVG_AND_CSS.sub("", line)):
                if word.lower() in RETIRED:
                    yield word.lower(), f"{path.relative_to(ROOT).as_posix()}:{number}"


def limits() -> dict[str, int]:
    """Return how often each word may stand, 0 for one that is not listed."""
    return dict.fromkeys(RETIRED, 0) | tomllib.loads(COUNTS.read_text("utf-8"))


def main() -> None:
    """Print the places, or write the counts that have fallen."""
    parser = argparse.ArgumentParser(description="Count retired words.")
    parser.add_argument("--lower", action="store_true", help="write counts that have fallen")
    found = list(places())
    if not parser.parse_args().lower:
        for word, place in found:
            print(f"{place}: {word} (instead: {RETIRED[word]})")
        return
    counts, allowed = Counter(word for word, _ in found), limits()
    kept = {word: min(counts[word], allowed[word]) for word in sorted(RETIRED)}
    head = "# Counts of tests/wording/retired.py. They may only fall; a word that is not listed is gone.\n"
    COUNTS.write_text(head + "".join(f"{word} = {count}\n" for word, count in kept.items() if count), "utf-8")


if __name__ == "__main__":
    main()
