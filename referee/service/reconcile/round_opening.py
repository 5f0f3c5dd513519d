"""The beginning of a round: the first card is turned up, or the result is all that is entered."""

from collections.abc import Mapping, Sequence
from typing import Any

from referee.rules.engine import make_game, open_round
from referee.rules.message import Message
from referee.rules.move_fields import FieldError
from referee.rules.play.rounds import count_round, next_dealer
from referee.rules.position.state import State, with_game
from referee.rules.records.changed_options import round_options, with_house_rules
from referee.rules.records.record_rounds import parse_result
from referee.rules.records.serial import game_to_json
from referee.rules.rulings import RuleError
from referee.service.access import DEALERS, Principal, check_acts_for
from referee.service.history.standing_moves import counted_body, opened_body
from referee.service.log.table_projection import TableProjection
from referee.service.people.house_approval import agreed_options
from referee.service.people.tables import check_seat
from referee.service.problems import Problem, from_field, from_rule, invalid


def open_body(
    table: TableProjection,
    state: State,
    by: Principal,
    opening: Sequence[str],
    dealer: int | None,
    *,
    seen: bool = False,
) -> tuple[dict[str, Any], State]:
    """Return the log's body for a new round, and the state then. Raises Problem.

    ``dealer``: None for the seat whose turn to deal it is. ``seen``: a camera has seen the card, so
    nobody has to be entitled to report it.
    """
    named = dealer or dealer_of(table, state)
    if named is None:
        raise invalid("dealer", "draw for the deal, or name the dealer", "setup.dealer")
    check_seat(table, named, "dealer")
    if not seen:
        _check_deals(table, state, by, named)
    try:
        first = _with_approved_cards(table, state)
        after, events = open_round(with_agreed_rules(table, first), named, opening)
    except RuleError as error:
        raise _refused(error) from None
    game = None if first is state else game_to_json(first.game)
    body = opened_body(by, named, tuple(opening), tuple(events), after, game)
    return {**body, **_changed_options(first, after)}, after


def count_body(
    table: TableProjection,
    state: State,
    by: Principal,
    given: Mapping[str, Any],
    dealer: int | None,
) -> tuple[dict[str, Any], State]:
    """Return the log's body for a round of which only the result is known, and the state then.

    ``dealer``: None for the seat whose turn to deal it is, if that is known. Raises Problem.
    """
    named = dealer or dealer_of(table, state) or 0
    if named:
        check_seat(table, named, "dealer")
    _check_deals(table, state, by, named)
    try:
        result = parse_result(given, len(state.game.seats))
        if None in result.hands.values():
            check_knows_unknown(by)
        first = _with_approved_cards(table, state)
        after, events = count_round(with_agreed_rules(table, first), named, result)
    except FieldError as error:
        raise from_field(error) from None
    except RuleError as error:
        in_result = error.field.partition(".")[0] in ("out", "hands")
        field = f"result.{error.field}" if in_result else error.field
        raise _refused(RuleError(error.rule, field, error.reason)) from None
    body = counted_body(by, named, result, events, after)
    if first is not state:
        body["game"] = game_to_json(first.game)
    return {**body, **_changed_options(first, after)}, after


def with_agreed_rules(table: TableProjection, state: State) -> State:
    """Return the state with the house rules that all have approved. Raises RuleError."""
    return with_house_rules(state, agreed_options(table))


def _changed_options(before: State, after: State) -> dict[str, Any]:
    """Return the entry's field with the house rules from this round on, if they are others."""
    if after.game.options == before.game.options:
        return {}
    return {"options": round_options(after.game)}


def _check_deals(table: TableProjection, state: State, by: Principal, dealer: int) -> None:
    """Check that a principal deals, or is a host. Raises Problem.

    Whose turn to deal it is, only a host may say otherwise.
    """
    for seat in (dealer, dealer_of(table, state) or dealer):
        check_acts_for(by, seat or None, DEALERS.refusal)


def check_knows_unknown(by: Principal) -> None:
    """Check that a principal may say that nobody knows a hand. Raises Problem."""
    if not by.is_host:
        raise Problem("forbidden", "Only the host may enter a hand as unknown.")


def _refused(error: RuleError) -> Problem:
    if error.field == "round":
        return Problem("conflict", Message("No round can begin: {reason}.", reason=error.reason))
    return from_rule(error)


def _with_approved_cards(table: TableProjection, state: State) -> State:
    first = with_custom_cards(table, state)
    if first is not state:
        _check_approved(table)
    return first


def dealer_of(table: TableProjection, state: State) -> int | None:
    """Return the next round's dealer, if that is settled."""
    return next_dealer(state) or table.meta.dealer


def with_custom_cards(table: TableProjection, state: State) -> State:
    """Return the state with the proposed custom cards, before the first round."""
    if state.round or not table.meta.proposals:
        return state
    head = game_to_json(state.game)
    cards = [proposal.card for proposal in table.meta.proposals]
    options = {**head["options"], "custom_cards": cards}
    game = make_game(head["ruleset"], options, state.game.seats)
    return with_game(state, game)


def _check_approved(table: TableProjection) -> None:
    for proposal in table.meta.proposals:
        missing = proposal.missing(table.state.order)
        if missing:
            names = ", ".join(table.state.game.seats[seat - 1] for seat in missing)
            raise Problem(
                "not-approved",
                Message(
                    "Custom card {card} still needs the approval of {names}.",
                    card=proposal.id,
                    names=names,
                ),
                extra={"rule": "custom.approval", "seats": missing},
            )
