"""What the rules add to a camera's probabilities: questions and errors at each threshold.

No pictures are used. Complete rounds are played with real hands, and each card laid is read by a
simulated, perfectly calibrated camera: of its readings at 0.7, seven in ten are right. Most cards
are clear; the others are confused with similar ones.
"""

from dataclasses import dataclass
from random import Random

from bench.report import ResultTable, progress
from bench.rounds import RULESETS, rounds
from referee.rules import actions as act
from referee.rules.cards import Card
from referee.rules.engine import decide
from referee.rules.position.state import State
from referee.service.pile.inference import rank_hypotheses
from referee.service.pile.layers import Layer, Reading
from referee.service.pile.thresholds import Prior
from referee.service.pile.transitions import initial_pile

ROUNDS = 60
THRESHOLDS = (0.8, 0.9, 0.93, 0.95, 0.96, 0.97, 0.98, 0.99, 0.995, 0.999)
HARD = 0.1
"""Share of cards seen badly: steep, blurred, half covered."""
LOOK_ALIKE = {"6": "9", "9": "6", "1": "7", "7": "1", "skip": "reverse", "reverse": "skip"}


@dataclass(frozen=True, slots=True)
class ReadCard:
    """A card laid: probability of the likeliest reading, and whether it is right.

    Once by the camera alone, once weighed with the rules.
    """

    alone: float
    alone_right: bool
    weighed: float
    right: bool
    hard: bool


def simulated_reading(card: Card, state: State, rng: Random, hard: bool) -> Reading:
    """Return a random reading of a card."""
    others = similar_cards(card, state, rng)
    doubt = rng.uniform(0.05, 0.6) if hard else 10 ** -rng.uniform(2.5, 4.5)
    shares = [rng.random() for _ in others]
    parts = [1 - doubt, *(doubt * share / sum(shares) for share in shares)]
    # Calibrated: the true card takes each place with the probability there.
    (place,) = rng.choices(range(len(parts)), parts)
    names = [other.id for other in others]
    names.insert(place, card.id)
    cards = {name: part for name, part in zip(names, parts, strict=True) if part >= 0.0005}
    return Reading({"placed": 1.0}, cards)


def similar_cards(card: Card, state: State, rng: Random) -> list[Card]:
    """Return cards that this one may be confused with: turned digit, wrong colour, wrong icon."""
    alike = []
    for other in state.game.cards.values():
        same_color = other.color == card.color
        if other.id == card.id:
            continue
        turned = same_color and LOOK_ALIKE.get(card.symbol) == other.symbol
        tinted = card.color and other.color and other.symbol == card.symbol
        marked = same_color and other.symbol == card.symbol
        if turned or (tinted and other.icon == card.icon) or marked:
            alike.append(other)
    rest = [other for other in state.game.cards.values() if other.id != card.id]
    return (rng.sample(alike, min(3, len(alike))) + rng.sample(rest, 1)) if alike else rest[:2]


def read_cards(ruleset: str, prior: Prior, seed: int = 1) -> list[ReadCard]:
    """Read every card laid in some rounds."""
    rng = Random(f"prior/{ruleset}/{seed}")
    cards = []
    for played in rounds(ruleset, ROUNDS, seed):
        state = played.start
        for move in played.moves:
            if isinstance(move, act.Play | act.Flip) and may_lay(state, move):
                cards.append(read_card(state, move, prior, rng, rng.random() < HARD))
            state = decide(state, move).state
    return cards


def may_lay(state: State, move: act.Play | act.Flip) -> bool:
    """Return whether the seat whose turn it is lays a card of the deck.

    A camera alone cannot see who laid a card, so cards out of turn are left out.
    """
    more = state.follow_up
    seats = {state.turn, more.seat if more else None}
    needs = {need for _, need in state.awaiting}
    return move.card in state.game.cards and move.seat in seats and needs <= {"play", "drawn"}


def read_card(
    state: State, move: act.Play | act.Flip, prior: Prior, rng: Random, hard: bool
) -> ReadCard:
    """Read one card laid, with and without the rules."""
    reading = simulated_reading(state.game.cards[move.card], state, rng, hard)
    pile = initial_pile(state).change(0, seen=True).put(Layer(None, "waiting", reading=reading))
    best = rank_hypotheses(state, pile, prior, None)[0]
    taken = best.moves[-1] if best.moves else None
    right = isinstance(taken, type(move)) and taken.card == move.card and taken.seat == move.seat
    card = reading.card
    alone = reading.cards[card] if card else 0.0
    return ReadCard(alone, card == move.card, best.weight, right, hard)


def run() -> list[ResultTable]:
    """Report all thresholds over all rulesets, and each ruleset at the default."""
    prior = Prior()
    by_ruleset: dict[str, list[ReadCard]] = {}
    for ruleset in RULESETS:
        progress(f"prior: {ruleset}")
        by_ruleset[ruleset] = read_cards(ruleset, prior)
    every = [shot for some in by_ruleset.values() for shot in some]
    table = ResultTable(
        f"Cards laid: {len(every)}, one in {round(1 / HARD)} seen badly; per cent by threshold",
        ("threshold", "alone: asked", "alone: wrong", "weighed: asked", "weighed: wrong"),
    )
    for threshold in THRESHOLDS:
        table.rows.append((str(threshold), *asked_and_wrong(every, threshold)))
    table.notes = [
        f"The default threshold is {prior.certain}: more questions than that prevent few errors.",
        "Wrong: ruled without asking, and not the card played.",
    ]
    decks = ResultTable(
        f"At {prior.certain}, by ruleset. Per cent",
        ("ruleset", "cards", "alone: asked", "alone: wrong", "asked", "wrong", "asked, seen well"),
    )
    for ruleset, some in by_ruleset.items():
        asked_well = asked_and_wrong([shot for shot in some if not shot.hard], prior.certain)[2]
        decks.rows.append((ruleset, len(some), *asked_and_wrong(some, prior.certain), asked_well))
    decks.notes = [
        "This camera does not report where a card came from; with that, flips and second cards",
        "(color-powers) need no question.",
    ]
    return [table, decks]


def asked_and_wrong(read: list[ReadCard], threshold: float) -> list[float]:
    """Return the percentages asked and ruled wrongly, by the camera alone and with the rules."""
    counts = []
    for readings in (
        [(card.alone, card.alone_right) for card in read],
        [(card.weighed, card.right) for card in read],
    ):
        counts.append(sum(sure < threshold for sure, _ in readings))
        counts.append(sum(sure >= threshold and not right for sure, right in readings))
    return [100 * count / len(read) for count in counts]
