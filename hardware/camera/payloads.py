"""Observations that the camera sends to the referee, as JSON bodies (docs/camera.md)."""

from collections.abc import Sequence
from math import floor
from typing import Any

from hardware.camera.pipeline import Sight
from hardware.camera.setup.unrest import Sign
from hardware.camera.thresholds import LISTED
from hardware.camera.track import PileEvent

MOST_CARDS = 10
STOPPED = {"kind": "camera", "state": "blind", "reason": "stopped"}


def pile_body(event: PileEvent, before: int) -> dict[str, Any]:
    """Return the observation of an event; earlier watchers reported ``before`` events."""
    likely = [(card, chance) for card, chance in event.probabilities.items() if chance >= LISTED]
    body: dict[str, Any] = {
        "kind": "pile",
        "number": before + event.number,
        "event": event.kind,
        "cards": {card: min(round(chance, 5), 1.0) for card, chance in likely[:MOST_CARDS]},
    }
    if event.readings:
        # For programs that know no likelihoods.
        body["readings"] = list(event.readings)
    if event.likelihoods:
        # Rounded down, they sum to at most 1.
        body["likelihoods"] = {k: floor(1000 * p) / 1000 for k, p in event.likelihoods.items()}
    if event.resolves is not None:
        body["resolves"] = before + event.resolves
    if event.drawn is not None:
        body["from"] = {"draw-pile": event.drawn}
    if event.arm is not None:
        body["arm"] = round(event.arm, 1)
    return body


def sight_body(sight: Sight) -> dict[str, Any]:
    """Return the observation of whether the camera sees the pile."""
    body = {"kind": "camera", "state": sight.state}
    return body if sight.reason is None else {**body, "reason": sight.reason}


def warnings_body(warnings: Sequence[Sign]) -> dict[str, Any]:
    """Return the observation of what disturbs a camera that sees the pile."""
    return {"kind": "camera", "state": "watching", "warnings": list(warnings)}
