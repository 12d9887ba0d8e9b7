"""The documentation as a site: it is built without a dead link or a missing name, and needs no other host."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from mkdocs.exceptions import PluginError

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def hooks() -> ModuleType:
    """The program that MkDocs calls."""
    spec = importlib.util.spec_from_file_location("docs_site", ROOT / "tools" / "docs_site.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_site_is_built(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    built = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stdout + built.stderr
    assert "dracotheque.State" in (tmp_path / "reference/api/games.html").read_text("utf-8")
    commands = (tmp_path / "reference/commands.html").read_text("utf-8")
    assert "usage: dracotheque simulate [-h]" in re.sub("<[^>]+>", "", commands)
    game = (tmp_path / "explanation/one-rule-source.html").read_text("utf-8")
    assert 'href="../source/src/dracotheque/games/emerald/rulebook/en.html"' in game
    assert (tmp_path / "source/src/dracotheque/games/emerald/rulebook/en.html").is_file()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("page.html", '<script src="https://example.org/a.js"></script>'),
        ("page.html", '<link href="//example.org/a.css" rel="stylesheet">'),
        ("page.html", '<picture><source media="print" srcset="http://example.org/a.png"></picture>'),
        ("style.css", '@import "https://example.org/a.css";'),
        ("style.css", "a { background: url(https://example.org/a.png) }"),
    ],
)
def test_a_file_from_another_host_fails_the_build(hooks: ModuleType, tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "index.html").write_text('<a href="https://example.org"><img src="a.png"></a>', "utf-8")
    hooks.on_post_build(SimpleNamespace(site_dir=str(tmp_path)))
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(PluginError, match=r"example\.org"):
        hooks.on_post_build(SimpleNamespace(site_dir=str(tmp_path)))


def test_links_of_pages_lead_to_files_or_to_the_pages_made_of_them(hooks: ModuleType) -> None:
    assert hooks.target("../../src/dracotheque/cli.py#L3", "docs/how-to/train.md") == "src/dracotheque/cli.py"
    assert hooks.target("../../../secret.py", "docs/how-to/train.md") is None
    assert hooks.target("https://example.org", "docs/how-to/train.md") is None
    for path in ("src/dracotheque/cli.py", "CHANGELOG.md", "tests/games/emerald/golden", "docs/how-to/train.md"):
        assert hooks.origin(hooks.place(path)) in {path, f"{path}/"}
    assert list(hooks.links('[a](b.md)\n```md\n[c](d.md)\n```\n<img src="e.svg">')) == ["b.md", "e.svg"]
