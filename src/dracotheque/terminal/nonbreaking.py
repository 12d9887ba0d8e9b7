"""Non-breaking spaces in Rich, which breaks lines at every kind of space; French must not."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment

# Private-use characters replace the two non-breaking spaces while Rich breaks lines.
_PLACEHOLDERS = {"\u00a0": "\ue000", "\u202f": "\ue001"}
_PROTECT = str.maketrans(_PLACEHOLDERS)
_RESTORE = str.maketrans({placeholder: space for space, placeholder in _PLACEHOLDERS.items()})


def protect_spaces(text: str) -> str:
    """Return a text with placeholders for its non-breaking spaces."""
    return text.translate(_PROTECT)


def restore_spaces(text: str) -> str:
    """Return a text with its non-breaking spaces restored."""
    return text.translate(_RESTORE)


@dataclass(frozen=True)
class NonBreakingText:
    """A renderable whose non-breaking spaces are restored after the lines are broken."""

    content: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render the content and restore its spaces."""
        for segment in console.render(self.content, options):
            yield segment if segment.control else Segment(restore_spaces(segment.text), segment.style)
