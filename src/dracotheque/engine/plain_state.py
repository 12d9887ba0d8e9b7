"""A state as plain Python: the fields of the record as ints and lists."""

from __future__ import annotations

import functools
import struct
from collections.abc import Callable
from itertools import chain
from operator import itemgetter
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
        unpack, names, take, grids = _layout(self._dtype)
        values, fields = list(unpack(data)), self.__dict__
        fields.update(zip(names, take(values), strict=False))
        for name, rows in grids:
            fields[name] = [values[row] for row in rows]

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


_Layout = tuple[
    Callable[[bytes], tuple[int, ...]],
    tuple[str, ...],
    Callable[[list[int]], tuple[int | list[int], ...]],
    list[tuple[str, list[slice]]],
]
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
def _layout(dtype: np.dtype[np.void]) -> _Layout:
    """Return how a record is read: its bytes are unpacked, single values and rows are taken at once, then the grids."""
    plain: dict[str, int | slice] = {}
    grids: list[tuple[str, list[slice]]] = []
    at = 0
    fields: Any = dtype.fields
    for name in field_names(dtype):
        field = fields[name][0]
        shape = field.subdtype[1] if field.subdtype else ()
        count = int(np.prod(shape, dtype=int))
        if len(shape) > 1:
            grids.append((name, [slice(row, row + shape[1]) for row in range(at, at + count, shape[1])]))
        else:
            plain[name] = slice(at, at + count) if shape else at
        at += count
    parts = list(plain.values())
    take = itemgetter(*parts, parts[0])  # one part alone would not be taken as a tuple
    return struct.Struct(_struct_format(dtype)).unpack, tuple(plain), take, grids
