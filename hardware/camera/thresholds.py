"""Every number that decides whether a card is read, asked about or passed over.

The pile tracker has its own, in ``hardware.camera.track.thresholds``.
"""

from dataclasses import dataclass

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
CORNER_SHOWS = 0.05
"""Probability from which a corner's reading supports the whole card's. On drawn and on photographed
cards one of the two corners nearly always does; on other games' faces hardly ever. Its value was
chosen after the corners of photographed cards and composed court cards had been looked at, so
figures on those pictures are no independent check of it."""
UNSUPPORTED = 0.25
"""Factor for the odds of a card that no corner supports: it is named from 0.941 instead of 0.8,
which a middle that is quite clear reaches. Chosen on drawn cards and on drawn faces of other games
(``lab.measure.unknown``)."""
LOOKALIKE = 0.25
"""Probability that the picture of an enrolled face is read as another card, were its own face not
enrolled, from which people are warned. Chosen on families drawn of training motifs: of the faces
left unnamed none was read wrongly in ordinary views, and a lower one names more that are read
(``lab.measure enrol``)."""

# What a table learns of its cards (``hardware.camera.learn``). Fitted on drawn prints
# (``lab.measure memory``).

MOST_LOOKS = 6
"""Looks kept of a face. By judgement: two copies, either way up, in changing light."""
KEPT_DAYS = 90
"""Days after which a look is forgotten. By judgement: a table that meets monthly keeps its own."""
LEARN_CERTAIN = 0.98
"""Probability from which a card that only the camera saw may be learnt, once its ruling stood.
By judgement: ``CLEARLY_READ``."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """Turns the comparing network's logit into evidence: the logarithm of a likelihood ratio."""

    slope: float
    offset: float
    range: tuple[float, float]


LIKENESS = Likeness(1.0, -0.5, (-3.5, 7.0))
"""Fitted to drawn word editions with 9 to 50 faces learnt from one or two views each, others not:
about half of the faces are known after one look and three quarters after two, 0.5 % are taken for
another one, and 2 % of those never learnt for a learnt one. A slope of 1.2 knows a sixth more, and
errs twice as often."""
FOREIGN = 0.02
"""Probability, before anything is known, that the networks do not know a table's print. By
judgement: one deck in fifty."""
READ_USUAL = {"right": 0.965, "doubtful": 0.03, "wrong": 0.005}
READ_FOREIGN = {"right": 0.15, "doubtful": 0.5, "wrong": 0.35}
"""How a face is read alone, surely right, doubtfully or surely wrong, in prints that the networks
know and in others. Of drawn usual prints, and of word editions (2, 51 and 47 %), with more read
right: most prints that the networks do not know have some signs that they do."""
RELIED_ON = 0.5
"""How far a reading of a foreign print is still relied on; the rest may be any card. No card is
named by the networks alone then, but a surely read one is asked about, not left unread (``least``
of the tracker's ``ReadingThresholds``)."""
SUSPECT = 0.05
"""Probability of a foreign print from which sure readings are corrected too. By judgement."""
COLOUR_KEPT = 0.8
"""How often a misread card has the colour that was read. Rounded down from drawn word editions."""
