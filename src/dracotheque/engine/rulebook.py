"""The rulebook: one Markdown file a language, every rule a paragraph under a heading `### Title {#rule.id}`."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path

from dracotheque.engine.errors import DracothequeError, unknown

LANGUAGES = ("en", "fr", "it", "de")
_HEADING = re.compile(r"^### (?P<title>.+?) \{#(?P<id>[a-z.-]+)\}$", re.MULTILINE)


@dataclass(frozen=True)
class Paragraph:
    """One rule, as the players read it."""

    id: str
    title: str
    text: str

    @property
    def sentence(self) -> str:
        """The rule in one line, without line breaks."""
        return " ".join(self.text.split("\n\n")[0].split())


@dataclass(frozen=True)
class Rulebook:
    """All rules of a game in one language."""

    language: str
    markdown: str
    paragraphs: dict[str, Paragraph]

    def __getitem__(self, rule: str) -> Paragraph:
        """Find a rule by its id."""
        if rule not in self.paragraphs:
            raise unknown("rule", rule, self.paragraphs, "dracotheque rules GAME")
        return self.paragraphs[rule]


@functools.cache
def read(folder: Path, language: str) -> Rulebook:
    """Read a rulebook from its folder; a language that it is not written in yet falls back to English."""
    if language not in LANGUAGES:
        raise unknown("language", language, LANGUAGES)
    path = folder / f"{language}.md"
    markdown = (path if path.is_file() else folder / "en.md").read_text("utf-8")
    paragraphs: dict[str, Paragraph] = {}
    headings = list(_HEADING.finditer(markdown))
    for heading, following in zip(headings, [*headings[1:], None], strict=True):
        body = markdown[heading.end() : following.start() if following else len(markdown)]
        body = re.split(r"^## ", body, maxsplit=1, flags=re.MULTILINE)[0].strip()
        if heading["id"] in paragraphs or not body:
            raise DracothequeError(f"{folder.name}/{language}.md: rule {heading['id']} is empty or stands there twice.")
        paragraphs[heading["id"]] = Paragraph(heading["id"], heading["title"], body)
    return Rulebook(language, markdown, paragraphs)


def with_ids_as_code(markdown: str) -> str:
    """Show the ids in the headings as code, for a reader of plain Markdown."""
    return _HEADING.sub(r"### \g<title> `\g<id>`", markdown)
