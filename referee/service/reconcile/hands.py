"""Hands shown to a camera at the end of a round: read, confirmed by a person, and scored."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.rules.actions import Reveal
from referee.rules.codec import move_to_json
from referee.rules.position.state import State
from referee.service.access import Principal
from referee.service.pile.layers import Question, Reading
from referee.service.pile.prior import copies, likelihoods
from referee.service.pile.thresholds import Prior
from referee.service.reconcile.answer_rights import seats_that_show
from referee.service.reconcile.unit_of_work import UnitOfWork

Json = dict[str, Any]
# The beam search for a whole hand: readings kept, and cards tried for each place. By judgement.
WIDTH = 40
PER_CARD = 6
Beam = Sequence[tuple[float, tuple[str, ...]]]


def see_hand(work: UnitOfWork, by: Principal, device: Json, seen: Mapping[str, Any]) -> int:
    """Record a hand that was shown, and ask whether it was read correctly; return the entry.

    Hands are shown at the end of a round only; at any other time the cards are not stored.
    """
    state, seat = work.state, seen.get("seat")
    due = [awaited for awaited, need in state.awaiting if need == "reveal"]
    wanted = state.round_winner is not None and (seat in due if seat else bool(due))
    stored = dict(seen) if wanted else {**seen, "shown": []}
    entry = work.record("observed", by, device=device, observation=stored)
    work.explain_observation(entry, "asked" if wanted else "unknown")
    if wanted:
        owner = seat or (due[0] if len(due) == 1 else None)
        work.ask(by, hand_question(state, owner, seen["shown"], entry, work.prior))
    return entry


def hand_question(
    state: State, seat: int | None, shown: Sequence[Mapping[str, float]], entry: int, prior: Prior
) -> Question:
    """Return the question of whether the hand in entry ``entry`` was read correctly."""
    cards = read_hand(state, seat, shown, prior)
    hand = tuple(str(card["card"]) for card in cards)
    move = move_to_json(Reveal(seat, hand)) if seat else {"move": "reveal", "hand": list(hand)}
    chance = min((float(card["probability"]) for card in cards), default=1.0)
    may = seats_that_show(state, seat)
    option: Json = {"kind": "hand", "card": None, "moves": [move], "probability": chance}
    option["may_answer"] = may
    count = state.hands[seat - 1] if seat else None
    more: Json = {"hand": cards, "count": count, "may_name": may}
    if seat:
        more["seat"] = seat
    return Question(0, entry, "hand", (option,), more)


def read_hand(
    state: State, seat: int | None, shown: Sequence[Mapping[str, float]], prior: Prior
) -> list[Json]:
    """Return the likeliest cards of a hand that was shown, each with its probability.

    Together they are a possible hand: it has no more copies of a card than remain besides those on
    the pile and in the hands shown before.
    """
    beam: Beam = [(1.0, ())]
    seen = _seen_elsewhere(state, seat)
    for probabilities in shown:
        grown = list(_grown(state, beam, _candidates(state, probabilities), seen))
        grown.sort(key=lambda pair: -pair[0])
        whole = sum(weight for weight, _ in grown) or 1.0
        beam = [(weight / whole, hand) for weight, hand in grown[:WIDTH]]
    return [_card(beam, place, prior) for place in range(len(shown))]


def _seen_elsewhere(state: State, seat: int | None) -> dict[str, int]:
    """Count the copies, by the deck's tallies, on the pile and in other shown hands."""
    deck = state.game.ruleset.deck
    seen = dict(state.known)
    others = (hand for other, hand in state.revealed.items() if other != seat)
    for card in (card for hand in others for card in hand):
        for tally in deck.cards[card].tallies:
            seen[tally] = seen.get(tally, 0) + 1
    return seen


def _candidates(state: State, probabilities: Mapping[str, float]) -> Beam:
    likely = likelihoods(Reading({}, dict(probabilities)), state.game.cards)
    weighed: list[tuple[float, tuple[str, ...]]] = [
        (chance * copies(state, card), (card,)) for card, chance in likely.items()
    ]
    return sorted(weighed, key=lambda pair: -pair[0])[:PER_CARD]


def _grown(
    state: State, beam: Beam, candidates: Beam, seen: Mapping[str, int]
) -> Iterator[tuple[float, tuple[str, ...]]]:
    """Yield the hands of the beam with one more card; an impossible one if there is no other."""
    deck = state.game.ruleset.deck
    possible = False
    for weight, hand in beam:
        for chance, card in candidates:
            if deck.excess((*hand, *card), seen) is None:
                possible = True
                yield weight * chance, (*hand, *card)
    if not possible:
        yield from ((weight, (*hand, *candidates[0][1])) for weight, hand in beam)


def _card(beam: Beam, place: int, prior: Prior) -> Json:
    chances: dict[str, float] = {}
    for weight, hand in beam:
        chances[hand[place]] = chances.get(hand[place], 0.0) + weight
    whole = sum(chances.values()) or 1.0
    card = beam[0][1][place]
    others = sorted((c for c in chances if c != card), key=lambda c: -chances[c])
    return {
        "card": card,
        "probability": round(chances[card] / whole, 4),
        "sure": chances[card] / whole >= prior.certain,
        "alternatives": [c for c in others if chances[c] / whole >= prior.mention],
    }
