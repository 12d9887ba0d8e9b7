"""List the files of the wheel, as hatchling chooses them; nothing is built.

`python -m tests.fences.wheel` writes the list to `wheel.txt`. Kernels compiled for cards are left out: who builds a
wheel may add them (`make ptx`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parents[2]
LISTED = Path(__file__).with_name("wheel.txt")
KERNELS = "dracotheque/ptx/"


def wheel_files(root: Path = ROOT) -> list[str]:
    """Return the paths of the wheel's files in it, its metadata apart."""
    paths = (Path(each.distribution_path).as_posix() for each in WheelBuilder(str(root)).recurse_included_files())
    return sorted(path for path in paths if not path.startswith(KERNELS))


def strangers(files: list[str]) -> Iterator[str]:
    """Yield the files that belong to tests or research, in any folder."""
    for file in files:
        *folders, name = file.split("/")
        if (
            folders[:1] != ["dracotheque"]
            or {"research", "tests", "studies"} & {*folders}
            or name.startswith(("test_", "conftest"))
        ):
            yield file


def main() -> None:
    """Write the list again, unless a file does not belong there."""
    files = wheel_files()
    if wrong := [*strangers(files)]:
        sys.exit(f"These do not belong into the wheel: {', '.join(wrong)}")
    LISTED.write_text("".join(f"{file}\n" for file in files), encoding="utf-8")


if __name__ == "__main__":
    main()
