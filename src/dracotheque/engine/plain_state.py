"""A state as plain Python: the fields of the record as ints and lists."""

from __future__ import annotations

import functools
import struct
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np


def tagged(dtype: np.dtype[np.void], tag: str) -> np.dtype[np.void]:
    """Return a record type with a field of size zero: the same bytes, but another type wherever types are compared."""
    fields: Any = dtype.fields
    return np.dtype(
        {
            "names": [*fields, tag],
            "formats": [*(field[0] for field in fields.values()), ("u1", (0,))],
            "offsets": [*(field[1] for field in fields.values()), dtype.itemsize],
            "itemsize": dtype.itemsize,
        },
        align=dtype.isalignedstruct,
    )


@functools.cache
def field_names(dtype: np.dtype[np.void]) -> tuple[str, ...]:
    """Return the names of a record's fields, without the tag."""
    fields: Any = dtype.fields
    return tuple(name for name, field in fields.items() if field[0].itemsize)


class PlainState:
    """A record's fields as attributes; interpreted rules read and write it as compiled ones do the record."""

    _dtype: np.dtype[np.void]
    _format: str

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def __init__(self, dtype: np.dtype[np.void], rules: Any, data: bytes | None = None, board: Any = None) -> None:
        """Make a state of a record type, all zero or as the bytes say, played by the functions of a rules module.

        `board` is the game's own, with the names and colours that the record has no room for.
        """
        self.__dict__["_dtype"] = dtype
        self.__dict__["_rules"] = rules
        self.__dict__["board"] = board
        self.__dict__["_format"] = _struct_format(dtype)
        self.read(data or bytes(dtype.itemsize))

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse a field that the record does not have: a misspelt name must not pass unnoticed."""
        if name not in self.__dict__:
            raise AttributeError(f"the state has no field {name!r}")
        self.__dict__[name] = value

    def read(self, data: bytes) -> None:
        """Take every field from a record's bytes."""
        values, fields = struct.unpack(self._format, data), self.__dict__
        for name, first, last, row in _places(self._dtype):
            if last == 0:
                fields[name] = values[first]
            elif row == 0:
                fields[name] = list(values[first:last])
            else:
                fields[name] = [list(values[at : at + row]) for at in range(first, last, row)]

    def bytes(self) -> bytes:
        """Return the record's bytes; a value that does not fit its field raises OverflowError."""
        values: list[int] = []
        for name in field_names(self._dtype):
            value = self.__dict__[name]
            if not isinstance(value, list):
                values.append(value)
            elif isinstance(value[0], list):
                values.extend(chain.from_iterable(value))  # pyright: ignore[reportUnknownArgumentType]
            else:
                values.extend(value)  # pyright: ignore[reportUnknownArgumentType]
        try:
            return struct.pack(self._format, *values)
        except struct.error as error:
            raise OverflowError(f"a field of the state does not fit: {error}") from error


_LETTERS = {"i": {1: "b", 2: "h", 4: "i", 8: "q"}, "u": {1: "B", 2: "H", 4: "I", 8: "Q"}}


@functools.cache
def _struct_format(dtype: np.dtype[np.void]) -> str:
    """Write a record type, padding included, in the format of the struct module."""
    letters, at = "<", 0
    fields: Any = dtype.fields
    for name in field_names(dtype):
        field, offset = fields[name][:2]
        base, shape = field.subdtype or (field, ())
        letter = _LETTERS[base.kind][base.itemsize]
        letters += f"{offset - at}x{int(np.prod(shape, dtype=int))}{letter}"
        at = offset + field.itemsize
    return letters + f"{dtype.itemsize - at}x"


@functools.cache
def _places(dtype: np.dtype[np.void]) -> list[tuple[str, int, int, int]]:
    """Return for every field its place in the list of values: first, end (0 for one value), length of a row or 0."""
    places: list[tuple[str, int, int, int]] = []
    at = 0
    fields: Any = dtype.fields
    for name in field_names(dtype):
        field = fields[name][0]
        shape = field.subdtype[1] if field.subdtype else ()
        count = int(np.prod(shape, dtype=int))
        places.append((name, at, at + count if shape else 0, shape[1] if len(shape) > 1 else 0))
        at += count
    return places
