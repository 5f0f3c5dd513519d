"""What an entry of the log means to each seat that it touches, before it is put into words."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from referee.rules.play.challenge import MORE

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """How a banner looks and what ends it.

    ``tone`` is "good", "bad", "do" (something is awaited) or "info". ``until``: "done" ends it when
    the referee awaits ``need`` no longer, "next" with the seat's next move, "acted" with anybody's,
    "tap" with a tap alone. A tap ends any of them, and so does what is next: a round or a game.
    """

    tone: str
    until: str
    need: str | None = None


# What happens to a seat, the weightiest first: that is what its banner is about.
KINDS: Mapping[str, Kind] = {
    "game-won": Kind("good", "tap"),
    "game-lost": Kind("info", "tap"),
    "round-won": Kind("good", "tap"),
    "hands": Kind("do", "done", "reveal"),
    "scored": Kind("good", "tap"),
    "out": Kind("bad", "tap"),
    "round-lost": Kind("info", "tap"),
    "broken-off": Kind("info", "tap"),
    # What was laid goes back into the hand that it came from: that hand comes back first.
    "hands-back": Kind("do", "next"),
    "illegal": Kind("bad", "next"),
    "late": Kind("info", "acted"),
    "undone": Kind("bad", "next"),
    "restored": Kind("info", "next"),
    "now-illegal": Kind("bad", "next"),
    "now-legal": Kind("good", "next"),
    "entered": Kind("info", "next"),
    "respond": Kind("do", "done", "respond"),
    "reveal": Kind("do", "done", "reveal"),
    "draw": Kind("bad", "next"),
    "given": Kind("bad", "next"),
    "redealt": Kind("do", "next"),
    "redealing": Kind("do", "acted"),
    "swap": Kind("do", "done", "swap"),
    "hands-passed": Kind("do", "next"),
    "discarded": Kind("good", "next"),
    "hand-set": Kind("info", "next"),
    "skipped": Kind("bad", "next"),
    "dare": Kind("do", "next"),
    "ban": Kind("do", "next"),
    "open-hand": Kind("do", "next"),
    "draw-raised": Kind("info", "next"),
    "card-says": Kind("info", "next"),
    "color": Kind("do", "done", "color"),
    "powers": Kind("do", "done", "powers"),
    "discard": Kind("do", "done", "discard"),
    "report": Kind("do", "done", "report"),
    "judge": Kind("do", "done", "judge"),
    "challenge-won": Kind("good", "next"),
    "challenge-held": Kind("good", "next"),
    "catch": Kind("good", "acted"),
    "power-lost": Kind("bad", "next"),
    "power-offered": Kind("do", "acted"),
    "power-taken": Kind("good", "next"),
    "proved": Kind("bad", "next"),
    "uno-lapsed": Kind("bad", "next"),
    "protected": Kind("good", "next"),
    "follow-up": Kind("do", "acted"),
    "reversed": Kind("info", "next"),
    "turn-gone": Kind("info", "next"),
    "drawn": Kind("do", "done", "drawn"),
    "turn": Kind("do", "done", "play"),
}
RANK: Mapping[str, int] = {name: rank for rank, name in enumerate(KINDS)}
# What the referee waits for → what it means to the seat.
NEEDS: Mapping[str, str] = {"play": "turn", **{name: name for name in KINDS if name != "turn"}}
# A move → what it fulfils: whoever still owes the same has been told already.
FULFILS: Mapping[str, str] = {
    **dict.fromkeys(("discard", "pass"), "discard"),
    **{name: name for name in ("reveal", "report")},
}
# What need not be said beside something that says as much.
SAID_BY: Mapping[str, tuple[str, ...]] = {
    # The hand shown in a challenge has just been judged.
    "proved": ("challenged",),
    "reversed": ("skipped",),
    "undone": ("entered",),
    "round-won": ("game-won",),
    "scored": ("game-won",),
    "round-lost": ("game-lost", "game-won", "out"),
}


@dataclass(frozen=True, slots=True)
class Touch:
    """Something that happens to a seat.

    ``special`` picks sentences of its own (``draw.uno.catch``), ``args`` fill them. ``event`` is
    the log's event behind it, by which the others hear of it.
    """

    seat: int
    kind: str
    special: str | None = None
    args: Json = field(default_factory=dict)
    event: Json | None = None


def touches(
    entry: Json, events: Sequence[Json], challenged: frozenset[str] = frozenset()
) -> list[Touch]:
    """Return what an entry means to seats; ``events`` also has what is not told to the table.

    ``challenged`` are the symbols that can be challenged at this table.
    """
    state = entry.get("state")
    if state is None:
        return []
    found = [*_from_events(entry, events, challenged), *_ruled(entry)]
    if entry["kind"] == "corrected":
        found += _corrected(entry)
    there = {(touch.seat, touch.kind) for touch in found}
    there |= {(touch.seat, "challenged") for touch in found if touch.special == "challenged"}
    # Some of what was awaited has been said with the card.
    awaited = {(need["seat"], need["need"]) for need in state["awaiting"]}
    return [
        touch
        for touch in found
        if touch.seat
        and not any((touch.seat, by) in there for by in SAID_BY.get(touch.kind, ()))
        and (KINDS[touch.kind].until != "done" or (touch.seat, KINDS[touch.kind].need) in awaited)
    ]


def by_seat(found: Iterable[Touch]) -> dict[int, list[Touch]]:
    """Return the touches of each seat, the weightiest first."""
    grouped: dict[int, list[Touch]] = {}
    for touch in sorted(found, key=lambda one: (one.seat, RANK[one.kind])):
        grouped.setdefault(touch.seat, []).append(touch)
    return grouped


def _from_events(
    entry: Json, events: Sequence[Json], challenged: frozenset[str]
) -> Iterator[Touch]:
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
                touch = _need(entry, event["seat"], "play", laid, event)
                # Two turns in a row want a word: the card says so, or skips the only other one.
                again = any(e["event"] == "played" and e["seat"] == touch.seat for e in events)
                yield replace(touch, special="again") if again else touch
            case "power-moved":
                yield from _power(event, events)
            case "announced":
                yield from _announced(entry, event)
            case "redealt":
                yield from _redealt(entry, event)
            case "hands-passed":
                yield from _passed_on(entry, event)
            case "round-won" | "scored" | "game-won" | "round-broken-off" | "seats-out":
                yield from _ended(entry, event, events)
            case kind if kind in SIMPLE:
                yield from SIMPLE[kind](entry, event)


def _raised(entry: Json) -> bool:
    """Return whether a seat draws of its own accord, for once more cards than it said."""
    move = entry.get("move", {})
    said = move.get("drawn") or move.get("count")
    return move.get("move") == "draw" and not said


def _due(entry: Json, event: Json, after: Sequence[Json]) -> Iterator[Touch]:
    seat, by, rule = event["seat"], event.get("by"), event["rule"]
    drew = 0
    for one in after:
        if one["event"] == "drew" and one["seat"] == seat:
            drew += one["count"]
        elif one["event"] != "reshuffled":
            break
    # There may be fewer cards than are due, or none.
    if not drew:
        return
    special = rule
    if rule == "challenge":
        special = "challenged" if by else "challenge"
    elif entry.get("move", {}).get("move") == "judge":
        special = "dare-failed"
    args = {"seat": seat, "by": by, "count": drew}
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
            same = [[one, owed] for one, owed in needs if owed == need]
            event = {"event": "awaited", "turn": None, "needs": same}
            touch = _need(entry, seat, need, laid, event)
            stack = next((one["count"] for one in events if one["event"] == "stacked"), None)
            if need == "respond" and stack:
                touch = replace(touch, special="stack", args={**touch.args, "count": stack})
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


def _need(entry: Json, seat: int, need: str, laid: Json | None, event: Json | None) -> Touch:
    """Return that something is awaited from a seat; without an event, that it still is."""
    state = entry["state"]
    if need == "reveal" and state["round_winner"]:
        return Touch(seat, "hands", None, {"seat": state["round_winner"]}, event)
    args: dict[str, Any] = {"color": state["color"], "top": state["top"]}
    if need == "reveal":
        args["to"] = state["turn"]
    if need == "respond" and laid is not None:
        args |= {"by": laid["seat"], "card": laid["card"], "color": laid.get("color_before")}
    return Touch(seat, NEEDS[need], None, args, event)


def _power(event: Json, events: Sequence[Json]) -> Iterator[Touch]:
    power, to, was = event["power"], event["to"], event.get("was", 0)
    gone = any(
        one["event"] == "power-moved" and one["power"] == power and one["to"] == 0 for one in events
    )
    if gone:
        # All four are back in the tray: their holder hears of the cards to discard.
        return
    yield Touch(to, "power-taken", power, {"power": power}, event)
    yield Touch(was, "power-lost", None, {"power": power, "to": to}, event)


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


def _passed_on(entry: Json, event: Json, kind: str = "hands-passed") -> Iterator[Touch]:
    """Return that each hand goes to the next of the seats, the last one's to the first."""
    seats = event["seats"]
    told = event if kind == event["event"] else None
    for place, seat in enumerate(seats):
        to, by = seats[(place + 1) % len(seats)], seats[place - 1]
        args = {"to": to, "by": by, "count": entry["state"]["hands"][seat - 1]}
        yield Touch(seat, kind, "two" if len(seats) == 2 else None, args, told)


def _ended(entry: Json, event: Json, events: Sequence[Json]) -> Iterator[Touch]:
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


def _ruled(entry: Json) -> Iterator[Touch]:
    """Return that a seat's own move breaks a rule, and what it has to put right."""
    ruling, move = entry.get("ruling"), entry.get("move")
    if not (ruling and move and ruling["verdict"] == "illegal"):
        return
    by = ruling.get("args", {}).get("by") if move["move"] == "catch" else None
    if by is None:
        remedy = ruling.get("remedy")
        # Counting again does not mend a card that there cannot be.
        counts = remedy != "show-again" or not ruling["rule"].startswith("deck.")
        yield Touch(move["seat"], "illegal", remedy if remedy and counts else ruling["rule"])
    elif by != move["seat"]:
        # Two have seen the same: nobody has done anything wrong.
        yield Touch(move["seat"], "late", None, {"by": by})


def _corrected(entry: Json) -> Iterator[Touch]:
    told = set()
    fell, idle = _undone(entry)
    for name, listed in (("undone", fell), ("restored", entry.get("stands", ()))):
        for deed in reversed(listed):
            seat = deed.get("seat", 0)
            if seat not in told and deed.get("kind") == "hand-count":
                yield _counted(entry, seat)
            elif seat not in told:
                yield Touch(seat, name, None if deed is idle else deed.get("kind"), deed)
            told.add(seat)
    for item in entry.get("changed", ()):
        told.add(item.get("seat", 0))
        now = item["now"]
        yield Touch(item.get("seat", 0), f"now-{now['verdict']}", now.get("remedy"), item)
    entered = entry.get("entered")
    if entered and entry["change"]["kind"] == "hand-count":
        told.add(entered["seat"])
        yield _counted(entry, entered["seat"])
    elif entered:
        told.add(entered["seat"])
        yield Touch(entered["seat"], "entered")
    handed = list(_handed(entry))
    yield from handed
    source = {touch.seat: touch.args["by"] for touch in handed}
    hands = entry.get("differs", {}).get("hands", {"was": (), "now": ()})
    for seat, now in enumerate(hands["now"], 1):
        # Whoever gets another hand counts that one; what its holder lays or takes back is told.
        held = source.get(seat, seat)
        was = hands["was"][held - 1] if seat <= len(hands["was"]) else now
        if was != now and not {seat, held} & told:
            special = "more" if now > was else "less"
            yield Touch(seat, "hand-set", special, {"seat": seat, "count": now, "was": was})
    turn = entry.get("differs", {}).get("turn")
    if turn and turn["was"] and turn["was"] not in told and entry["state"]["turn"]:
        yield Touch(turn["was"], "turn-gone")
    if entry["change"]["kind"] == "break-off":
        yield from _ended(entry, {"event": "round-broken-off"}, ())
    for need in entry["state"]["awaiting"]:
        yield _need(entry, need["seat"], need["need"], None, None)


def _counted(entry: Json, seat: int) -> Touch:
    """Return that a seat holds as many cards as the host has said, or said before."""
    args = {"seat": seat, "count": entry["state"]["hands"][seat - 1]}
    return Touch(seat, "hand-set", None, args, {"event": "hand-set", **args})


def _undone(entry: Json) -> tuple[list[Json], Json | None]:
    """Return the moves that fell, and the one that fell or counts again without any hand's doing.

    A correction that is taken back has entered a move that nobody made: no card of it goes back.
    Where it took the place of another one of the same seat, it is not even among those that fell,
    and of the earlier one, which counts again, nothing was taken back into the hand.
    """
    fell = list(entry.get("fell", ()))
    entered = next((deed for deed in fell if deed["id"] == entry.get("voids")), None)
    if entered is None:
        return fell, None
    place = ("round", "move", "seat")
    for deed in entry.get("stands", ()):
        if all(deed.get(name) == entered.get(name) for name in place):
            return [other for other in fell if other is not entered], deed
    return fell, entered


def _handed(entry: Json) -> Iterator[Touch]:
    """Return that hands go round again, or back, after a correction."""
    # What was undone goes back; what counts again, or was missed, is done now.
    kind = "hands-back" if entry.get("fell") else "hands-passed"
    fell, idle = _undone(entry)
    takes = {deed.get("seat") for deed in fell if deed.get("kind") == "play" and deed is not idle}
    for seats in entry.get("hands_passed", ()):
        event = {"event": "hands-passed", "seats": seats}
        for touch in _passed_on(entry, event, kind):
            # Whoever takes a card back as well has one more in the end.
            args = {n: v for n, v in touch.args.items() if n != "count" or touch.seat not in takes}
            yield replace(touch, args=args)


def _lost(entry: Json, event: Json) -> Iterator[Touch]:
    move = entry.get("move", {})
    laid = {"by": move["seat"], "card": move["card"]} if "card" in move else {}
    yield Touch(event["seat"], "skipped", event["rule"], laid, {**event, **laid})


def _given(entry: Json, event: Json) -> Iterator[Touch]:
    cards = event["cards"]
    count = cards["count"] if isinstance(cards, Mapping) else len(cards)
    args = {"seat": event["seat"], "count": count}
    yield Touch(event["to"], "given", None, args, event)


def _discarded(entry: Json, event: Json) -> Iterator[Touch]:
    if entry.get("move", {}).get("move") != "discard":
        yield Touch(event["seat"], "discarded", None, {"count": event["count"]}, event)


def _turned(entry: Json, event: Json) -> Iterator[Touch]:
    args = {"direction": event["direction"]}
    yield Touch(event.get("passed", 0), "reversed", None, args, event)


def _follow_up(entry: Json, event: Json) -> Iterator[Touch]:
    yield Touch(event["seat"], "follow-up", event.get("rule"), {}, event)


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
    "discarded": _discarded,
    "direction-turned": _turned,
    "draw-raised": _draw_raised,
    "protected": _plain("protected", "power"),
    "power-offered": _plain("power-offered", "power"),
    "follow-up-opened": _follow_up,
    "hand-opened": _plain("open-hand", "until"),
    "hand-set": _plain("hand-set", "seat", "count"),
    "uno-lapsed": _plain("uno-lapsed", "seat"),
    "proved": _plain("proved", "seat", "rule", "color"),
}
