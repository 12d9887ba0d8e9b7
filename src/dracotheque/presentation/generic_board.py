"""The board of any game on the page: a place for each field that its catalogue names, and the fields of each seat.

Choices have no places here, so they are made at buttons.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from types import ModuleType

import numpy as np

from dracotheque.engine import default_rules, registry
from dracotheque.engine.definition import GameDefinition
from dracotheque.engine.game import Game
from dracotheque.engine.phrases import Catalog, Phrase, game_words, phrase
from dracotheque.engine.plain_state import PlainState
from dracotheque.presentation.pieces import Holding, Piece, score
from dracotheque.presentation.svg import document, place, style_sheet, text

WIDTH, TOP, ROW = 640, 100, 76
DAY = {"paper": "#f3ead7", "slot": "#e4d5b7", "ink": "#3b2f24"}
NIGHT = {"paper": "#2b2620", "slot": "#3a332b", "ink": "#e9dcc3"}
LINES = {
    ".name": "fill:%(ink)s;font:34px Georgia,serif;text-anchor:middle",
    ".title": "fill:%(ink)s;font:22px Georgia,serif",
}


def board_view_of(game: Game) -> ModuleType:
    """Return a game's `board_view`, with what it leaves out from here."""
    return registry.part(game.definition, "board_view", defaults)


class GenericBoard:
    """A game shown as its fields and their numbers."""

    def __init__(self, definition: GameDefinition) -> None:
        """Divide the fields that the catalogue names into those with a value for every seat and the others."""
        self.definition = definition
        self.words = game_words(definition, "en")
        shapes = {name: field[0].shape for name, field in (_state(definition).fields or {}).items()}
        named = [name for name in shapes if self.words.has(f"field.{name}")]
        self.by_seat = [name for name in named if shapes[name] and shapes[name][0] >= definition.max_players]
        self.common = [name for name in named if name not in self.by_seat]

    def svg(self, board: object, words: Catalog, *, night: bool) -> str:
        """Return a board with a slot for each field that belongs to no seat."""
        height = TOP + ROW * len(self.common)
        slots = [_slot(name, words.entry(f"field.{name}"), TOP + ROW * row) for row, name in enumerate(self.common)]
        title = text("name", WIDTH / 2, 62, self.definition.title)
        ground = f'<rect class="a-paper" width="{WIDTH}" height="{height}" rx="14"/>'
        style = style_sheet(NIGHT if night else DAY, LINES)
        return document(WIDTH, height, self.definition.title, words.language, style, ground, title, *slots)

    def pieces(self, table: PlainState, viewer: int) -> dict[str, Piece]:
        """Return a piece for each field that belongs to no seat, with its value as a label."""
        return {
            _key(name): Piece("number", _key(name), value=_total(value), label=self._values(name, value))
            for name, value in ((name, getattr(table, name)) for name in self.common)
        }

    def holdings(self, table: PlainState, viewer: int) -> list[list[Holding]]:
        """Return a holding for each field of each seat."""
        return [
            [
                Holding(name, _total(value), label=self._label(name, value))
                for name, value in ((name, getattr(table, name)[seat]) for name in self.by_seat)
            ]
            for seat in range(table.players)
        ]

    def standings(self, table: PlainState, viewer: int) -> list[Holding]:
        """Return the score of each seat as it would be counted now, where nothing is hidden; else none."""
        if self.definition.hidden_information:
            return []
        points = [0] * table.players
        registry.part(self.definition, "rules", default_rules.defaults).scores(table, points)
        return [score(each) for each in points]

    def places(self, table: PlainState, seat: int, action: int) -> list[str]:
        """Return no places: choices are made with buttons."""
        return []

    def onward(self, table: PlainState, seat: int, actions: Sequence[int]) -> Mapping[int, dict[str, Phrase | None]]:
        """Return no places to go on to."""
        return {}

    def _label(self, name: str, value: int | list[int]) -> Phrase:
        """Return the name and value of a field."""
        return phrase("generic.field", title=phrase(f"field.{name}"), value=self._values(name, value))

    def _values(self, name: str, value: int | list[int]) -> Phrase:
        """Return the values of a field as one phrase."""
        if isinstance(value, int):
            return self._value(name, value)
        if not any(self.words.has(_value_key(name, each)) for each in value):
            return phrase("generic.named", name=" ".join(map(str, value)))
        return functools.reduce(
            lambda first, second: phrase("generic.pair", first=first, second=second),
            (self._value(name, each) for each in value),
        )

    def _value(self, name: str, value: int) -> Phrase:
        """Return a value as the catalogue names it, or as a number."""
        key = _value_key(name, value)
        return phrase(key) if self.words.has(key) else phrase("generic.named", name=value)


def _state(definition: GameDefinition) -> np.dtype[np.void]:
    """Return a game's record."""
    return registry.part(definition, "rules", default_rules.defaults).State


def _slot(name: str, title: str, top: float) -> str:
    """Return the slot of a field: its title, and room for its value."""
    bar = f'<rect class="a-slot" x="32" y="{top}" width="{WIDTH - 64}" height="{ROW - 14}" rx="12"/>'
    middle = top + (ROW - 14) / 2
    return place(_key(name), (WIDTH - 80, middle), 30, title, bar, text("title", 56, middle + 8, title))


def _total(value: int | list[int]) -> int:
    """Return a number, or the sum of a list."""
    return value if isinstance(value, int) else sum(value)


def _value_key(name: str, value: int) -> str:
    """Return the key under which a catalogue may name a value of a field."""
    return f"value.{name}.{value}"


def _key(name: str) -> str:
    """Return the id of a field's place."""
    return f"field-{name}"


def defaults(definition: GameDefinition, view: ModuleType) -> Mapping[str, object]:
    """Return the functions for what a game's board view leaves out."""
    generic = GenericBoard(definition)
    return {name: getattr(generic, name) for name in ("svg", "pieces", "holdings", "standings", "places", "onward")}
