"""Score tracked events against the true ones."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from hardware.camera.track.events import PileEvent
from lab.films.ground_truth import TrueEvent

REPORTED = ("placed", "lifted", "cleared")
"""Kinds of true events that must be reported."""
LATEST = 6.0
"""Seconds after which an event no longer belongs to a true one."""


@dataclass(frozen=True, slots=True)
class MatchedEvent:
    """A true event and the event reported for it."""

    happened: TrueEvent
    event: PileEvent

    @property
    def right(self) -> bool:
        """Whether kind and card are right."""
        kind = self.event.kind == self.happened.kind
        return kind and self.event.card == self.happened.card

    @property
    def asked(self) -> bool:
        """Whether players were asked, with the truth among the options."""
        return self.event.kind == "unread" or self.happened.kind in self.event.readings


@dataclass
class TrackScore:
    """Matched and unmatched events."""

    # True events with the event reported for each, right or wrong.
    pairs: list[MatchedEvent] = field(default_factory=list)
    missed: list[TrueEvent] = field(default_factory=list)  # True events without a report
    invented: list[PileEvent] = field(default_factory=list)  # Reports without a true event
    needless: list[PileEvent] = field(default_factory=list)  # Questions without a true event
    seconds: float = 0.0  # Duration

    def add(self, other: "TrackScore") -> None:
        """Add another film."""
        self.pairs += other.pairs
        self.missed += other.missed
        self.invented += other.invented
        self.needless += other.needless
        self.seconds += other.seconds

    def happened(self, kind: str) -> int:
        """Count true events of a kind."""
        return sum(p.happened.kind == kind for p in self.pairs) + sum(
            event.kind == kind for event in self.missed
        )

    def right(self, kind: str) -> int:
        """Count those reported rightly."""
        return sum(p.right for p in self.pairs if p.happened.kind == kind)

    def asked(self, kind: str) -> int:
        """Count those asked about instead."""
        return sum(p.asked for p in self.pairs if p.happened.kind == kind)

    def latencies(self, since: str) -> list[float]:
        """Return seconds from ``clear`` or ``gone`` of each right event to its report."""
        starts = [(getattr(p.happened, since), p.event.at) for p in self.pairs if p.right]
        return [at - start for start, at in starts if start is not None]


def score_events(
    happened: Sequence[TrueEvent], events: Sequence[PileEvent], seconds: float
) -> TrackScore:
    """Match reported events with true ones, in order, each once."""
    truths = [truth for truth in happened if truth.kind in REPORTED]
    told = [event for event in events if event.kind not in ("found", "same")]
    result = TrackScore(seconds=seconds)
    matched = _matched(truths, told)
    result.pairs = [MatchedEvent(truth, event) for truth, event in matched if truth.certain]
    paired = {id(truth) for truth, _ in matched}
    answered = {id(event) for _, event in matched}
    result.missed = [truth for truth in truths if truth.certain and id(truth) not in paired]
    for event in told:
        if id(event) not in answered:
            asks = event.kind in ("unsure", "unread")
            (result.needless if asks else result.invented).append(event)
    return result


def _matched(
    truths: Sequence[TrueEvent], events: Sequence[PileEvent]
) -> list[tuple[TrueEvent, PileEvent]]:
    """Return the best matching in order: most right pairs, then most questions."""
    rows, columns = len(truths), len(events)
    best = np.zeros((rows + 1, columns + 1))
    for n in range(rows - 1, -1, -1):
        for m in range(columns - 1, -1, -1):
            worth = _worth(truths[n], events[m])
            both = best[n + 1, m + 1] + worth if worth else 0.0
            best[n, m] = max(both, best[n + 1, m], best[n, m + 1])
    pairs, n, m = [], 0, 0
    while n < rows and m < columns:
        worth = _worth(truths[n], events[m])
        if worth and best[n, m] == best[n + 1, m + 1] + worth:
            pairs.append((truths[n], events[m]))
            n, m = n + 1, m + 1
        elif best[n, m] == best[n + 1, m]:
            n += 1
        else:
            m += 1
    return pairs


def _worth(truth: TrueEvent, event: PileEvent) -> float:
    latest = truth.at + LATEST if truth.until is None else truth.until
    if not truth.at - 0.05 <= event.at <= latest:
        return 0.0
    pair = MatchedEvent(truth, event)
    if pair.right:
        return 1.0
    if pair.asked:
        return 0.9
    # The right kind with a wrong card, or the wrong kind with the right one.
    return 0.3 if event.kind == truth.kind else 0.2 if event.card == truth.card else 0.0


def percentile(values: Sequence[float], share: float) -> float:
    """Return the quantile ``share`` of the values; NaN if there are none."""
    return float(np.percentile(values, 100 * share)) if values else float("nan")
