"""Discrepancies that players have to put right, and the lights that show them."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from hardware.observation import Hint


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """A power or card that is not where it should be.

    For a power, ``where`` and ``should`` are places; for the discard pile (``power`` is None), the
    card that lies there and the one that should lie on top. None if not known.
    """

    power: str | None
    kind: str
    where: int | str | None
    should: int | str | None
    text: str

    @property
    def what(self) -> str:
        """The power, or the pile."""
        return self.power or f"the pile ({self.where or 'no card'})"

    def hint(self) -> Hint | None:
        """Return the hint to show at the table, if any.

        A power taken ahead of its card is not shown: it need not go back.
        """
        if self.power is None or not isinstance(self.should, int) or self.kind == "ahead":
            return None
        return Hint(self.power, self.should, urgent=self.kind == "misplaced")

    def to_json(self) -> dict[str, Any]:
        """Return the entry of the status file."""
        return {**asdict(self), "what": self.what}


def read_discrepancies(items: Any) -> tuple[Discrepancy, ...] | None:
    """Read the server's list, without unknown kinds of entry; None if it is no list."""
    if not isinstance(items, list):
        return None
    read = (_read(item) for item in items if isinstance(item, Mapping))
    return tuple(discrepancy for discrepancy in read if discrepancy is not None)


def _read(item: Mapping[str, Any]) -> Discrepancy | None:
    kind, text = str(item.get("kind", "")), str(item.get("text", ""))
    where, should = _place_or_word(item.get("is")), item.get("should")
    if isinstance(item.get("power"), str):
        return Discrepancy(item["power"], kind, where, _place(should), text)
    if isinstance(should, str) and "power" not in item:
        return Discrepancy(None, kind, where, should, text)
    return None


class DiscrepancyLights:
    """Keeps the newest list of discrepancies and shows its hints when it changes.

    ``show`` is called with all hints, by one thread at a time.
    """

    def __init__(self, show: Callable[[Sequence[Hint]], None]) -> None:
        self._show = show
        self._guard = threading.Lock()
        self._version = -1
        self._newest: tuple[Discrepancy, ...] = ()

    @property
    def version(self) -> int:
        """The table's version of the list; -1 before the first."""
        return self._version

    @property
    def discrepancies(self) -> tuple[Discrepancy, ...]:
        """The newest list."""
        return self._newest

    def learn(self, version: Any, items: Any, instead_of: int | None = None) -> None:
        """Take the list of a version, unless a newer one is known.

        ``instead_of``: the version known before the request that this list answers. If the answer
        is older, the server was reset to a backup, and the older list counts.
        """
        read = read_discrepancies(items)
        if read is None or not isinstance(version, int) or isinstance(version, bool):
            return
        with self._guard:
            went_back = instead_of is not None and version < instead_of == self._version
            if version < self._version and not went_back:
                return
            changed = read != self._newest
            self._version, self._newest = version, read
            if changed:
                hints = (item.hint() for item in read)
                self._show([hint for hint in hints if hint is not None])


def _place(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _place_or_word(value: Any) -> int | str | None:
    return value if isinstance(value, str) else _place(value)
