"""What the still pictures leave open is settled by what hands brought and took."""

from collections.abc import Sequence

from hardware.camera.track.events import Kind
from hardware.camera.track.hand_visits import CardFlow, HandVisit
from hardware.camera.track.shift import Shift
from hardware.camera.track.still_comparison import StillOutcome
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.top_cards import Quad
from hardware.camera.types import Picture


def settle(
    verdict: StillOutcome,
    visit: HandVisit,
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
    shift = verdict.shift
    if not verdict.open and (shift is None or verdict.kinds != ("placed",)):
        return verdict.kinds
    places = (before[1], after[1], *below)
    now = visit.carried(*after, places, after[0])
    was = visit.carried(*before, places, after[0])
    if shift is not None:
        # The same face, seen in two places: in one of them the light may be better.
        brought = max(now.brought, was.brought)
        return _equal(verdict, shift, CardFlow(brought, now.watched), limits)
    if now.brought >= limits.brought:
        return ("placed",)
    empty = now.watched and now.brought < limits.nothing_brought
    return ("lifted",) if empty or was.brought <= -limits.brought else verdict.kinds


def _equal(
    verdict: StillOutcome, shift: Shift, carried: CardFlow, limits: Thresholds
) -> tuple[Kind, ...]:
    """A card equal to the top one was laid on it, or the top one was moved."""
    empty = carried.watched and carried.brought < limits.nothing_brought
    if not verdict.open:
        near = shift.far < limits.near
        # Nobody who pushes a card turns it round.
        round_ = shift.differs >= limits.turned
        if near and empty:
            # Corners that were seen a little beside the card make a push look like another card.
            return ("placed", "same") if round_ else ("same", "placed")
        # It lies as an equal card laid there would, and nobody was seen to bring one. The top one
        # may have been pushed off a card that looks much the same, if it is not known what lies
        # below, or little of that would show.
        doubted = near and carried.brought < limits.brought and not verdict.proved
        return ("placed", "same") if doubted and not round_ else ("placed",)
    if shift.far < limits.same_place:
        return ("same", "placed") if carried.brought >= limits.brought_unseen else ("same",)
    if carried.brought >= limits.brought:
        # Cards that stick out of a pile while it is squared up look like brought ones.
        return ("placed",) if not verdict.against else ("same", "placed")
    if empty or (carried.watched and verdict.against):
        return ("same",)
    # An equal card that was laid nearly always shows in the pictures: they would have said so.
    return ("same", "placed")
