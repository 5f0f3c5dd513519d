"""What is measured to tell what happened at the pile."""

from dataclasses import dataclass

from hardware.camera.track.hand_visits import HandVisit
from hardware.camera.track.pile import TrackedPile
from hardware.camera.track.still_views import StillViews


@dataclass(frozen=True, slots=True)
class OutcomeEvidence:
    """Measures of two still views and of the hands in between.

    Areas are in areas of a card, lengths in card heights.
    """

    same_face: float  # Probability that the top reads as the same card as before
    differs: float  # Share of the top that looks different from the old one
    distance: float  # How far the top moved, if it is the same card
    pushed: float  # Area for a push of the pile or the top, less the area for a card laid
    left: float  # Area of the old top's place beside the top that changed, less what did not
    came: float  # The same of the top's place beside the old one's
    first: float  # 1 if the old top is the first card that was seen, on what may be anything
    earlier: float  # Probability that the top reads as an earlier one; 0 if none is like it
    earlier_differs: float  # Share around that earlier top that differs from how it looked
    earlier_distance: float  # From that earlier top's place to the top's
    brought: float  # Area of the top's colours that hands brought, less what they took away
    brought_old: float  # The same of the old top's colours


def gather_evidence(pile: TrackedPile, visit: HandVisit, views: StillViews) -> OutcomeEvidence:
    """Measure what happened between two still views of a pile."""
    earlier, shift, after = views.earlier, views.shift, views.after.view
    outlines = (views.old.corners, views.corners, *pile.outlines)
    return OutcomeEvidence(
        same_face=views.same_face,
        differs=shift.differs,
        distance=shift.distance,
        pushed=max(views.pile_pushed, views.top_pushed),
        left=views.left,
        came=views.came,
        first=float(not (views.history.complete or views.history.latest_first())),
        earlier=earlier.chance if earlier else 0.0,
        earlier_differs=earlier.differs if earlier else 1.0,
        earlier_distance=earlier.distance if earlier else 1.0,
        brought=visit.brought(after, views.corners, outlines, after),
        brought_old=visit.brought(views.before.view, views.old.corners, outlines, after),
    )
