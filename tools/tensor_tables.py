"""Write the tables of all observation tensors into docs/reference/engine.md, from the layouts that the games declare.

python -m tools.tensor_tables
"""

from __future__ import annotations

import importlib
import re
from pathlib import Path

from dracotheque.engine import registry
from dracotheque.engine.jit.workspace import rules_module
from dracotheque.engine.tensor_layout import as_markdown, of

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "engine.md"


def with_tables(text: str) -> str:
    """Return a page with every table between `<!-- tensor: GAME -->` and `<!-- end -->` as it is now."""
    for name, game in registry.games().items():
        layout = of(importlib.import_module(rules_module(game.package)))
        section = f"<!-- tensor: {name} -->\n\n{as_markdown(layout)}\n\n<!-- end -->"
        pattern = rf"<!-- tensor: {name} -->\n.*?<!-- end -->"
        text, found = re.subn(pattern, lambda _, section=section: section, text, flags=re.DOTALL)
        if found != 1:
            raise SystemExit(f"{PAGE} should have one line <!-- tensor: {name} -->, it has {found}.")
    return text


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text("utf-8")), "utf-8")
