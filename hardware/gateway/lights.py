"""What has to be put right at the table, as the server knows it, and the lights that show it."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from hardware.observation import Hint


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """A power that is not where it should be; ``should`` is None when nobody can say."""

    power: str
    kind: str
    where: int | str | None
    should: int | None
    text: str

    def hint(self) -> Hint | None:
        """What to show, if there is something to show.

        Who took a power ahead of the card that gives it is not told to put it back.
        """
        if self.should is None or self.kind == "ahead":
            return None
        return Hint(self.power, self.should, urgent=self.kind == "misplaced")

    def to_json(self) -> dict[str, Any]:
        """It as the status file has it."""
        return asdict(self)


def read_discrepancies(items: Any) -> tuple[Discrepancy, ...] | None:
    """The server's list; None when it is none. What is not understood in it is left out."""
    if not isinstance(items, list):
        return None
    return tuple(
        Discrepancy(
            item["power"],
            str(item.get("kind", "")),
            _place_or_word(item.get("is")),
            _place(item.get("should")),
            str(item.get("text", "")),
        )
        for item in items
        if isinstance(item, Mapping) and isinstance(item.get("power"), str)
    )


class Lights:
    """Keeps the newest list, whichever way it came, and shows it when it changes.

    ``show`` is called with all hints, never twice at the same time.
    """

    def __init__(self, show: Callable[[Sequence[Hint]], None]) -> None:
        self._show = show
        self._guard = threading.Lock()
        self._version = -1
        self._newest: tuple[Discrepancy, ...] = ()

    @property
    def version(self) -> int:
        """The table's version that the list is of; -1 before there is any."""
        return self._version

    @property
    def discrepancies(self) -> tuple[Discrepancy, ...]:
        """The newest list."""
        return self._newest

    def learn(self, version: Any, items: Any, instead_of: int | None = None) -> None:
        """A list came, as of a version. Older ones than the newest are passed over.

        ``instead_of``: the version known before a question that this answers. If the answer is
        older than that, the server itself went back (a backup was put in place), and it counts.
        """
        found = read_discrepancies(items)
        if found is None or not isinstance(version, int) or isinstance(version, bool):
            return
        with self._guard:
            went_back = instead_of is not None and version < instead_of == self._version
            if version < self._version and not went_back:
                return
            changed = found != self._newest
            self._version, self._newest = version, found
            if changed:
                hints = (item.hint() for item in found)
                self._show([hint for hint in hints if hint is not None])


def _place(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _place_or_word(value: Any) -> int | str | None:
    return value if isinstance(value, str) else _place(value)
