"""Every text that players read, in four languages: no retired word, real signs, the right address, a fitting length."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from dracotheque.engine.rulebook import LANGUAGES
from tests.wording import catalogs

TEXT, TEMPLATE = re.compile(r"\"([\w.-]+)\""), re.compile(r"`([\w.-]*\.?\$\{[^`]*)`")


@pytest.mark.parametrize("catalog", catalogs.folders())
@pytest.mark.parametrize("check", catalogs.CHECKS)
def test_texts_keep_the_rules_of_wording(check: str, catalog: str) -> None:
    found, allowed = catalogs.counts(check)[catalog], catalogs.limits().get(check, {}).get(catalog, 0)
    lines = "\n".join(str(fault) for fault in catalogs.faults(check) if fault.catalog == catalog)
    assert found <= allowed, f"{found} faults, {allowed} allowed:\n{lines}"
    assert found >= allowed, "there are fewer: `python -m tests.wording.catalogs --lower` writes the count"


def test_no_catalogue_that_all_games_share_is_exempted() -> None:
    assert {name for counts in catalogs.limits().values() for name in counts} & {*catalogs.SHARED} == set()


# --- Keys -------------------------------------------------------------------------------------------------------------
def matching(template: str) -> re.Pattern[str]:
    """Return a pattern for the keys that a template may give; its gaps are written as NUL."""
    return re.compile("[^ ]*?".join(map(re.escape, template.split("\0"))))


@cache
def in_scripts() -> tuple[set[str], list[re.Pattern[str]]]:
    """Return the texts in the page's scripts that may be keys, and the patterns of those with gaps."""
    sources = [path for folder in ("server/page/js", "games") for path in (catalogs.PACKAGE / folder).rglob("*.js")]
    scripts = [path.read_text("utf-8") for path in sources]
    templates = {re.sub(r"\$\{[^}]*\}", "\0", each) for script in scripts for each in TEMPLATE.findall(script)}
    return (
        {text for script in scripts for text in TEXT.findall(script)},
        [matching(each) for each in templates if re.match(r"[\w-]+\.", each)],
    )


def strings(path: Path) -> Iterator[str]:
    """Yield the strings of a Python file, each gap of an f-string as NUL."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(each.value) if isinstance(each, ast.Constant) else "\0" for each in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@cache
def in_python(*folders: str) -> tuple[set[str], list[re.Pattern[str]]]:
    """Return the strings of Python files that may be keys, and the patterns of those with gaps."""
    paths = [path for folder in folders for path in sorted((catalogs.PACKAGE / folder).rglob("*.py"))]
    found = {text for path in paths for text in strings(path)}
    templates = {text for text in found if re.fullmatch(r"[\w.-]*\0[\w.\0-]*", text) and re.search(r"\w\.", text)}
    return {text for text in found if "\0" not in text}, [matching(each) for each in templates]


def unused(keys: Iterator[str], texts: set[str], patterns: list[re.Pattern[str]]) -> list[str]:
    """Return the keys that no text and no pattern gives; a count chooses `.one` or `.many`."""
    names = {key: {key, key.removesuffix(".one").removesuffix(".many")} for key in keys}
    return [
        key
        for key, each in names.items()
        if not each & texts and not any(pattern.fullmatch(name) for name in each for pattern in patterns)
    ]


def test_every_key_of_the_page_is_used() -> None:
    texts, patterns = in_scripts()
    assert unused(iter(catalogs.entries("page", "en")), texts, patterns) == []


def test_every_key_of_the_terminal_is_used() -> None:
    texts, patterns = in_python("terminal", "presentation", "engine")
    keys = (key.removeprefix("command.") for key in catalogs.entries("terminal", "en"))
    assert unused(keys, texts, patterns) == []


def test_every_message_of_the_server_is_used_and_every_refusal_has_one() -> None:
    texts, patterns = in_python("tables", "server")
    keys = catalogs.entries("server", "en")
    codes = {key.removeprefix("refused.") for key in keys if key.startswith("refused.")}
    assert unused((key for key in keys if not key.startswith("refused.")), texts, patterns) == []
    assert sorted(codes - texts) == []
    raised = {
        node.args[0].value
        for folder in ("tables", "server")
        for path in (catalogs.PACKAGE / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "CommandError"
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }
    assert len(raised) > 20
    assert raised <= codes


def test_the_page_asks_for_no_key_that_is_missing() -> None:
    keys = catalogs.entries("page", "en")
    scripts = [path.read_text("utf-8") for path in (catalogs.PACKAGE / "server/page/js").glob("*.js")]
    asked = {key for script in scripts for key in re.findall(r"\bt\(\"([^\"]+)\"", script)}
    assert len(asked) > 50
    assert sorted(key for key in asked if key not in keys and f"{key}.one" not in keys) == []


# --- The checks find what they should ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("check", "language", "key", "text"),
    [
        ("retired", "en", "x", "Which box do we open?"),
        ("retired", "de", "x", "Dieser Tisch wurde abgeräumt."),
        ("retired", "it", "x", "Nessuno siede qui."),
        ("typography", "en", "x", "New game …"),
        ("typography", "fr", "x", "Qui joue ?"),
        ("typography", "it", "x", "Il livello « Facile »"),
        ("typography", "de", "x", "Neue Partie…"),
        ("typography", "de", "x", "{count} Züge"),
        ("address", "it", "x", "Aprite la pagina."),
        ("address", "de", "x", "Wähl ein Spiel"),
        ("address", "fr", "x", "Choisis ta place"),
        ("length", "de", "tool.close", "Diese Partie für alle beenden"),
        ("glossary", "fr", "x", "Quitter"),
    ],
)
def test_a_fault_is_found(monkeypatch: pytest.MonkeyPatch, check: str, language: str, key: str, text: str) -> None:
    good = {"en": "Undo", "fr": "Annuler le coup", "it": "Ritira la mossa", "de": "Zug zurücknehmen"}
    monkeypatch.setattr(catalogs, "folders", lambda: {"page": Path()})
    monkeypatch.setattr(catalogs, "entries", lambda _, spoken: {key: good[spoken]})
    assert [*catalogs.CHECKS[check]()] == []
    monkeypatch.setattr(catalogs, "entries", lambda _, spoken: {key: text if spoken == language else good[spoken]})
    assert {fault.language for fault in catalogs.CHECKS[check]()} == {language}


def test_gaps_and_keys_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    words = {language: {"a": "{name}", "b": ""} for language in LANGUAGES}
    words["fr"] = {"a": "{nom}", "c": ""}
    monkeypatch.setattr(catalogs, "folders", lambda: {"page": Path()})
    monkeypatch.setattr(catalogs, "entries", lambda _, language: words[language])
    assert sorted(fault.key for fault in catalogs.keys_and_gaps()) == ["a", "b", "c"]
