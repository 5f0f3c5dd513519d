"""More than one host, and a host for a table whose host's phone is lost."""

from referee.api.auth import event_log
from referee.api.operation import Resource
from referee.service.access import HOST, HOST_OR_OWN_SEAT, SEATED
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.people.host_changes import (
    agree_to_host,
    ask_to_host,
    end_host,
    end_request,
    make_host,
)

blueprint = Resource("hosts", "Who hosts a table")


@blueprint.operation(
    "PUT /tables/<table_id>/seats/<int:seat>/host",
    "makeHost",
    "The seat's phone is a host as well.",
    rights=HOST,
)
def make(table: TableProjection, request: WriteRequest, seat: int) -> LogEntry:
    """Make the phone of a seat a host, too; it keeps its seat and its token."""
    return make_host(event_log(), table, request, seat)


@blueprint.operation(
    "DELETE /tables/<table_id>/seats/<int:seat>/host",
    "endHost",
    "The seat's phone is no host any more.",
    rights=HOST,
)
def end(table: TableProjection, request: WriteRequest, seat: int) -> LogEntry:
    """Let the phone of a seat be a host no more, or one's own. A table keeps one host at least."""
    return end_host(event_log(), table, request, seat)


@blueprint.operation(
    "POST /tables/<table_id>/host-request",
    "askToHost",
    "The table is asked.",
    rights=SEATED,
)
def ask(table: TableProjection, request: WriteRequest) -> LogEntry:
    """Ask to become a host, when the host's phone is lost.

    It comes true once all seated phones but one agree, the asking one counted, and the time has
    passed that the hosts have to refuse. The table shows the request as `host_request`.
    """
    return ask_to_host(event_log(), table, request)


@blueprint.operation(
    "POST /tables/<table_id>/host-request/agreements",
    "agreeToHost",
    "The seat agrees.",
    rights=SEATED,
)
def agree(table: TableProjection, request: WriteRequest) -> LogEntry:
    """Agree that the phone that asks becomes a host."""
    return agree_to_host(event_log(), table, request)


@blueprint.operation(
    "DELETE /tables/<table_id>/host-request",
    "endHostRequest",
    "Nobody asks any more.",
    rights=HOST_OR_OWN_SEAT,
)
def refuse(table: TableProjection, request: WriteRequest) -> LogEntry:
    """Refuse the request, as a host, or withdraw one's own."""
    return end_request(event_log(), table, request)
