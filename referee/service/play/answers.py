"""Answers of a seat or the host to the referee's questions."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.rules.actions import Action
from referee.rules.codec import move_to_json, parse_move
from referee.rules.message import Message
from referee.rules.move_fields import FieldError
from referee.rules.suggestions import no_such_card
from referee.service.access import HOST_OR_OWN_SEAT, Principal, check_acts_for
from referee.service.log.event_log import Change, EventLog
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.people.tables import check_seat
from referee.service.pile.hypothesis import Hypothesis
from referee.service.pile.inference import hypotheses, rank_hypotheses
from referee.service.pile.layers import Pile, Question, Reading
from referee.service.pile.thresholds import LIKELIEST, UNSEEN
from referee.service.pile.transitions import settle_layer
from referee.service.problems import Problem, from_field, invalid
from referee.service.reconcile.act_on_pile import explain_pile
from referee.service.reconcile.answer_rights import (
    check_may_answer,
    seats_that_may_say,
    seats_that_show,
)
from referee.service.reconcile.apply_hypothesis import PileChange, Situation, consequences
from referee.service.reconcile.unit_of_work import UnitOfWork

Json = dict[str, Any]
NOTHING = Hypothesis("nothing", None, 1.0)


def answer_question(
    log: EventLog,
    table: TableProjection,
    request: WriteRequest,
    question_id: int,
    answer: Mapping[str, Any],
) -> LogEntry:
    """Record an answer and its consequences.

    Raises Problem, also when the sender may not do what follows from the answer.
    """

    def decide() -> Change:
        pile = table.meta.pile or Pile()
        asked = [
            question
            for question in (pile.question, *pile.hands)
            if question and question.id == question_id
        ]
        if not asked:
            raise Problem("conflict", "This question is not open any more.")
        work = UnitOfWork(log, table)
        given = {name: answer[name] for name in ("option", "seat") if name in answer}
        entry = work.record("answered", request.principal, question_id=question_id, **given)
        follow = _answer_hand if asked[0].about == "hand" else _answer_pile
        follow(work, request.principal, asked[0], answer)
        explain_pile(work)
        return work.change(entry)

    return log.write(table, request, decide)[0]


def _answer_pile(
    work: UnitOfWork, by: Principal, question: Question, answer: Mapping[str, Any]
) -> None:
    if "hand" in answer or ("option" in answer) == ("card" in answer):
        raise invalid("option", _either("option", "card"))
    if "card" in answer:
        _check_card(work, answer)
    situation = work.situation
    if "seat" in answer:
        check_acts_for(by, answer["seat"], HOST_OR_OWN_SEAT.refusal)
    option = _option(question, answer) if "option" in answer else None
    pile, hypothesis = meaning_of_answer(situation, question, option, answer)
    _check_may_say(by, situation, question, pile, hypothesis, in_words=option is None)
    work.apply(PileChange(replace(pile, question=None)))
    if hypothesis.kind == "waits":
        return
    change = consequences(work.situation, hypothesis, by)
    if change is None or not work.apply(change):
        raise Problem("conflict", "This cannot be done as things stand: say it by a move.")


def _check_may_say(
    by: Principal,
    situation: Situation,
    question: Question,
    pile: Pile,
    hypothesis: Hypothesis,
    *,
    in_words: bool,
) -> None:
    """Check that the sender may say so; ``pile`` is the one according to the answer.

    Raises Problem.
    """
    offered = not in_words or any(_is_option(hypothesis, option) for option in question.options)
    if hypothesis.kind == "waits" and not offered:
        # A card named for certain would be ruled on later, whoever it is about.
        check_may_answer(by, ())
    check_may_answer(by, seats_that_may_say(situation, hypothesis, offered=offered))
    if in_words and hypothesis is NOTHING:
        # A later card was named: it is ruled on as soon as the one asked about is settled.
        later = settle_layer(pile, pile.waiting[0], NOTHING)
        ranked = later.waiting and rank_hypotheses(
            situation.state, later, situation.prior, situation.dealer
        )
        if ranked:
            check_may_answer(by, seats_that_may_say(replace(situation, pile=later), ranked[0]))


def _is_option(hypothesis: Hypothesis, option: Json) -> bool:
    moves = [move_to_json(move) for move in hypothesis.moves]
    offered = (hypothesis.kind, hypothesis.card, moves)
    return offered == (option["kind"], option["card"], option["moves"])


def meaning_of_answer(
    situation: Situation, question: Question, option: Json | None, answer: Mapping[str, Any]
) -> tuple[Pile, Hypothesis]:
    """Return the pile according to an answer, and the hypothesis about its first waiting card.

    ``option`` is the one chosen; None where the answer names a card.
    """
    pile = situation.pile
    at = next(i for i in pile.waiting if pile.layers[i].entry == question.entry)
    if option is not None:
        return pile, chosen_hypothesis(situation, at, option)
    card = answer["card"]
    layer = layer_meant(pile, at, card)
    origin = {str(answer["seat"]): 1.0} if "seat" in answer else {}
    pile = pile.change(layer, reading=Reading({"placed": 1.0}, {card: 1.0}, origin))
    if layer != at:
        return pile, NOTHING
    ranked = rank_hypotheses(situation.state, pile, situation.prior, situation.dealer)
    return pile, ranked[0] if ranked else NOTHING


def layer_meant(pile: Pile, at: int, card: str) -> int:
    """Return the waiting layer that an answer means by naming a card.

    That is the one asked about, ``at``, unless the camera read it as another card and this one lies
    on it by now: the question was then about a misread hand, not a card.
    """
    if _chance(pile, at, card, 1.0) >= UNSEEN:
        return at
    later = (i for i in pile.waiting if i > at)
    return next((i for i in later if _chance(pile, i, card, 0.0) >= LIKELIEST), at)


def _chance(pile: Pile, at: int, card: str, unread: float) -> float:
    """Return the camera's probability of a card; ``unread`` where it could not read the layer."""
    reading = pile.layers[at].reading
    return reading.cards.get(card, 0.0) if reading and reading.cards else unread


def chosen_hypothesis(situation: Situation, at: int, option: Json) -> Hypothesis:
    """Return the hypothesis that an option was made from, as things are now."""
    for hypothesis in hypotheses(
        situation.state, situation.pile, at, situation.prior, situation.dealer
    ):
        if _is_option(hypothesis, option):
            return replace(hypothesis, dealer=option.get("dealer", hypothesis.dealer))
    seats = len(situation.state.game.seats)
    actions: tuple[Action, ...] = tuple(parse_move(move, seats) for move in option["moves"])
    return Hypothesis(option["kind"], option["card"], 1.0, actions)


def _answer_hand(
    work: UnitOfWork, by: Principal, question: Question, answer: Mapping[str, Any]
) -> None:
    """Rule on the hand, as it was read or answered, as on any reveal."""
    if "card" in answer or ("option" in answer) == ("hand" in answer):
        raise invalid("hand", _either("option", "hand"))
    own = None if by.is_host else by.seat
    seat = answer.get("seat", question.more.get("seat", own))
    if seat is None:
        raise invalid("seat", Message("is missing: {name} needs it", name="hand"))
    # Somebody else's hand is neither named nor taken for one's own.
    check_acts_for(by, seat, HOST_OR_OWN_SEAT.refusal)
    check_may_answer(by, seats_that_show(work.state, question.more.get("seat")))
    chosen = "option" in answer
    move = _option(question, answer)["moves"][0] if chosen else {"hand": answer["hand"]}
    try:
        action = parse_move({**move, "move": "reveal", "seat": seat}, len(work.state.game.seats))
    except FieldError as error:
        raise from_field(error) from None
    work.close_hand(question)
    work.rule(by, action, cause=question.entry)


def _option(question: Question, answer: Mapping[str, Any]) -> Json:
    number, most = answer["option"], len(question.options)
    if number > most:
        reason = Message("must be a whole number from {least} to {most}", least=1, most=most)
        raise invalid("option", reason)
    return dict(question.options[number - 1])


def _check_card(work: UnitOfWork, answer: Mapping[str, Any]) -> None:
    card = answer["card"]
    if card not in work.situation.state.game.cards:
        reason = no_such_card(card, work.situation.state.game.cards)
        raise invalid("card", reason, "deck.unknown")
    if "seat" in answer:
        check_seat(work.table, answer["seat"])


def _either(first: str, second: str) -> Message:
    return Message("give either {one} or {other}", one=first, other=second)
