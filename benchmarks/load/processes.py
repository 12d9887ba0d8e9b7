"""Processes that are measured: started, asked for their CPU time and memory (Linux), and ended."""

from __future__ import annotations

import os
import signal
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Any

TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
PATIENCE = 120.0
"""Seconds until a server that does not answer is given up: a first start compiles the games."""


class Process:
    """A server in a process of its own."""

    port: int

    def __init__(self, command: list[str], log: Any, environment: dict[str, str] | None = None) -> None:
        """Start it."""
        self.command = command
        self.popen = subprocess.Popen(
            command, stdout=log, stderr=log, start_new_session=True, env={**os.environ, **(environment or {})}
        )

    def wait_for(self, path: str) -> None:
        """Wait until it answers."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self.popen.poll() is not None:
                raise SystemExit(f"{' '.join(self.command)} ended by itself; see its log in build/load.")
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5):
                    return
            except OSError:
                time.sleep(0.05)
        raise SystemExit(f"{' '.join(self.command)} does not answer.")

    def cpu(self) -> float:
        """CPU seconds so far."""
        fields = Path(f"/proc/{self.popen.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def memory(self) -> int:
        """Bytes that are resident."""
        return int(Path(f"/proc/{self.popen.pid}/statm").read_text().split()[1]) * PAGE

    def usage(self) -> tuple[float, float]:
        """CPU seconds of this process and of the whole machine."""
        return self.cpu(), machine_time()

    def stop(self) -> None:
        """End it, gently if it listens."""
        if self.popen.poll() is None:
            self.popen.send_signal(signal.SIGINT)
            try:
                self.popen.wait(20)
            except subprocess.TimeoutExpired:
                self.popen.kill()
                self.popen.wait()


def machine_time() -> float:
    """CPU seconds that all processes of this machine have used together."""
    user, nice, system, _, _, *others = map(int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:8])
    return (user + nice + system + sum(others)) / TICK
