"""Metrics for Prometheus: counts and times, without names of guests."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

if TYPE_CHECKING:
    from dracotheque.server.app import AppContext

BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5)


class Metrics:
    """The metrics of one worker; `text` has those of all workers (`PROMETHEUS_MULTIPROC_DIR`)."""

    def __init__(self) -> None:
        """Start every counter."""
        self.registry = registry = CollectorRegistry()
        labels = ("method", "route", "status")
        self.requests = Counter("dracotheque_requests", "HTTP requests", labels, registry=registry)
        self.seconds = Histogram("dracotheque_request_seconds", "Time to answer", buckets=BUCKETS, registry=registry)
        self.commands = Counter("dracotheque_commands", "Commands over sockets", ("kind", "code"), registry=registry)
        self.commanded = Histogram(
            "dracotheque_command_seconds", "Time until a command is safe", buckets=BUCKETS, registry=registry
        )
        self._commands: dict[tuple[str, str], Counter] = {}
        self.dropped = Counter("dracotheque_dropped_sockets", "Slow readers let go", registry=registry)
        gauge = {"registry": registry, "multiprocess_mode": "livesum"}
        self.sockets = Gauge("dracotheque_sockets", "Open sockets", **gauge)
        self.tables = Gauge("dracotheque_tables", "Tables in memory", **gauge)
        self.moves = Gauge("dracotheque_moves_made", "Choices made since the start", **gauge)
        self.bots = Gauge("dracotheque_bots_thinking", "Bots that think or wait to", **gauge)

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        self.requests.labels(method, route, status).inc()
        self.seconds.observe(seconds)

    def command(self, kind: str, code: str, seconds: float) -> None:
        """Count a command that was carried out or rejected."""
        counter = self._commands.get((kind, code))
        if counter is None:
            counter = self._commands[kind, code] = self.commands.labels(kind, code)
        counter.inc()
        self.commanded.observe(seconds)

    def update(self, service: AppContext) -> None:
        """Update the gauges of this worker; the worker that Prometheus asks sums them up."""
        manager = service.manager
        self.sockets.set(len(service.sockets))
        self.tables.set(len(manager.tables))
        self.moves.set(manager.moves_made)
        self.bots.set(manager.bots.waiting)

    def text(self, service: AppContext) -> bytes:
        """Return all metrics in the format of Prometheus."""
        self.update(service)
        if not os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
            return generate_latest(self.registry)
        all_workers = CollectorRegistry()
        MultiProcessCollector(all_workers)
        return generate_latest(all_workers)
