"""Scores what happened at the pile (placed, same, lifted), also where a card equals the one below.

It is a multinomial logistic regression over a few measures.
``outcome_weights.toml`` holds the weights, fitted by ``python -m lab.outcomes fit`` on films whose
truth is known; ``python -m lab.outcomes check`` says how far its probabilities can be relied on.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import exp, log10, sqrt
from pathlib import Path
from typing import Literal, Protocol

from hardware.camera.track.outcome.hand_visits import HandVisit
from hardware.camera.track.outcome.still_views import StillViews
from hardware.camera.track.reading.pile import TrackedPile
from hardware.camera.track.view.top_cards import Quad
from hardware.camera.types import Picture


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

    def brought(view: Picture, corners: Quad) -> float:
        # What hands hold that were never over the pile was not laid there.
        return visit.brought(view, corners, outlines, after) if visit.over else 0.0

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
        brought=brought(after, views.corners),
        brought_old=brought(views.before.view, views.old.corners),
    )


Outcome = Literal["placed", "same", "lifted"]
"""placed: a card was laid. same: the top is the one before, pushed or not. lifted: cards were taken
away, and an earlier one shows."""
OUTCOMES: tuple[Outcome, ...] = ("placed", "same", "lifted")
Likelihoods = Mapping[Outcome, float]
"""Probabilities of what happened; they sum to 1."""
WEIGHTS = Path(__file__).with_name("outcome_weights.toml")
# Scales of the features, chosen by judgement before the weights were fitted; changing one needs a
# new fit. Least probability of a card that counts; differing share that noise makes.
UNREAD, NOISE = 0.001, 0.005
# Differing share at which an unturned face is as likely the same as not, and its spread: an 8 and a
# 0 differ by more.
ALIKE, ALIKE_SPREAD = 0.03, 0.007
# Share around an earlier top from which the view is not the one with it on top.
UNLIKE = 0.4
# In card heights: how far a pushed card lies at most, a card that did not move, and an earlier top
# that shows again; and the error of corners.
NEAR, IN_PLACE, AWAY, EXACT = 0.25, 0.015, 0.2, 0.01
# Distance, in card heights, and differing share from which an equal card may have been laid: the
# closest of 292 in films of our own lay 0.024 away.
LAID_OFF, LAID_UNLIKE = 0.008, 0.08
# Area, in areas of a card, that proves as much as it leaves open.
PROOF = 0.004


class OutcomeScorer(Protocol):
    """Tells what happened."""

    def likelihoods(self, evidence: OutcomeEvidence) -> Likelihoods:
        """Return how likely each outcome is."""


class FittedScorer:
    """The regression; ``weights`` are by feature, one for each of ``OUTCOMES``."""

    def __init__(self, weights: Mapping[str, Mapping[Outcome, float]]) -> None:
        self._weights = weights

    def likelihoods(self, evidence: OutcomeEvidence) -> Likelihoods:
        """Return how likely each outcome is."""
        measured = features(evidence)
        scores = {
            outcome: sum(self._weights[name][outcome] * value for name, value in measured.items())
            for outcome in OUTCOMES
        }
        most = max(scores.values())
        raised = {outcome: exp(score - most) for outcome, score in scores.items()}
        whole = sum(raised.values())
        return {outcome: share / whole for outcome, share in raised.items()}


@cache
def fitted_scorer() -> FittedScorer:
    """Return the scorer with the weights in the package."""
    with WEIGHTS.open("rb") as file:
        return FittedScorer(tomllib.load(file)["weights"])


def features(seen: OutcomeEvidence) -> dict[str, float]:
    """Return the regression's inputs, each about -1 to 1.

    The measures that say whether a card lies where it lay, or another face does, count as far as
    the faces are the same.
    """
    read = _log(seen.same_face, UNREAD) + 1.5
    looks = -_log(seen.differs, NOISE) - 1.3
    # A face that looks the same in its place is the same, whatever was read.
    alike = seen.distance < NEAR and _logistic((ALIKE - seen.differs) / ALIKE_SPREAD)
    same = max(_logistic(4 * read), alike)
    # Nobody lays a card so exactly on an equal one that nothing shows.
    off = _share(max(seen.distance / LAID_OFF, seen.differs / LAID_UNLIKE))
    # Cards can only be lifted off one that was seen before, or off what may be anything.
    below = max(seen.earlier, (1 - same) * seen.first)
    # What hands carry away while the old top shows, or its equal that exactly, is not that top.
    gone = _share(1 + _saturated(seen.left)) * (1 - same * (1 - off))
    return {
        "bias": 1.0,
        "same": same,
        "same, read": same * read,
        "same, looks": same * looks,
        "same, distance": same * (_log(seen.distance, EXACT) + 1),
        "same, in place": same * (seen.distance < IN_PLACE),
        "same, pushed": same * _saturated(seen.pushed),
        "same, brought": same * off * sqrt(_share(max(seen.brought, seen.brought_old))),
        "below, taken": below * gone * _share(-2 * seen.brought_old),
        "other, left": (1 - same) * _saturated(seen.left),
        "other, came": (1 - same) * _saturated(seen.came),
        "other, first": (1 - same) * seen.first,
        "earlier": seen.earlier,
        "earlier, shows": seen.earlier * _share(1 - seen.earlier_differs / UNLIKE),
        "earlier, near": seen.earlier * _share(1 - seen.earlier_distance / AWAY),
    }


def _log(value: float, least: float) -> float:
    return log10(value + least)


def _logistic(value: float) -> float:
    return 1 / (1 + exp(-value))


def _saturated(area: float) -> float:
    return area / (abs(area) + PROOF)


def _share(value: float) -> float:
    return min(max(value, 0.0), 1.0)
