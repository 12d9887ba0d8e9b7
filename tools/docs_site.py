"""What MkDocs does besides its own when it builds the site of the documentation (`hooks` in mkdocs.yml).

Files of the repository that a page links to become pages of the site, so that no link leaves it; the reference of
commands gets their help; a font, script or picture from another host fails the build.
"""

from __future__ import annotations

import argparse
import os
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from pymdownx.slugs import slugify

ROOT = Path(__file__).resolve().parents[1]
DOCS = "docs"
SOURCE = "source"
"""The folder of the site in which files of the repository are pages."""
LINK = re.compile(
    r"(?P<code>^(?P<indent> *)```.*?^(?P=indent)```$)"  # a block of code, whose links are none
    r"|(?P<before>\]\()(?P<link>[^)\s]+)(?=\))"
    r"|(?P<html>\b(?:href|src|srcset)=\")(?P<path>[^\"]+)(?=\")",
    re.MULTILINE | re.DOTALL,
)
FOREIGN = re.compile(
    r"<(?:script|img|source|iframe)\b[^>]*\b(?:src|srcset)=\"?(?:https?:)?//[^\">\s]+"
    r"|<link\b(?=[^>]*\brel=\"?(?:stylesheet|preload|icon))[^>]*\bhref=\"?(?:https?:)?//[^\">\s]+"
)
FOREIGN_STYLE = re.compile(r"(?:url\(|@import )[\"']?(?:https?:)?//[^)\"']+")
HELP = "<!-- generated: options of all commands -->"
LANGUAGES = {
    ".py": "python",
    ".toml": "toml",
    ".js": "js",
    ".ts": "ts",
    ".css": "css",
    ".json": "json",
    ".yaml": "yaml",
}


# --- Files of the repository as pages -----------------------------------------------------------------------------
def links(markdown: str) -> Iterator[str]:
    """Find the addresses a text links to, without those of code blocks."""
    for found in LINK.finditer(markdown):
        if not found["code"]:
            yield found["link"] or found["path"]


def target(link: str, origin: str) -> str | None:
    """Return the file of the repository that a link in the file `origin` leads to, or None where it leaves it."""
    path = link.partition("#")[0]
    if not path or re.match(r"[a-z]+:", link):
        return None
    found = posixpath.normpath(posixpath.join(posixpath.dirname(origin), path))
    return found if not found.startswith("..") and (ROOT / found).exists() else None


def place(path: str) -> str:
    """Return where in the site's sources a file of the repository is."""
    if path == DOCS or path.startswith(f"{DOCS}/"):
        return path[len(DOCS) + 1 :] or "README.md"
    folder = "/index" if (ROOT / path).is_dir() else ""
    return f"{SOURCE}/{path}" if path.endswith(".md") else f"{SOURCE}/{path}{folder}.md"


def origin(src_uri: str) -> str:
    """Return the file of the repository that a page was made from."""
    if not src_uri.startswith(f"{SOURCE}/"):
        return f"{DOCS}/{src_uri}"
    path = src_uri[len(SOURCE) + 1 :]
    if (ROOT / path).exists():
        return path
    return re.sub(r"(/index)?\.md$", "", path)


def as_page(path: str) -> str:
    """Write a file of the repository, or a folder, as a page that stays out of the search."""
    file = ROOT / path
    head = f"---\nsearch:\n  exclude: true\ntitle: {path}\n---\n"
    if file.is_dir():
        names = sorted(f"- `{each.name}{'/' * each.is_dir()}`" for each in file.iterdir() if each.name[0] not in "._")
        return f"{head}# {path}/\n\nA folder of the repository:\n\n" + "\n".join(names) + "\n"
    text = file.read_text("utf-8")
    if file.suffix == ".md":
        return head + text
    longest = max((len(ticks) for ticks in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{head}# {path}\n\n{fence}{LANGUAGES.get(file.suffix, 'text')}\n{text.rstrip()}\n{fence}\n"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Name headings as GitHub does, so that a link with an anchor works in both places."""
    config.mdx_configs.setdefault("toc", {})["slugify"] = slugify(case="lower")
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each file of the repository that a page links to, and for those that these link to."""
    waiting = [(f"{DOCS}/{file.src_uri}", file.content_string) for file in files.documentation_pages()]
    done = {path for path, _ in waiting}
    while waiting:
        path, text = waiting.pop()
        for link in links(text) if path.endswith(".md") else ():
            found = target(link, path)
            if found is None or found in done or found.startswith(f"{DOCS}/") or found == DOCS:
                continue
            done.add(found)
            page = as_page(found)
            files.append(File.generated(config, place(found), content=page))
            waiting.append((found, page))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead links to files of the repository to their pages, and put the help of commands into its page."""
    here, made_from = posixpath.dirname(page.file.src_uri), origin(page.file.src_uri)

    def follow(found: re.Match[str]) -> str:
        link = found["link"] or found["path"]
        path = None if found["code"] else target(link, made_from)
        if path is None:
            return found[0]
        anchor = link.partition("#")[1] + link.partition("#")[2]
        return (found["before"] or found["html"]) + posixpath.relpath(place(path), here or ".") + anchor

    text = LINK.sub(follow, markdown)
    return text.replace(HELP, "\n\n".join(helps())) if HELP in text else text


# --- Help of the commands -----------------------------------------------------------------------------------------
def helps() -> Iterator[str]:
    """Write the help of every command, 100 columns wide."""
    from dracotheque.cli import make_parser

    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "100"
    try:
        for action in make_parser()._actions:
            if isinstance(action, argparse._SubParsersAction):
                for name, parser in action.choices.items():
                    yield f"### dracotheque {name}\n\n```text\n{parser.format_help().rstrip()}\n```"
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before


# --- Nothing from other hosts -------------------------------------------------------------------------------------
def on_post_build(config: MkDocsConfig, **_: Any) -> None:
    """Fail where a page would fetch something from another host."""
    for path in sorted(Path(config.site_dir).rglob("*")):
        if path.suffix in {".html", ".css"}:
            pattern = FOREIGN if path.suffix == ".html" else FOREIGN_STYLE
            if found := pattern.search(path.read_text("utf-8")):
                raise PluginError(f"{path.relative_to(config.site_dir)} fetches from another host: {found[0]}")
