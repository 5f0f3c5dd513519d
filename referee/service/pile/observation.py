"""Interpret an observation of the pile and update the pile."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.service.pile.layers import PILE, Layer, Pile, Reading
from referee.service.pile.thresholds import LIKELIEST, NEXT_READING, UNREAD

MOST_OUTBOXES = 4
"""Outboxes of a device whose last numbers are remembered; a gateway has one at a time."""
WEIGHED = ("placed", "lifted", "unsure")
"""Events that likelihoods may weigh."""


def last_number(pile: Pile, device: str, seen: Mapping[str, Any]) -> int:
    """Return the last number of the device, in the observation's outbox; -1 if there is none."""
    return pile.numbers.get(_series(device, seen), -1)


def with_number(pile: Pile, device: str, seen: Mapping[str, Any]) -> Mapping[str, int]:
    """Return the last numbers after an observation; a device's oldest outboxes are forgotten."""
    series = _series(device, seen)
    others = {key: last for key, last in pile.numbers.items() if key != series}
    own = [key for key in others if key.partition("/")[0] == device]
    for key in own[: max(0, len(own) + 1 - MOST_OUTBOXES)]:
        del others[key]
    return {**others, series: seen["number"]}


def _series(device: str, seen: Mapping[str, Any]) -> str:
    return f"{device}/{seen['outbox']}" if "outbox" in seen else device


def read(seen: Mapping[str, Any]) -> Reading:
    """Parse an observation of the pile into probabilities."""
    origin = dict(seen.get("from", {}))
    drawn = origin.pop(PILE, None)
    kinds = _kinds(seen)
    whole = sum(kinds.values())
    kinds = {kind: share / whole for kind, share in kinds.items() if share > 0}
    cards = dict(seen.get("cards", {}))
    outbox = seen.get("outbox", "")
    return Reading(kinds, cards, origin, seen["number"], seen.get("arm"), drawn, outbox)


def _kinds(seen: Mapping[str, Any]) -> dict[str, float]:
    event, given = seen["event"], dict(seen.get("likelihoods", {}))
    if event in WEIGHED and any(given.values()):
        return given
    if event == "unsure":
        return {kind: NEXT_READING**place for place, kind in enumerate(seen["readings"])}
    if event == "unread":
        return UNREAD
    laid = seen.get("laid", 1.0)
    return {"placed": laid, "same": 1 - laid} if event == "placed" else {event: 1.0}


def take_in(pile: Pile, seen: Mapping[str, Any], entry: int) -> tuple[Pile, str | None]:
    """Return the pile after an observation, and its meaning if that needs no explaining.

    What needs explaining becomes a waiting layer, or completes an earlier one.
    """
    event = seen["event"]
    if event == "cleared":
        cards = [i for i in range(len(pile.layers)) if i != pile.top]
        return replace(pile.without(cards), gone=True, last=None), "agrees"
    if "resolves" in seen:
        return _resolve(pile, seen)
    if event == "same":
        return pile, "agrees"
    reading = read(seen)
    if event == "lifted" and pile.waiting and _uncovers(pile, reading):
        return replace(pile.without(pile.waiting), gone=False), "put-right"
    return pile.put(Layer(None, "waiting", True, entry, reading=reading)), None


def _resolve(pile: Pile, seen: Mapping[str, Any]) -> tuple[Pile, str | None]:
    at = next((i for i in pile.waiting if _is(pile.layers[i], seen)), None)
    if at is None:
        # Somebody has named the card meanwhile.
        return pile, "agrees"
    if seen["event"] == "same":
        return pile.without([at]), "agrees"
    return pile.change(at, reading=read(seen)), None


def _is(layer: Layer, seen: Mapping[str, Any]) -> bool:
    """Return whether a layer is the one that an observation answers."""
    reading = layer.reading
    named = seen["resolves"], seen.get("outbox", "")
    return reading is not None and (reading.number, reading.outbox) == named


def _uncovers(pile: Pile, reading: Reading) -> bool:
    """Return whether exactly the unexplained cards have been taken away again."""
    first = pile.waiting[0]
    below = [layer for layer in pile.layers[:first] if layer.seen]
    if not below or first + len(pile.waiting) < len(pile.layers):
        return False
    card = below[-1].card
    return not reading.cards or reading.cards.get(card or "", 0.0) >= LIKELIEST
