"""How the commands of research end: a mistake is explained, never shown as a traceback."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence

from dracotheque.engine.errors import DracothequeError


def explained(command: Callable[[Sequence[str] | None], None]) -> Callable[..., None]:
    """Let a command end with the text of its mistake and the status 1."""

    @functools.wraps(command)
    def run(arguments: Sequence[str] | None = None) -> None:
        try:
            command(arguments)
        except DracothequeError as wrong:
            print(wrong, file=sys.stderr)
            raise SystemExit(1) from None

    return run
