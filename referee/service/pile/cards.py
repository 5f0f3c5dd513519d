"""What a card laid on the pile may be: a play, a flip, a discard, an opening, or illegal."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from referee.rules import actions as act
from referee.rules.actions import Action
from referee.rules.engine import decide, judge, open_round
from referee.rules.play.checks import same_face
from referee.rules.position.state import State
from referee.rules.rulings import RuleError
from referee.service.pile.hypothesis import Hypothesis, Kind
from referee.service.pile.layers import Reading
from referee.service.pile.prior import copies, from_hand, from_pile, likelihoods, reached
from referee.service.pile.thresholds import EARLY_DISCARD, ILLEGAL_WITH_FLIP, OUT_OF_TURN, Prior


@dataclass(frozen=True, slots=True)
class Way:
    """A seat that may lay a card now.

    ``before`` are the unreported steps it takes first, ``state`` the position after them.
    ``weight`` is that of a card that the rules allow, ``illegal`` that of another; 0: not
    considered. ``cards`` are the only ones it may lay; None: any. ``ask``: nothing tells which
    steps they were.
    """

    seat: int
    before: tuple[Action, ...]
    state: State
    weight: float
    illegal: float = 0.0
    cards: tuple[str, ...] | None = None
    ask: bool = False


def plays(state: State, reading: Reading, prior: Prior) -> list[Hypothesis]:
    """Return the hypotheses that the card is a play or a flip, legal or illegal."""
    likely = likelihoods(reading, state.game.cards)
    number = {card: copies(state, card) for card in state.game.cards}
    hypotheses: list[Hypothesis] = []
    whole = 0.0
    flips = list(_flips(state, reading, prior, number))
    # A player who may turn a card up has little reason to lay a wrong one.
    illegal = prior.illegal * (ILLEGAL_WITH_FLIP if flips else 1.0)
    for way in _ways(state, reading, prior):
        from_there = reached(reading, way.seat, state)
        for card in state.game.cards if way.cards is None else way.cards:
            legal = judge(way.state, act.Play(way.seat, card)).legal
            share = (way.weight if legal else way.illegal * illegal) * number[card]
            if not share:
                continue
            whole += share
            moves = (*way.before, act.Play(way.seat, card))
            weight = share * from_there * likely[card]
            kind: Kind = "play" if legal else "illegal"
            hypotheses.append(Hypothesis(kind, card, weight, moves, ask=way.ask))
    for hypothesis, share in flips:
        whole += share
        hypotheses.append(hypothesis)
    return _normal(hypotheses, whole)


def _ways(state: State, reading: Reading, prior: Prior) -> Iterator[Way]:
    seat = state.turn
    if seat is None:
        return
    more = state.follow_up
    if more is not None and more.seat != seat:
        yield Way(more.seat, (), state, prior.follow_up * from_hand(reading))
    if state.needs(seat, "respond"):
        # A player who draws the four cards need not report it.
        yield from _after(state, (act.Accept(seat),), reading, 1.0, prior.jumped)
        yield from _onto_stack(state, seat, reading, prior)
        return
    swaps = tuple(_swaps(state))
    if swaps:
        for swap in swaps:
            for way in _after(state, (swap,), reading, 1 / len(swaps)):
                yield replace(way, ask=len(swaps) > 1)
        return
    if any(need == "discard" for _, need in state.awaiting):
        declines = tuple(act.Pass(awaited) for awaited, need in state.awaiting if need == "discard")
        yield from _after(state, declines, reading, 1.0)
        return
    hand = from_hand(reading)
    yield Way(seat, (), state, hand, hand)
    if reading.origin:
        yield from _ways_by_origin(state, seat, reading, prior)
    else:
        yield from _jumps(state, reading, prior.jumped)


def _onto_stack(state: State, seat: int, reading: Reading, prior: Prior) -> Iterator[Way]:
    """Yield the ways to add to a stack, where the table plays so: the seat hit, or a jump-in."""
    hand = from_hand(reading)
    if any(judge(state, act.Play(seat, card)).legal for card in state.game.cards):
        yield Way(seat, (), state, prior.stacked * hand, hand)
    yield from _jumps(state, reading, prior.jumped * prior.stacked)


def _swaps(state: State) -> Iterator[act.Swap]:
    """Yield the swaps of hands that a 7 may have led to."""
    for seat, need in state.awaiting:
        if need == "swap":
            yield from (act.Swap(seat, other) for other in state.order if other != seat)


def _jumps(state: State, reading: Reading, likely: float) -> Iterator[Way]:
    """Yield the ways to lay the very card on top out of turn, where the table plays so."""
    twins = tuple(card for card in state.game.cards if same_face(state, card, state.top))
    weight = likely * from_hand(reading)
    yield from (Way(other, (), state, weight, cards=twins) for other in _others(state))


def _others(state: State) -> list[int]:
    """Return the seats that have nothing to lay but by a jump-in, or wrongly."""
    more = state.follow_up
    has_turn = {state.turn, more.seat if more else None}
    return [seat for seat in sorted(state.order) if seat not in has_turn]


def _ways_by_origin(state: State, seat: int, reading: Reading, prior: Prior) -> Iterator[Way]:
    """Yield the ways that need the camera to say whose hand laid the card."""
    if state.needs(seat, "play"):
        drew = (act.Draw(seat), act.Pass(seat))
        yield from _after(state, drew, reading, prior.implied)
    else:
        # A player who reported a draw need not report keeping the card.
        yield from _after(state, (act.Pass(seat),), reading, prior.kept, prior.jumped)
    hand = from_hand(reading)
    for other in _others(state):
        yield Way(other, (), state, prior.jumped * hand, OUT_OF_TURN * hand)


def _after(
    state: State, steps: tuple[Action, ...], reading: Reading, weight: float, jumped: float = 0.0
) -> Iterator[Way]:
    """Yield the seats that may lay a card after unreported steps, if those are legal.

    They are the seat then to play and, ``jumped`` times as likely, those that may jump in.
    """
    for step in steps:
        decision = decide(state, step)
        if not decision.ruling.legal:
            return
        state = decision.state
    if state.turn is not None and state.needs(state.turn, "play"):
        yield Way(state.turn, steps, state, weight * from_hand(reading))
        for way in _jumps(state, reading, weight * jumped) if jumped else ():
            # Whoever could have laid it at once would not have drawn or passed before.
            if all(step.seat != way.seat for step in steps):
                yield replace(way, before=steps)


def _flips(
    state: State, reading: Reading, prior: Prior, number: dict[str, float]
) -> Iterator[tuple[Hypothesis, float]]:
    seat = state.turn
    likely = likelihoods(reading, state.game.cards)
    if seat is None or not state.needs(seat, "play"):
        return
    for card in state.game.cards:
        flip = act.Flip(seat, card)
        if judge(state, flip).legal:
            playable = judge(state, act.Play(seat, card)).legal
            share = (prior.flipped if playable else 1.0) * number[card]
            share *= from_pile(reading)
            weight = share * reached(reading, seat, state) * likely[card]
            yield Hypothesis("flip", card, weight, (flip,)), share


def discards(state: State, reading: Reading, prior: Prior) -> list[Hypothesis]:
    """Return the hypotheses that the card is a discard that an effect allows or demands.

    Where a seat may discard several, the cards wait until it reports that these were all.
    """
    likely = likelihoods(reading, state.game.cards)
    hypotheses: list[Hypothesis] = []
    whole = 0.0
    weight = 1.0
    for seat, need in state.awaiting:
        if need != "discard":
            continue
        several = judge(state, act.Discard(seat, count=2)).legal
        for card in state.game.cards:
            discard = act.Discard(seat, (card,))
            if judge(state, discard).legal:
                share = weight * from_hand(reading) * copies(state, card)
                whole += share
                fits = share * reached(reading, seat, state) * likely[card]
                hypotheses.append(
                    Hypothesis("waits", card, fits)
                    if several
                    else Hypothesis("discard", card, fits, (discard,))
                )
        weight = EARLY_DISCARD if not reading.origin else 1.0
    return _normal(hypotheses, whole)


def openings(
    state: State,
    reading: Reading,
    turned: tuple[str, ...],
    dealer: int | None,
    *,
    again: bool = False,
) -> list[Hypothesis]:
    """Return the hypotheses that the card opens a round, or is replaced by another.

    ``turned`` are the cards turned up before it; ``again``: it replaces an opening taken back.
    """
    likely = likelihoods(reading, state.game.cards)
    deck = state.game.ruleset.deck
    number = {card: min(deck.limits[t] for t in deck.cards[card].tallies) for card in likely}
    hypotheses: list[Hypothesis] = []
    whole = float(sum(number.values()))
    for card in state.game.cards:
        weight = number[card] * likely[card]
        if deck.cards[card].symbol in state.game.ruleset.replaced:
            hypotheses.append(Hypothesis("turned", card, weight))
            continue
        cards = (*turned, card)
        seat = dealer or 0
        if again or not seat or _opens(state, seat, cards):
            hypotheses.append(
                Hypothesis("opening", card, weight, dealer=seat, opening=cards, ask=not seat)
            )
    return _normal(hypotheses, whole)


def _opens(state: State, dealer: int, opening: tuple[str, ...]) -> bool:
    try:
        open_round(state, dealer, opening)
    except RuleError:
        return False
    return True


def _normal(hypotheses: list[Hypothesis], whole: float) -> list[Hypothesis]:
    """Return the hypotheses with weights relative to all cards that may be laid."""
    if not whole:
        return []
    return [hypothesis.times(1 / whole) for hypothesis in hypotheses]
