"""The table as the terminal draws it, for the seat that has to choose."""

from __future__ import annotations

import importlib
from typing import Any

from dracotheque import State
from dracotheque.presentation import terminal_canvas


def asked(state: State) -> int:
    """Find a seat that has to choose, or a spectator where nobody has to."""
    seats = [] if state.is_terminal() else range(state.game.players)
    return next((seat for seat in seats if state.legal_actions(seat)), -1)


def picture(state: State, language: str = "en", width: int = 80, height: int = 24, *, marked: bool = True) -> Any:
    """Draw the board for a seat that has to choose, with its choices."""
    drawing = importlib.import_module(f"{state.game.definition.package}.terminal_view")
    seat = asked(state)
    seen, choices = state.observation(seat), state.legal_actions(seat) if seat >= 0 and marked else []
    marks = terminal_canvas.numbered(drawing.place(seen, seat, action) for action in choices)
    return drawing.board(seen, state.game.words(language), width, marks, height)
