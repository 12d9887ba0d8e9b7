"""A real server in a process of its own, and guests who talk to it over HTTP and WebSocket."""

from __future__ import annotations

import copy
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from dracotheque.server.identity import COOKIE
from dracotheque.server.runner import free_port

News = dict[str, Any]
ME, SQUIRE, LINK, OPEN = {"kind": "me"}, {"kind": "bot", "level": "squire"}, {"kind": "link"}, {"kind": "open"}
HATCHLING = {"kind": "bot", "level": "hatchling"}
PATIENCE = 60.0  # seconds until a test gives up waiting


class Server:
    """`dracotheque serve`, as people start it."""

    def __init__(
        self, database: str | Path, *arguments: str, rate: float = 1e6, environment: Mapping[str, str] | None = None
    ) -> None:
        """Choose a port; `start` starts the process."""
        self.environment = environment
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
            self.process = subprocess.Popen(
                self.command, stdout=log, stderr=log, start_new_session=True, env=self.environment
            )
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
    """A client of the server with cookies of its own."""

    def __init__(self, server: Server | str, name: str = "") -> None:
        """Connect; send the name to the server, if there is one."""
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
        return self.post(f"/api/tables/{table}/do", {"type": command, **wishes}, status)

    @property
    def cookie(self) -> str:
        """The cookie by which the server knows this guest."""
        return self.http.cookies.get(COOKIE) or ""

    def socket(self, table: str, server: Server | None = None, **headers: str) -> Seat:
        """Open the socket of a table."""
        url = (server.url if server else self.url).replace("http", "ws", 1)
        sent = {"Cookie": f"{COOKIE}={self.cookie}", **headers} if self.cookie else headers
        return Seat(
            connect(f"{url}/api/tables/{table}/live?protocol=2", additional_headers=sent, max_size=None, proxy=None)
        )


class Seat:
    """A guest's socket at a table, and what has been seen through it: the messages, and the board that they make."""

    def __init__(self, opening: ClientConnection) -> None:
        """Wait for the first view of the table."""
        self.connection = opening.__enter__()
        self.raw: list[str] = []
        self.news: list[News] = []
        self.view: News = {}
        """The last snapshot, kept up to date by the messages after it."""
        self.sent = 0
        self.await_("snapshot")

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
        take_in(self.view, news)
        return news

    def await_(self, *kinds: str, until: Callable[[News], bool] = lambda news: True) -> News:
        """Read until news of a kind comes."""
        while True:
            news = self.receive()
            if news["type"] in kinds and until(news):
                return news

    @property
    def table(self) -> News:
        """What was settled about the table."""
        return self.view["table"]

    @property
    def seats(self) -> list[News]:
        """The seats."""
        return self.view["seats"]

    @property
    def board(self) -> News | None:
        """The board: pieces and holdings."""
        return self.view.get("board")

    @property
    def prompt(self) -> News | None:
        """What has to be decided now."""
        return self.view.get("prompt")

    @property
    def result(self) -> News | None:
        """How the game came out."""
        return self.view.get("result")

    @property
    def mine(self) -> list[int]:
        """The seats of this guest."""
        return [number for number, seat in enumerate(self.seats) if seat.get("mine")]

    def send(self, command: str, **wishes: Any) -> int:
        """Send a command without waiting; give its id."""
        self.sent += 1
        self.connection.send(json.dumps({"type": command, "id": self.sent, **wishes}))
        return self.sent

    def do(self, command: str, **wishes: Any) -> News:
        """Send a command and wait for its answer: `ack` or `rejected`."""
        number = self.send(command, **wishes)
        return self.await_("ack", "rejected", until=lambda news: news["id"] == number)

    def choose(self, action: int, seat: int | None = None) -> News:
        """Make a choice that is asked for."""
        assert self.prompt is not None
        asked = self.prompt.get("prompt_id", 0)
        return self.do("move", seat=self.mine[0] if seat is None else seat, prompt_id=asked, action=action)

    def choices(self) -> list[int]:
        """The numbers of what may be chosen now; nothing where nothing is asked."""
        return [choice["action"] for choice in (self.prompt or {}).get("choices", [])]

    def play(self, chance: random.Random, until: Callable[[Seat], bool] = lambda seat: False) -> None:
        """Choose at random until the game is over, or something is so; bots play the other seats."""
        while not self.result and not until(self):
            if self.choices():
                answer = self.choose(chance.choice(self.choices()))
                assert answer["type"] == "ack", answer
            else:
                self.receive()


def take_in(view: News, news: News) -> None:
    """Bring a snapshot up to date with the next message, which has to be the very next."""
    if news["type"] in ("ack", "rejected"):
        return
    if news["type"] == "snapshot":
        view.clear()
        view |= news
        return
    assert news["revision"] == view["revision"] + 1, "a message is missing"
    view["revision"] = news["revision"]
    if news["type"] == "update":
        take_in_update(view, news)
    elif news["type"] == "seats":
        view["seats"] = news["seats"]
        view["table"]["status"] = news["status"]
    elif news["type"] == "chat" and news["seat"] >= 0:
        view.setdefault("chat", []).append({name: news[name] for name in ("revision", "seat", "text")})
    elif news["type"] == "rematch":
        view["table"]["rematch"] = news["table"]


def take_in_update(view: News, news: News) -> None:
    """Carry out the moves of an update, and take its prompt."""
    known = view.pop("prompt", None) or {}
    view["move_number"] = news["move_number"]
    view["table"]["status"] = news.get("status", "playing")
    for move in news["moves"]:
        apply_patch(view["board"], move)
    for name in ("prompt", "result"):
        if name in news:
            view[name] = copy.deepcopy(news[name])
    asked = view.get("prompt", {})
    if asked.get("prompt_id") and "choices" not in asked:
        assert asked["prompt_id"] == known["prompt_id"]
        asked["choices"] = known["choices"]


def apply_patch(board: News, move: News) -> None:
    """Apply a move's patch to a board: pieces and holdings."""
    for name, piece in move.get("pieces", {}).items():
        if piece is None:
            del board["pieces"][name]
        else:
            is_whole = "kind" in piece and "place" in piece
            board["pieces"][name] = piece if is_whole else board["pieces"][name] | piece
    for seat, held in move.get("holdings", {}).items():
        before = board["holdings"][int(seat)]
        board["holdings"][int(seat)] = [before[each] if isinstance(each, int) else each for each in held]
