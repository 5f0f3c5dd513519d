"""Every number that decides whether a card is read, asked about or passed over.

The pile tracker has its own, in ``hardware.camera.track.thresholds``.
"""

# Sure, ask, abstain.

SURE = 0.8
"""Probability from which a card counts as read; below it, people are asked.

Set before there were photos (a wrong card costs more than a question) and kept since:
``lab.measure.evaluate`` counts its wrong and its asked cards at this value.
"""
WORTH_SHOWING = 0.02
"""Probability from which an alternative is shown to people. A matter of taste, not measured."""
LISTED = 0.0005
"""Probability from which a card is listed at all: the rules can still tell 1 % from nothing."""
FACE = 0.5
"""Probability of "this is a card's face" below which an outline is dropped. The classifier's
decision boundary, as trained."""

# Another deck than the named one.

TOO_STRANGE = 2
"""Number of different cards that the named deck lacks from which people are asked whether the
ruleset is right. One may be misread; chosen, not measured."""
DECK_MEMORY = 30
"""Number of different cards remembered for that. At one misread card in a thousand, two strangers
among as many would come once in two thousand; 4 of the 112 cards of a deck tell it from another."""

# Heat of the locator's candidates. Chosen on drawn scenes (``lab.measure.stages``).

CANDIDATE_HEAT = 0.2
"""Heat from which the locator reports a candidate."""
INDEX_HEAT = 0.3
"""Heat from which an index found at first sight is looked at again: less is nearly always clutter,
and costs a second look each."""
CARD_HEAT = 0.38
"""Heat from which a card's middle is looked at again."""
LONE_INDEX_HEAT = 0.4
"""Heat that an index needs after the second look, if no card's middle was found near it."""
ENROL_HEAT = 0.35
"""Heat from which a card shown for enrolment counts as found."""

# When one reading is not enough. Chosen on drawn cards (``lab.measure.stages``) and checked on
# labelled photos (``lab.measure.evaluate``).

UPRIGHT_READ = 0.9
"""Probability from which a card read upright is not also tried on its side."""
CLEARLY_READ = 0.98
"""Probability below which a card's outline is searched again, with more of the picture."""
STRANGER = 0.1
"""Weight of a known card that the deck lacks, against one that it has: the ruleset is rarely wrong.
Chosen on drawn cards of the named deck and of others (``lab.measure.unknown``)."""
CORNER_FACE = 0.3
"""Probability of "this is a face" below which a corner's reading is ignored."""
LOOKALIKE = 0.15
"""Probability that one enrolled face is taken for another from which people are warned."""
