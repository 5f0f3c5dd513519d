"""Catches: forgotten UNO calls, and challenged wild-draw-fours."""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

Json = dict[str, Any]
UNO, CHALLENGE = "uno.catch", "challenge"


def caught_by(
    number: int, move: Mapping[str, Any], legal: bool, events: Iterable[Mapping[str, Any]]
) -> Json | None:
    """Return the catch that a move of round ``number`` is, as JSON; None for any other move.

    ``right`` says whether the challenger was right; a legal catch always is.
    """
    if not legal:
        return None
    if move["move"] == "catch":
        pair = {"by": move["seat"], "of": move["accused"]}
        return {"round": number, "rule": UNO, **pair, "right": True}
    if move["move"] != "reveal":
        return None
    told = list(events)
    challenger = next((e["to"] for e in told if e["event"] == "revealed" and e.get("to")), None)
    if challenger is None:
        return None
    pair = {"by": challenger, "of": move["seat"]}
    # The one who was wrong draws.
    right = any(e["event"] == "drew" and e["seat"] == move["seat"] for e in told)
    return {"round": number, "rule": CHALLENGE, **pair, "right": right}


def quicker(
    accused: int, log: Sequence[tuple[int, str, Mapping[str, Any]]], undone: Container[int]
) -> int | None:
    """Return the seat whose catch of ``accused`` stands in the present turn; None without one.

    ``log`` are the newest entries by number, kind and body, oldest first; ``undone`` are the
    numbers of those that stand no longer.
    """
    for number, kind, body in reversed(log):
        if kind in ("corrected", "round-opened", "game-started"):
            return None
        if kind != "moved" or number in undone or body["ruling"]["verdict"] != "legal":
            continue
        move = body["move"]
        if move["move"] == "catch" and move["accused"] == accused:
            seat: int = move["seat"]
            return seat
        if any(event["event"] == "turn-came" for event in body["events"]):
            return None
    return None
