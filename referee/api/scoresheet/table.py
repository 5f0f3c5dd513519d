"""The score sheet as CSV: a line per round, and the totals."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from referee.api.scoresheet.teams import teams_of

# Spreadsheets read a cell with such a start as a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_sheet(sheet: Mapping[str, Any], label: Callable[..., str]) -> str:
    """Return number, dealer, winner and points of each round as CSV.

    ``label`` returns the translated headings. The text begins with a byte order mark, by which
    spreadsheets recognise UTF-8.
    """
    seats: Sequence[str] = sheet["seats"]
    text = io.StringIO(newline="")
    lines = csv.writer(text)
    text.write("\ufeff")
    lines.writerow(_safe([label("round"), label("dealer"), label("out"), *seats]))
    for played in sheet["rounds"]:
        names = [_name(seats, played["dealer"]), _name(seats, played["winner"])]
        # Who had not come, or had left, has no points: an empty cell.
        lines.writerow([played["round"], *_safe(names), *played["points"]])
    lines.writerow([*_safe([label("total")]), "", "", *sheet["scores"]])
    for team in teams_of(sheet):
        own = [team.points if seat in team.seats else "" for seat in range(1, len(seats) + 1)]
        lines.writerow([*_safe([team.names(seats)]), "", "", *own])
    return text.getvalue()


def write_lines(head: Sequence[str], lines: Iterable[Sequence[Any]]) -> str:
    """Return a heading and lines as CSV, for spreadsheets as ``write_sheet`` does."""
    text = io.StringIO(newline="")
    text.write("\ufeff")
    writer = csv.writer(text)
    writer.writerow(head)
    for line in lines:
        writer.writerow([_safe([cell])[0] if isinstance(cell, str) else cell for cell in line])
    return text.getvalue()


def _name(seats: Sequence[str], seat: int | None) -> str:
    return seats[seat - 1] if seat else ""


def _safe(cells: Sequence[str]) -> list[str]:
    return [f"'{cell}" if cell.startswith(FORMULA) else cell for cell in cells]
