"""What to order, and how many joints there are to solder: counted from the circuits."""

import csv
import io
from collections import Counter
from math import ceil
from typing import Any

from lab.plans.circuit import CHANNELS, Circuit, main_board, station
from lab.plans.footprints import FOOTPRINTS

FEET = 4
# Tables: what the column is called, and its stations, the tray's included.
TABLES = {"1 station": 1} | {f"{seats} seats": seats + 1 for seats in range(2, 8)}


def fitted(table: dict[str, Any], stations: int) -> Circuit:
    """Return the main board's parts that so many stations need; the rest stays empty."""
    whole = main_board(table)
    muxes = ceil(4 * stations / CHANNELS)
    spare = {f"J{place + 1}" for place in range(stations, table["main_box"]["places"])}
    spare |= {
        f"R{10 * (place + 1) + n}"
        for place in range(stations, table["main_box"]["places"])
        for n in range(5)
    }
    spare |= {
        name for mux in range(muxes, 2) for name in (f"MUX{mux + 1}", f"C{mux + 3}", f"R{mux + 1}")
    }
    spare.add("J10")
    return Circuit("main", {ref: part for ref, part in whole.parts.items() if ref not in spare})


def quantities(table: dict[str, Any], stations: int) -> list[int]:
    """Return how many of each entry of ``parts`` a table with so many stations needs."""
    whole, one = fitted(table, stations), station(table)
    values = Counter(part.value for part in whole.parts.values())
    for part in one.parts.values():
        values[part.value] += stations
    return [
        values[entry["value"]] * entry.get("each", 1)
        if "value" in entry
        else entry.get("main_box", 0)
        + entry.get("station", 0) * stations
        + entry.get("foot", 0) * FEET
        for entry in table["parts"]
    ]


def cost(table: dict[str, Any], stations: int) -> float:
    """Return the estimated price in euros; some are sold by several alone."""
    numbers = zip(quantities(table, stations), table["parts"], strict=True)
    return float(sum(bought(n, entry) * entry["euro"] for n, entry in numbers))


def bought(needed: int, entry: dict[str, Any]) -> int:
    """Return how many pieces one has to buy."""
    pack = int(entry.get("sold_by", 1))
    return ceil(needed / pack) * pack


def joints(table: dict[str, Any], stations: int, smd_fitted: bool) -> int:
    """Return how many joints are soldered by hand.

    Args:
        table: ``plans.toml``.
        stations: The tray's included.
        smd_fitted: Whether the maker of the boards has fitted the surface parts.
    """
    surface = {entry["value"] for entry in table["parts"] if entry.get("smd")}
    parts = list(fitted(table, stations).parts.values())
    parts += list(station(table).parts.values()) * stations
    return sum(_pins(part.kind) for part in parts if not (smd_fitted and part.value in surface))


def bill(table: dict[str, Any]) -> str:
    """Return the bill of materials as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["part", "order", *TABLES, "euro each (estimate)"])
    columns = [quantities(table, stations) for stations in TABLES.values()]
    for entry, *numbers in zip(table["parts"], *columns, strict=True):
        writer.writerow([entry["name"], entry["order"], *numbers, f"{entry['euro']:.2f}"])
    sums = [f"{cost(table, stations):.0f}" for stations in TABLES.values()]
    label = "together, euros (estimate; circuit boards by fives)"
    writer.writerow([label, "", *sums, ""])
    return text.getvalue()


def _pins(kind: str) -> int:
    return sum(1 for pad in FOOTPRINTS[kind].pads if pad.name)
