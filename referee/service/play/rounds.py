"""Before a round: drawing for the deal, agreeing on custom cards, turning up the first card."""

from collections.abc import Mapping, Sequence
from typing import Any

from referee.rules.custom import MOST_CARDS, parse_custom_card
from referee.rules.message import Message
from referee.rules.rulings import RuleError
from referee.rules.suggestions import no_such_card
from referee.service.access import check_acts_for
from referee.service.log.event_log import Change, EventLog
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_meta import Proposal
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.people.tables import check_seat
from referee.service.problems import Problem, from_rule, invalid
from referee.service.reconcile.act_on_pile import explain_pile
from referee.service.reconcile.reconcile_move import opening_layer
from referee.service.reconcile.round_opening import count_body
from referee.service.reconcile.unit_of_work import UnitOfWork


def draw_for_deal(
    log: EventLog, table: TableProjection, request: WriteRequest, draws: Mapping[int, str]
) -> LogEntry:
    """Record the cards that seats drew for the deal (setup.dealer): the highest number deals."""

    def decide() -> Change:
        _before_first_round(table)
        meta = table.meta
        seats = sorted(table.state.order)
        tied_before = [] if meta.dealer else list(meta.tied)
        drawing = tied_before or seats
        held = {} if meta.dealer else dict(meta.draws)
        deck = table.state.game.ruleset.deck
        for seat, card in draws.items():
            check_seat(table, seat, "draws")
            check_acts_for(request.principal, seat)
            if seat not in seats:
                raise invalid(f"draws.{seat}", "this seat is not at the table any more")
            if seat not in drawing:
                raise invalid(f"draws.{seat}", "this seat does not draw: others are tied")
            if seat in held:
                raise invalid(f"draws.{seat}", "this seat has drawn its card already")
            if card not in deck.cards:
                raise invalid(f"draws.{seat}", no_such_card(card, deck.cards), "deck.unknown")
            held[seat] = card
        excess = deck.excess(held.values(), {})
        if excess is not None:
            raise invalid(
                "draws",
                Message("the deck does not have that many {card}", card=excess),
                "deck.count",
            )
        dealer, tied = _highest(table, held, drawing)
        body = {
            "by": request.principal.to_json(),
            "drawn": {str(seat): card for seat, card in draws.items()},
            "draws": {} if tied else {str(seat): card for seat, card in held.items()},
            "tied": tied if tied or dealer else tied_before,
            "dealer": dealer,
        }
        return Change([("dealer-drawn", body)])

    return log.write(table, request, decide)[0]


def _highest(
    table: TableProjection, held: Mapping[int, str], drawing: Sequence[int]
) -> tuple[int | None, list[int]]:
    """Return the dealer once all have drawn, or the tied seats; symbols count 0."""
    if any(seat not in held for seat in drawing):
        return None, []
    cards = table.state.game.ruleset.deck.cards
    values = {seat: cards[held[seat]].number or 0 for seat in drawing}
    best = [seat for seat in drawing if values[seat] == max(values.values())]
    return (best[0], []) if len(best) == 1 else (None, best)


def propose_custom_card(
    log: EventLog, table: TableProjection, request: WriteRequest, card: Any, seat: int | None
) -> LogEntry:
    """Propose a custom card for the game."""

    def decide() -> Change:
        _before_first_round(table)
        if seat is not None:
            check_seat(table, seat)
        check_acts_for(request.principal, seat)
        if "custom_cards" not in table.state.game.ruleset.options:
            raise Problem("conflict", "This deck has no custom cards.")
        if len(table.meta.proposals) >= MOST_CARDS:
            raise Problem(
                "conflict",
                Message("There are {most} custom cards already: withdraw one.", most=MOST_CARDS),
            )
        try:
            parsed = parse_custom_card(card, "card")
        except RuleError as error:
            raise from_rule(error) from None
        body = {
            "by": request.principal.to_json(),
            "id": table.meta.next_proposal,
            "card": parsed.to_json(),
            "seat": seat,
        }
        return Change([("custom-proposed", body)])

    return log.write(table, request, decide)[0]


def answer_custom_card(
    log: EventLog,
    table: TableProjection,
    request: WriteRequest,
    card_id: int,
    seat: int,
    approves: bool,
) -> LogEntry:
    """Approve a custom card for a seat (custom.approval), or refuse it, which withdraws it."""

    def decide() -> Change:
        _before_first_round(table)
        check_seat(table, seat)
        check_acts_for(request.principal, seat)
        proposal = find_proposal(table, card_id)
        if proposal.seat == seat:
            raise Problem("conflict", "Whoever proposed a card need not approve it: the others do.")
        body = {"by": request.principal.to_json(), "id": card_id, "seat": seat}
        if not approves:
            refused = {**body, "card": proposal.card, "why": "refused"}
            return Change([("custom-withdrawn", refused)])
        return Change([("custom-approved", body)])

    return log.write(table, request, decide)[0]


def withdraw_custom_card(
    log: EventLog, table: TableProjection, request: WriteRequest, card_id: int
) -> LogEntry:
    """Withdraw a proposed card: its proposer or the host may."""

    def decide() -> Change:
        _before_first_round(table)
        proposal = find_proposal(table, card_id)
        check_acts_for(request.principal, proposal.seat)
        return Change([("custom-withdrawn", {"by": request.principal.to_json(), "id": card_id})])

    return log.write(table, request, decide)[0]


def find_proposal(table: TableProjection, card_id: int) -> Proposal:
    """Return the proposed card of this id. Raises Problem."""
    for proposal in table.meta.proposals:
        if proposal.id == card_id:
            return proposal
    raise Problem("not-found", Message("There is no custom card {card}.", card=card_id))


def start_round(
    log: EventLog,
    table: TableProjection,
    request: WriteRequest,
    opening: Sequence[str],
    dealer: int | None,
) -> LogEntry:
    """Turn up the first card: the host or the dealer may."""

    def decide() -> Change:
        work = UnitOfWork(log, table)
        at = opening_layer(work.pile, opening[-1]) if opening else None
        entry = work.open_round(request.principal, opening, dealer, at=at)
        explain_pile(work)
        return work.change(entry)

    return log.write(table, request, decide)[0]


def enter_result(
    log: EventLog,
    table: TableProjection,
    request: WriteRequest,
    result: Mapping[str, Any],
    dealer: int | None,
) -> LogEntry:
    """Enter a round by its result alone: who went out, and what the others held."""

    def decide() -> Change:
        work = UnitOfWork(log, table)
        body, state = count_body(table, work.state, request.principal, result, dealer)
        entry = work.restart("round-counted", body, state)
        explain_pile(work)
        return work.change(entry)

    return log.write(table, request, decide)[0]


def _before_first_round(table: TableProjection) -> None:
    if table.state.round:
        raise Problem("conflict", "The game has begun: this is settled before the first round.")
