"""What the events of an entry mean to each seat that they touch."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.rules.play.challenge import MORE
from referee.texts.rulings import taken_together
from referee.texts.touches.kinds import NEEDS, Json, Touch

# A move → what it fulfils: whoever still owes the same has been told already.
FULFILS: Mapping[str, str] = {
    **dict.fromkeys(("discard", "pass"), "discard"),
    **{name: name for name in ("reveal", "report")},
}

# Events by which a hand has fewer cards though none is laid.
GIVEN_AWAY = frozenset({"discarded", "gave"})


# The event by which a seat may lay another card before the next one begins.
FOLLOW_UP = "follow-up-opened"


def from_events(entry: Json, events: Sequence[Json], challenged: frozenset[str]) -> Iterator[Touch]:
    """Return what the events of an entry mean; ``challenged`` as of ``touches``."""
    laid = next((event for event in events if event["event"] == "laid"), None)
    for place, event in enumerate(events):
        match event["event"]:
            case "draw-due":
                yield from _due(entry, event, events[place + 1 :])
            case "drew" if _raised(entry) and event["count"] > 1:
                yield Touch(event["seat"], "draw", None, {"count": event["count"]}, event)
            case "awaited":
                for touch in _awaited(entry, event["needs"], laid, events):
                    yield _challengeable(touch, laid, challenged)
            case "turn-came":
                touch = need_of(entry, event["seat"], "play", laid, event)
                # Two turns in a row want a word: the card says so, or skips the only other one.
                again = any(e["event"] == "played" and e["seat"] == touch.seat for e in events)
                more = next((e for e in events if e["event"] == FOLLOW_UP), None)
                touch = while_open(touch, more)
                yield replace(touch, special="again") if again else touch
            case "power-moved":
                yield from power_moved(event, events)
            case "discarded":
                yield from _discarded(entry, event, events)
            case "seat-left":
                yield from _left(event, events)
            case "uno-owed":
                yield from _uno_owed(entry, event, events[:place])
            case "announced":
                yield from _announced(entry, event)
            case "redealt":
                yield from _redealt(entry, event)
            case "hands-passed":
                yield from passed_on(entry, event)
            case "round-won" | "scored" | "game-won" | "round-broken-off" | "seats-out":
                yield from ended(entry, event, events)
            case kind if kind in SIMPLE:
                yield from SIMPLE[kind](entry, event)
    if not any(event["event"] == "discarded" for event in events):
        yield from _none_to_discard(entry, events)


def _raised(entry: Json) -> bool:
    """Return whether a seat draws of its own accord, for once more cards than it said."""
    move = entry.get("move", {})
    count = move.get("drawn") or move.get("count")
    return move.get("move") == "draw" and not count


def _due(entry: Json, event: Json, after: Sequence[Json]) -> Iterator[Touch]:
    seat, by, rule = event["seat"], event.get("by"), event["rule"]
    # There may be fewer cards than are due, or none.
    if not after or after[0]["event"] != "drew":
        return
    special = rule
    if rule == "challenge":
        special = "challenged" if by else "challenge"
    elif entry.get("move", {}).get("move") == "judge":
        special = "dare-failed"
    args = {"seat": seat, "by": by, "count": after[0]["count"]}
    yield Touch(seat, "draw", special, args, event)
    if special == "challenged" and by:
        yield Touch(by, "challenge-won", None, args, event)
    elif special == "challenge" and entry.get("move"):
        yield Touch(entry["move"]["seat"], "challenge-held", None, args, event)
    elif rule == "uno.catch" and by:
        yield Touch(by, "catch", None, args, event)


def _awaited(
    entry: Json, needs: Sequence[Any], laid: Json | None, events: Sequence[Json]
) -> Iterator[Touch]:
    fulfilled = FULFILS.get(entry.get("move", {}).get("move", ""))
    drew = {event["seat"] for event in events if event["event"] == "draw-due"}
    for seat, need in needs:
        told = need == fulfilled and laid is None and not _out(events)
        if not told:
            # The others hear of all who owe the same.
            same = [[debtor, owed] for debtor, owed in needs if owed == need]
            event = {"event": "awaited", "turn": None, "needs": same}
            touch = need_of(entry, seat, need, laid, event)
            if need == "reveal" and "to" in touch.args:
                yield Touch(touch.args["to"], "watch", None, {"seat": seat})
            # Who had to draw for it has to do it, too.
            bound = need == "discard" and seat in drew
            yield replace(touch, special="bound") if bound else touch


def _challengeable(touch: Touch, laid: Json | None, challenged: frozenset[str]) -> Touch:
    """Return what a stack means, with what a challenge costs if there may be one."""
    # One turned up from the pile claims nothing about a hand. The card is its symbol: it is wild.
    claims = laid is not None and laid["card"] in challenged and not laid.get("flipped")
    if touch.special != "stack" or not claims or not touch.args["color"]:
        return touch
    args = {**touch.args, "more": touch.args["count"] + MORE}
    return replace(touch, special="stack-challenge", args=args)


def _out(events: Iterable[Json]) -> bool:
    return any(event["event"] == "round-won" for event in events)


def need_of(entry: Json, seat: int, need: str, laid: Json | None, event: Json | None) -> Touch:
    """Return that something is awaited from a seat; without an event, that it still is."""
    state = entry["state"]
    if need == "reveal" and state["round_winner"]:
        return Touch(seat, "hands", None, {"seat": state["round_winner"]}, event)
    args: dict[str, Any] = {"color": state["color"], "top": state["top"]}
    if need == "reveal":
        args["to"] = state["turn"]
    if need == "respond" and laid is not None:
        args |= {"by": laid["seat"], "card": laid["card"], "color": laid.get("color_before")}
    if need == "respond" and state["stack"]:
        return Touch(seat, "respond", "stack", {**args, "count": state["stack"]}, event)
    # How many may be taken depends on the card.
    special = state["top"] if need == "powers" else None
    return Touch(seat, NEEDS[need], special, args, event)


def while_open(touch: Touch, more: Json | None) -> Touch:
    """Return a turn as one that waits for ``more``, another seat's card; None without."""
    if touch.kind != "turn" or more is None or more["seat"] == touch.seat:
        return touch
    return replace(touch, special="wait", args={**touch.args, "by": more["seat"]})


def power_moved(event: Json, events: Sequence[Json]) -> Iterator[Touch]:
    """Return what it means that a power has another holder; ``events`` are all of the entry's."""
    power, to, was = event["power"], event["to"], event.get("was", 0)
    # The others hear at once of all that go the same way.
    moved = (one for one in taken_together(events) if power in one.get("powers", ()))
    event = next(moved, event)
    gone = _all_gone(events)
    if gone:
        # All four are back in the tray: their holder hears of the cards to discard.
        if to:
            yield Touch(was, "power-lost", None, {"power": power, "to": 0}, gone)
        return
    yield Touch(to, "power-taken", power, {"power": power, "by": was}, event)
    yield Touch(was, "power-lost", None, {"power": power, "to": to}, event)


def _left(event: Json, events: Sequence[Json]) -> Iterator[Touch]:
    """Return that whoever leaves puts cards back, and the powers that are held."""
    powers = [one["power"] for one in events if one["event"] == "power-moved"]
    yield Touch(event["seat"], "left", None, {"powers": powers, "to": 0}, event)


def _all_gone(events: Sequence[Json]) -> Json | None:
    """Return the event by which others hear that all powers go back; None if they do not."""
    gone = [event for event in events if event["event"] == "power-moved" and event["to"] == 0]
    return {**gone[0], "powers": [event["power"] for event in gone]} if gone else None


def _uno_owed(entry: Json, event: Json, before: Sequence[Json]) -> Iterator[Touch]:
    """Return that a seat that gave cards away has one left; who lays a card minds it alone."""
    last = next(one for one in reversed(before) if one["event"] in ("played", *GIVEN_AWAY))
    if last["event"] in GIVEN_AWAY:
        yield from _call(entry, event["seat"], last)


def _call(entry: Json, seat: int, event: Json) -> Iterator[Touch]:
    """Return that a seat has one card left, unless it has called UNO."""
    state = entry["state"]
    if state["hands"][seat - 1] == 1 and seat not in state["uno"]:
        yield Touch(seat, "call-uno", None, {}, event)


def _announced(entry: Json, event: Json) -> Iterator[Touch]:
    args = {"text": event["text"]}
    if not event["seats"]:
        for seat in _holders(entry):
            yield Touch(seat, "card-says", None, args, event)
    for seat in event["seats"]:
        yield Touch(seat, "ban" if event.get("until_uno") else "dare", None, args, event)


def _holders(entry: Json) -> list[int]:
    """Return the seats that hold cards."""
    return [seat for seat, count in enumerate(entry["state"]["hands"], 1) if count]


def _redealt(entry: Json, event: Json) -> Iterator[Touch]:
    by = entry.get("move", {}).get("seat", 0)
    for seat in event["seats"]:
        args = {"count": event["hands"][seat - 1]}
        # Who laid the card collects and deals, also where the own cards go in.
        kind, special = ("redealing", "all") if seat == by else ("redealt", None)
        yield Touch(seat, kind, special, args, event)
    if by not in event["seats"]:
        yield Touch(by, "redealing", None, {"seats": event["seats"]}, event)


def passed_on(entry: Json, event: Json, kind: str = "hands-passed") -> Iterator[Touch]:
    """Return that each hand goes to the next of the seats, the last one's to the first."""
    seats = event["seats"]
    told = event if kind == event["event"] else None
    for place, seat in enumerate(seats):
        to, by = seats[(place + 1) % len(seats)], seats[place - 1]
        args = {"to": to, "by": by, "count": entry["state"]["hands"][seat - 1]}
        yield Touch(seat, kind, "two" if len(seats) == 2 else None, args, told)


def ended(entry: Json, event: Json, events: Sequence[Json]) -> Iterator[Touch]:
    """Return what the end of a round or a game means to all, or that some are out."""
    state = entry["state"]
    seats = range(1, len(state["scores"]) + 1)
    if event["event"] == "game-won":
        for seat in seats:
            kind = "game-won" if seat in event["seats"] else "game-lost"
            yield Touch(seat, kind, None, {"seats": event["seats"]}, event)
    elif event["event"] == "seats-out":
        for seat in event["seats"]:
            yield Touch(seat, "out", None, {}, event)
    elif event["event"] == "round-won":
        yield Touch(event["seat"], "round-won", None, {}, event)
    elif event["event"] == "round-broken-off":
        for seat in seats:
            yield Touch(seat, "broken-off", None, {}, event)
    else:
        winner = state["round_winner"]
        for seat in seats:
            if seat == winner:
                yield Touch(seat, "scored", None, {"points": event["scores"][seat - 1]}, event)
            elif winner:
                yield Touch(seat, "round-lost", None, {"seat": winner}, event)


def _lost(entry: Json, event: Json) -> Iterator[Touch]:
    move = entry.get("move", {})
    laid = {"by": move["seat"], "card": move["card"]} if "card" in move else {}
    yield Touch(event["seat"], "skipped", event["rule"], laid, {**event, **laid})


def _given(entry: Json, event: Json) -> Iterator[Touch]:
    cards = event["cards"]
    count = cards["count"] if isinstance(cards, Mapping) else len(cards)
    args = {"seat": event["seat"], "to": event["to"], "count": count}
    yield Touch(event["to"], "given", None, args, event)
    yield Touch(event["seat"], "giving", None, args, event)


def _discarded(entry: Json, event: Json, events: Sequence[Json]) -> Iterator[Touch]:
    """Return that a seat discards what it need not choose, for which the others hear why."""
    if entry.get("move", {}).get("move") != "discard":
        why = _all_gone(events) or event
        yield Touch(event["seat"], "discarded", None, {"count": event["count"]}, why)


def _none_to_discard(entry: Json, events: Sequence[Json]) -> Iterator[Touch]:
    """Return that all powers go back from a seat that has one card already; who leaves knows it."""
    gone = _all_gone(events)
    if gone and gone.get("rule"):
        yield Touch(gone["was"], "discarded", "none", {}, gone)
        yield from _call(entry, gone["was"], gone)


def _turned(entry: Json, event: Json) -> Iterator[Touch]:
    args = {"direction": event["direction"]}
    yield Touch(event.get("passed", 0), "reversed", None, args, event)


def _jumped(entry: Json, event: Json) -> Iterator[Touch]:
    yield Touch(event.get("passed", 0), "turn-gone", "jumped-in", {}, event)


def _follow_up(entry: Json, event: Json) -> Iterator[Touch]:
    yield Touch(event["seat"], "follow-up", event.get("rule"), {}, event)


def _proved(entry: Json, event: Json) -> Iterator[Touch]:
    every = ".every" if event.get("every") else ""
    yield Touch(event["seat"], "proved", event["rule"] + every, {}, event)


def _plain(kind: str, *args: str) -> Any:
    def touch(entry: Json, event: Json) -> Iterator[Touch]:
        yield Touch(event["seat"], kind, None, {name: event[name] for name in args}, event)

    return touch


def _draw_raised(entry: Json, event: Json) -> Iterator[Touch]:
    if event["count"]:
        yield Touch(event["seat"], "draw-raised", None, {"count": event["count"]}, event)


SIMPLE: Mapping[str, Any] = {
    "turn-lost": _lost,
    "gave": _given,
    "jumped-in": _jumped,
    "direction-turned": _turned,
    "draw-raised": _draw_raised,
    "protected": _plain("protected", "power"),
    "power-offered": _plain("power-offered", "power"),
    FOLLOW_UP: _follow_up,
    "hand-opened": _plain("open-hand", "until"),
    "hand-set": _plain("hand-set", "seat", "count"),
    "uno-lapsed": _plain("uno-lapsed", "seat"),
    "proved": _proved,
}
