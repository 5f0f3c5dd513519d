"""Figures for Prometheus. No label names a table, a token or an address: there are few series."""

import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from flask import Response, g, request
from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from referee.api.slots import StreamLimit
from referee.service.house import House
from referee.service.live import LiveTable, LogEntry

# A second series for each counter, which nobody asks for.
disable_created_metrics()
SEEN_LATELY = timedelta(minutes=5)
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER = "other"


class Metrics:
    """What a server process counts."""

    def __init__(self) -> None:
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
        # Looking a series up by its labels costs more than counting.
        self._series: dict[tuple[str, str, int], tuple[Histogram, Counter]] = {}

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"referee_{name}", text, labels, registry=self.registry)

    def watch(self, house: House, streams: StreamLimit) -> None:
        """Tell of the state of a house, too, and of this process."""
        self.registry.register(Levels(house, streams))
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)

    def answered(self, response: Response) -> None:
        """A request has been answered."""
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

    def written(self, table: LiveTable, entries: Sequence[LogEntry]) -> None:
        """Entries are in a table's log."""
        for entry in entries:
            self._entries.labels(entry.kind).inc()
            if entry.kind == "moved":
                ruleset = table.state.game.ruleset.id
                self._rulings.labels(ruleset, entry.body["ruling"]["verdict"]).inc()
            elif entry.kind == "corrected":
                self._corrections.labels(entry.body["change"]["kind"]).inc()

    def refused(self, kind: str) -> None:
        """A problem of this kind was answered."""
        self._problems.labels(kind).inc()

    def limited(self, limit: str) -> None:
        """A request was one too many."""
        self._limited.labels(limit).inc()

    def text(self) -> bytes:
        """All of it as Prometheus reads it."""
        return generate_latest(self.registry)


class Levels(Collector):
    """What a house holds at the moment of asking."""

    def __init__(self, house: House, streams: StreamLimit) -> None:
        self._house = house
        self._streams = streams

    def collect(self) -> Iterable[Any]:
        """The gauges."""
        since = (datetime.now(UTC) - SEEN_LATELY).isoformat(timespec="milliseconds")
        levels = (
            ("streams_open", "Event streams that are open.", self._streams.open),
            ("streams_most", "Event streams that may be open.", self._streams.most),
            ("tables_in_memory", "Tables held in memory.", self._house.tables_held()),
            (
                "devices_seen",
                "Devices heard of in the last five minutes.",
                self._house.devices_seen_since(since),
            ),
            ("store_queue_depth", "Writes that wait for a commit.", self._house.writer.waiting()),
        )
        for name, text, value in levels:
            yield GaugeMetricFamily(f"referee_{name}", text, value=value)
