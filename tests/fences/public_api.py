"""List the public API: what the modules below name in `__all__`, with signatures and public members.

`python -m tests.fences.public_api` writes the list to `public_api.txt`.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

MODULES = ("dracotheque", "dracotheque.bots", "dracotheque.rules", "dracotheque.testing")
LISTED = Path(__file__).with_name("public_api.txt")


def public_api() -> Iterator[str]:
    """Yield a line for each name that users may rely on."""
    for module in MODULES:
        offered = importlib.import_module(module)
        for name in sorted(offered.__all__):
            yield from _lines(f"{module}.{name}", getattr(offered, name))


def _lines(name: str, what: object) -> Iterator[str]:
    if inspect.isclass(what):
        above = [each.__name__ for each in what.__bases__ if each is not object]
        yield f"class {name}({', '.join(above)})" if above else f"class {name}"
        for member, each in sorted(vars(what).items()):
            if not member.startswith("_") or (member == "__init__" and Protocol not in what.__bases__):
                yield from _lines(f"{name}.{member}", each)
        fields = [each for each in inspect.get_annotations(what) if not each.startswith("_")]
        yield from (f"{name}.{each}" for each in sorted(fields) if each not in vars(what))
    elif isinstance(what, classmethod | staticmethod):
        yield f"{name}{inspect.signature(what.__func__)}"
    elif inspect.isfunction(what):
        yield f"{name}{inspect.signature(what)}"
    else:
        yield name


if __name__ == "__main__":
    LISTED.write_text("".join(f"{line}\n" for line in public_api()), encoding="utf-8")
