"""The score sheet as CSV: a line a round, and one with the totals."""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

# Spreadsheets take a cell that begins so for a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_sheet(sheet: Mapping[str, Any], said: Callable[..., str]) -> str:
    """The sheet as CSV: number, dealer and winner of each round, and what it brought each seat.

    ``said`` gives the words of the first and the last line. It begins with a byte order mark, by
    which spreadsheets know UTF-8.
    """
    seats: Sequence[str] = sheet["seats"]
    text = io.StringIO(newline="")
    lines = csv.writer(text)
    text.write("\ufeff")
    lines.writerow(_safe([said("round"), said("dealer"), said("out"), *seats]))
    for played in sheet["rounds"]:
        names = [_name(seats, played["dealer"]), _name(seats, played["winner"])]
        lines.writerow([played["round"], *_safe(names), *played["points"]])
    lines.writerow([*_safe([said("total")]), "", "", *sheet["scores"]])
    return text.getvalue()


def _name(seats: Sequence[str], seat: int | None) -> str:
    return seats[seat - 1] if seat else ""


def _safe(cells: Sequence[str]) -> list[str]:
    return [f"'{cell}" if cell.startswith(FORMULA) else cell for cell in cells]
