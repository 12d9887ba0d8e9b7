"""Count the retired words and phrases in code and docs; `python -m tests.wording.retired` prints where they stand.

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
WORDS = {
    "anew": "again",
    "box": "game",
    "boxes": "games",
    "carving": "precompiling",
    "certificate": "optimality proof, exploitability bound",
    "club": "population",
    "clubs": "populations",
    "desk": "workspace, prompt panel",
    "desks": "workspaces",
    "glue": "non-breaking text",
    "glued": "with non-breaking spaces",
    "house": "table manager",
    "hunch": "opponent prior",
    "hunches": "opponent priors",
    "imagine": "determinize, resample",
    "imagined": "determinized, resampled",
    "imagines": "determinizes, resamples",
    "kit": "helpers, board module",
    "lesson": "hint, transition",
    "lessons": "hints, transitions",
    "luck": "client seed",
    "mind": "evaluator, value network",
    "minds": "evaluators",
    "mixture": "mixed strategy",
    "mixtures": "mixed strategies",
    "nature": "physical chance",
    "outlook": "state heuristic",
    "patience": "turn timeout",
    "pupil": "exploiter",
    "pupils": "exploiters",
    "reckon": "calculate",
    "reckoned": "calculated",
    "reckons": "calculates",
    "shelf": "lobby, registry",
    "sitting": "session",
    "sittings": "sessions",
    "told": "events, narration",
    "ways": "search parameters, paths",
    "whoever": "who, anyone who",
    "worth": "action heuristic, value",
}
"""What is written instead of each, which counts alone and as a part of a name."""

PHRASES = {
    "as good as": "nearly",
    "be had": "available",
    "dead letter": "unused",
    "keen on": "favours",
    "let it go": "release",
    "mixer": "equilibrium bot",
    "our cave": "default board",
    "second opinion": "reference implementation",
    "stand-in": "substitute, fallback",
    "usual cave": "default board",
}
"""The same for several words, and for what is no retired word everywhere; between words `_` counts as a space."""

RETIRED = WORDS | PHRASES

WHERE = {
    "": ("Makefile", "README.md", "CONTRIBUTING.md"),
    "docs": ("how-to/*.md", "reference/**/*.md", "tutorial/*.md", "explanation/*.md"),
    "examples": ("**/*.py",),
    "src/dracotheque": ("**/*.py", "**/*.js", "**/*.css", "**/*.html"),
}
NOT_OURS = re.compile(r"/vendor/|/rulebook/")
WORD = re.compile(r"[A-Z]?[a-z]+")  # each part of a name such as `box_of` or `BoxView`
PHRASE = {phrase: re.compile(rf"\b{re.sub('[ -]', '[ _-]', phrase)}s?\b", re.IGNORECASE) for phrase in PHRASES}
PHRASE["stand-in"] = re.compile(r"\bstand[-_]ins?\b", re.IGNORECASE)  # knights stand in a row
PHRASE["mixer"] = re.compile(r"(?<!bot )(?<![\"'`,])\bmixers?\b(?![\"'`,:])")  # but `mixer` is the name of a bot
KEPT = re.compile(
    r"viewBox|BBox|box-\w+|[a-z]+-box\b|spaces\.Box|\bbox=None|BoxGeometry|[\"']box[\"']|"  # names of libraries
    r"\bhunch=|[\"'`](?:luck|patience|stand_in|stand_in_already|no_stand_in|hoard\.worth|house|hunch)[\"'`]|dice\.luck\b"
)
"""Names that stay: those of SVG, CSS and libraries, and those that are stored, sent or typed."""


def files() -> Iterator[Path]:
    """Yield every file that is counted."""
    for folder, patterns in WHERE.items():
        for pattern in patterns:
            for path in sorted((ROOT / folder).glob(pattern)):
                if not NOT_OURS.search(path.as_posix()):
                    yield path


def places() -> Iterator[tuple[str, str]]:
    """Yield every retired word or phrase with its place."""
    for path in files():
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            place, text = f"{path.relative_to(ROOT).as_posix()}:{number}", KEPT.sub("", line)
            yield from ((word.lower(), place) for word in WORD.findall(text) if word.lower() in WORDS)
            yield from ((phrase, place) for phrase, pattern in PHRASE.items() for _ in pattern.findall(text))


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
    lines = (
        f'"{word}" = {count}\n' if word in PHRASES else f"{word} = {count}\n" for word, count in kept.items() if count
    )
    COUNTS.write_text(head + "".join(lines), "utf-8")


if __name__ == "__main__":
    main()
