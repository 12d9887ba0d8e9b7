"""The games that come with the library; `dracotheque.engine.registry` finds them and those of other packages."""

from __future__ import annotations

BUILT_IN = ("emerald", "dragons_cave", "gran", "save_the_dragon")
"""Their packages, in the order of the lobby."""
