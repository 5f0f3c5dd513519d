"""The turn timer: choosing it, and saying that time is up."""

from typing import Any

from referee.api.auth import event_log
from referee.api.operation import Resource
from referee.api.schemas.timer import TimerChoiceSchema, TimeUpSchema
from referee.service.access import HOST, PLAYERS
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.play.timeouts import choose_timer, report_time_up

blueprint = Resource("timer", "The time that turns have")


@blueprint.operation(
    "PUT /tables/<table_id>/timer",
    "chooseTimer",
    "From now on turns have this time.",
    body=TimerChoiceSchema,
    rights=HOST,
)
def choose(wish: dict[str, Any], table: TableProjection, request: WriteRequest) -> LogEntry:
    """Give turns so many seconds, or as much time as they take; the running time begins anew."""
    return choose_timer(event_log(), table, request, wish["timer"])


@blueprint.operation(
    "POST /tables/<table_id>/timeouts",
    "reportTimeUp",
    "Time is up.",
    body=TimeUpSchema,
    rights=PLAYERS,
)
def time_up(told: dict[str, Any], table: TableProjection, request: WriteRequest) -> LogEntry:
    """Tell the referee that a time is up; any phone whose countdown has ended does.

    The server looks at its own clock. It rules once, and everybody who tells it of the same time
    gets the same answer: a `time-up`, or where the table plays it so the draw that ends the turn.
    Time begins anew with each seat and each thing awaited of it, and when a correction was made. It
    stands still between rounds, while hands are shown, and while the referee asks about the pile.
    """
    return report_time_up(event_log(), table, request, told["began"])
