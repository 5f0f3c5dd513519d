"""What the still pictures leave open is settled by what hands brought and took."""

from hardware.camera.cards import Picture
from hardware.camera.track.events import Kind
from hardware.camera.track.judge import Verdict
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.tops import Quad
from hardware.camera.track.visits import Visit


def settled(
    verdict: Verdict,
    visit: Visit,
    before: tuple[Picture, Quad],
    after: tuple[Picture, Quad],
    limits: Thresholds,
) -> tuple[Kind, ...]:
    """What happened: one kind, or those that stay possible, likeliest first.

    Args:
        verdict: What the still pictures say.
        visit: What was seen of hands in between.
        before: The earlier view, and the corners of the card then on top.
        after: The later view, and the corners of the card now on top.
        limits: The thresholds.
    """
    if not verdict.open:
        return verdict.kinds
    if "same" in verdict.kinds:
        return _equal(verdict, visit.brought(*before), visit.seen_coming(), limits)
    if visit.brought(*after) >= limits.brought:
        return ("placed",)
    if visit.brought(*before) <= -limits.brought:
        return ("lifted",)
    return verdict.kinds


def _equal(
    verdict: Verdict, brought: float, seen_coming: bool, limits: Thresholds
) -> tuple[Kind, ...]:
    """A card equal to the top one was laid on it, or the top one was moved."""
    moved = verdict.shift is not None and verdict.shift.far >= limits.same_place
    if brought >= limits.brought:
        # Laid so exactly that nothing shows, it may also have been put away unseen.
        return ("placed",) if moved else ("placed", "same")
    if not moved or (seen_coming and brought < limits.nothing_brought):
        return ("same",)
    return ("same", "placed") if verdict.against else ("placed", "same")
