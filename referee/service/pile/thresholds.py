"""Every number by which the server decides, asks or abstains about the pile.

"By judgement": nobody has measured the number. "Bench prior": chosen with ``python -m bench
prior``, rounds of all rulesets with real hands, each card seen by a simulated camera that is as
sure as it is right, one card in ten badly. "Table rounds": chosen so that rendered rounds (tests/
table, ``python -m bench rendered``) raise no needless questions.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prior:
    """How likely things are before the camera looks, relative to the awaited move (1).

    Attributes:
        certain: Act without asking from this probability on. Bench prior: 0.98 would ask about
            1.1 % more of the cards, and get 0.03 % fewer wrong.
        mention: Offer an answer from this probability on. By judgement.
        answers: At most this many answers are offered. By judgement.
        patience: After this many further cards the likeliest is taken, answered or not. By
            judgement: a table plays on for about two cards before it looks at a phone.
        presume: Unanswered, the likeliest is taken from this probability on; else nothing is. By
            judgement: as likely as each of four answers that nothing tells apart.
        illegal: A card that the rules do not allow. By judgement.
        implied: Unreported steps came first: drew and passed, declined. By judgement.
        kept: A player who reported a draw does not report keeping the card. Table rounds.
        follow_up: Another card from a seat that may lay one at once. By judgement.
        jumped: The very card on top, from a seat that may jump in with it. Simulated rounds in
            which players jump in seven times out of ten say 1.9; 1 names whose turn it is first.
        stacked: A card laid onto a stack by the seat that it hits, beside its drawing the sum
            unreported and the next seat laying the card. Simulated rounds say 2.4 where no draw is
            reported; half of them are, by judgement.
        flipped: A card from the draw pile that could have been played from the hand. By judgement.
        reported: A card that a phone has reported and no camera has seen yet. By judgement.
        rearranged: The top card is put back after the pile was cleared or squared up. By judgement.
        lifted: The card below one that is to be taken back shows again, and was not laid. Table
            rounds: a lift often looks like a card laid.
        handled: A hand came but laid nothing, where a card laid would look the same. Table rounds.
        missed: More than one card was missed while nobody watched. By judgement.
        away: A card already discarded that belongs under the top card. By judgement.
        early: Seconds by which a call or a catch may come before its card. By judgement.
    """

    certain: float = 0.95
    mention: float = 0.01
    answers: int = 4
    patience: int = 2
    presume: float = 0.25
    illegal: float = 0.02
    implied: float = 0.01
    kept: float = 0.6
    follow_up: float = 0.5
    jumped: float = 1.0
    stacked: float = 5.0
    flipped: float = 0.15
    reported: float = 5.0
    rearranged: float = 20.0
    lifted: float = 2.0
    handled: float = 0.3
    missed: float = 0.01
    away: float = 0.015
    early: float = 5.0


# By how much a house rule multiplies these at a table that plays it. By judgement: whoever draws
# until a card can be played lays that one.
AT_TABLES: Mapping[tuple[str, str], Mapping[str, float]] = {
    ("draw_until", "playable"): {"implied": 0.3, "kept": 0.2},
}

# The least share of any card that the camera does not name. At 0.0004 every card against the rules
# would be asked about, however surely it is read; none of 1,100 real photos was read for certain as
# another card.
DOUBT = 0.0002
# Where the camera does not know where a card came from, each place gets one part of this many. By
# judgement.
PLACES = 8
# A card of which every copy has been seen: something earlier was misread. By judgement.
IMPOSSIBLE = 0.001
# Least probability that a card came from a place the camera speaks against. By judgement.
LEAST_ORIGIN = 0.01

# An ``unread`` card is a new one, or the one that lay there before. By judgement.
UNREAD = {"placed": 0.8, "same": 0.2}
# Readings without likelihoods: each counts this much of the one before. By judgement.
NEXT_READING = 0.5

# A discard before its turn, or a play while discards are due. By judgement.
EARLY_DISCARD = 0.003
# A card laid out of turn. Table rounds.
OUT_OF_TURN = 0.3
# An illegal card, where turning one up would have been legal too. By judgement.
ILLEGAL_WITH_FLIP = 0.3
# Each further card is this much less likely to have been lifted too, but never less likely than
# LEAST_DEEP, which keeps it above the unexplained. Table rounds.
DEEPER, LEAST_DEEP = 0.1, 0.001
# A lift that changed nothing, or that nothing explains. By judgement.
UNEXPLAINED_LIFT = 0.02
# Each further card reported by phone is this much less likely the one seen. By judgement.
NEXT_REPORTED = 0.25

# The camera names a card likelier than all others together. By definition.
LIKELIEST = 0.5
# A camera this sure has not seen another card, whatever somebody says. By judgement.
SURE = 0.9
# A report overrides the reading if the camera gives the card at least this. Cameras report
# probabilities down to 0.0005.
POSSIBLE = 0.0005
# Below this the camera speaks against the card that an answer names. By judgement.
UNSEEN = 0.01

# Learning where each seat reaches in from. KEPT: weight of the past with each further card, since
# people move their chairs. ONE_SIDE: a seat is known once its hands agree this well. ELSEWHERE: a
# hand reaches across from anywhere. All by judgement.
KEPT, ONE_SIDE, ELSEWHERE = 0.8, 0.8, 0.01
# The spread of hands around their side (von Mises): SPREAD, half the variance, is 20 degrees and
# counts as COUNTS cards; EXACT is the narrowest one believed. By judgement.
SPREAD, COUNTS, EXACT = 0.06, 2.0, 20.0
