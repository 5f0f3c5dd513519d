"""Following the pile: what a camera sees becomes rulings, questions, or something to put right."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.rules.codec import move_to_json
from referee.service.access import Principal
from referee.service.apply_hypothesis import MEANINGS, apply_hypothesis, undoes_more
from referee.service.opening import dealer_of
from referee.service.pile.hypothesis import Hypothesis
from referee.service.pile.inference import rank_hypotheses
from referee.service.pile.layers import Layer, Pile, Question, Reading, read
from referee.service.pile.transitions import initial_pile
from referee.service.unit_of_work import UnitOfWork

Json = dict[str, Any]


def see_pile(
    work: UnitOfWork, by: Principal, device: Mapping[str, Any], seen: Mapping[str, Any]
) -> None:
    """Write down what a camera saw of the pile, and what follows from it."""
    entry = work.next
    body = _body(work, by, device, seen)
    work.add("observed", body)
    pile = work.pile or initial_pile(work.state)
    if seen["number"] <= pile.numbers.get(by.id, -1):
        body["meaning"] = "repeated"
        work.say_discrepancies(body)
        return
    numbers = {**pile.numbers, by.id: seen["number"]}
    pile = replace(pile, numbers=numbers, device=by.id, sight="watching", reason=None)
    work.pile, meaning = _taken_in(pile, seen, entry)
    found = drain(work, entry)
    body["meaning"] = found or meaning or "agrees"
    body["discrepancies"] = work.discrepancies()
    if body["meaning"] == "agrees" and any("power" not in one for one in body["discrepancies"]):
        body["meaning"] = "discrepancy"


def _taken_in(pile: Pile, seen: Mapping[str, Any], entry: int) -> tuple[Pile, str | None]:
    """The pile with the observation as a layer that waits, or its part of an earlier one's."""
    event = seen["event"]
    if event == "cleared":
        cards = [i for i, one in enumerate(pile.layers) if i != pile.top]
        pile = replace(pile.without(cards), gone=True, last=None)
        return pile, "agrees"
    reading = read(seen)
    if "resolves" in seen:
        at = next((i for i, one in enumerate(pile.layers) if _is(one, seen["resolves"])), None)
        if at is None:
            # Somebody has said meanwhile what it was.
            return pile, "agrees"
        if event == "same":
            return pile.without([at]), "agrees"
        return pile.change(at, reading=reading), None
    if event == "same":
        return pile, "agrees"
    if event == "lifted" and pile.waiting and _uncovers(pile, reading):
        return replace(pile.without(pile.waiting), gone=False), "put-right"
    return pile.put(Layer(None, "waiting", True, entry, reading=reading)), None


def _uncovers(pile: Pile, reading: Reading) -> bool:
    """Whether what waits for its explanation has been taken away again, and nothing else."""
    first = pile.waiting[0]
    below = [one for one in pile.layers[:first] if one.seen]
    if not below or first + len(pile.waiting) < len(pile.layers):
        return False
    card = below[-1].card
    return not reading.cards or reading.cards.get(card or "", 0.0) >= 0.5


def _is(layer: Layer, number: int) -> bool:
    waiting = layer.standing == "waiting" and layer.reading is not None
    return waiting and layer.reading is not None and layer.reading.number == number


def see_camera(
    work: UnitOfWork, by: Principal, device: Mapping[str, Any], seen: Mapping[str, Any]
) -> None:
    """Write down whether a camera sees the pile. What it does not see now says nothing."""
    body = _body(work, by, device, seen)
    work.add("observed", body)
    pile = work.pile or initial_pile(work.state)
    sight: Any = "watching" if seen["state"] == "watching" else "blind"
    work.pile = replace(pile, sight=sight, reason=seen.get("reason"), device=by.id)
    body["meaning"] = "agrees" if sight == "watching" else "unknown"
    body["discrepancies"] = work.discrepancies()


def _body(
    work: UnitOfWork, by: Principal, device: Mapping[str, Any], seen: Mapping[str, Any]
) -> Json:
    return {
        "by": by.to_json(),
        "round": work.state.round,
        "device": device,
        "observation": dict(seen),
    }


def drain(work: UnitOfWork, entry: int = 0) -> str | None:
    """Explain the cards that wait, in order, as far as it goes; what became of ``entry``'s card.

    Called after everything that happens at a table with a camera.
    """
    became: str | None = None
    prior = work.log.prior
    while work.pile is not None and work.pile.waiting:
        _choice_is_made(work)
        pile = work.pile
        layer = pile.layers[pile.waiting[0]]
        options = rank_hypotheses(work.playing, pile, prior, dealer_of(work.table, work.state))
        if not options:
            break
        best = options[0]
        if best.kind == "take-back" and not best.ask and undoes_more(work, best):
            best = replace(best, ask=True)
        if best.kind == "waits":
            became = "waiting" if layer.entry == entry else became
            break
        late = len(pile.waiting) > prior.patience
        if best.ask and late and best.kind != "opening":
            best = Hypothesis("differs", best.card, 1.0)
        sure = best.weight >= prior.certain or best.kind == "differs"
        if best.ask or not (sure or late):
            _ask(work, layer, options)
            became = "asked" if layer.entry == entry else became
            break
        close_question(work, "settled" if sure else "presumed")
        if not apply_hypothesis(work, best, device_of(work)):
            became = "waiting" if layer.entry == entry else became
            break
        if layer.entry == entry:
            became = MEANINGS[best.kind]
    if work.pile is not None:
        waiting = work.pile.waiting
        if entry and became is None and any(work.pile.layers[i].entry == entry for i in waiting):
            became = "waiting"
        asked = work.pile.question
        if asked and not any(work.pile.layers[i].entry == asked.entry for i in waiting):
            close_question(work, "settled")
    _close_hands(work)
    return became


def _close_hands(work: UnitOfWork) -> None:
    """Hands that have been shown by other means need no confirming any more."""
    pile = work.pile
    if pile is None or not pile.hands:
        return
    due = {seat for seat, need in work.state.awaiting if need == "reveal"}
    if work.state.round_winner is None:
        due = set()
    kept = tuple(one for one in pile.hands if due and one.more.get("seat") in (None, *due))
    for one in pile.hands:
        if one not in kept:
            record_closed(work, one.id, "settled")
    work.edit_pile(hands=kept)


def _choice_is_made(work: UnitOfWork) -> None:
    """A card is laid: whoever was choosing towers has taken what they have moved."""
    before = work.state.turn
    work.finish_choosing(lambda after: after.turn != before)


def device_of(work: UnitOfWork) -> Principal:
    """The camera that was heard last, as whoever acts."""
    device = work.pile.device if work.pile else None
    return Principal(device or "", work.table.id, "device")


def _ask(work: UnitOfWork, layer: Layer, options: list[Hypothesis]) -> None:
    """Ask the table once, with the likely answers."""
    pile = work.pile
    if pile is None or (pile.question and pile.question.entry == layer.entry):
        return
    close_question(work, "overtaken")
    prior = work.log.prior
    likely = [g for g in options if g.weight >= prior.mention or g is options[0]]
    offered = [
        option for hypothesis in likely[: prior.answers] for option in _options(work, hypothesis)
    ]
    if not any(one["kind"] == "nothing" for one in offered):
        offered.append({"kind": "nothing", "card": None, "moves": [], "probability": 0.0})
    question = Question(work.next, layer.entry, "pile", tuple(offered))
    body = {
        "by": device_of(work).to_json(),
        "round": work.state.round,
        "cause": layer.entry,
        "question": question.shown(),
    }
    work.edit_pile(question=question)
    work.add("asked", body)


def _options(work: UnitOfWork, hypothesis: Hypothesis) -> list[Json]:
    option: Json = {
        "kind": hypothesis.kind,
        "card": hypothesis.card,
        "moves": [move_to_json(move) for move in hypothesis.moves],
        "probability": round(hypothesis.weight, 4),
    }
    if hypothesis.kind != "opening":
        return [option]
    seats = [hypothesis.dealer] if hypothesis.dealer else range(1, len(work.state.game.seats) + 1)
    return [{**option, "dealer": seat} for seat in seats]


def close_question(work: UnitOfWork, why: str) -> None:
    """The question is not open any more: what came since has settled it."""
    pile = work.pile
    if pile is None or pile.question is None:
        return
    asked = pile.question.id
    work.edit_pile(question=None)
    record_closed(work, asked, why)


def record_closed(work: UnitOfWork, question: int, why: str) -> None:
    """Say that a question is not open any more."""
    body = {
        "by": device_of(work).to_json(),
        "round": work.state.round,
        "question_id": question,
        "why": why,
    }
    work.add("lapsed", body)
