"""Turning up the first card of a round."""

from collections.abc import Sequence
from typing import Any

from referee.rules.engine import make_game, open_round
from referee.rules.message import Message
from referee.rules.rounds import next_dealer
from referee.rules.rulings import RuleError
from referee.rules.serial import game_to_json
from referee.rules.state import State, with_game
from referee.service.access import DEALERS, Principal, check_acts_for
from referee.service.history import opened_body
from referee.service.problems import Problem, from_rule, invalid
from referee.service.table_projection import TableProjection
from referee.service.tables import check_seat


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
    check_seat(table, named)
    if not seen:
        check_acts_for(by, named, DEALERS.refusal)
    game = None
    try:
        first = with_custom_cards(table, state)
        if first is not state:
            _check_approved(table)
            state, game = first, game_to_json(first.game)
        after, events = open_round(state, named, opening)
    except RuleError as error:
        if error.field == "round":
            raise Problem(
                "conflict", Message("No round can begin: {reason}.", reason=error.reason)
            ) from None
        raise from_rule(error) from None
    return opened_body(by, named, tuple(opening), tuple(events), after, game), after


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
    seats = table.state.order
    for proposal in table.meta.proposals:
        missing = proposal.missing(seats)
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
