"""Sentences for what a correction changes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.rules.ruleset import Ruleset
from referee.rules.rulings import NO_ARGS, Ruling
from referee.texts.rulings import describe_event, render_ruling
from referee.texts.vocabulary import Speaker

Item = Mapping[str, Any]
# field of the state → the event that announces its change, and that event's field
EVENTS: Mapping[str, tuple[str, str]] = {
    "turn": ("turn-came", "seat"),
    "order": ("seats-changed", "order"),
    "color": ("color-named", "color"),
    "scores": ("scored", "scores"),
    "round_winner": ("round-won", "seat"),
    "winner": ("game-won", "seats"),
}
# field of the state → the sentence for its being empty again
EMPTIED = {"round_winner": "round-goes-on", "winner": "game-goes-on"}
# sentence → the entry's list of the moves that it is about
LISTS = {"undone": "fell", "restored": "stands"}
# Moves that say how many cards were drawn.
DRAWS = ("draw", "report")
# Moves that are named one by one; of more only the number is told.
MOST_NAMED = 6


def describe_correction(
    entry: Mapping[str, Any], lang: str, seats: Sequence[str], ruleset: Ruleset | None = None
) -> list[str]:
    """Return a sentence for each thing that a correction changed, what people did first."""
    speaker = Speaker(lang, seats, ruleset)
    differs: Mapping[str, Mapping[str, Any]] = entry.get("differs", {})
    rounds = differs.get("round", {})
    aside: Sequence[int] = entry.get("aside", ())
    change = entry["change"]
    broken_off = change.get("round", entry["round"]) if change["kind"] == "break-off" else 0
    other = replaced(entry)
    # That a count was set is told by the count.
    entered = entry.get("entered") if change["kind"] != "hand-count" else None
    of_entered = (
        [] if entered is None else [_entered(speaker, entry, entered), _back(speaker, ruled(entry))]
    )
    if other is not None:
        # That the one card is undone and the other one entered is one thing.
        entry = {**entry, "fell": [deed for deed in entry["fell"] if deed is not other]}
    sentences = [
        *_kind(speaker, entry),
        *_moves(speaker, "undone", entry, rounds.get("now"), broken_off),
        *_moves(speaker, "restored", entry, rounds.get("was"), 0),
        *_rounds(speaker, rounds, aside),
    ]
    sentences += of_entered
    sentences += [
        sentence
        for item in entry["changed"]
        # What was refused before, too, is no news.
        if item["was"]["verdict"] != item["now"]["verdict"]
        for sentence in (
            _ruled(speaker, item["now"]["verdict"], item, item["now"]),
            _back(speaker, item),
        )
    ]
    for circle in entry.get("hands_passed", ()):
        sentences += _handed(speaker, entry, circle)
    if entry.get("hands_kept"):
        sentences.append(speaker.say("banner-text", "hands-kept", {}))
    for name, values in differs.items():
        sentences += _difference(speaker, name, values["was"], values["now"])
    told = [sentence for sentence in sentences if sentence]
    return told or [str(speaker.word("changed", "otherwise"))]


def replaced(entry: Item) -> Item | None:
    """Return the move that a correction replaces by another card or number; None without.

    The same card may have been laid otherwise: with another colour, or another hand to swap with.
    """
    entered = entry.get("entered", {})
    name = "count" if entered.get("kind") in DRAWS else "card"
    if entry["change"]["kind"] != "replace" or name not in entered:
        return None
    place = ("round", "move", "seat", "kind")
    return next(
        (
            fell
            for fell in entry.get("fell", ())
            if fell.get(name, entered[name]) != entered[name]
            and all(fell.get(field) == entered.get(field) for field in place)
        ),
        None,
    )


def others_hear(speaker: Speaker, entry: Item) -> str | None:
    """Return in one line which card it was, and who takes one back for it; None if nobody does."""
    items = [*([ruled(entry)] if "entered" in entry else []), *entry["changed"]]
    backs = [sentence for item in items if (sentence := _back(speaker, item))]
    return " ".join(filter(None, [_replaced(speaker, entry), *backs])) if backs else None


def now_ruled(speaker: Speaker, entry: Item, item: Item) -> list[str | None]:
    """Return why a move is legal or illegal now, with the card before it that was replaced."""
    if "id" not in item:
        return [_entered(speaker, entry, item)]
    if replaced(entry) is None:
        return [_ruled(speaker, item["now"]["verdict"], item, item["now"])]
    # Whose turn it was then, or what is awaited in place of it, may be otherwise now.
    then = item["now"]["rule"] in ("round.awaiting", "turn.order")
    return [_replaced(speaker, entry), None if then else _reason(speaker, item["now"])]


def undone_or_restored(speaker: Speaker, name: str, item: Item) -> str | None:
    """Tell its seat that a move is undone, or counts again: ``undone`` or ``restored``."""
    return speaker.say("banner-text", name, _words(speaker, item))


def ruled(entry: Item) -> dict[str, Any]:
    """Return the move that a correction enters, with how it is ruled, as those that it changes."""
    return {**entry["entered"], "now": entry["ruling"]}


def _entered(speaker: Speaker, entry: Item, item: Item) -> str | None:
    """Say what a correction enters, and why it is illegal if it is."""
    replacement = _replaced(speaker, entry)
    ruling = entry["ruling"]
    return replacement or _ruled(speaker, f"entered-{ruling['verdict']}", item, ruling)


def _replaced(speaker: Speaker, entry: Item) -> str | None:
    other = replaced(entry)
    if other is None:
        return None
    words = _words(speaker, entry["entered"])
    if "card" in other:
        words["top"] = speaker.card(other["card"])
    else:
        words |= {"count": str(entry["entered"]["count"]), "was": str(other["count"])}
    sentences = [speaker.say("changed", "replaced", words)]
    if entry["ruling"]["verdict"] == "illegal":
        sentences.append(_reason(speaker, entry["ruling"]))
    return " ".join(filter(None, sentences))


def _back(speaker: Speaker, item: Item) -> str | None:
    """Say who takes a card back that is against the rules now."""
    ruling = item["now"]
    # One that the host has ruled on is told so: what becomes of it is for the table.
    if ruling["verdict"] != "illegal" or ruling.get("remedy") != "take-back" or "card" not in item:
        return None
    return speaker.say("changed", "takes-back", _words(speaker, item))


def _moves(
    speaker: Speaker, name: str, entry: Item, rounds: int | None, broken_off: int
) -> list[str | None]:
    """Name moves that fell, or stand again.

    Those of rounds after ``rounds``, or of the one broken off, go with the round.
    """
    listed = LISTS[name]
    items: Sequence[Item] = entry.get(listed, ())
    moves = [
        item
        for item in items
        if "seat" in item
        and (rounds is None or item["round"] <= rounds)
        and item["round"] != broken_off
    ]
    if len(moves) > MOST_NAMED:
        # Of a long list the entry has the beginning and the length.
        more = entry.get("counts", {}).get(listed, len(items)) - len(items)
        return [speaker.say("changed", f"{name}-many", {"count": str(len(moves) + more)})]
    return [speaker.say("changed", name, _words(speaker, item)) for item in moves]


def _words(speaker: Speaker, item: Item) -> dict[str, str]:
    """Return the words for a move: its seat, card or kind, round and number."""
    words = speaker.words({name: item.get(name) for name in ("seat", "card", "round", "move")})
    return {**words, "action": speaker.word("move", item["kind"])}


def _ruled(speaker: Speaker, name: str, item: Item, ruling: Item) -> str | None:
    words = {**_words(speaker, item), "reason": _reason(speaker, ruling)}
    return speaker.say("changed", name, words)


def _reason(speaker: Speaker, ruling: Item) -> str:
    parsed = Ruling(ruling["verdict"], ruling["rule"], ruling.get("args", NO_ARGS))
    return render_ruling(parsed, speaker.lang, speaker.seats, speaker.ruleset)["text"]


def _handed(speaker: Speaker, entry: Item, seats: Sequence[int]) -> Iterator[str | None]:
    """Say that hands go back, as a move is undone, or that they go on, as it counts again.

    Some of them that go round otherwise are swapped one by one, each with the first one.
    """
    go = entry.get("hands_go")
    if go == "back":
        yield speaker.say("differs", "hands-back", speaker.words({"seats": seats}))
        return
    whole = len(seats) == 2 or go == "on"
    for moved in [seats] if whole else [[seats[0], seat] for seat in seats[1:]]:
        event = {"event": "hands-passed", "seats": moved}
        yield describe_event(event, speaker.lang, speaker.seats, speaker.ruleset)


def _rounds(speaker: Speaker, rounds: Item, aside: Sequence[int]) -> list[str | None]:
    old, new = rounds.get("was", 0), rounds.get("now", 0)
    told = [("set-aside" if n in aside else "round-undone", n) for n in range(new + 1, old + 1)]
    told += [("round-restored", n) for n in range(old + 1, new + 1)]
    return [speaker.say("differs", name, {"round": str(number)}) for name, number in told]


def _kind(speaker: Speaker, entry: Item) -> list[str | None]:
    """Say what was done that no move tells."""
    change = entry["change"]
    if change["kind"] not in ("opening", "break-off", "redo", "result"):
        return []
    words = speaker.words({name: change[name] for name in ("opening", "dealer") if name in change})
    words["round"] = str(change.get("round", entry.get("round")))
    return [speaker.say("changed", change["kind"], words)]


def _difference(speaker: Speaker, name: str, before: Any, after: Any) -> list[str | None]:
    if name == "round":
        return []
    if name == "hands":
        return [
            speaker.say("differs", "hand", speaker.words({"seat": seat, "count": new, "was": old}))
            for seat, (old, new) in enumerate(zip(before, after, strict=False), 1)
            if old != new
        ]
    if name == "powers":
        moved = ((power, to) for power, to in after.items() if before.get(power) != to)
        return [
            _event(speaker, "power-moved", {"power": power, "to": to, "by": before.get(power)})
            for power, to in moved
        ]
    if after is None:
        return [speaker.say("differs", EMPTIED[name], {})] if name in EMPTIED else []
    if name == "top":
        return [speaker.say("differs", "top", speaker.words({"top": after}))]
    if name == "direction":
        turned = 1 if after == "clockwise" else -1
        return [_event(speaker, "direction-turned", {"direction": turned})]
    event, argument = EVENTS[name]
    if argument == "seats":
        after = list(after) if isinstance(after, list | tuple) else [after]
    return [_event(speaker, event, {argument: after})]


def _event(speaker: Speaker, event: str, args: Mapping[str, Any]) -> str | None:
    return speaker.say("event", event, speaker.words(args))
