"""What may only become less does not become more, and is counted rightly; the public API is the one listed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fences import public_api, ratchets


@pytest.mark.parametrize("name", ratchets.RATCHETS)
def test_count_is_its_limit(name: str) -> None:
    places = list(ratchets.RATCHETS[name].find(ratchets.SOURCES))
    wrong = ratchets.complaint(name, places, ratchets.limits()[name])
    assert not wrong, wrong


def test_every_limit_has_a_count() -> None:
    assert list(ratchets.limits()) == list(ratchets.RATCHETS)


def test_public_api_changes_only_on_purpose() -> None:
    listed = public_api.LISTED.read_text(encoding="utf-8").splitlines()
    assert list(public_api.public_api()) == listed, (
        "The public API changed. If that is meant, say so in CHANGELOG.md and write the list anew:"
        " python -m tests.fences.public_api"
    )


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def found(name: str, root: Path) -> list[str]:
    return [str(place) for place in ratchets.RATCHETS[name].find(root)]


def test_a_game_is_named_in_its_own_folder_alone(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        {
            "games/__init__.py": 'BUILT_IN = (\n    "dragons_cave",\n    "gran",\n)\nFIRST = "gran"\n',
            "games/dragons_cave/__init__.py": "NAME = 'dragons-cave'\n",
            "games/gran/__init__.py": "# Not as in Dragon's Cave.\n",
            "page/board.js": "const kit = dragonsCave;\n/* granite, Grandma */ DRAGONS_CAVE\n",
            "page/style.css": ".a { color: red }\n.gran .b { }\n",
            "page/index.html": "<p>Dragon’s Cave</p>",
            "page/covers/gran.svg": "<svg/>",
            "page/vendor/three.js": "gran",
            "gran_bot.py": "",
        },
    )
    assert found("game_names", root) == [
        "games/__init__.py:5: gran",
        "games/gran/__init__.py:1: Dragon's Cave",
        "gran_bot.py: a file named after gran",
        "page/board.js:1: dragonsCave",
        "page/board.js:2: DRAGONS_CAVE",
        "page/covers/gran.svg: a file named after gran",
        "page/index.html:1: Dragon’s Cave",
        "page/style.css:2: gran",
    ]


def test_a_module_has_at_most_600_lines(tmp_path: Path) -> None:
    text = {600: "x = 1\n" * 600, 601: "x = 1\n" * 601}
    names = {
        "a.py": text[600],
        "b/c.py": text[601],
        "d.js": text[601],
        "vendor/three.js": text[601],
        "e.css": text[601],
    }
    assert found("long_modules", write(tmp_path, names)) == ["b/c.py: 601 lines", "d.js: 601 lines"]


def test_a_function_has_at_most_60_lines(tmp_path: Path) -> None:
    method = "class A:\n    if True:\n        @property\n        def b(self):\n" + "            x = 1\n" * 60
    rest = "def c():\n" + "    x = 1\n" * 59 + "async def d():\n" + "    x = 1\n" * 60
    assert found("long_functions", write(tmp_path, {"a.py": method + rest})) == [
        "a.py:125: d, 61 lines",
        "a.py:4: b, 61 lines",
    ]


def test_any_is_counted_wherever_a_type_can_stand(tmp_path: Path) -> None:
    text = """
import typing
from typing import Any, cast
from typing import Any as Whatever

Table = dict[str, Any]
one: Any = cast("Any", 1)
two: "list[Any]" = ["Any"]

def f(a: Whatever, *b: typing.Any) -> "Any":
    return Any

@linking.internal(within=1)
def rule(game: Any) -> Any:
    def inner(a: Any) -> Any: ...

def company(Anything: int) -> None: "Any"
"""
    root = write(
        tmp_path, {"a.py": text, "b.py": "Any = 1\nx: Any", "games/x/rules/a.py": text, "engine/jit/b/a.py": text}
    )
    assert found("uses_of_any", root) == [f"a.py:{line}: Any" for line in (6, 7, 7, 8, 10, 10, 10, 11)]


def test_a_complaint_says_where_and_what_to_do() -> None:
    places = [ratchets.Place("cli.py", 7, "make, 61 lines")]
    assert ratchets.complaint("long_functions", places, 1) == ""
    more = ratchets.complaint("long_functions", places, 0)
    assert "\n  cli.py:7: make, 61 lines" in more
    assert "Split it" in more
    assert "Write `long_functions = 1`" in ratchets.complaint("long_functions", places, 2)


def test_limits_are_lowered_and_never_raised() -> None:
    assert ratchets.lower("# Why.\na = 5\nb = 5\n", {"a": 4, "b": 6}) == "# Why.\na = 4\nb = 5\n"
