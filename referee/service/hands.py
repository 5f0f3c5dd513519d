"""Hands shown to a camera at the end of a round: read, asked about, and scored once confirmed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.rules.actions import Reveal
from referee.rules.codec import move_to_json
from referee.rules.state import State
from referee.service.access import Principal
from referee.service.pile.layers import Pile, Question, Reading
from referee.service.pile.prior import Prior, copies, likelihoods
from referee.service.unit_of_work import UnitOfWork

Json = dict[str, Any]
# So many readings of a whole hand are kept while it is put together.
WIDTH = 40
PER_CARD = 6


def see_hand(
    work: UnitOfWork, by: Principal, device: Mapping[str, Any], seen: Mapping[str, Any]
) -> None:
    """Write down a hand that was shown, and ask whether it was read rightly.

    Hands are shown at the end of a round only; at any other time the cards are not kept.
    """
    state = work.state
    seat = seen.get("seat")
    due = [one for one, need in state.awaiting if need == "reveal"]
    wanted = state.round_winner is not None and (seat in due if seat else bool(due))
    body: Json = {
        "by": by.to_json(),
        "round": state.round,
        "device": device,
        "observation": dict(seen) if wanted else {**seen, "shown": []},
        "meaning": "asked" if wanted else "unknown",
    }
    work.say_discrepancies(body)
    work.add("observed", body)
    if wanted:
        _ask(work, by, seat or (due[0] if len(due) == 1 else None), seen["shown"])


def _ask(
    work: UnitOfWork, by: Principal, seat: int | None, shown: Sequence[Mapping[str, float]]
) -> None:
    cards = read_hand(work.state, seat, shown, work.log.prior)
    hand = tuple(str(one["card"]) for one in cards)
    move = move_to_json(Reveal(seat, hand)) if seat else {"move": "reveal", "hand": list(hand)}
    chance = min((float(one["probability"]) for one in cards), default=1.0)
    option = {"kind": "hand", "card": None, "moves": [move], "probability": chance}
    more: Json = {"hand": cards, "count": work.state.hands[seat - 1] if seat else None}
    if seat:
        more["seat"] = seat
    question = Question(work.next, work.last, "hand", (option,), more)
    pile = work.pile or Pile()
    # Shown again: the newer one counts.
    others = tuple(one for one in pile.hands if one.more.get("seat") != seat)
    work.pile = replace(pile, hands=(*others, question), device=pile.device or by.id)
    body = {
        "by": by.to_json(),
        "round": work.state.round,
        "cause": work.last,
        "question": question.shown(),
    }
    work.add("asked", body)


def read_hand(
    state: State, seat: int | None, shown: Sequence[Mapping[str, float]], prior: Prior
) -> list[Json]:
    """The likeliest cards of a hand that was shown, and how sure each is.

    Together they are a hand that can be: no more copies of a card than the deck has, less those on
    the pile and in the hands shown before.
    """
    deck = state.game.ruleset.deck
    seen = dict(state.known)
    for other, hand in state.revealed.items():
        for card in hand if other != seat else ():
            for tally in deck.cards[card].tallies:
                seen[tally] = seen.get(tally, 0) + 1
    beam: list[tuple[float, tuple[str, ...]]] = [(1.0, ())]
    for probabilities in shown:
        likely = likelihoods(Reading({}, dict(probabilities)), state.game.cards)
        weighed = {card: chance * copies(state, card) for card, chance in likely.items()}
        best = sorted(weighed.items(), key=lambda pair: -pair[1])[:PER_CARD]
        grown = [
            (weight * chance, (*hand, card))
            for weight, hand in beam
            for card, chance in best
            if deck.excess((*hand, card), seen) is None
        ] or [(weight, (*hand, best[0][0])) for weight, hand in beam]
        grown.sort(key=lambda pair: -pair[0])
        whole = sum(weight for weight, _ in grown) or 1.0
        beam = [(weight / whole, hand) for weight, hand in grown[:WIDTH]]
    return [_card(beam, place, prior) for place in range(len(shown))]


def _card(beam: Sequence[tuple[float, tuple[str, ...]]], place: int, prior: Prior) -> Json:
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
