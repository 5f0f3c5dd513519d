"""What the referee's rules add to a camera's probabilities: wrong and asked, against the threshold.

No picture is looked at. Complete rounds are played with real hands, and for every card laid a
camera is drawn up that is as honest as its probabilities: of all the times it says 0.7, the card is
the right one in seven of ten. Most cards it sees clearly; of the others it wavers between those
that look alike.
"""

from dataclasses import dataclass
from random import Random

from bench.report import ResultTable, progress
from bench.rounds import RULESETS, rounds
from referee.rules import actions as act
from referee.rules.cards import Card
from referee.rules.engine import decide
from referee.rules.state import State
from referee.service.pile.inference import rank_hypotheses
from referee.service.pile.layers import Layer, Reading
from referee.service.pile.prior import Prior
from referee.service.pile.transitions import initial_pile

ROUNDS = 60
THRESHOLDS = (0.8, 0.9, 0.93, 0.95, 0.96, 0.97, 0.98, 0.99, 0.995, 0.999)
# How often a card is seen badly: steep, blurred, half covered.
HARD = 0.1
LOOK_ALIKE = {"6": "9", "9": "6", "1": "7", "7": "1", "skip": "reverse", "reverse": "skip"}


@dataclass(frozen=True, slots=True)
class ReadCard:
    """A card laid: how sure the likeliest reading is, and whether it is right.

    Without the rules (``alone``) and with them.
    """

    alone: float
    alone_right: bool
    weighed: float
    right: bool
    hard: bool


def simulated_reading(card: Card, state: State, rng: Random, hard: bool) -> Reading:
    """What the camera makes of a card."""
    others = similar_cards(card, state, rng)
    doubt = rng.uniform(0.05, 0.6) if hard else 10 ** -rng.uniform(2.5, 4.5)
    shares = [rng.random() for _ in others]
    parts = [1 - doubt, *(doubt * share / sum(shares) for share in shares)]
    # As likely as it says: now and then the true card is not the likeliest one.
    (place,) = rng.choices(range(len(parts)), parts)
    names = [other.id for other in others]
    names.insert(place, card.id)
    cards = {name: part for name, part in zip(names, parts, strict=True) if part >= 0.0005}
    return Reading({"placed": 1.0}, cards)


def similar_cards(card: Card, state: State, rng: Random) -> list[Card]:
    """Cards that one may be taken for: a digit turned, a colour in bad light, an icon."""
    found = []
    for other in state.game.cards.values():
        same_color = other.color == card.color
        if other.id == card.id:
            continue
        turned = same_color and LOOK_ALIKE.get(card.symbol) == other.symbol
        tinted = card.color and other.color and other.symbol == card.symbol
        marked = same_color and other.symbol == card.symbol
        if turned or (tinted and other.icon == card.icon) or marked:
            found.append(other)
    rest = [other for other in state.game.cards.values() if other.id != card.id]
    return (rng.sample(found, min(3, len(found))) + rng.sample(rest, 1)) if found else rest[:2]


def read_cards(ruleset: str, prior: Prior, seed: int = 1) -> list[ReadCard]:
    """Every card laid in some rounds, as it is read."""
    rng = Random(f"prior/{ruleset}/{seed}")
    found = []
    for played in rounds(ruleset, ROUNDS, seed):
        state = played.start
        for move in played.moves:
            if isinstance(move, act.Play | act.Flip) and may_lay(state, move):
                found.append(read_card(state, move, prior, rng, rng.random() < HARD))
            state = decide(state, move).state
    return found


def may_lay(state: State, move: act.Play | act.Flip) -> bool:
    """Whether a card of the deck is laid by who is to lay one.

    Whose card it is, a camera alone cannot see: of cards out of turn this says nothing.
    """
    more = state.follow_up
    seats = {state.turn, more.seat if more else None}
    needs = {need for _, need in state.awaiting}
    return move.card in state.game.cards and move.seat in seats and needs <= {"play", "drawn"}


def read_card(
    state: State, move: act.Play | act.Flip, prior: Prior, rng: Random, hard: bool
) -> ReadCard:
    """One card, laid and read."""
    reading = simulated_reading(state.game.cards[move.card], state, rng, hard)
    pile = initial_pile(state).change(0, seen=True).put(Layer(None, "waiting", reading=reading))
    best = rank_hypotheses(state, pile, prior, None)[0]
    taken = best.moves[-1] if best.moves else None
    right = isinstance(taken, type(move)) and taken.card == move.card and taken.seat == move.seat
    card = reading.card
    alone = reading.cards[card] if card else 0.0
    return ReadCard(alone, card == move.card, best.weight, right, hard)


def run() -> list[ResultTable]:
    """Thresholds over all rulesets, and each ruleset at the default one."""
    prior = Prior()
    by_ruleset: dict[str, list[ReadCard]] = {}
    for ruleset in RULESETS:
        progress(f"prior: {ruleset}")
        by_ruleset[ruleset] = read_cards(ruleset, prior)
    every = [shot for some in by_ruleset.values() for shot in some]
    table = ResultTable(
        f"Cards laid: {len(every)}, one in {round(1 / HARD)} seen badly. Per cent, by threshold",
        ("threshold", "alone: asked", "alone: wrong", "weighed: asked", "weighed: wrong"),
    )
    for threshold in THRESHOLDS:
        alone = [(shot.alone, shot.alone_right) for shot in every]
        weighed = [(shot.weighed, shot.right) for shot in every]
        table.rows.append(
            (str(threshold), *percentages(alone, threshold), *percentages(weighed, threshold))
        )
    table.notes = [
        f"The default threshold is {prior.certain}: what is asked beyond it buys few wrong rulings",
        "less. Wrong: decided without asking, and not what was played.",
    ]
    decks = ResultTable(
        f"At {prior.certain}, by ruleset. Per cent",
        ("ruleset", "cards", "alone: asked", "alone: wrong", "asked", "wrong", "asked, seen well"),
    )
    for ruleset, some in by_ruleset.items():
        alone = [(shot.alone, shot.alone_right) for shot in some]
        weighed = [(shot.weighed, shot.right) for shot in some]
        well = [(shot.weighed, shot.right) for shot in some if not shot.hard]
        asked_well, _ = percentages(well, prior.certain)
        decks.rows.append(
            (
                ruleset,
                len(some),
                *percentages(alone, prior.certain),
                *percentages(weighed, prior.certain),
                asked_well,
            )
        )
    decks.notes = [
        "The camera does not say here where cards come from; with it, flips and second cards",
        "(color-powers) need no question.",
    ]
    return [table, decks]


def percentages(read: list[tuple[float, bool]], threshold: float) -> tuple[float, float]:
    """Per cent asked, and per cent decided wrongly."""
    asked = sum(sure < threshold for sure, _ in read)
    wrong = sum(sure >= threshold and not right for sure, right in read)
    return 100 * asked / len(read), 100 * wrong / len(read)
