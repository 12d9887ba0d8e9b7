"""Build build/docs: README and the other texts as pages, and the API with pdoc. `make docs` runs it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import markdown2
import pdoc

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "build" / "docs"
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/engine.md", "docs/log-format.md", "docs/cuda.md")
API = (
    "dracotheque", r"!dracotheque\..+", "dracotheque.games", r"!dracotheque\.games\..+", "dracotheque.engine.game",
    "dracotheque.engine.log", "dracotheque.engine.playthrough", "dracotheque.engine.rulebook",
    "dracotheque.engine.words", "dracotheque.engine.rule", "dracotheque.engine.dispatch",
    "dracotheque.engine.errors", "dracotheque.engine.record", "dracotheque.engine.stream", "dracotheque.bots",
    "dracotheque.lab.simulate",
)  # fmt: skip
EXTRAS = ["fenced-code-blocks", "header-ids", "tables", "markdown-in-html"]
LINK = re.compile(r'(?<=")(?P<path>(?!https?:|#|mailto:)[^"#\s<>]+)(?P<anchor>#[^"]*)?(?=")')
PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Dracothèque – {title}</title>
<style>
:root {{ color-scheme: light dark; --paper: #f7eedb; --ink: #2a2018; --line: #d9c7a3; --link: #1f6a50 }}
@media (prefers-color-scheme: dark) {{
  :root {{ --paper: #14182a; --ink: #e6e9f5; --line: #353d5c; --link: #7fc9ad }}
}}
body {{ max-width: 56rem; margin: 2rem auto; padding: 0 1rem; font: 1.05rem/1.55 Georgia, serif;
  background: var(--paper); color: var(--ink) }}
a {{ color: var(--link) }} nav a {{ margin-right: 1.2em }} img {{ max-width: 100%; height: auto }}
table {{ border-collapse: collapse }} td, th {{ border: 1px solid var(--line); padding: .3em .6em; text-align: left }}
pre {{ overflow-x: auto; padding: .8em; border: 1px solid var(--line) }} code {{ font-size: .88em }}
</style>
<nav>{nav}</nav>
{body}
</html>
"""


def address(source: str) -> str:
    """Name the page made from a text."""
    return "index.html" if source == "README.md" else str(Path(source).with_suffix(".html"))


def page(source: str) -> None:
    """Turn a text into a page; links to other texts lead to their pages, other files are copied along."""
    here = (ROOT / source).parent
    up = "../" * source.count("/")
    names = {text: Path(text).stem for text in PAGES}
    links = [*((address(text), names[text]) for text in PAGES), ("api/dracotheque.html", "API")]
    nav = " ".join(f'<a href="{up}{target}">{name}</a>' for target, name in links)

    def follow(link: re.Match[str]) -> str:
        target = (here / link["path"]).resolve()
        if not target.exists() or ROOT not in target.parents:
            return link[0]
        inside = target.relative_to(ROOT).as_posix()
        if inside in PAGES:
            return f"{up}{address(inside)}{link['anchor'] or ''}"
        copy = OUT / inside
        copy.parent.mkdir(parents=True, exist_ok=True)
        if target.is_dir():
            shutil.copytree(target, copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(target, copy)
        return link[0]

    text = (ROOT / source).read_text("utf-8")
    body = re.sub(
        r'(?:href|src|srcset)="[^"]*"', lambda a: LINK.sub(follow, a[0]), markdown2.markdown(text, extras=EXTRAS)
    )
    made = OUT / address(source)
    made.parent.mkdir(parents=True, exist_ok=True)
    made.write_text(PAGE.format(title=names[source], nav=nav, body=body), "utf-8")


def main() -> None:
    """Build everything anew."""
    shutil.rmtree(OUT, ignore_errors=True)
    pdoc.render.configure(docformat="markdown", footer_text="Dracothèque")
    pdoc.pdoc(*API, output_directory=OUT / "api")
    for source in PAGES:
        page(source)
    print(f"The pages are in {OUT.relative_to(ROOT)}: open {(OUT / 'index.html').relative_to(ROOT)}.")


if __name__ == "__main__":
    main()
