"""What the still pictures leave open is settled by what hands brought and took."""

from collections.abc import Sequence

from hardware.camera.cards import Picture
from hardware.camera.track.events import Kind
from hardware.camera.track.judge import Verdict
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.tops import Quad
from hardware.camera.track.visits import Carried, Visit


def settled(
    verdict: Verdict,
    visit: Visit,
    before: tuple[Picture, Quad],
    after: tuple[Picture, Quad],
    below: Sequence[Quad],
    limits: Thresholds,
) -> tuple[Kind, ...]:
    """What happened: one kind, or those that stay possible, likeliest first.

    Args:
        verdict: What the still pictures say.
        visit: What was seen of hands in between.
        before: The earlier view, and the corners of the card then on top.
        after: The later view, and the corners of the card now on top.
        below: Where other cards of the pile lie.
        limits: The thresholds.
    """
    equal = verdict.shift is not None
    if not verdict.open and not (equal and verdict.kinds == ("placed",)):
        return verdict.kinds
    places = (before[1], after[1], *below)
    if equal:
        return _equal(verdict, visit.carried(*before, *places), limits)
    if visit.carried(*after, *places).brought >= limits.brought:
        return ("placed",)
    if visit.carried(*before, *places).brought <= -limits.brought:
        return ("lifted",)
    return verdict.kinds


def _equal(verdict: Verdict, carried: Carried, limits: Thresholds) -> tuple[Kind, ...]:
    """A card equal to the top one was laid on it, or the top one was moved."""
    moved = verdict.shift is not None and verdict.shift.far >= limits.same_place
    if carried.brought >= limits.brought:
        # Laid so exactly that nothing shows, it may also have been put away unseen.
        return ("placed",) if moved else ("placed", "same")
    empty = carried.watched and carried.brought < limits.nothing_brought
    if not verdict.open:
        # It lies as an equal card laid there would; but nobody was seen to bring one.
        return ("placed", "same") if empty else ("placed",)
    if not moved or empty or (carried.watched and verdict.against):
        return ("same",)
    return verdict.kinds
