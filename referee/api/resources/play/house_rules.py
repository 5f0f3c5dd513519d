"""House rules changed between two rounds, if all seats approve."""

from typing import Any

from referee.api.auth import event_log, principal
from referee.api.operation import Resource
from referee.api.schemas.house_rules import HouseAnswerSchema, NewHouseRulesSchema
from referee.api.schemas.tables import LARGEST_GAME
from referee.service.access import SEAT_ACTORS
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.people.house_approval import (
    answer_house_rules,
    propose_house_rules,
    withdraw_house_rules,
)
from referee.service.problems import invalid

blueprint = Resource("house-rules", "House rules changed between rounds")


@blueprint.operation(
    "POST /tables/<table_id>/house-rules",
    "proposeHouseRules",
    "The house rules are proposed.",
    body=NewHouseRulesSchema,
    largest=LARGEST_GAME,
    fails=("no-effect",),
    rights=SEAT_ACTORS,
)
def propose(new: dict[str, Any], table: TableProjection, request: WriteRequest) -> LogEntry:
    """Propose house rules between two rounds; they hold from the next one, if all seats approve.

    A seat that proposes has approved. The table's `house_proposal` says who is still to answer. The
    start of a round drops what is not approved by then.
    """
    seat = new["seat"] if new["seat"] is not None else principal().seat
    return propose_house_rules(event_log(), table, request, new["options"], new["preset"], seat)


@blueprint.operation(
    "POST /tables/<table_id>/house-rules/<int:proposal_id>/answers",
    "answerHouseRules",
    "The seat has answered.",
    body=HouseAnswerSchema,
    fails=("not-found", "no-effect"),
    rights=SEAT_ACTORS,
)
def answer(
    given: dict[str, Any], table: TableProjection, request: WriteRequest, proposal_id: int
) -> LogEntry:
    """Approve proposed house rules, or refuse them, which ends the proposal.

    A seat answers for itself, the host for seats without a phone.
    """
    seat = given["seat"] if given["seat"] is not None else principal().seat
    if seat is None:
        raise invalid("seat", "say which seat answers")
    return answer_house_rules(event_log(), table, request, proposal_id, seat, given["approve"])


@blueprint.operation(
    "DELETE /tables/<table_id>/house-rules/<int:proposal_id>",
    "withdrawHouseRules",
    "The proposal is withdrawn.",
    fails=("not-found",),
    rights=SEAT_ACTORS,
)
def withdraw(table: TableProjection, request: WriteRequest, proposal_id: int) -> LogEntry:
    """Withdraw proposed house rules; who proposed them or the host may."""
    return withdraw_house_rules(event_log(), table, request, proposal_id)
