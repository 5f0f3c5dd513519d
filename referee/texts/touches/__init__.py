"""What an entry of the log means to each seat that it touches, before it is put into words."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from referee.texts.touches.correction import from_correction
from referee.texts.touches.events import from_events
from referee.texts.touches.kinds import KINDS, NEEDS, RANK, Json, Kind, Touch

__all__ = ["KINDS", "NEEDS", "Kind", "Touch", "by_seat", "touches"]

# What need not be said beside something that says as much.
SAID_BY: Mapping[str, tuple[str, ...]] = {
    # The hand shown in a challenge has just been judged.
    "proved": ("challenged",),
    "reversed": ("skipped",),
    # Whose turn a jump-in or a correction took, it may be again at once, or be theirs to suffer.
    "turn-gone": ("turn", "respond", "draw", "skipped"),
    # A new round collects all the cards.
    "undone": ("entered", "broken-off"),
    "left": ("broken-off",),
    "round-won": ("game-won",),
    "scored": ("game-won",),
    "round-lost": ("game-lost", "game-won", "out"),
}


def touches(
    entry: Json, events: Sequence[Json], challenged: frozenset[str] = frozenset()
) -> list[Touch]:
    """Return what an entry means to seats; ``events`` also has what is not told to the table.

    ``challenged`` are the symbols that can be challenged at this table.
    """
    state = entry.get("state")
    if state is None:
        return []
    all_touches = [*from_events(entry, events, challenged), *_ruled(entry)]
    if entry["kind"] == "corrected":
        all_touches += from_correction(entry)
    there = {(touch.seat, touch.kind) for touch in all_touches}
    there |= {(touch.seat, "challenged") for touch in all_touches if touch.special == "challenged"}
    # Some of what was awaited has been said with the card.
    awaited = {(need["seat"], need["need"]) for need in state["awaiting"]}
    return [
        touch
        for touch in all_touches
        if touch.seat
        and not any((touch.seat, by) in there for by in SAID_BY.get(touch.kind, ()))
        and (KINDS[touch.kind].until != "done" or (touch.seat, KINDS[touch.kind].need) in awaited)
    ]


def by_seat(all_touches: Iterable[Touch]) -> dict[int, list[Touch]]:
    """Return the touches of each seat, the weightiest first unless hands have an order."""
    grouped: dict[int, list[Touch]] = {}
    for touch in sorted(all_touches, key=lambda one: (one.seat, one.order, RANK[one.kind])):
        grouped.setdefault(touch.seat, []).append(touch)
    return grouped


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
        special = remedy if remedy and counts else ruling["rule"]
        # The card that is taken back is named; a card laid without need lies on top.
        laid = {"top": move["card"]} if move["move"] == "play" else {}
        yield Touch(move["seat"], "illegal", special, laid)
    elif by != move["seat"]:
        # Two have seen the same: nobody has done anything wrong.
        yield Touch(move["seat"], "late", None, {"by": by})
