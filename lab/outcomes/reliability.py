"""Compares the scorer's probabilities with how often they were right."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log, sqrt

from hardware.camera.track.outcome.outcome_scorer import OUTCOMES, Likelihoods, Outcome

EDGES = (0.0, 0.002, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 0.998, 1.0)
"""Edges of the bins: finer where it is decided whether to ask."""
DEVIATIONS = 1.96
"""Width of the intervals, for 95 %."""
LEAST = 1e-9
SIDE, MARGIN = 400, 50
"""Size of the plot and of its margin, in pixels."""


@dataclass(frozen=True, slots=True)
class Bin:
    """The probabilities between two edges, of any outcome, and how often that outcome was true."""

    low: float
    high: float
    count: int
    mean: float  # Mean probability
    share: float  # How often it was true

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the true share, by Wilson."""
        n, square = self.count, DEVIATIONS**2
        middle = self.share + square / (2 * n)
        half = DEVIATIONS * sqrt(self.share * (1 - self.share) / n + square / (4 * n * n))
        return (middle - half) / (1 + square / n), (middle + half) / (1 + square / n)


@dataclass(frozen=True)
class Reliability:
    """What a scorer said of cases, and what was true."""

    cases: int
    asked: int  # Cases below the probability from which an outcome is reported
    wrong: int  # Cases above it with another truth
    loss: float  # Mean of minus the logarithm of the true outcome's probability
    bins: tuple[Bin, ...]

    @property
    def error(self) -> float:
        """The mean difference between probability and share, over all probabilities."""
        whole = sum(part.count for part in self.bins)
        return sum(part.count * abs(part.mean - part.share) for part in self.bins) / whole


def reliability(judged: Sequence[tuple[Likelihoods, Outcome]], certain: float) -> Reliability:
    """Return how reliable likelihoods are, each with what really happened.

    Below the probability ``certain`` people are asked.
    """
    sure = [(likely, truth) for likely, truth in judged if max(likely.values()) >= certain]
    pairs = [
        (likely[outcome], outcome == truth) for likely, truth in judged for outcome in OUTCOMES
    ]
    bins = []
    for low, high in pairwise(EDGES):
        held = [pair for pair in pairs if low <= pair[0] < high or pair[0] == high == 1.0]
        if held:
            mean, share = (sum(column) / len(held) for column in zip(*held, strict=True))
            bins.append(Bin(low, high, len(held), mean, share))
    return Reliability(
        len(judged),
        len(judged) - len(sure),
        sum(max(likely, key=likely.__getitem__) != truth for likely, truth in sure),
        -sum(log(max(likely[truth], LEAST)) for likely, truth in judged) / len(judged),
        tuple(bins),
    )


def table(figures: Reliability) -> str:
    """Format it as text."""
    lines = ["probability         said   mean     true   95 % interval"]
    for part in figures.bins:
        low, high = part.interval
        lines.append(
            f"{part.low:.3f} to {part.high:.3f} {part.count:7} {part.mean:7.3f} {part.share:8.3f}"
            f"   {low:.3f} to {high:.3f}"
        )
    lines.append(
        f"{figures.cases} cases, asked {figures.asked}, wrong {figures.wrong}, "
        f"mean log loss {figures.loss:.4f}, calibration error {figures.error:.4f}"
    )
    return "\n".join(lines)


def plot(figures: Reliability) -> str:
    """Draw it as SVG: how often it was true over the probability, with intervals."""
    size = SIDE + 2 * MARGIN

    def x(value: float) -> float:
        return round(MARGIN + SIDE * value, 1)

    def y(value: float) -> float:
        return round(MARGIN + SIDE * (1 - value), 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}">',
        "<style>text { font: 12px sans-serif } .axes { fill: none; stroke: black }</style>",
        f'<rect width="{size}" height="{size}" fill="white"/>',
        f'<path class="axes" d="M{x(0)} {y(1)}V{y(0)}H{x(1)}"/>',
        f'<path d="M{x(0)} {y(0)}L{x(1)} {y(1)}" stroke="grey" stroke-dasharray="4"/>',
    ]
    for tick in (0, 0.2, 0.4, 0.6, 0.8, 1):
        parts.append(f'<text x="{x(tick)}" y="{y(0) + 18}" text-anchor="middle">{tick}</text>')
        parts.append(f'<text x="{x(0) - 8}" y="{y(tick) + 4}" text-anchor="end">{tick}</text>')
    for part in figures.bins:
        low, high = part.interval
        parts.append(f'<path d="M{x(part.mean)} {y(low)}V{y(high)}" stroke="black"/>')
        parts.append(f'<circle cx="{x(part.mean)}" cy="{y(part.share)}" r="4" fill="#0060a0"/>')
    words = f"{figures.cases} cases: how often an outcome was true, over its probability"
    parts.append(f'<text x="{size / 2}" y="{MARGIN - 16}" text-anchor="middle">{words}</text>')
    return "\n".join([*parts, "</svg>", ""])
