"""Who caught whom: calls for UNO that were forgotten, and wild-draw-fours that were challenged."""

from collections.abc import Iterable, Mapping
from typing import Any

Json = dict[str, Any]
UNO, CHALLENGE = "uno.catch", "challenge"


def caught_by(
    number: int, move: Mapping[str, Any], legal: bool, events: Iterable[Mapping[str, Any]]
) -> Json | None:
    """What a move of round ``number`` shows of it, as JSON; None for every other move.

    ``right`` is whether the challenger was; who catches somebody always is, or nothing happens.
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
    # Whoever was wrong draws.
    right = any(e["event"] == "drew" and e["seat"] == move["seat"] for e in told)
    return {"round": number, "rule": CHALLENGE, **pair, "right": right}
