"""What has to be put right at the table, as the server knows it, and the lights that show it."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from hardware.observation import Hint


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """What is not where it should be.

    Of a power (``power``, None for a card): ``where`` it is and ``should`` be, as places. Of the
    discard pile: which card lies there, and which should lie on top. None when nobody can say.
    """

    power: str | None
    kind: str
    where: int | str | None
    should: int | str | None
    text: str

    @property
    def what(self) -> str:
        """What it is about, in words of the table."""
        return self.power or f"the pile ({self.where or 'no card'})"

    def hint(self) -> Hint | None:
        """What to show, if there is something to show.

        Who took a power ahead of the card that gives it is not told to put it back.
        """
        if self.power is None or not isinstance(self.should, int) or self.kind == "ahead":
            return None
        return Hint(self.power, self.should, urgent=self.kind == "misplaced")

    def to_json(self) -> dict[str, Any]:
        """It as the status file has it."""
        return {**asdict(self), "what": self.what}


def read_discrepancies(items: Any) -> tuple[Discrepancy, ...] | None:
    """The server's list; None when it is none. What is not understood in it is left out."""
    if not isinstance(items, list):
        return None
    found = (_read(item) for item in items if isinstance(item, Mapping))
    return tuple(one for one in found if one is not None)


def _read(item: Mapping[str, Any]) -> Discrepancy | None:
    kind, text = str(item.get("kind", "")), str(item.get("text", ""))
    where, should = _place_or_word(item.get("is")), item.get("should")
    if isinstance(item.get("power"), str):
        return Discrepancy(item["power"], kind, where, _place(should), text)
    if isinstance(should, str) and "power" not in item:
        return Discrepancy(None, kind, where, should, text)
    return None


class DiscrepancyLights:
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
