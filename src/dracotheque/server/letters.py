"""The board in letters, as the terminal draws it, for pages that have no drawing of their own."""

from __future__ import annotations

import io

from rich.console import Console

from dracotheque.engine.game import State
from dracotheque.tables.table import Table, choosers
from dracotheque.terminal.screen import Screen

PRE = "<pre>{code}</pre>"
TALL = 200  # lines: a page scrolls


def board(table: Table, state: State, viewer: int, language: str, width: int) -> str:
    """Draw a position for a viewer as HTML, the viewer's choices numbered."""
    console = Console(
        file=io.StringIO(), record=True, width=width, height=TALL, force_terminal=True, color_system="truecolor"
    )
    screen = Screen(console, table.game, language, 0, None)
    names = [seat.name or screen.own_words.entries.get(f"bot.{seat.level}", "") for seat in table.seats]
    choices = state.legal_actions(viewer) if viewer in choosers(state) and table.status == "playing" else []
    screen.show_table(state, names, viewer, choices)
    if state.is_terminal():
        screen.show_end(state, names, [])
    return console.export_html(code_format=PRE, inline_styles=True)
