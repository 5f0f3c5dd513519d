"""Metrics for Prometheus. No label names a table, a token or an address, so series stay few."""

import os
import threading
import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from flask import Response, g, request
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
    values,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from referee.api.limits.streams import StreamLimit
from referee.service.log.event_log import EventLog
from referee.service.log.table_projection import LogEntry, TableProjection

# No "created" series beside each counter.
disable_created_metrics()
RECENT = timedelta(minutes=5)
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER = "other"
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
PULSE_SECONDS = 5
Together = Literal["livesum", "livemax"]


class Metrics:
    """The metrics of a server process.

    Several processes of one server count in files of the folder ``PROMETHEUS_MULTIPROC_DIR``
    (``share_figures``), and each of them serves the sum.
    """

    def __init__(self) -> None:
        self._folder = os.environ.get(FOLDER)
        if self._folder:
            values.ValueClass = values.MultiProcessValue()
        self.registry = CollectorRegistry()
        self._seconds = Histogram(
            "referee_http_request_seconds",
            "Time to answer, for a stream until it begins.",
            ("route", "method"),
            buckets=SECONDS,
            registry=self.registry,
        )
        self._answers = self._counter(
            "http_answers", "Answers by status.", "route", "method", "status"
        )
        self._problems = self._counter("problems", "Problems answered, by type.", "type")
        self._rulings = self._counter(
            "rulings", "Rulings by deck and verdict.", "ruleset", "verdict"
        )
        self._entries = self._counter("log_entries", "Entries written to logs, by kind.", "kind")
        self._corrections = self._counter("corrections", "Corrections by hosts, by kind.", "kind")
        self._limited = self._counter("limited", "Requests beyond a limit, by limit.", "limit")
        self._shed = self._counter(
            "streams_shed", "Streams that yielded to others, by the share that was full.", "share"
        )
        self._messages = self._counter(
            "webhook_messages", "Messages sent to webhooks, by what came of them.", "outcome"
        )
        # Looking up a series by its labels costs more than counting.
        self._series: dict[tuple[str, str, int], tuple[Histogram, Counter]] = {}

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"referee_{name}", text, labels, registry=self.registry)

    def watch(self, event_log: EventLog, streams: StreamLimit) -> None:
        """Report on an event log and this process, too."""
        self._state = StateGauges(event_log, streams)
        if self._folder:
            self._state.share(self.registry)
            return
        self.registry.register(self._state)
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)

    def answered(self, response: Response) -> None:
        """Count a response and its time."""
        rule = request.url_rule
        route = rule.rule if rule is not None else OTHER
        method = request.method if request.method in METHODS else OTHER
        key = (route, method, response.status_code)
        series = self._series.get(key)
        if series is None:
            series = self._seconds.labels(*key[:2]), self._answers.labels(*key)
            self._series[key] = series
        series[0].observe(time.perf_counter() - g.began)
        series[1].inc()

    def written(self, table: TableProjection, entries: Sequence[LogEntry]) -> None:
        """Count entries that were written to a table's log."""
        for entry in entries:
            self._entries.labels(entry.kind).inc()
            if entry.kind == "moved":
                ruleset = table.state.game.ruleset.id
                self._rulings.labels(ruleset, entry.body["ruling"]["verdict"]).inc()
            elif entry.kind == "corrected":
                self._corrections.labels(entry.body["change"]["kind"]).inc()

    def refused(self, kind: str) -> None:
        """Count a problem."""
        self._problems.labels(kind).inc()

    def limited(self, limit: str) -> None:
        """Count a request beyond a limit."""
        self._limited.labels(limit).inc()

    def shed(self, share: str) -> None:
        """Count a stream that yielded to another."""
        self._shed.labels(share).inc()

    def sent(self, outcome: str) -> None:
        """Count a message that was sent to a webhook."""
        self._messages.labels(outcome).inc()

    def text(self) -> bytes:
        """Return everything in Prometheus' text format."""
        if not self._folder:
            return generate_latest(self.registry)
        everybody = CollectorRegistry()
        MultiProcessCollector(everybody, self._folder)
        return generate_latest(everybody)


class StateGauges(Collector):
    """Gauges whose values are read on demand."""

    def __init__(self, event_log: EventLog, streams: StreamLimit) -> None:
        self._event_log = event_log
        self._streams = streams

    def collect(self) -> Iterable[Any]:
        """Yield the gauges."""
        for name, text, _, value in self._values():
            yield GaugeMetricFamily(f"referee_{name}", text, value=value)

    def share(self, registry: CollectorRegistry) -> None:
        """Write the gauges to the shared folder every few seconds."""
        gauges = [
            Gauge(f"referee_{name}", text, registry=registry, multiprocess_mode=mode)
            for name, text, mode, _ in self._values()
        ]

        def pulse() -> None:
            while True:
                for gauge, (*_, value) in zip(gauges, self._values(), strict=True):
                    gauge.set(value)
                time.sleep(PULSE_SECONDS)

        threading.Thread(target=pulse, name="figures", daemon=True).start()

    def _values(self) -> Sequence[tuple[str, str, Together, float]]:
        """Return name, text, how several processes are combined, and value."""
        since = (datetime.now(UTC) - RECENT).isoformat(timespec="milliseconds")
        seen = self._event_log.devices_seen_since(since)
        waiting = self._event_log.writer.waiting()
        held = self._event_log.tables_cached()
        return (
            ("streams_open", "Event streams that are open.", "livesum", self._streams.open),
            ("streams_most", "Event streams that may be open.", "livesum", self._streams.most),
            ("tables_in_memory", "Tables held in memory.", "livesum", held),
            ("devices_seen", "Devices heard of in the last five minutes.", "livemax", seen),
            ("store_queue_depth", "Writes that wait for a commit.", "livesum", waiting),
        )


def share_figures(folder: str) -> None:
    """Let processes started after this count together, in an empty folder."""
    os.environ[FOLDER] = folder


def forget_process(number: int) -> None:
    """Drop the gauges of a process that has ended."""
    mark_process_dead(number)
