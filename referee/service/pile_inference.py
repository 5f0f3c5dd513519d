"""Following the pile: what a camera sees becomes rulings, questions, or something to put right."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.rules.codec import move_to_json
from referee.service.access import Principal
from referee.service.apply_hypothesis import MEANINGS, carry_out, undoes_more
from referee.service.opening import dealer_of
from referee.service.pile.hypothesis import Guess
from referee.service.pile.inference import weigh
from referee.service.pile.layers import Layer, Pile, Question, Reading, read
from referee.service.pile.transitions import pile_of
from referee.service.unit_of_work import Sitting

Json = dict[str, Any]


def see_pile(
    sitting: Sitting, by: Principal, device: Mapping[str, Any], seen: Mapping[str, Any]
) -> None:
    """Write down what a camera saw of the pile, and what follows from it."""
    entry = sitting.next
    body = _body(sitting, by, device, seen)
    sitting.add("observed", body)
    pile = sitting.pile or pile_of(sitting.state)
    if seen["number"] <= pile.numbers.get(by.id, -1):
        body["meaning"] = "repeated"
        sitting.say_discrepancies(body)
        return
    numbers = {**pile.numbers, by.id: seen["number"]}
    pile = replace(pile, numbers=numbers, device=by.id, sight="watching", reason=None)
    sitting.pile, meaning = _taken_in(pile, seen, entry)
    found = drain(sitting, entry)
    body["meaning"] = found or meaning or "agrees"
    body["discrepancies"] = sitting.discrepancies()
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
    sitting: Sitting, by: Principal, device: Mapping[str, Any], seen: Mapping[str, Any]
) -> None:
    """Write down whether a camera sees the pile. What it does not see now says nothing."""
    body = _body(sitting, by, device, seen)
    sitting.add("observed", body)
    pile = sitting.pile or pile_of(sitting.state)
    sight: Any = "watching" if seen["state"] == "watching" else "blind"
    sitting.pile = replace(pile, sight=sight, reason=seen.get("reason"), device=by.id)
    body["meaning"] = "agrees" if sight == "watching" else "unknown"
    body["discrepancies"] = sitting.discrepancies()


def _body(
    sitting: Sitting, by: Principal, device: Mapping[str, Any], seen: Mapping[str, Any]
) -> Json:
    return {
        "by": by.to_json(),
        "round": sitting.state.round,
        "device": device,
        "observation": dict(seen),
    }


def drain(sitting: Sitting, entry: int = 0) -> str | None:
    """Explain the cards that wait, in order, as far as it goes; what became of ``entry``'s card.

    Called after everything that happens at a table with a camera.
    """
    became: str | None = None
    prior = sitting.house.prior
    while sitting.pile is not None and sitting.pile.waiting:
        _choice_is_made(sitting)
        pile = sitting.pile
        layer = pile.layers[pile.waiting[0]]
        options = weigh(sitting.playing, pile, prior, dealer_of(sitting.table, sitting.state))
        if not options:
            break
        best = options[0]
        if best.kind == "take-back" and not best.ask and undoes_more(sitting, best):
            best = replace(best, ask=True)
        if best.kind == "waits":
            became = "waiting" if layer.entry == entry else became
            break
        late = len(pile.waiting) > prior.patience
        if best.ask and late and best.kind != "opening":
            best = Guess("differs", best.card, 1.0)
        sure = best.weight >= prior.certain or best.kind == "differs"
        if best.ask or not (sure or late):
            _ask(sitting, layer, options)
            became = "asked" if layer.entry == entry else became
            break
        lapse(sitting, "settled" if sure else "presumed")
        if not carry_out(sitting, best, device_of(sitting)):
            became = "waiting" if layer.entry == entry else became
            break
        if layer.entry == entry:
            became = MEANINGS[best.kind]
    if sitting.pile is not None:
        waiting = sitting.pile.waiting
        if entry and became is None and any(sitting.pile.layers[i].entry == entry for i in waiting):
            became = "waiting"
        asked = sitting.pile.question
        if asked and not any(sitting.pile.layers[i].entry == asked.entry for i in waiting):
            lapse(sitting, "settled")
    _close_hands(sitting)
    return became


def _close_hands(sitting: Sitting) -> None:
    """Hands that have been shown by other means need no confirming any more."""
    pile = sitting.pile
    if pile is None or not pile.hands:
        return
    due = {seat for seat, need in sitting.state.awaiting if need == "reveal"}
    if sitting.state.round_winner is None:
        due = set()
    kept = tuple(one for one in pile.hands if due and one.more.get("seat") in (None, *due))
    for one in pile.hands:
        if one not in kept:
            lapse_entry(sitting, one.id, "settled")
    sitting.edit_pile(hands=kept)


def _choice_is_made(sitting: Sitting) -> None:
    """A card is laid: whoever was choosing towers has taken what they have moved."""
    before = sitting.state.turn
    sitting.finish_choosing(lambda after: after.turn != before)


def device_of(sitting: Sitting) -> Principal:
    """The camera that was heard last, as whoever acts."""
    device = sitting.pile.device if sitting.pile else None
    return Principal(device or "", sitting.table.id, "device")


def _ask(sitting: Sitting, layer: Layer, options: list[Guess]) -> None:
    """Ask the table once, with the likely answers."""
    pile = sitting.pile
    if pile is None or (pile.question and pile.question.entry == layer.entry):
        return
    lapse(sitting, "overtaken")
    prior = sitting.house.prior
    likely = [g for g in options if g.weight >= prior.mention or g is options[0]]
    offered = [option for guess in likely[: prior.answers] for option in _options(sitting, guess)]
    if not any(one["kind"] == "nothing" for one in offered):
        offered.append({"kind": "nothing", "card": None, "moves": [], "probability": 0.0})
    question = Question(sitting.next, layer.entry, "pile", tuple(offered))
    body = {
        "by": device_of(sitting).to_json(),
        "round": sitting.state.round,
        "cause": layer.entry,
        "question": question.shown(),
    }
    sitting.edit_pile(question=question)
    sitting.add("asked", body)


def _options(sitting: Sitting, guess: Guess) -> list[Json]:
    option: Json = {
        "kind": guess.kind,
        "card": guess.card,
        "moves": [move_to_json(move) for move in guess.moves],
        "probability": round(guess.weight, 4),
    }
    if guess.kind != "opening":
        return [option]
    seats = [guess.dealer] if guess.dealer else range(1, len(sitting.state.game.seats) + 1)
    return [{**option, "dealer": seat} for seat in seats]


def lapse(sitting: Sitting, why: str) -> None:
    """The question is not open any more: what came since has settled it."""
    pile = sitting.pile
    if pile is None or pile.question is None:
        return
    asked = pile.question.id
    sitting.edit_pile(question=None)
    lapse_entry(sitting, asked, why)


def lapse_entry(sitting: Sitting, question: int, why: str) -> None:
    """Say that a question is not open any more."""
    body = {
        "by": device_of(sitting).to_json(),
        "round": sitting.state.round,
        "question_id": question,
        "why": why,
    }
    sitting.add("lapsed", body)
