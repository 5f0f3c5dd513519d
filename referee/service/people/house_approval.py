"""House rules changed between two rounds: one seat proposes, all of them approve.

What all have approved is in force from the next round on, whose entry in the log says so. The start
of a round drops what is not approved by then.
"""

from collections.abc import Mapping
from typing import Any

from referee.rules.message import Message
from referee.rules.options import option_to_json
from referee.rules.position.state import Game, State
from referee.rules.presets import code_of, with_preset
from referee.rules.records.changed_options import changed_game, round_options, with_house_rules
from referee.rules.records.serial import game_to_json
from referee.rules.rulings import RuleError
from referee.service.access import Principal, check_acts_for
from referee.service.log.event_log import Change, EventLog
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_meta import HouseProposal
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.people.tables import check_seat
from referee.service.problems import Problem, from_rule

Json = dict[str, Any]


def propose_house_rules(
    log: EventLog,
    table: TableProjection,
    request: WriteRequest,
    options: Mapping[str, Any],
    preset: str | None,
    seat: int | None,
) -> LogEntry:
    """Propose house rules for the rounds to come; those not given are the deck's own."""
    try:
        wished = with_preset(preset, options) or {}
    except RuleError as error:
        raise from_rule(error) from None

    def decide() -> Change:
        _check_time(table)
        if seat is not None:
            _check_plays(table, seat)
            _check_answers(table, request.principal, seat)
        check_acts_for(request.principal, seat)
        if table.meta.house is not None and not is_agreed(table, table.meta.house):
            raise Problem("conflict", "Other house rules are proposed already: answer that first.")
        try:
            # Since these were agreed on, so many may have come that the deck has too few cards.
            agreed = agreed_options(table)
            before = table.state.game if agreed is None else changed_game(table.state, agreed)
            game = with_house_rules(table.state, wished).game
        except RuleError as error:
            raise from_rule(error) from None
        changes = _changes(before, game)
        if not changes:
            raise Problem("no-effect", "The table plays by these house rules already.")
        body = {
            "by": request.principal.to_json(),
            "seat": seat,
            "options": round_options(game),
            "changes": changes,
        }
        return Change([("house-rules-proposed", body)])

    return log.write(table, request, decide)[0]


def answer_house_rules(
    log: EventLog,
    table: TableProjection,
    request: WriteRequest,
    proposal: int,
    seat: int,
    approves: bool,
) -> LogEntry:
    """Approve proposed house rules for a seat, or refuse them, which ends the proposal.

    The host answers for a seat without a phone of its own.
    """

    def decide() -> Change:
        proposed = _open_proposal(table, proposal)
        _check_plays(table, seat)
        _check_answers(table, request.principal, seat)
        by = request.principal.to_json()
        if not approves:
            return Change([_ended(by, proposed, "refused", seat)])
        if seat not in proposed.missing(table.state.order):
            name = table.state.game.seats[seat - 1]
            raise Problem("no-effect", Message("{name} has approved already.", name=name))
        last = proposed.missing(table.state.order) == [seat]
        body = {"by": by, "proposal": proposal, "seat": seat, "agreed": last}
        return Change([("house-rules-approved", body)])

    return log.write(table, request, decide)[0]


def withdraw_house_rules(
    log: EventLog, table: TableProjection, request: WriteRequest, proposal: int
) -> LogEntry:
    """Withdraw proposed house rules: their proposer or the host may."""

    def decide() -> Change:
        proposed = _open_proposal(table, proposal)
        check_acts_for(request.principal, proposed.seat)
        return Change([_ended(request.principal.to_json(), proposed, "withdrawn", proposed.seat)])

    return log.write(table, request, decide)[0]


def _ended(by: Json, proposal: HouseProposal, why: str, seat: int | None) -> tuple[str, Json]:
    return "house-rules-ended", {"by": by, "proposal": proposal.id, "seat": seat, "why": why}


def _check_time(table: TableProjection) -> None:
    if table.meta.tournament is not None:
        raise Problem(
            "conflict", "The organiser of the tournament decides by which rules is played."
        )
    if table.state.winner is not None:
        raise Problem("conflict", "The game is over: choose the house rules of the next one.")
    if table.state.in_progress or table.state.awaiting:
        raise Problem("conflict", "This is chosen between rounds.")


def _check_plays(table: TableProjection, seat: int) -> None:
    check_seat(table, seat)
    if seat not in table.state.order:
        name = table.state.game.seats[seat - 1]
        raise Problem("conflict", Message("{name} has left the table.", name=name))


def _check_answers(table: TableProjection, by: Principal, seat: int) -> None:
    check_acts_for(by, seat)
    if by.seat != seat and seat in table.meta.claims:
        name = table.state.game.seats[seat - 1]
        raise Problem("forbidden", Message("{name} has a phone, and answers on it.", name=name))


def _open_proposal(table: TableProjection, proposal: int) -> HouseProposal:
    proposed = table.meta.house
    if proposed is None or proposed.id != proposal:
        raise Problem("not-found", "These house rules are not proposed any more.")
    if is_agreed(table, proposed):
        raise Problem("conflict", "All have approved these house rules already.")
    return proposed


def is_agreed(table: TableProjection, proposal: HouseProposal) -> bool:
    """Return whether everybody who plays has approved a proposal."""
    return not proposal.missing(table.state.order)


def agreed_options(table: TableProjection) -> Mapping[str, Any] | None:
    """Return the house rules from the next round on, as in a record; None if they stay."""
    agreed = table.meta.house
    if agreed is not None and not is_agreed(table, agreed):
        agreed = agreed.instead
    return None if agreed is None else agreed.options


def _changes(before: Game, after: Game) -> Json:
    """Return the options whose values differ, with the new ones."""
    names = {**round_options(before), **round_options(after)}
    return {
        name: option_to_json(name, getattr(after.options, name))
        for name in sorted(names)
        if getattr(after.options, name) != getattr(before.options, name)
    }


def house_view(table: TableProjection) -> Json | None:
    """Return the house rules that are proposed, or agreed for the next round."""
    proposed = table.meta.house
    if proposed is None:
        return None
    missing = proposed.missing(table.state.order)
    return {
        "id": proposed.id,
        "seat": proposed.seat,
        "options": dict(proposed.options),
        "changes": dict(proposed.changes),
        "house_code": code_of(options_from_now(table.state, proposed.options)),
        "approved": sorted(seat for seat in proposed.approved if seat in table.state.order),
        "waiting_for": missing,
        "agreed": not missing,
    }


def options_from_now(state: State, options: Mapping[str, Any]) -> Json:
    """Return all options of a game, as in a record, once its rounds have these."""
    settled = {
        name: value
        for name, value in game_to_json(state.game)["options"].items()
        if name not in round_options(state.game)
    }
    return {**settled, **options}
