"""`make look`: pictures of the page, an index of them and a contact sheet, made as one makes them by hand."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PNG = b"\x89PNG\r\n"


def test_two_moments_of_a_game(tmp_path: Path) -> None:
    wish = ["--quick", "--games", "dragons-cave", "--only", "set-up", "first-turn", "--output", str(tmp_path)]
    made = subprocess.run(
        [sys.executable, ROOT / "tools" / "look.py", *wish], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stdout + made.stderr
    assert "4 pictures" in made.stdout
    index = (tmp_path / "index.html").read_text("utf-8")
    pictures = sorted(tmp_path.glob("dragons-cave/*.jpg"))
    assert [picture.stem for picture in pictures] == [
        f"{moment}-{size}-day" for moment in ("first-turn", "set-up") for size in ("1440x900", "390x844")
    ]
    assert all(f'src="dragons-cave/{picture.name}"' in index for picture in pictures)
    assert 'id="dragons-cave"' in index
    assert 'href="sheets/dragons-cave-day.png"' in index
    assert (tmp_path / "sheets" / "dragons-cave-day.png").read_bytes().startswith(PNG)
