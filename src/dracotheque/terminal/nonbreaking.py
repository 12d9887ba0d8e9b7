"""Non-breaking spaces in Rich, which breaks lines at every kind of space; French must not."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment

# While rich breaks lines, these characters (of no other use) stand for the two spaces that must not be broken.
_STAND_INS = {"\u00a0": "\ue000", "\u202f": "\ue001"}
_GLUE = str.maketrans(_STAND_INS)
_LOOSEN = str.maketrans({stand_in: space for space, stand_in in _STAND_INS.items()})


def glued(text: str) -> str:
    """Hide the unbreakable spaces of a text from rich."""
    return text.translate(_GLUE)


def loosened(text: str) -> str:
    """Bring the unbreakable spaces back."""
    return text.translate(_LOOSEN)


@dataclass(frozen=True)
class NonBreakingText:
    """Anything printed, with its unbreakable spaces brought back after the lines are broken."""

    content: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render the content and bring the spaces back."""
        for segment in console.render(self.content, options):
            yield segment if segment.control else Segment(loosened(segment.text), segment.style)
