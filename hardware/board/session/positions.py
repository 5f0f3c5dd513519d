"""Derive the positions of the powers, and observations of their changes, from cells. No I/O.

A placement is reported at once; lifted, unknown and sensor faults only after they have lasted
300 ms by the board's clock. An observation's body is
``{"kind": "powers", "powers": {"U": 2, "N": "lifted"}}``, with ``conflicts`` (``{"O": [2, 5]}``: a
power that several places report) and ``faults`` (``[{"place": 3, "powers": ["U"]}]``: all sensors
that do not answer now) if these are new.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hardware.board.wire.messages import PRESENT, UNKNOWN, readings
from hardware.board.wire.sequence_numbers import elapsed
from hardware.observation import Position

SETTLE = 300  # ms
_FAULTS = "faults"  # the key of sensor faults among the settling powers

Body = dict[str, Any]
SensorFaults = tuple[tuple[int, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Where:
    """A power's position; ``places`` are those that report it if several do."""

    position: Position
    places: tuple[int, ...] = ()


def where(of_places: Sequence[int]) -> Where:
    """Locate a power by its reading at each place, the tray first."""
    present = [place for place, reading in enumerate(of_places) if reading == PRESENT]
    if len(present) == 1:
        return Where(present[0])
    if present:
        return Where("unknown", tuple(present))
    return Where("unknown" if UNKNOWN in of_places else "lifted")


@dataclass(slots=True)
class _Settling:
    seen: Where | SensorFaults
    since: int


class Positions:
    """The positions of a set's powers, as last reported and as in the cells.

    Args:
        names: The names of power 0, 1, … in the board's order.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self.reported: dict[str, Where] = {}
        self.reported_faults: SensorFaults = ()
        self._cells: list[int] | None = None  # None: unknown since the board restarted
        self._time = 0
        self._settling: dict[str, _Settling] = {}

    def positions(self) -> dict[str, Position]:
        """Return the last reported position of each reported power."""
        return {name: self.reported[name].position for name in self.names if name in self.reported}

    def conflicts(self) -> dict[str, tuple[int, ...]]:
        """Return the powers last reported at several places, with the places."""
        return {name: told.places for name, told in self.reported.items() if told.places}

    def restart(self) -> None:
        """Forget clock and cells: the board restarted, or changes are missing.

        A snapshot follows. A change before it tells only what was put at its own place.
        """
        self._cells = None
        self._settling.clear()

    def snapshot(self, time: int, cells: Sequence[int]) -> list[Body]:
        """Take all cells, the tray first; return new observations."""
        bodies = self._settle(time)
        if self._cells is None:
            self._time = time
        self._cells = list(cells)
        return bodies + self._look()

    def change(self, time: int, place: int, cell: int) -> list[Body]:
        """Take the new cell of a place; return new observations."""
        if self._cells is None:
            return self._placed(place, cell)
        if place >= len(self._cells):
            return []
        bodies = self._settle(time)
        self._cells[place] = cell
        return bodies + self._look()

    def clock(self, time: int) -> list[Body]:
        """Take the board's time, up to which nothing changed; return new observations."""
        return self._settle(time)

    def silent(self) -> list[Body]:
        """Report every power as unknown: the board is silent."""
        self._settling.clear()
        return self._report({name: Where("unknown") for name in self.names}, None)

    def memory(self) -> dict[str, Any]:
        """Return JSON for ``restored``."""
        return {
            "names": list(self.names),
            "told": {name: [at.position, *at.places] for name, at in self.reported.items()},
            "faults": _listed(self.reported_faults),
            "cells": None if self._cells is None else list(self._cells),
            "time": self._time,
            "settling": {
                name: [settling.since, _plain(settling.seen)]
                for name, settling in self._settling.items()
            },
        }

    def _settle(self, time: int) -> list[Body]:
        """Advance the clock; report what has lasted long enough."""
        if self._cells is None:
            return []
        if elapsed(self._time, time) > 0:
            self._time = time
        ripe = {
            name: settling.seen
            for name, settling in self._settling.items()
            if elapsed(settling.since, self._time) >= SETTLE
        }
        for name in ripe:
            del self._settling[name]
        faults = ripe.pop(_FAULTS, None)
        places = {name: at for name, at in ripe.items() if isinstance(at, Where)}
        return self._report(places, faults if isinstance(faults, tuple) else None)

    def _look(self) -> list[Body]:
        """Compare the cells with what was reported."""
        cells = [readings(cell) for cell in self._cells or ()]
        at_once = {}
        for power, name in enumerate(self.names):
            seen = where([cell[power] for cell in cells])
            if isinstance(seen.position, int):
                self._settling.pop(name, None)
                at_once[name] = seen
            else:
                self._wait(name, seen, self.reported.get(name))
        faults = tuple(
            (
                place,
                tuple(
                    name
                    for name, reading in zip(self.names, cell, strict=True)
                    if reading == UNKNOWN
                ),
            )
            for place, cell in enumerate(cells)
            if UNKNOWN in cell
        )
        self._wait(_FAULTS, faults, self.reported_faults)
        return self._report(at_once, None)

    def _placed(self, place: int, cell: int) -> list[Body]:
        """Report what stands at a place while nothing is known of the others."""
        places = {
            name: Where(place)
            for name, reading in zip(self.names, readings(cell), strict=False)
            if reading == PRESENT
        }
        return self._report(places, None)

    def _wait(
        self, name: str, seen: Where | SensorFaults, told: Where | SensorFaults | None
    ) -> None:
        """Start settling, unless this is what was reported last."""
        settling = self._settling.get(name)
        if seen == told:
            self._settling.pop(name, None)
        elif settling is None or settling.seen != seen:
            self._settling[name] = _Settling(seen, self._time)

    def _report(self, places: Mapping[str, Where], faults: SensorFaults | None) -> list[Body]:
        new = {name: at for name, at in places.items() if self.reported.get(name) != at}
        if not new and faults is None:
            return []
        self.reported.update(new)
        body: Body = {"kind": "powers", "powers": {name: at.position for name, at in new.items()}}
        conflicts = {name: list(at.places) for name, at in new.items() if at.places}
        if conflicts:
            body["conflicts"] = conflicts
        if faults is not None:
            self.reported_faults = faults
            body["faults"] = _listed(faults)
        return [body]


def restored(memory: Mapping[str, Any]) -> Positions:
    """Restore positions from their ``memory``."""
    positions = Positions(memory["names"])
    positions.reported = {name: _where(at) for name, at in memory["told"].items()}
    positions.reported_faults = _faults(memory["faults"])
    positions._cells = None if memory["cells"] is None else list(memory["cells"])
    positions._time = memory["time"]
    positions._settling = {
        name: _Settling(_faults(seen) if name == _FAULTS else _where(seen), since)
        for name, (since, seen) in memory["settling"].items()
    }
    return positions


def _plain(seen: Where | SensorFaults) -> Any:
    return [seen.position, *seen.places] if isinstance(seen, Where) else _listed(seen)


def _where(plain: Sequence[Any]) -> Where:
    return Where(plain[0], tuple(plain[1:]))


def _listed(faults: SensorFaults) -> list[dict[str, Any]]:
    return [{"place": place, "powers": list(powers)} for place, powers in faults]


def _faults(plain: Sequence[Mapping[str, Any]]) -> SensorFaults:
    return tuple((fault["place"], tuple(fault["powers"])) for fault in plain)
