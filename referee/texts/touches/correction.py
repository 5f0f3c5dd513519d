"""What a correction, or its being taken back, means to each seat."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from referee.texts.touches.events import (
    FOLLOW_UP,
    ended,
    need_of,
    passed_on,
    power_moved,
    while_open,
)
from referee.texts.touches.kinds import Json, Touch

# A card that was taken back is to be laid again.
LAY = "lay"
# A move that is undone → by how many cards its banner has the hand change.
CHANGES = {"play": 1, "draw": -1}


@dataclass(slots=True)
class Told:
    """What is told of seats' moves: of which seats, and how many more cards each holds by it."""

    seats: set[int] = field(default_factory=set)
    counts: Counter[int] = field(default_factory=Counter)


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
    undone, told = _undone(entry), Told()
    moves = [*_moves(entry, undone, told), *_rulings(entry, undone, told)]
    handed = list(_handed(entry, undone))
    yield from moves
    yield from _powers(entry)
    yield from handed
    yield from _hands(entry, told, {touch.seat: touch.args["by"] for touch in handed})
    turn = entry.get("differs", {}).get("turn")
    if turn and turn["was"] and turn["was"] not in told.seats and entry["state"]["turn"]:
        yield Touch(turn["was"], "turn-gone")
    if entry["change"]["kind"] == "break-off":
        yield from ended(entry, {"event": "round-broken-off"}, ())
    more = entry.get("follow_up")
    if more:
        yield Touch(more["seat"], "follow-up", more["rule"], {}, {"event": FOLLOW_UP, **more})
    for need in entry["state"]["awaiting"]:
        touch = need_of(entry, need["seat"], need["need"], None, None)
        if not (touch.kind == "hands" and _still_ended(entry)):
            yield while_open(touch, more)


def _moves(entry: Json, undone: Undone, told: Told) -> Iterator[Touch]:
    """Return what was undone and what counts again, of each seat the newest."""
    if entry.get("entered") and entry["change"]["kind"] == "replace":
        # What its own move takes the place of is not told as well.
        told.seats.add(entry["entered"]["seat"])
    for name, listed in (("undone", undone.fell), ("restored", entry.get("stands", ()))):
        for deed in reversed(listed):
            seat = deed.get("seat", 0)
            if seat not in told.seats and deed.get("kind") == "hand-count":
                yield _counted(entry, seat)
            elif seat not in told.seats:
                moves = undone.was_illegal or deed is not undone.untouched
                done = deed.get("kind") if deed.get("verdict") == "legal" and moves else None
                if done:
                    count = CHANGES.get(done, 0)
                    told.counts[seat] += count if name == "undone" else -max(count, 0)
                # A card that was turned up goes back where one that was drawn does.
                special = "draw" if (name, done) == ("undone", "flip") else done
                yield Touch(seat, name, special, deed)
                if done == "give":
                    yield from _gift(name, deed, told)
            told.seats.add(seat)


def _gift(name: str, deed: Json, told: Told) -> Iterator[Touch]:
    """Return that cards given away come back, or are given after all."""
    seat, to, count = deed["seat"], deed["to"], deed["count"]
    back = count if name == "undone" else -count
    told.counts[seat] += back
    told.counts[to] -= back
    args = {"seat": seat, "to": to, "count": count}
    if name == "undone":
        yield Touch(to, "hand-set", "gift", {**args, "to": seat})
    else:
        yield Touch(to, "given", None, args)
        yield Touch(seat, "giving", None, args)


def _rulings(entry: Json, undone: Undone, told: Told) -> Iterator[Touch]:
    """Return which moves are ruled otherwise now, and what was entered."""
    kind = entry["change"]["kind"]
    for item in entry.get("changed", ()):
        _tell_alone(told, item.get("seat", 0))
        ruling = item["now"]
        args = {**item, "top": item.get("card")}
        # Of what the host lets stand it is for the table where it lies.
        again = "card" in item and kind != "overrule"
        special = LAY if again and ruling["verdict"] == "legal" else ruling.get("remedy")
        yield Touch(item.get("seat", 0), f"now-{ruling['verdict']}", special, args)
    entered = entry.get("entered")
    if not entered:
        return
    seat = entered["seat"]
    if kind == "hand-count":
        told.seats.add(seat)
        yield _counted(entry, seat)
        return
    _tell_alone(told, seat)
    ruled = entry["ruling"]
    if ruled["verdict"] == "illegal":
        args = {**entered, "top": entered.get("card"), "now": ruled}
        yield Touch(seat, "now-illegal", ruled.get("remedy"), args)
    else:
        yield Touch(seat, "entered", LAY if undone.was_illegal else None, entered)


def _tell_alone(told: Told, seat: int) -> None:
    """Note a seat of which nothing is counted: what is told of its move has no number of cards."""
    told.seats.add(seat)
    told.counts.pop(seat, None)


def _powers(entry: Json) -> Iterator[Touch]:
    """Return which powers have another holder."""
    powers = entry.get("differs", {}).get("powers", {"was": {}, "now": {}})
    for power, to in powers["now"].items():
        was = powers["was"].get(power, 0)
        if to != was:
            event = {"event": "power-moved", "power": power, "to": to, "was": was}
            yield from power_moved(event, ())


def _hands(entry: Json, told: Told, source: Mapping[int, int]) -> Iterator[Touch]:
    """Return which seats hold another number of cards than is told already.

    ``source`` is, by seat, whose hand it takes.
    """
    # When a round is broken off all cards are collected.
    over = entry["change"]["kind"] == "break-off"
    differs = {} if over else entry.get("differs", {})
    counts = {} if over else told.counts
    hands = differs.get("hands", dict.fromkeys(("was", "now"), entry["state"]["hands"]))
    for seat, count in enumerate(hands["now"], 1):
        # Whoever gets another hand counts that one; what its holder lays or takes back is told.
        held = source.get(seat, seat)
        was = hands["was"][held - 1] if seat <= len(hands["was"]) else count
        alone = seat == held and seat in counts
        # What is told of a move has been done when hands are counted.
        was += counts[seat] if alone else 0
        if was != count and (alone or not {seat, held} & told.seats):
            special = "more" if count > was else "less"
            yield Touch(seat, "hand-set", special, {"seat": seat, "count": count, "was": was})


def _still_ended(entry: Json) -> bool:
    """Return whether a round has ended as before: its last move has told who draws for it."""
    winner = entry["state"]["round_winner"]
    same = entry.get("differs", {}).keys().isdisjoint(("round", "round_winner"))
    # Which of the winner's cards was the last one is not told.
    return same and all(deed.get("seat") != winner for deed in entry.get("fell", ()))


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


def go_back(entry: Json, seats: Sequence[int]) -> bool:
    """Return whether hands that go round by a correction return to where they came from.

    A card that counts instead of another one may have them go on as well.
    """
    forth = sorted(seats)
    back = [forth[0], *reversed(forth[1:])]
    if entry["state"]["direction"] != "clockwise":
        back = forth
    undoes = entry.get("fell") or entry["change"]["kind"] == "replace"
    return bool(undoes) and (len(seats) == 2 or list(seats) == back)


def _handed(entry: Json, undone: Undone) -> Iterator[Touch]:
    """Return that hands go round again, or back, after a correction."""
    taken = [deed for deed in undone.fell if deed is not undone.untouched]
    takes = {deed.get("seat") for deed in taken if deed.get("kind") == "play"}
    laid = Counter(
        deed.get("seat") for deed in entry.get("stands", ()) if deed.get("kind") == "play"
    )
    was = entry.get("differs", {}).get("hands", {"was": entry["state"]["hands"]})["was"]
    for seats in entry.get("hands_passed", ()):
        event = {"event": "hands-passed", "seats": seats}
        kind = "hands-back" if go_back(entry, seats) else "hands-passed"
        for touch in passed_on(entry, event, kind):
            by, args = touch.args["by"], touch.args
            # Whoever takes a card back as well has one more in the end; and where somebody has
            # laid cards of that hand since, its number is not what the moves say.
            if touch.seat in takes or was[by - 1] - laid[by] != args["count"]:
                args = {name: value for name, value in args.items() if name != "count"}
            yield replace(touch, args=args)
