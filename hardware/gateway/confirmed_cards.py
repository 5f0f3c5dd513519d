"""Which observations of the pile became rulings that people let stand: labels to learn from.

A ruling on what a camera saw names the observation as its ``cause`` in the table's log. Its card is
a label once it was let stand for some further moves or to the end of the round. Nothing is learnt
of what was asked and never answered, of illegal cards, or of what the referee presumed. A
correction takes labels back, and may give others.
"""

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from hardware.observation import CardLabel

STOOD = {"play": 3, "people": 1}
"""Further moves for which a ruling must stand: 3 if only the camera saw the card, 1 if people named
it. By judgement: a wrong ruling is noticed by the player whose turn it makes."""
MOST_KEPT = 400
"""Most observations and rulings kept: more than the moves of a long round."""
NO_LABEL = ("presumed", "unanswered", "withdrawn")
"""Why a question lapsed, if its observation must not be learnt from whatever follows."""
Json = Mapping[str, Any]
Labels = list[tuple[str, CardLabel]]


@dataclass(frozen=True, slots=True)
class _Ruling:
    """A card in the log, by the observation that it explains, and the moves since."""

    cause: int
    card: str
    people: bool
    since: int = 0
    stands: bool = True
    told: bool = False


class ConfirmedCards:
    """Follows a table's log in order; returns labels with the names of the devices they are for."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        # Device and number of each observation, by the log's entry.
        self._seen: dict[int, tuple[str, int]] = {}
        self._forget()

    def observed(self, device: str, entry: Json) -> None:
        """Note the server's answer to a device's observation."""
        seen = entry.get("observation")
        if isinstance(seen, Mapping) and seen.get("kind") == "pile":
            with self._guard:
                self._seen[entry["id"]] = (device, seen["number"])
                _shorten(self._seen)

    def forget(self) -> None:
        """Start over: entries of the log were missed."""
        with self._guard:
            self._forget()

    def follow(self, entry: Json) -> Labels:
        """Take the log's next entry and return the labels that it gives."""
        with self._guard:
            labels = list(self._take(entry))
            _shorten(self._rulings)
            _shorten(self._asked)
            return labels

    def _forget(self) -> None:
        self._rulings: dict[int, _Ruling] = {}
        # The observation that each question is about. A camera alone cannot settle those.
        self._asked: dict[int, int] = {}
        # The last play that a phone reported and no camera has seen yet: entry and card.
        self._reported: tuple[int, str] | None = None

    def _take(self, entry: Json) -> Iterator[tuple[str, CardLabel]]:
        kind, number, cause = entry.get("kind"), entry["id"], entry.get("cause")
        if kind == "asked" and entry["question"].get("about") == "pile":
            self._asked[number] = entry["cause"]
        elif kind == "lapsed":
            self._lapsed(entry)
        elif kind == "observed":
            self._observed(entry)
        elif kind == "moved":
            yield from self._ripened(1)
            self._moved(entry)
        elif kind == "confirmed" and cause in self._rulings:
            card = entry["move"].get("card")
            if card == self._rulings[cause].card:
                self._rulings[cause] = replace(self._rulings[cause], people=True)
        elif kind == "corrected":
            yield from self._corrected(entry)
        elif kind == "round-opened":
            yield from self._ripened(max(STOOD.values()))
            if cause is not None and entry.get("opening"):
                self._rule(number, cause, entry["opening"][-1], people=_by_people(entry))

    def _moved(self, entry: Json) -> None:
        move, cause = entry["move"], entry.get("cause")
        if move["move"] not in ("play", "flip") or entry["ruling"]["verdict"] != "legal":
            return
        if cause is None:
            self._reported = (entry["id"], move["card"])
        else:
            self._rule(entry["id"], cause, move["card"], people=_by_people(entry))

    def _lapsed(self, entry: Json) -> None:
        """Note why a question needs no answer; a play reported just before may be the reason."""
        cause = self._asked.get(entry["question_id"])
        if cause is None or entry.get("why") in NO_LABEL or self._reported is None:
            return
        reported, card = self._reported
        if entry["id"] == reported + 1:
            self._rule(reported, cause, card, people=True)
            self._reported = None

    def _observed(self, entry: Json) -> None:
        """Match a card that a phone had reported before the camera saw it."""
        seen = entry["observation"]
        if self._reported is None or (seen.get("kind"), seen.get("event")) != ("pile", "placed"):
            return
        reported, card = self._reported
        cards = seen.get("cards", {})
        if entry.get("meaning") == "agrees" and max(cards, key=cards.get, default="") == card:
            self._rule(reported, entry["id"], card, people=True)
            self._reported = None

    def _rule(self, entry: int, cause: int, card: str, *, people: bool) -> None:
        if people or cause not in self._asked.values():
            self._rulings[entry] = _Ruling(cause, card, people)

    def _ripened(self, moves: int) -> Iterator[tuple[str, CardLabel]]:
        """Count ``moves`` more moves; yield the labels of rulings that have stood long enough."""
        for entry, ruling in self._rulings.items():
            if ruling.told or not ruling.stands:
                continue
            aged = replace(ruling, since=ruling.since + moves)
            by: Literal["people", "play"] = "people" if ruling.people else "play"
            # The answer to the post may come later than the log.
            seen = self._seen.get(ruling.cause)
            if seen is not None and aged.since >= STOOD[by]:
                aged = replace(aged, told=True)
                yield seen[0], CardLabel(seen[1], ruling.card, by)
            self._rulings[entry] = aged

    def _corrected(self, entry: Json) -> Iterator[tuple[str, CardLabel]]:
        """Take back what fell, give what stands again, and learn the card named instead."""
        change = entry["change"]
        replaced = change.get("replacement", {}) if change.get("kind") == "replace" else {}
        place = (change.get("round"), change.get("move"))
        for deed in entry.get("fell", ()):
            if (deed.get("round"), deed.get("move")) == place and "card" in replaced:
                fallen = self._rulings.get(deed["id"])
                if fallen is not None and _by_people(entry):
                    self._rule(entry["id"], fallen.cause, replaced["card"], people=True)
        for number in list(self._rulings):
            ruling = self._rulings[number]
            if ruling.stands and _lists(entry, "fell", number):
                self._rulings[number] = replace(ruling, stands=False, told=False, since=0)
                if ruling.told and ruling.cause in self._seen:
                    device, seen = self._seen[ruling.cause]
                    yield device, CardLabel(seen, None)
            elif not ruling.stands and _lists(entry, "stands", number):
                self._rulings[number] = replace(ruling, stands=True)


def _lists(entry: Json, name: str, number: int) -> bool:
    """Return whether a correction lists an entry as fallen or standing; long lists are ranges."""
    ranges = entry.get(f"{name}_entries")
    if ranges is not None:
        return any(first <= number <= last for first, last in ranges)
    return any(deed["id"] == number for deed in entry.get(name, ()))


def _by_people(entry: Json) -> bool:
    return bool(entry["by"].get("role") != "device")


def _shorten(kept: dict[int, Any]) -> None:
    while len(kept) > MOST_KEPT:
        del kept[next(iter(kept))]
