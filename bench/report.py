"""What a measurement found: a table for people, the same as data for machines."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

Cell = str | int | float | None


@dataclass(slots=True)
class ResultTable:
    """A table of results, and what has to be known to read it."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[Cell, ...]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def text(self) -> str:
        """The table, columns aligned, numbers to the right."""
        lines = [self.columns, *(tuple(map(_shown, row)) for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        drawn = ["  ".join(_aligned(line, widths)).rstrip() for line in lines]
        drawn.insert(1, "  ".join("-" * width for width in widths))
        return "\n".join(["", self.title, "", *drawn, "", *self.notes, ""])

    def data(self) -> dict[str, object]:
        """The table as JSON."""
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
    """A number of repetitions; ``BENCH_SCALE`` (0.1, say) makes a run shorter."""
    return max(1, round(count * float(os.environ.get("BENCH_SCALE", "1"))))


def progress(text: str) -> None:
    """Say on stderr what is going on."""
    print(text, file=sys.stderr, flush=True)
