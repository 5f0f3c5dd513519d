"""Answers to what the referee asks: any seat's, or the host's."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.rules.actions import Action
from referee.rules.codec import FieldError, move_to_json, parse_move
from referee.rules.message import Message
from referee.service.access import Principal
from referee.service.apply_hypothesis import carry_out
from referee.service.event_log import Change, House, Request
from referee.service.opening import dealer_of
from referee.service.pile.explain import guesses
from referee.service.pile.hypothesis import Guess
from referee.service.pile.inference import weigh
from referee.service.pile.layers import Pile, Question, Reading
from referee.service.pile_inference import drain
from referee.service.problems import Problem, from_field, invalid
from referee.service.table_projection import LiveTable, LogEntry
from referee.service.tables import check_seat
from referee.service.unit_of_work import Sitting

Json = dict[str, Any]
# A card that the camera holds for as unlikely as this, or for likelier than any other.
UNSEEN, SEEN = 0.01, 0.5


def answer(
    house: House, table: LiveTable, request: Request, question_id: int, said: Mapping[str, Any]
) -> LogEntry:
    """Take an answer, and do what follows from it. Raises Problem."""
    if request.principal.role not in ("host", "seat"):
        raise Problem("forbidden", "A spectator or a device makes no moves.")

    def decide() -> Change:
        pile = table.meta.pile or Pile()
        asked = [one for one in (pile.question, *pile.hands) if one and one.id == question_id]
        if not asked:
            raise Problem("conflict", "This question is not open any more.")
        sitting = Sitting(house, table)
        body = {
            "by": request.principal.to_json(),
            "round": sitting.state.round,
            "question_id": question_id,
            **{name: said[name] for name in ("option", "seat") if name in said},
        }
        sitting.add("answered", body)
        if asked[0].about == "hand":
            _hand(sitting, request.principal, asked[0], said)
        else:
            _pile(sitting, request.principal, asked[0], said)
        drain(sitting)
        return sitting.change(answer=0)

    entry, _ = house.write(table, request, decide)
    return entry


def _option(question: Question, said: Mapping[str, Any]) -> Json:
    number = said["option"]
    if number > len(question.options):
        most = len(question.options)
        wrong = Message("must be a whole number from {least} to {most}", least=1, most=most)
        raise invalid("option", wrong)
    return dict(question.options[number - 1])


def _pile(sitting: Sitting, by: Principal, question: Question, said: Mapping[str, Any]) -> None:
    pile = sitting.pile or Pile()
    at = next(i for i in pile.waiting if pile.layers[i].entry == question.entry)
    if "hand" in said or ("option" in said) == ("card" in said):
        raise invalid("option", _either("option", "card"))
    if "option" in said:
        guess: Guess | None = _chosen(sitting, at, _option(question, said))
    else:
        _check_card(sitting, said)
        meant = _meant(pile, at, said["card"])
        guess = None if meant == at else Guess("nothing", None, 1.0)
        origin = {str(said["seat"]): 1.0} if "seat" in said else {}
        reading = Reading({"placed": 1.0}, {said["card"]: 1.0}, origin)
        sitting.pile = pile = pile.change(meant, reading=reading)
    sitting.edit_pile(question=None)
    pile = sitting.pile or pile
    if guess is None:
        dealer = dealer_of(sitting.table, sitting.state)
        found = weigh(sitting.playing, pile, sitting.house.prior, dealer)
        guess = found[0] if found else Guess("nothing", None, 1.0)
    if guess.kind != "waits" and not carry_out(sitting, guess, by):
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


def _chosen(sitting: Sitting, at: int, option: Mapping[str, Any]) -> Guess:
    """The guess that an option was made from, as things are now."""
    pile = sitting.pile or Pile()
    dealer = dealer_of(sitting.table, sitting.state)
    for guess in guesses(sitting.playing, pile, at, sitting.house.prior, dealer):
        moves = [move_to_json(move) for move in guess.moves]
        if (guess.kind, guess.card, moves) == (option["kind"], option["card"], option["moves"]):
            return replace(guess, dealer=option.get("dealer", guess.dealer))
    seats = len(sitting.state.game.seats)
    told: tuple[Action, ...] = tuple(parse_move(move, seats) for move in option["moves"])
    return Guess(option["kind"], option["card"], 1.0, told)


def _check_card(sitting: Sitting, said: Mapping[str, Any]) -> None:
    if said["card"] not in sitting.playing.game.cards:
        raise invalid("card", Message("the deck has no {card}", card=said["card"]), "deck.unknown")
    if "seat" in said:
        check_seat(sitting.table, said["seat"])


def _either(one: str, other: str) -> Message:
    return Message("give either {one} or {other}", one=one, other=other)


def _hand(sitting: Sitting, by: Principal, question: Question, said: Mapping[str, Any]) -> None:
    """The hand as it was read, or as somebody says it is; counted and scored like any reveal."""
    if "card" in said or ("option" in said) == ("hand" in said):
        raise invalid("hand", _either("option", "hand"))
    seat = said.get("seat", question.more.get("seat"))
    if seat is None:
        raise invalid("seat", Message("is missing: {name} needs it", name="hand"))
    move = _option(question, said)["moves"][0] if "option" in said else {"hand": said["hand"]}
    try:
        action = parse_move({**move, "move": "reveal", "seat": seat}, len(sitting.state.game.seats))
    except FieldError as error:
        raise from_field(error) from None
    pile = sitting.pile or Pile()
    kept = tuple(one for one in pile.hands if one.id != question.id)
    sitting.edit_pile(hands=kept)
    sitting.rule(by, action, cause=question.entry)
