"""What a correction, or its being taken back, means to each seat."""

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace

from referee.texts.corrections import DRAWS
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
# What a hand takes or puts back for a move that a correction has made illegal; what is awaited
# instead of it, as another choice, is told by itself.
BACK = frozenset({"take-back", "put-back", "give-back", "flip-back"})
# Moves that are told with what the hand takes or puts back.
COUNTED = frozenset({"play", "draw", "discard"})
# Moves by which hands give or take cards.
HANDS = COUNTED | {"flip", "give", "swap", "reveal"}


@dataclass(slots=True)
class Told:
    """What is told of seats' moves: of which seats, and how many more cards each holds by it.

    ``drawn`` are those of them that go back to the draw pile.
    """

    seats: set[int] = field(default_factory=set)
    counts: Counter[int] = field(default_factory=Counter)
    drawn: Counter[int] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Undone:
    """What a correction undoes.

    ``fell`` are the moves that it takes back. ``untouched`` are those by which no card changes
    hands: what was entered or replaced, or counts again. ``was_illegal``: the first of them was
    held to be against the rules until now, so its card lies in the hand. ``same``: a move of the
    same seat takes its place.
    """

    fell: list[Json]
    untouched: tuple[Json, ...] = ()
    was_illegal: bool = False
    same: bool = False


def _change(deed: Json) -> int:
    """Return by how many cards a move that is undone has the hand change."""
    match deed["kind"]:
        case "play":
            return 1
        case "draw":
            return -1
        case "discard":
            # Entries of before 2026-11-29 do not say how many.
            return int(deed.get("count", 0))
    return 0


def from_correction(entry: Json) -> Iterator[Touch]:
    """Return what was undone, counts again or was entered, and what hands hold by it."""
    undone, told = _undone(entry), Told()
    moves = [*_moves(entry, undone, told), *_ruled(entry, told), *_entered(entry, undone, told)]
    moves = [_in_order(entry, touch) for touch in moves]
    handed = list(_handed(entry, moves))
    yield from moves
    yield from _powers(entry)
    yield from handed
    kept = entry.get("hands_kept", ())
    yield from (Touch(seat, "hands-kept", None, {}) for seat in kept)
    if _only_counts(entry, undone):
        yield from _counted_hands(entry)
    else:
        yield from _hands(entry, told, {*kept, *(touch.seat for touch in handed)})
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
        if touch.kind != "hands" or touch.seat in told.seats or not _still_ended(entry):
            yield while_open(touch, more)


def _moves(entry: Json, undone: Undone, told: Told) -> Iterator[Touch]:
    """Return what was undone and what counts again, of each seat the newest."""
    if entry.get("entered") and entry["change"]["kind"] == "replace":
        # What its own move takes the place of is not told as well.
        told.seats.add(entry["entered"]["seat"])
    for name, listed in (("undone", undone.fell), ("restored", entry.get("stands", ()))):
        for seat, deed in _to_tell(listed).items():
            if seat in told.seats:
                continue
            if deed.get("kind") == "hand-count":
                yield _counted(entry, seat)
            else:
                legal = deed.get("verdict") == "legal"
                stays = not undone.was_illegal and any(deed is one for one in undone.untouched)
                done = deed.get("kind") if legal and not stays else None
                if legal:
                    # Where a card stays, the number was wrong until now, unless another one's is.
                    count = 0 if stays and undone.same else _change(deed)
                    told.counts[seat] += count if name == "undone" else -max(count, 0)
                else:
                    told.counts[seat] += 0
                # A card that was turned up goes back where one that was drawn does; of several that
                # were drawn the hand's number tells.
                special = "draw" if (name, done) == ("undone", "flip") else done
                if (name, done) == ("undone", "draw"):
                    if _loses(entry, seat) == 1:
                        told.drawn[seat] += 1
                    else:
                        special, told.counts[seat] = None, 0
                yield Touch(seat, name, special, deed)
                if done == "give":
                    yield from _gift(name, deed, told)
            told.seats.add(seat)


def _to_tell(listed: Sequence[Json]) -> dict[int, Json]:
    """Return the move of each seat that is told: the newest by which its hand changes, if any."""
    newest: dict[int, Json] = {}
    for deed in reversed(listed):
        seat = deed.get("seat", 0)
        if not _moves_cards(newest.setdefault(seat, deed)) and _moves_cards(deed):
            newest[seat] = deed
    return newest


def _moves_cards(deed: Json) -> bool:
    kind = deed.get("kind")
    return kind == "hand-count" or (kind in HANDS and deed["verdict"] == "legal")


def _loses(entry: Json, seat: int) -> int:
    """Return how many cards fewer a seat holds after a correction."""
    hands = entry.get("differs", {}).get("hands")
    return 0 if hands is None else hands["was"][seat - 1] - hands["now"][seat - 1]


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


def _ruled(entry: Json, told: Told) -> Iterator[Touch]:
    """Return which moves are ruled otherwise now."""
    kind = entry["change"]["kind"]
    for item in entry.get("changed", ()):
        seat, ruling, card = item.get("seat", 0), item["now"], item.get("card")
        if kind == "overrule":
            if item["kind"] == "reveal":
                # A hand that was shown lies in the hand; what was drawn for it is counted.
                told.seats.add(seat)
                told.counts[seat] += 0
            else:
                # Of what the host lets stand it is for the table where it lies.
                _tell_alone(told, seat)
            special = None if ruling["verdict"] == "legal" else ruling.get("remedy")
        elif item["was"]["verdict"] == ruling["verdict"]:
            # It was refused before, too, if by another rule.
            continue
        else:
            legal = ruling["verdict"] == "legal"
            remedy = ruling.get("remedy")
            again = LAY if card or (item["kind"] == "discard" and "count" in item) else None
            special = again if legal else remedy if remedy in BACK else None
            if item["kind"] == "give":
                yield from _gift("restored" if legal else "undone", item, told)
            elif special is None or item["kind"] in COUNTED:
                count = _change(item)
                told.counts[seat] += -max(count, 0) if legal else count
                told.drawn[seat] += not legal and item["kind"] == "draw"
            else:
                # How many cards are taken back is not told.
                _tell_alone(told, seat)
            if special is None:
                # No hand lays or takes back anything for it but the cards that are counted.
                continue
            told.seats.add(seat)
        yield Touch(seat, f"now-{ruling['verdict']}", special, {**item, "top": card})


def _entered(entry: Json, undone: Undone, told: Told) -> Iterator[Touch]:
    """Return what was entered by a correction."""
    entered = entry.get("entered")
    if not entered:
        return
    seat = entered["seat"]
    told.seats.add(seat)
    if entry["change"]["kind"] == "hand-count":
        yield _counted(entry, seat)
        return
    ruled = entry["ruling"]
    illegal = ruled["verdict"] == "illegal"
    if undone.same and undone.untouched[0]["kind"] == entered["kind"]:
        told.counts[seat] += _change(entered) * (illegal - undone.was_illegal)
    elif entered["kind"] == "draw":
        # How many cards have been drawn is not told.
        _tell_alone(told, seat)
    elif not illegal:
        # That card has been laid.
        told.counts[seat] -= _change(entered)
    if illegal:
        args = {**entered, "top": entered.get("card"), "now": ruled}
        yield Touch(seat, "now-illegal", ruled.get("remedy"), args)
    else:
        lays = undone.was_illegal and "card" in entered
        yield Touch(seat, "entered", LAY if lays else None, entered)


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


def _hands(entry: Json, told: Told, passing: Container[int]) -> Iterator[Touch]:
    """Return which seats hold another number of cards than is told already.

    ``passing`` are those whose hands go round, or were shuffled.
    """
    # When a round is broken off all cards are collected.
    over = entry["change"]["kind"] == "break-off"
    differs = {} if over else entry.get("differs", {})
    counts = {} if over else told.counts
    hands = differs.get("hands", dict.fromkeys(("was", "now"), entry["state"]["hands"]))
    for seat, count in enumerate(hands["now"], 1):
        if seat in passing:
            # What is told of such a hand says how many cards it has, or has it counted.
            continue
        was = hands["was"][seat - 1] if seat <= len(hands["was"]) else count
        # What is told of a move has been done when hands are counted.
        was += counts.get(seat, 0)
        if was != count and (seat in counts or seat not in told.seats):
            special, more = ("more", count - was) if count > was else ("less", was - count)
            drew = _drew_more(entry, seat) + told.drawn[seat]
            args = {"seat": seat, "count": count, "was": was}
            if drew == count - was:
                special, args = f"{special}-drawn", {**args, "n": more}
            yield Touch(seat, "hand-set", special, args)


def _only_counts(entry: Json, undone: Undone) -> bool:
    """Return whether a correction says how many cards were drawn, so that none is moved for it."""
    ruled = entry.get("ruling", {}).get("verdict", "legal") == "legal" and not undone.was_illegal
    entered = (entry["entered"],) if entry.get("entered") else ()
    deeds = (*undone.untouched, *entry.get("fell", ()), *entered)
    drawn = all(deed.get("kind") in DRAWS for deed in deeds)
    return undone.same and ruled and drawn and not entry.get("changed")


def _counted_hands(entry: Json) -> Iterator[Touch]:
    """Return which seats have held another number of cards than the referee knew."""
    hands = entry.get("differs", {}).get("hands", {"was": (), "now": ()})
    for seat, (was, now) in enumerate(zip(hands["was"], hands["now"], strict=False), 1):
        if was != now:
            yield _counted(entry, seat)


def _drew_more(entry: Json, seat: int) -> int:
    """Return how many more cards a seat has drawn in the round, as a correction has it."""
    drawn = entry.get("cards_drawn")
    return 0 if drawn is None else drawn["now"][seat - 1] - drawn["was"][seat - 1]


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
        place, seat = _place(entry["entered"]), entry["entered"]["seat"]
        replaced = tuple(deed for deed in fell if _place(deed) == place)
        return Undone(
            fell, replaced, _any_illegal(replaced), any(d["seat"] == seat for d in replaced)
        )
    entered = next((deed for deed in fell if deed["id"] == entry.get("voids")), None)
    if entered is None:
        return Undone(fell)
    again = tuple(deed for deed in entry.get("stands", ()) if _place(deed) == _place(entered))
    if any(deed.get("seat") == entered["seat"] for deed in again):
        others = [deed for deed in fell if deed is not entered]
        return Undone(others, again, _any_illegal((entered,)), same=True)
    return Undone(fell, (entered, *again))


def _place(move: Json) -> tuple[int, int]:
    """Return a move's place in the game: its round, and its number there."""
    return move["round"], move["move"]


def _any_illegal(moves: Sequence[Json]) -> bool:
    return any(move["verdict"] == "illegal" for move in moves)


def _in_order(entry: Json, touch: Touch) -> Touch:
    """Put what hands did since they went round before they go back, or after they go on."""
    since = entry.get("hands_entry")
    if since is None or touch.args.get("id", 0) <= since:
        return touch
    return replace(touch, order=-1 if entry["hands_go"] == "back" else 1)


def _handed(entry: Json, moves: Sequence[Touch]) -> Iterator[Touch]:
    """Return that hands go round again, or back, after a correction."""
    if not entry.get("hands_passed"):
        return
    before, after = Counter[int](), Counter[int]()
    back = entry["hands_go"] == "back"
    for touch in moves:
        # As they are told: those that give cards back follow hands that come back.
        first = touch.order < 0 or (touch.order == 0 and touch.kind in ("restored", "now-legal"))
        (before if first else after)[touch.seat] += _moved(touch)
    was = entry.get("differs", {}).get("hands", {"was": entry["state"]["hands"]})["was"]
    kind = "hands-back" if back else "hands-passed"
    for seats in entry["hands_passed"]:
        for touch in passed_on(entry, {"event": "hands-passed", "seats": seats}, kind):
            seat, args = touch.seat, touch.args
            held = was[args["by"] - 1] + before[args["by"]]
            # Where cards of that hand lie elsewhere since, it has another number of them.
            recount = held + after[seat] != args["count"]
            # Whoever takes or lays a card as well has another number in the end.
            if recount or after[seat]:
                args = {name: value for name, value in args.items() if name != "count"}
            yield replace(touch, args={**args, "recount": recount})


def _moved(touch: Touch) -> int:
    """Return how many cards more a hand has by what it is told of a move."""
    deed = touch.args
    match touch.kind, touch.special:
        case ("undone", "play" | "draw" | "discard") | ("now-illegal", "take-back" | "put-back"):
            return 0 if deed["kind"] == "flip" else _change(deed)
        case ("restored", "play" | "discard") | ("now-legal" | "entered", "lay"):
            return -max(_change(deed), 0)
    return 0
