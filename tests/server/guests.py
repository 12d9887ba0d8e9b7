"""A real server in a process of its own, and guests who talk to it over HTTP and WebSocket."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from dracotheque.server.guests import COOKIE
from dracotheque.server.serve import free_port

News = dict[str, Any]
ME, SQUIRE, LINK, OPEN = {"kind": "me"}, {"kind": "bot", "level": "squire"}, {"kind": "link"}, {"kind": "open"}
HATCHLING = {"kind": "bot", "level": "hatchling"}
PATIENCE = 60.0  # seconds until a test gives up waiting


class Server:
    """`dracotheque serve`, as people start it."""

    def __init__(self, database: str | Path, *arguments: str, rate: float = 1e6) -> None:
        """Choose a port; `start` starts the process."""
        self.port = free_port(0)
        self.command = [sys.executable, "-m", "dracotheque", "serve", "--port", str(self.port), "--rate", str(rate)]
        self.command += ["--log", "json", "--database", str(database), *arguments]
        self.process: subprocess.Popen[bytes] | None = None
        self.log = Path(os.environ.get("TMPDIR", "/tmp")) / f"dracotheque-test-{os.getpid()}-{self.port}.log"

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Server:
        """Start it and wait until it answers."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log, start_new_session=True)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise AssertionError(f"the server ended by itself:\n{self.written()}")
            try:
                if httpx.get(f"{self.url}/healthz", timeout=5).status_code == 200:
                    return self
            except httpx.TransportError:
                time.sleep(0.02)
        raise AssertionError(f"the server does not answer:\n{self.written()}")

    def kill(self) -> None:
        """Take the power away from all of its processes."""
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def stop(self) -> int:
        """Ask it to close, and give its exit status."""
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)

    def written(self) -> str:
        """Everything it wrote to its terminal and log."""
        return self.log.read_text("utf-8", "replace") if self.log.exists() else ""


@contextmanager
def serving(database: str | Path, *arguments: str, **settings: Any) -> Iterator[Server]:
    """Run a server for a while."""
    server = Server(database, *arguments, **settings).start()
    try:
        yield server
    finally:
        server.kill()
        server.log.unlink(missing_ok=True)


class Guest:
    """Somebody with a browser."""

    def __init__(self, server: Server | str, name: str = "") -> None:
        """Come in; a name is told to the server, if there is one."""
        self.url = server if isinstance(server, str) else server.url
        self.http = httpx.Client(base_url=self.url, timeout=PATIENCE)
        if name:
            self.post("/api/me", {"name": name})

    def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        """Ask for a change, and expect a status."""
        answer = self.http.post(path, json=body if body is not None else {})
        assert answer.status_code == status, f"{path}: {answer.status_code} {answer.text}"
        return answer.json()

    def get(self, path: str, status: int = 200) -> Any:
        """Look at something, and expect a status."""
        answer = self.http.get(path)
        assert answer.status_code == status, f"{path}: {answer.status_code} {answer.text}"
        return answer.json()

    def open(self, game: str, *seats: dict[str, Any], **wishes: Any) -> str:
        """Open a table."""
        return self.post("/api/tables", {"game": game, "seats": list(seats), **wishes})["table"]

    def invitation(self, table: str, seat: int) -> str:
        """Get the secret that invites to a seat."""
        return self.post(f"/api/tables/{table}/invite", {"seat": seat})["path"].partition("#sit=")[2]

    def sit(self, table: str, status: int = 200, **wishes: Any) -> Any:
        """Take a seat."""
        return self.post(f"/api/tables/{table}/sit", wishes, status)

    def do(self, table: str, command: str, status: int = 200, **wishes: Any) -> Any:
        """Do something at a table over HTTP."""
        return self.post(f"/api/tables/{table}/do", {"do": command, **wishes}, status)

    @property
    def cookie(self) -> str:
        """The cookie by which the server knows this guest."""
        return self.http.cookies.get(COOKIE) or ""

    def socket(self, table: str, server: Server | None = None, **headers: str) -> Seat:
        """Sit before a table's socket."""
        url = (server.url if server else self.url).replace("http", "ws", 1)
        sent = {"Cookie": f"{COOKIE}={self.cookie}", **headers} if self.cookie else headers
        return Seat(connect(f"{url}/api/tables/{table}/live", additional_headers=sent, max_size=None, proxy=None))


class Seat:
    """A guest's socket at a table, and what has been seen through it."""

    def __init__(self, opening: ClientConnection) -> None:
        """Wait for the first view of the table."""
        self.connection = opening.__enter__()
        self.raw: list[str] = []
        self.news: list[News] = []
        self.fields: dict[str, Any] = {}
        self.table: News = {}
        self.question: News | None = None
        self.result: News | None = None
        self.sent = 0
        self.await_("table")

    def __enter__(self) -> Seat:
        """Use it in a with statement."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.connection.close()

    def receive(self, timeout: float = PATIENCE) -> News:
        """Read the next piece of news and take it in."""
        text = self.connection.recv(timeout)
        assert isinstance(text, str)
        self.raw.append(text)
        news = json.loads(text)
        self.news.append(news)
        if news["is"] == "table":
            self.table, self.fields = news, news.get("fields", {})
            self.question, self.result = news.get("question"), news.get("result")
        elif news["is"] == "moved":
            self.fields |= news["changed"]
            self.question, self.result = news.get("question"), news.get("result")
        elif news["is"] == "seats":
            self.table |= {"seats": news["seats"], "status": news["status"]}
        return news

    def await_(self, *kinds: str, until: Callable[[News], bool] = lambda news: True) -> News:
        """Read until news of a kind comes."""
        while True:
            news = self.receive()
            if news["is"] in kinds and until(news):
                return news

    @property
    def mine(self) -> list[int]:
        """The seats of this guest."""
        return [number for number, seat in enumerate(self.table["seats"]) if seat.get("mine")]

    def send(self, command: str, **wishes: Any) -> int:
        """Send a command without waiting; give its id."""
        self.sent += 1
        self.connection.send(json.dumps({"do": command, "id": self.sent, **wishes}))
        return self.sent

    def do(self, command: str, **wishes: Any) -> News:
        """Send a command and wait for its answer: `done` or `refused`."""
        number = self.send(command, **wishes)
        return self.await_("done", "refused", until=lambda news: news["id"] == number)

    def choose(self, action: int, seat: int | None = None) -> News:
        """Make a choice that is asked for."""
        assert self.question is not None
        at = self.question.get("at", 0)
        return self.do("move", seat=self.mine[0] if seat is None else seat, at=at, action=action)

    def choices(self) -> list[int]:
        """The numbers of what may be chosen now; nothing where nothing is asked."""
        return [choice["action"] for choice in (self.question or {}).get("choices", [])]

    def play(self, chance: random.Random, until: Callable[[Seat], bool] = lambda seat: False) -> None:
        """Choose at random until the game is over, or something is so; bots play the other seats."""
        while not self.result and not until(self):
            if self.choices():
                answer = self.choose(chance.choice(self.choices()))
                assert answer["is"] == "done", answer
            else:
                self.receive()
