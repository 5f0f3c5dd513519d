"""What the camera tells the referee: bodies of observations (docs/camera.md)."""

from typing import Any

from hardware.camera.pipeline import Sight
from hardware.camera.track import PileEvent

# Cards that are less likely are no evidence of anything.
LEAST, MOST_CARDS = 0.0005, 10
STOPPED = {"kind": "camera", "state": "blind", "reason": "stopped"}


def pile_body(event: PileEvent, before: int) -> dict[str, Any]:
    """An event at the pile.

    Args:
        event: The event.
        before: How many the device had told before this watching began.
    """
    likely = [(card, chance) for card, chance in event.probabilities.items() if chance >= LEAST]
    body: dict[str, Any] = {
        "kind": "pile",
        "number": before + event.number,
        "event": event.kind,
        "cards": {card: min(round(chance, 5), 1.0) for card, chance in likely[:MOST_CARDS]},
    }
    if event.readings:
        body["readings"] = list(event.readings)
    if event.resolves is not None:
        body["resolves"] = before + event.resolves
    if event.drawn is not None:
        body["from"] = {"draw-pile": event.drawn}
    if event.arm is not None:
        body["arm"] = round(event.arm, 1)
    return body


def sight_body(sight: Sight) -> dict[str, Any]:
    """Whether the camera sees the pile."""
    body = {"kind": "camera", "state": sight.state}
    return body if sight.reason is None else {**body, "reason": sight.reason}
