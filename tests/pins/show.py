"""Print a pin as it is kept: `python -m tests.pins.show NAME`."""

from __future__ import annotations

import sys

from tests.pins import kept

if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for name in sys.argv[1:] for line in kept.read(name))
