"""Tables of results, as text or JSON."""

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

Cell = str | int | float | None


@dataclass(slots=True)
class ResultTable:
    """A table of results with notes."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[Cell, ...]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def text(self) -> str:
        """Return the table as aligned text."""
        lines = [self.columns, *(tuple(map(_shown, row)) for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        drawn = ["  ".join(_aligned(line, widths)).rstrip() for line in lines]
        drawn.insert(1, "  ".join("-" * width for width in widths))
        return "\n".join(["", self.title, "", *drawn, "", *self.notes, ""])

    def data(self) -> dict[str, object]:
        """Return the table as a JSON object."""
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return {"title": self.title, "rows": rows, "notes": self.notes}


def _shown(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{cell:.2f}"
    return f"{cell:,}" if isinstance(cell, int) else cell


def _aligned(line: Sequence[str], widths: Sequence[int]) -> list[str]:
    first = line[0].ljust(widths[0])
    return [first, *(text.rjust(width) for text, width in zip(line[1:], widths[1:], strict=True))]


def scaled(count: int) -> int:
    """Scale a number of repetitions by the environment variable ``BENCH_SCALE``, at least to 1."""
    return max(1, round(count * float(os.environ.get("BENCH_SCALE", "1"))))


def percentiles(values: Iterable[float], *percents: float) -> list[float]:
    """Return the values that these percentages of all values do not exceed; 0 if there are none."""
    ordered = sorted(values) or [0.0]
    return [ordered[int((len(ordered) - 1) * percent / 100)] for percent in percents]


def progress(text: str) -> None:
    """Print a line of progress to stderr."""
    print(text, file=sys.stderr, flush=True)
