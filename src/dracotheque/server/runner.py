"""Running the server: settings, workers, logs, and the browser."""

from __future__ import annotations

import errno
import json
import logging
import os
import signal
import socket
import sys
import tempfile
import threading
import time
import urllib.request
import warnings
import webbrowser
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import platformdirs
import uvicorn

from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.registry import GameLeftOutWarning

SETTINGS = "DRACOTHEQUE_SETTINGS"
"""The environment variable that passes the settings to workers."""


@dataclass(frozen=True)
class ServerSettings:
    """The settings of a server."""

    host: str = "127.0.0.1"
    port: int = 8080
    database: str = ""
    workers: int = 1
    public_url: str = ""
    origins: tuple[str, ...] = ()
    rate: float = 20.0
    log: str = "text"

    def __post_init__(self) -> None:
        """Reject settings that contradict each other."""
        if self.workers > 1 and not self.database_url.startswith(("postgres:", "postgresql:")):
            raise DracothequeError(
                "--workers above 1 needs PostgreSQL. Use --database postgresql://USER@HOST/NAME, or --workers 1."
            )

    @property
    def database_url(self) -> str:
        """The URL of the database; the default is a file in the user's data folder."""
        return self.database or f"sqlite:///{default_database()}"


def default_database() -> Path:
    """Return the path of the default SQLite file."""
    return Path(platformdirs.user_data_dir("dracotheque", appauthor=False)) / "tables.db"


def make_worker_app() -> Any:
    """Return the application of a worker, with the settings in its environment."""
    from dracotheque.server.app import AppContext, make_app
    from dracotheque.server.rate_limits import Limits

    values = json.loads(os.environ[SETTINGS])
    settings = ServerSettings(**{**values, "origins": tuple(values["origins"])})
    configure_logs(settings.log)
    warnings.simplefilter("ignore", GameLeftOutWarning)  # the command that started this worker has shown it
    sys.setswitchinterval(0.0005)  # otherwise the thread that writes to SQLite waits ten times as long
    limits = Limits(
        messages_a_second=settings.rate, burst=int(3 * settings.rate), new_guests_a_minute=3 * settings.rate
    )
    service = AppContext(settings.database_url, limits=limits, origins=settings.origins, public_url=settings.public_url)
    return make_app(service)


def serve(settings: ServerSettings, *, browser: bool = False) -> None:
    """Run the server until it is stopped; requests that have begun are finished."""
    address = (
        f"http://{'localhost' if settings.host in ('127.0.0.1', '0.0.0.0', '::') else settings.host}:{settings.port}/"
    )
    require_free(settings)
    os.environ[SETTINGS] = json.dumps(asdict(settings))
    if settings.workers > 1:
        os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", tempfile.mkdtemp(prefix="dracotheque-metrics-"))
    configure_logs(settings.log)
    database = without_password(settings.database_url)
    print(f"Dracothèque is open at {address}   (Ctrl-C closes it; games are kept in {database})", flush=True)
    if browser:
        threading.Thread(target=open_browser, args=(address,), daemon=True).start()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # uvicorn raises it again after closing everything
    uvicorn.run(
        "dracotheque.server.runner:make_worker_app",
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.workers if settings.workers > 1 else None,
        loop="auto",
        http="dracotheque.server.connection_limits:BoundedHttpProtocol" if find_spec("httptools") else "h11",
        ws="dracotheque.server.connection_limits:BoundedWebSocketProtocol",
        ws_max_size=65_536,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=5,
    )


def require_free(settings: ServerSettings) -> None:
    """Raise an error if the address is in use, before anything is opened."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise DracothequeError(f"Port {settings.port} is in use. Choose another with --port.") from error
            raise DracothequeError(
                f"Cannot listen on {settings.host}, port {settings.port} ({error.strerror})."
                " Choose others with --host or --port."
            ) from error


def free_port(wanted: int) -> int:
    """Return a free port: the wanted one, or any other if that is in use."""
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", wanted))
        except OSError:
            probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def without_password(database: str) -> str:
    """Return the URL of a database without its password."""
    if not database.startswith(("postgres:", "postgresql:")):
        return database.removeprefix("sqlite:///")
    parts = urlsplit(database)
    return f"{parts.scheme}://{parts.hostname or ''}{parts.path}"


def open_browser(address: str) -> None:
    """Open the page once the server answers."""
    for _ in range(200):
        try:
            with urllib.request.urlopen(f"{address}healthz", timeout=1):
                break
        except OSError:
            time.sleep(0.05)
    if not webbrowser.open(address):
        print(f"Cannot open a browser. Go to {address} yourself.", flush=True)


# --- Logs -----------------------------------------------------------------------------------------------------------
class JsonLines(logging.Formatter):
    """One JSON object a line, without anything that identifies a guest."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as a line."""
        line: dict[str, Any] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage().partition("\n")[0],  # asyncio adds the error's text
        }
        if hasattr(record, "error"):
            line["error"] = record.error  # pyright: ignore[reportAttributeAccessIssue]
        if record.exc_info and record.exc_info[0]:
            line["error"] = record.exc_info[0].__name__
            line["where"] = where(record.exc_info[2])
        return json.dumps(line, ensure_ascii=False)


class PlainLines(JsonLines):
    """The same as plain text."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as a line."""
        line: Mapping[str, Any] = json.loads(super().format(record))
        rest = "".join(f"  {name}={line[name]}" for name in ("error", "where") if name in line)
        return f"{line['time']} {line['level']}: {line['message']}{rest}"


def where(traceback: Any) -> str:
    """Return the lines of code of a traceback: an error's text may contain a secret, its place does not."""
    steps: list[str] = []
    while traceback:
        code = traceback.tb_frame.f_code
        steps.append(f"{Path(code.co_filename).name}:{traceback.tb_lineno}")
        traceback = traceback.tb_next
    return " > ".join(steps[-8:])


def configure_logs(form: str) -> None:
    """Send logs to stderr, as text or JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else PlainLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    sockets = logging.getLogger("uvicorn.error")
    sockets.setLevel(logging.ERROR if form == "text" else logging.INFO)
    sockets.addFilter(is_about_no_socket)


def is_about_no_socket(record: logging.LogRecord) -> bool:
    """Return False for lines about single sockets: they contain an address, or call a client's mistake an error."""
    return not any(part in str(record.msg) for part in ("WebSocket", "Invalid UTF-8"))
