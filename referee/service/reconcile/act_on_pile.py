"""Turn what a camera sees of the pile into rulings, questions or discrepancies."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from referee.rules.actions import Accept, Draw
from referee.rules.codec import move_to_json
from referee.rules.engine import decide, judge
from referee.rules.play.challenge import cost_of_hit
from referee.rules.position.state import State
from referee.service.access import Principal
from referee.service.pile.hypothesis import MOVES, Hypothesis
from referee.service.pile.inference import rank_hypotheses
from referee.service.pile.layers import Pile, Question, Sight
from referee.service.pile.observation import last_number, take_in, with_number
from referee.service.pile.transitions import initial_pile
from referee.service.reconcile.answer_rights import seats_that_lay, seats_that_may_say
from referee.service.reconcile.apply_hypothesis import Situation, consequences, undoes_more
from referee.service.reconcile.unit_of_work import UnitOfWork

Json = dict[str, Any]
NOTHING: Json = {"kind": "nothing", "card": None, "moves": [], "probability": 0.0}
# What an observation meant, by the hypothesis accepted for it.
MEANINGS = {
    "play": "settled",
    "flip": "settled",
    "discard": "settled",
    "illegal": "illegal",
    "opening": "settled",
    "turned": "waiting",
    "said": "agrees",
    "shows": "agrees",
    "nothing": "agrees",
    "idle": "idle",
    "waits": "waiting",
    "put-right": "put-right",
    "take-back": "taken-back",
    "away": "agrees",
    "differs": "discrepancy",
}


@dataclass(frozen=True, slots=True)
class AcceptHypothesis:
    """Act on a hypothesis: it is ``certain``, or the table has played on without answering."""

    hypothesis: Hypothesis
    certain: bool


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the table which of these hypotheses is right."""

    hypotheses: tuple[Hypothesis, ...]


def decide_first_waiting(situation: Situation) -> AcceptHypothesis | Ask | None:
    """Decide what to do about the first waiting card; None leaves it waiting."""
    ranked = rank_hypotheses(situation.state, situation.pile, situation.prior, situation.dealer)
    if not ranked or ranked[0].kind == "waits":
        return None
    late = len(situation.pile.waiting) > situation.prior.patience
    best = ranked[0]
    if late and best.weight < situation.prior.certain:
        best = _likeliest_offered(situation, ranked)
    ask = best.ask or (best.kind == "take-back" and undoes_more(situation, best))
    if late and best.kind == "take-back" and ask:
        best, ask = Hypothesis("differs", best.card, 1.0), False
    certain = best.weight >= situation.prior.certain or best.kind == "differs"
    if ask or not (certain or late):
        return Ask(tuple(ranked))
    return AcceptHypothesis(best, certain)


def _likeliest_offered(situation: Situation, ranked: list[Hypothesis]) -> Hypothesis:
    """Return the likeliest hypothesis that the open question offers; ``differs`` if none will do.

    Nothing is taken for what nobody was asked about, or for what is hardly likelier than others.
    Where no question is open, any hypothesis may be offered.
    """
    pile = situation.pile
    question, layer = pile.question, pile.layers[pile.waiting[0]]
    if question is not None and question.entry == layer.entry:
        offered = {(option["kind"], option["card"]) for option in question.options}
        ranked = [way for way in ranked if (way.kind, way.card) in offered]
    if ranked and ranked[0].weight >= situation.prior.presume:
        return ranked[0]
    return Hypothesis("differs", layer.reading.card if layer.reading else None, 1.0)


def pile_question(situation: Situation, ranked: tuple[Hypothesis, ...]) -> Question:
    """Return the question about the first waiting card, with the likely answers."""
    likely = [way for way in ranked if way.weight >= situation.prior.mention or way is ranked[0]]
    # Whoever may have laid the likeliest card is offered, however many they are.
    offered = [
        option
        for place, way in enumerate(likely)
        if place < situation.prior.answers or (way.kind, way.card) == ("play", likely[0].card)
        for option in _options(situation, way)
    ]
    if not any(option["kind"] == "nothing" for option in offered):
        offered.append({**NOTHING, "may_answer": sorted(situation.state.order)})
    entry = situation.pile.layers[situation.pile.waiting[0]].entry
    more = {"may_name": seats_that_lay(likely)}
    return Question(0, entry, "pile", tuple(offered), more)


def _options(situation: Situation, hypothesis: Hypothesis) -> list[Json]:
    option: Json = {
        "kind": hypothesis.kind,
        "card": hypothesis.card,
        "moves": [move_to_json(move) for move in hypothesis.moves],
        "probability": round(hypothesis.weight, 4),
        "may_answer": seats_that_may_say(situation, hypothesis),
        **_told_with(situation.state, hypothesis),
    }
    if hypothesis.kind != "opening":
        return [option]
    seats = [hypothesis.dealer] if hypothesis.dealer else sorted(situation.state.order)
    dealt = [replace(hypothesis, dealer=seat) for seat in seats]
    return [
        {**option, "dealer": opening.dealer, "may_answer": seats_that_may_say(situation, opening)}
        for opening in dealt
    ]


def _told_with(state: State, hypothesis: Hypothesis) -> Json:
    """Return the rule that a ruling would cite, and how many cards an unreported draw took."""
    if hypothesis.kind not in MOVES:
        return {}
    told: Json = {}
    *before, last = hypothesis.moves
    for step in before:
        if isinstance(step, Accept | Draw):
            told["count"] = cost_of_hit(state) if isinstance(step, Accept) else 1
        state = decide(state, step).state
    return {"rule": judge(state, last).rule, **told}


def outdated_hands(state: State, pile: Pile) -> list[Question]:
    """Return the questions about hands that have been shown in another way since."""
    due = {seat for seat, need in state.awaiting if need == "reveal"}
    if state.round_winner is None or not due:
        return list(pile.hands)
    return [question for question in pile.hands if question.more.get("seat") not in (None, *due)]


def explain_pile(work: UnitOfWork, entry: int = 0) -> str | None:
    """Explain the waiting cards, in order, as far as possible.

    Returns the meaning of the observation in ``entry``, if one of them is its card. Every use case
    that may change the game or the pile ends with this.
    """
    meaning = None
    while work.waiting:
        work.finish_choice_for_card()
        situation = work.situation
        layer = situation.pile.layers[situation.pile.waiting[0]]
        decision = decide_first_waiting(situation)
        if isinstance(decision, Ask):
            if situation.pile.question is None or situation.pile.question.entry != layer.entry:
                work.ask(situation.camera, pile_question(situation, decision.hypotheses))
            meaning = "asked" if layer.entry == entry else meaning
        if not isinstance(decision, AcceptHypothesis) or not _accept(work, decision):
            break
        if layer.entry == entry:
            meaning = MEANINGS[decision.hypothesis.kind]
    return _close_outdated(work, entry, meaning)


def _accept(work: UnitOfWork, decision: AcceptHypothesis) -> bool:
    # What nothing explains is put aside: nobody's answer, and no presumption, has entered anything.
    settled = "unanswered" if decision.hypothesis.kind == "differs" else "settled"
    work.close_question(settled if decision.certain else "presumed")
    situation = work.situation
    change = consequences(situation, decision.hypothesis, situation.camera)
    return change is not None and work.apply(change)


def _close_outdated(work: UnitOfWork, entry: int, meaning: str | None) -> str | None:
    if work.pile is None:
        return meaning
    waiting = {work.pile.layers[i].entry for i in work.pile.waiting}
    if work.pile.question and work.pile.question.entry not in waiting:
        work.close_question("settled")
    for question in outdated_hands(work.state, work.pile):
        work.close_hand(question, "settled")
    return "waiting" if meaning is None and entry in waiting else meaning


def see_pile(work: UnitOfWork, by: Principal, device: Json, seen: Mapping[str, Any]) -> int:
    """Record a camera's observation of the pile and its consequences; return the entry."""
    pile = work.pile or initial_pile(work.state)
    if seen["number"] <= last_number(pile, by.id, seen):
        entry = work.observe_pile(by, device, seen, pile)
        work.explain_observation(entry, "repeated")
        return entry
    numbered = replace(pile, numbers=with_number(pile, by.id, seen))
    if _another_watches(work, pile, by):
        entry = work.observe_pile(by, device, seen, numbered)
        work.explain_observation(entry, "idle")
        return entry
    watched = replace(numbered, device=by.id, sight="watching", reason=None)
    pile, taken_in = take_in(watched, seen, work.next)
    entry = work.observe_pile(by, device, seen, pile)
    meaning = explain_pile(work, entry) or taken_in or "agrees"
    if meaning == "agrees" and work.pile_differs:
        meaning = "discrepancy"
    work.explain_observation(entry, meaning)
    return entry


def see_camera(work: UnitOfWork, by: Principal, device: Json, seen: Mapping[str, Any]) -> int:
    """Record whether a camera sees the pile; return the entry. A blind one reports nothing else."""
    sight: Sight = "watching" if seen["state"] == "watching" else "blind"
    pile = work.pile or initial_pile(work.state)
    if _another_watches(work, pile, by):
        entry = work.observe_pile(by, device, seen, pile)
        work.explain_observation(entry, "idle")
        return entry
    warnings = tuple(seen.get("warnings", ()))
    pile = replace(pile, sight=sight, reason=seen.get("reason"), warnings=warnings, device=by.id)
    entry = work.observe_pile(by, device, seen, pile)
    work.explain_observation(entry, "agrees" if sight == "watching" else "unknown")
    return entry


def _another_watches(work: UnitOfWork, pile: Pile, by: Principal) -> bool:
    """Return whether a camera registered later watches the pile: of two, only one counts cards."""
    meta = work.table.meta
    other = meta.devices.get(pile.device or "")
    if other is None or other.id == by.id or pile.sight != "watching":
        return False
    order = list(meta.devices)
    later = order.index(other.id) > order.index(by.id)
    return later and not other.revoked and other.silent is None
