"""Check a game's log without Dracothèque: `python examples/check_log.py examples/game.json`.

docs/reference/log-format.md has the format.
"""

import json
import sys
import zlib
from pathlib import Path

log = json.loads(Path(sys.argv[1]).read_text("utf-8"))
keys = ("format", "version", "game", "rules", "players", "options", "board")
head = {key: log[key] for key in keys if key in log}
check = zlib.crc32(json.dumps(head, sort_keys=True).encode())
for number, written in enumerate(log["moves"], 1):
    move, _, expected = written.rpartition(":")
    check = zlib.crc32(move.encode(), check)
    if f"{check & 0xFFFF:04x}" != expected:
        sys.exit(f"Move {number}, {move}, does not fit its check.")
print(f"{len(log['moves'])} moves, every check fits.")
