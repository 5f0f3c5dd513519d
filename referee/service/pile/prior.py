"""How a camera's probabilities are weighed with the rules: what is known before it looks.

``python -m bench prior`` measures what the defaults cost and save.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from referee.rules.state import State
from referee.service.pile.layers import Reading

# What a camera does not name may still be any card: it never rules one out altogether. With twice
# this doubt each card laid against the rules would be asked about, however surely it is read;
# of 1,100 real photos none was read for certain as another card.
DOUBT = 0.0002
# Of what is not known of where a card came from, each place has one part of so many.
ELSEWHERE = 8
# A card of which every copy has been seen: something earlier was misread then.
IMPOSSIBLE = 0.001


@dataclass(frozen=True, slots=True)
class Prior:
    """How likely things are before the camera looks, against the move that the game waits for (1).

    Attributes:
        certain: Decided without asking from this probability on.
        mention: An answer is offered from this one on.
        answers: So many answers at most.
        patience: After so many further cards the likeliest reading is taken, answered or not.
        illegal: A card that the rules do not allow.
        implied: Steps that nobody said come before: drew and passed, declined.
        kept: Who has said that they drew does not say that they keep the card.
        follow_up: A further card of whoever may lay one, before the next player acts.
        flipped: A card from the draw pile that could have been played from the hand.
        said: A card that a phone has said and no camera has seen yet.
        rearranged: The top card put back on top after the pile was cleared or cards were discarded.
        lifted: That the card below one that is to be taken back shows again, and was not laid.
        handled: That a hand was at the pile and laid nothing, where that looks alike.
        missed: When watching begins anew, that more than one card was missed.
        away: A card that was discarded already, of those that go under the top card.
        early: For so many seconds a call or a catch may come before its card has been seen.
    """

    certain: float = 0.95
    mention: float = 0.01
    answers: int = 4
    patience: int = 2
    illegal: float = 0.02
    implied: float = 0.01
    kept: float = 0.6
    follow_up: float = 0.5
    flipped: float = 0.15
    said: float = 5.0
    rearranged: float = 20.0
    lifted: float = 2.0
    handled: float = 0.3
    missed: float = 0.01
    away: float = 0.015
    early: float = 5.0


def likelihoods(reading: Reading, cards: Mapping[str, object]) -> dict[str, float]:
    """For every card in play, how well it explains what the camera saw."""
    rest = max(DOUBT, 1 - sum(reading.cards.values())) / max(1, len(cards))
    return {card: reading.cards.get(card, 0.0) + rest for card in cards}


def copies(state: State, card: str) -> float:
    """How many copies of a card may still be in somebody's hand or the draw pile, in its terms."""
    deck = state.game.ruleset.deck
    left = min(deck.limits[t] - state.known.get(t, 0) for t in deck.cards[card].tallies)
    return float(left) if left > 0 else IMPOSSIBLE


def from_hand(reading: Reading) -> float:
    """How well it explains where the card came from that it was in somebody's hand.

    1 when the camera does not say.
    """
    return 1.0 if reading.drawn is None else max(0.01, 1 - reading.drawn) / ELSEWHERE


def from_pile(reading: Reading) -> float:
    """The same, that it was taken from the draw pile."""
    return 1.0 if reading.drawn is None else reading.drawn


def reached(reading: Reading, seat: int, state: State) -> float:
    """How well it explains from where the hand came that it was this seat's.

    1 is how well anybody's explains it, who may have pushed the pile; and when the camera does not
    say.
    """
    if not reading.origin:
        return 1.0
    unknown = max(0.01, 1 - sum(reading.origin.values()))
    return len(state.hands) * (reading.origin.get(str(seat), 0.0) + unknown / ELSEWHERE)
