"""What a correction, or its being taken back, means to each seat."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from referee.texts.touches.events import ended, need_of, passed_on, power_moved
from referee.texts.touches.kinds import Json, Touch

# A card that was taken back is to be laid again.
LAY = "lay"
# A move that is undone → by how many cards its banner has the hand change.
TOLD = {"play": 1, "draw": -1}


@dataclass(frozen=True, slots=True)
class Undone:
    """What a correction undoes.

    ``fell`` are the moves that it takes back. ``untouched`` is the move by which no card changes
    hands: what was entered or replaced, or counts again; None without one. ``was_illegal``: that
    move was held to be against the rules until now, so its card lies in the hand.
    """

    fell: list[Json]
    untouched: Json | None = None
    was_illegal: bool = False


def from_correction(entry: Json) -> Iterator[Touch]:
    """Return what was undone, counts again or was entered, and what hands hold by it."""
    told = set()
    # How many more cards a seat holds by what is said of its moves.
    explained: dict[int, int] = {}
    undone = _undone(entry)
    entered = entry.get("entered")
    if entered and entry["change"]["kind"] == "replace":
        # What its own move takes the place of is not told as well.
        told.add(entered["seat"])
    for name, listed in (("undone", undone.fell), ("restored", entry.get("stands", ()))):
        for deed in reversed(listed):
            seat = deed.get("seat", 0)
            if seat not in told and deed.get("kind") == "hand-count":
                yield _counted(entry, seat)
            elif seat not in told:
                moves = undone.was_illegal or deed is not undone.untouched
                done = deed.get("verdict") == "legal" and moves
                if done:
                    count = TOLD.get(deed["kind"], 0)
                    explained[seat] = count if name == "undone" else -max(count, 0)
                special = deed.get("kind") if done else None
                # A card that was turned up goes back where one that was drawn does.
                if name == "undone" and special == "flip":
                    special = "draw"
                yield Touch(seat, name, special, deed)
            told.add(seat)
    for item in entry.get("changed", ()):
        told.add(item.get("seat", 0))
        explained.pop(item.get("seat", 0), None)
        ruling = item["now"]
        args = {**item, "top": item.get("card")}
        # Of what the host lets stand it is for the table where it lies.
        again = "card" in item and entry["change"]["kind"] != "overrule"
        special = LAY if again and ruling["verdict"] == "legal" else ruling.get("remedy")
        yield Touch(item.get("seat", 0), f"now-{ruling['verdict']}", special, args)
    if entered and entry["change"]["kind"] == "hand-count":
        told.add(entered["seat"])
        yield _counted(entry, entered["seat"])
    elif entered:
        told.add(entered["seat"])
        explained.pop(entered["seat"], None)
        ruled = entry["ruling"]
        if ruled["verdict"] == "illegal":
            args = {**entered, "top": entered.get("card"), "now": ruled}
            yield Touch(entered["seat"], "now-illegal", ruled.get("remedy"), args)
        else:
            yield Touch(entered["seat"], "entered", LAY if undone.was_illegal else None, entered)
    powers = entry.get("differs", {}).get("powers", {"was": {}, "now": {}})
    for power, to in powers["now"].items():
        was = powers["was"].get(power, 0)
        if to != was:
            event = {"event": "power-moved", "power": power, "to": to, "was": was}
            yield from power_moved(event, ())
    handed = list(_handed(entry, undone))
    yield from handed
    source = {touch.seat: touch.args["by"] for touch in handed}
    same = dict.fromkeys(("was", "now"), entry["state"]["hands"])
    hands = entry.get("differs", {}).get("hands", same)
    if entry["change"]["kind"] == "break-off":
        # All cards are collected.
        hands = same
        explained.clear()
    for seat, count in enumerate(hands["now"], 1):
        # Whoever gets another hand counts that one; what its holder lays or takes back is told.
        held = source.get(seat, seat)
        was = hands["was"][held - 1] if seat <= len(hands["was"]) else count
        alone = seat == held and seat in explained
        # What is said of a move has been done when hands are counted.
        was += explained[seat] if alone else 0
        if was != count and (alone or not {seat, held} & told):
            special = "more" if count > was else "less"
            yield Touch(seat, "hand-set", special, {"seat": seat, "count": count, "was": was})
    turn = entry.get("differs", {}).get("turn")
    if turn and turn["was"] and turn["was"] not in told and entry["state"]["turn"]:
        yield Touch(turn["was"], "turn-gone")
    if entry["change"]["kind"] == "break-off":
        yield from ended(entry, {"event": "round-broken-off"}, ())
    for need in entry["state"]["awaiting"]:
        yield need_of(entry, need["seat"], need["need"], None, None)


def _counted(entry: Json, seat: int) -> Touch:
    """Return that a seat holds as many cards as the host has said, or said before."""
    args = {"seat": seat, "count": entry["state"]["hands"][seat - 1]}
    hands = entry.get("differs", {}).get("hands")
    was = {} if hands is None else {"was": hands["was"][seat - 1]}
    return Touch(seat, "hand-set", None, args | was, {"event": "hand-set", **args})


def _undone(entry: Json) -> Undone:
    """Return the moves that fell, and the one by which no card changes hands.

    What a correction replaces was not made by that seat, or not with that card: nothing goes back.
    A correction that is taken back has entered a move that nobody made: no card of it goes back.
    Where it took the place of another one of the same seat, it is not even among those that fell,
    and of the earlier one, which counts again, nothing was taken back into the hand.
    """
    fell = list(entry.get("fell", ()))
    if entry["change"]["kind"] == "replace":
        at = entry["entered"]["round"], entry["entered"]["move"]
        was = next((deed for deed in fell if (deed["round"], deed["move"]) == at), None)
        return Undone(fell, was, _was_illegal(was))
    entered = next((deed for deed in fell if deed["id"] == entry.get("voids")), None)
    if entered is None:
        return Undone(fell)
    place = ("round", "move", "seat")
    for deed in entry.get("stands", ()):
        if all(deed.get(name) == entered.get(name) for name in place):
            others = [other for other in fell if other is not entered]
            return Undone(others, deed, _was_illegal(entered))
    return Undone(fell, entered)


def _was_illegal(move: Json | None) -> bool:
    return move is not None and move["verdict"] == "illegal"


def _handed(entry: Json, undone: Undone) -> Iterator[Touch]:
    """Return that hands go round again, or back, after a correction."""
    # What was undone goes back; what counts again, or was missed, is done now.
    kind = "hands-back" if entry.get("fell") else "hands-passed"
    taken = [deed for deed in undone.fell if deed is not undone.untouched]
    takes = {deed.get("seat") for deed in taken if deed.get("kind") == "play"}
    for seats in entry.get("hands_passed", ()):
        event = {"event": "hands-passed", "seats": seats}
        for touch in passed_on(entry, event, kind):
            # Whoever takes a card back as well has one more in the end.
            args = {n: v for n, v in touch.args.items() if n != "count" or touch.seat not in takes}
            yield replace(touch, args=args)
