"""Write pins again: `python -m tests.pins.make`, or with the names of some; the commit says why they changed."""

from __future__ import annotations

import sys
import time

from tests.pins import kept
from tests.pins.records import PINS


def main(*names: str) -> None:
    """Write pins and print which have changed."""
    unknown = [name for name in names if name not in PINS]
    if unknown:
        sys.exit(f"There is no pin {', '.join(unknown)}: there are {', '.join(PINS)}.")
    for name in names or PINS:
        print(f"{name} …", end=" ", flush=True)
        began, lines = time.process_time(), list(PINS[name]())
        same = kept.exists(name) and kept.read(name) == lines
        size = kept.path(name).stat().st_size if same else kept.write(name, lines)
        seconds = time.process_time() - began
        print(f"{'unchanged' if same else 'written'}: {len(lines)} lines, {size} bytes, {seconds:.1f} s", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
