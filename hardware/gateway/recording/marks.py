"""Marks: which card was laid, lifted or cleared when, from the table's log or from a person.

A mark says that by its time it had happened, after the mark before. Those from the log come when a
phone or the camera reported the card; they name no player and no seat.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

What = Literal["found", "placed", "lifted", "cleared"]
By = Literal["person", "phone", "camera"]
WHATS: tuple[What, ...] = ("found", "placed", "lifted", "cleared")
BYS: tuple[By, ...] = ("person", "phone", "camera")
# Events of the log by which a card comes to lie on the discard pile.
LAID = ("played", "flipped")


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that happened at the pile.

    ``found``: a round began with this card. ``card`` is what then lay on top, None if not told.
    ``entry`` is the log's, 0 of a person's mark. If it ``stands`` no more after a correction, it is
    open what was laid.
    """

    what: What
    card: str | None
    by: By
    entry: int = 0
    stands: bool = True

    def fields(self) -> dict[str, Any]:
        """Return the fields of its event."""
        return asdict(self)


def read_mark(fields: Mapping[str, Any]) -> Mark:
    """Return the mark of an event's checked fields."""
    return Mark(fields["what"], fields["card"], fields["by"], fields["entry"], fields["stands"])


def read_marks(entry: Mapping[str, Any]) -> list[Mark]:
    """Return the marks in an entry of the table's event stream."""
    role = (entry.get("by") or {}).get("role")
    by: By = "camera" if role == "device" else "phone"
    if entry.get("kind") == "round-opened":
        return _marks("found", _list(entry.get("opening"))[-1:], by, entry)
    if entry.get("kind") not in ("moved", "confirmed"):
        return []
    events = [one for one in _list(entry.get("events")) if isinstance(one, Mapping)]
    return _marks(
        "placed", [one.get("card") for one in events if one.get("event") in LAID], by, entry
    )


def correct(marks: Sequence[Mark], entry: Mapping[str, Any]) -> list[Mark]:
    """Return the marks after an entry of the stream, which may be a correction."""
    if entry.get("kind") != "corrected":
        return list(marks)
    fell, again = _ids(entry, "fell"), _ids(entry, "stands")
    replaced, card = _replaced(entry)
    after = []
    for mark in marks:
        if mark.entry == replaced and card is not None:
            after.append(replace(mark, card=card))
        elif mark.entry in fell or mark.entry in again:
            after.append(replace(mark, stands=mark.entry in again))
        else:
            after.append(mark)
    return after


def _ids(entry: Mapping[str, Any], name: str) -> set[int]:
    """Return the ids in ``fell`` or ``stands`` of a correction; a long list has ranges of them."""
    items = [one.get("id") for one in _list(entry.get(name)) if isinstance(one, Mapping)]
    ids = {number for number in items if isinstance(number, int)}
    for span in _list(entry.get(f"{name}_entries")):
        if isinstance(span, list) and len(span) == 2 and all(isinstance(n, int) for n in span):
            ids.update(range(span[0], span[1] + 1))
    return ids


def _replaced(entry: Mapping[str, Any]) -> tuple[int | None, str | None]:
    """Return the entry that a correction replaced by another card, and that card."""
    change, entered = entry.get("change"), entry.get("entered")
    if not isinstance(change, Mapping) or change.get("kind") != "replace":
        return None, None
    for one in _list(entry.get("fell")):
        if isinstance(one, Mapping) and _place(one) == _place(change):
            card = entered.get("card") if isinstance(entered, Mapping) else None
            return one.get("id"), card if isinstance(card, str) else None
    return None, None


def _place(move: Mapping[str, Any]) -> tuple[Any, Any]:
    return move.get("round"), move.get("move")


def _marks(what: What, cards: Sequence[Any], by: By, entry: Mapping[str, Any]) -> list[Mark]:
    number = entry.get("id")
    number = number if isinstance(number, int) else 0
    return [Mark(what, card, by, number) for card in cards if isinstance(card, str)]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
