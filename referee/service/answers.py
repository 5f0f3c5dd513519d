"""Answers to what the referee asks: any seat's, or the host's."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.rules.actions import Action
from referee.rules.codec import FieldError, move_to_json, parse_move
from referee.rules.message import Message
from referee.service.access import Principal
from referee.service.apply_hypothesis import apply_hypothesis
from referee.service.event_log import Change, EventLog, WriteRequest
from referee.service.opening import dealer_of
from referee.service.pile.explain import hypotheses
from referee.service.pile.hypothesis import Hypothesis
from referee.service.pile.inference import rank_hypotheses
from referee.service.pile.layers import Pile, Question, Reading
from referee.service.pile_inference import drain
from referee.service.problems import Problem, from_field, invalid
from referee.service.table_projection import LogEntry, TableProjection
from referee.service.tables import check_seat
from referee.service.unit_of_work import UnitOfWork

Json = dict[str, Any]
# A card that the camera holds for as unlikely as this, or for likelier than any other.
UNSEEN, SEEN = 0.01, 0.5


def answer(
    log: EventLog,
    table: TableProjection,
    request: WriteRequest,
    question_id: int,
    said: Mapping[str, Any],
) -> LogEntry:
    """Take an answer, and do what follows from it. Raises Problem."""
    if request.principal.role not in ("host", "seat"):
        raise Problem("forbidden", "A spectator or a device makes no moves.")

    def decide() -> Change:
        pile = table.meta.pile or Pile()
        asked = [one for one in (pile.question, *pile.hands) if one and one.id == question_id]
        if not asked:
            raise Problem("conflict", "This question is not open any more.")
        work = UnitOfWork(log, table)
        body = {
            "by": request.principal.to_json(),
            "round": work.state.round,
            "question_id": question_id,
            **{name: said[name] for name in ("option", "seat") if name in said},
        }
        work.add("answered", body)
        if asked[0].about == "hand":
            _hand(work, request.principal, asked[0], said)
        else:
            _pile(work, request.principal, asked[0], said)
        drain(work)
        return work.change(answer=0)

    entry, _ = log.write(table, request, decide)
    return entry


def _option(question: Question, said: Mapping[str, Any]) -> Json:
    number = said["option"]
    if number > len(question.options):
        most = len(question.options)
        wrong = Message("must be a whole number from {least} to {most}", least=1, most=most)
        raise invalid("option", wrong)
    return dict(question.options[number - 1])


def _pile(work: UnitOfWork, by: Principal, question: Question, said: Mapping[str, Any]) -> None:
    pile = work.pile or Pile()
    at = next(i for i in pile.waiting if pile.layers[i].entry == question.entry)
    if "hand" in said or ("option" in said) == ("card" in said):
        raise invalid("option", _either("option", "card"))
    if "option" in said:
        hypothesis: Hypothesis | None = _chosen(work, at, _option(question, said))
    else:
        _check_card(work, said)
        meant = _meant(pile, at, said["card"])
        hypothesis = None if meant == at else Hypothesis("nothing", None, 1.0)
        origin = {str(said["seat"]): 1.0} if "seat" in said else {}
        reading = Reading({"placed": 1.0}, {said["card"]: 1.0}, origin)
        work.pile = pile = pile.change(meant, reading=reading)
    work.edit_pile(question=None)
    pile = work.pile or pile
    if hypothesis is None:
        dealer = dealer_of(work.table, work.state)
        found = rank_hypotheses(work.playing, pile, work.log.prior, dealer)
        hypothesis = found[0] if found else Hypothesis("nothing", None, 1.0)
    if hypothesis.kind != "waits" and not apply_hypothesis(work, hypothesis, by):
        raise Problem("conflict", "This cannot be done as things stand: say it by a move.")


def _meant(pile: Pile, at: int, card: str) -> int:
    """The waiting layer that somebody speaks of who names the card laid.

    That is the one asked about, unless it was read as another card and this one lies on it by now:
    then what was asked about was no card, but a hand that was misread.
    """
    asked, *later = (i for i in pile.waiting if i >= at)
    read = [(i, pile.layers[i].reading) for i in (asked, *later)]
    seen = [(i, one.cards.get(card, 0.0) if one and one.cards else None) for i, one in read]
    if seen[0][1] is None or seen[0][1] >= UNSEEN:
        return at
    return next((i for i, share in seen[1:] if share is not None and share >= SEEN), at)


def _chosen(work: UnitOfWork, at: int, option: Mapping[str, Any]) -> Hypothesis:
    """The guess that an option was made from, as things are now."""
    pile = work.pile or Pile()
    dealer = dealer_of(work.table, work.state)
    for hypothesis in hypotheses(work.playing, pile, at, work.log.prior, dealer):
        moves = [move_to_json(move) for move in hypothesis.moves]
        if (hypothesis.kind, hypothesis.card, moves) == (
            option["kind"],
            option["card"],
            option["moves"],
        ):
            return replace(hypothesis, dealer=option.get("dealer", hypothesis.dealer))
    seats = len(work.state.game.seats)
    told: tuple[Action, ...] = tuple(parse_move(move, seats) for move in option["moves"])
    return Hypothesis(option["kind"], option["card"], 1.0, told)


def _check_card(work: UnitOfWork, said: Mapping[str, Any]) -> None:
    if said["card"] not in work.playing.game.cards:
        raise invalid("card", Message("the deck has no {card}", card=said["card"]), "deck.unknown")
    if "seat" in said:
        check_seat(work.table, said["seat"])


def _either(one: str, other: str) -> Message:
    return Message("give either {one} or {other}", one=one, other=other)


def _hand(work: UnitOfWork, by: Principal, question: Question, said: Mapping[str, Any]) -> None:
    """The hand as it was read, or as somebody says it is; counted and scored like any reveal."""
    if "card" in said or ("option" in said) == ("hand" in said):
        raise invalid("hand", _either("option", "hand"))
    seat = said.get("seat", question.more.get("seat"))
    if seat is None:
        raise invalid("seat", Message("is missing: {name} needs it", name="hand"))
    move = _option(question, said)["moves"][0] if "option" in said else {"hand": said["hand"]}
    try:
        action = parse_move({**move, "move": "reveal", "seat": seat}, len(work.state.game.seats))
    except FieldError as error:
        raise from_field(error) from None
    pile = work.pile or Pile()
    kept = tuple(one for one in pile.hands if one.id != question.id)
    work.edit_pile(hands=kept)
    work.rule(by, action, cause=question.entry)
