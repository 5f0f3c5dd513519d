"""People come and go: join, come back, leave, other names, other places."""

from typing import Annotated, Any

from marshmallow import validate

from referee.api.auth import event_log
from referee.api.operation import Resource
from referee.api.schemas.common import SEAT
from referee.api.schemas.typed import Strict
from referee.api.schemas.vocabulary import MOST_SEATS
from referee.rules.records.seating import LONGEST_NAME
from referee.service.access import HOST, HOST_OR_OWN_SEAT
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.people.seats import arrange_seats, join_seat, rename_seat
from referee.service.play.adjudication import make_move

blueprint = Resource("seats", "People come and go")
NAME = validate.Length(1, LONGEST_NAME)
MOST_POINTS = 1_000_000


class NewSeatSchema(Strict):
    """Somebody who joins, by name, or comes back, by seat."""

    name: Annotated[str | None, NAME, "needed without `seat`", {"example": "Di"}] = None
    seat: Annotated[int | None, SEAT, "the seat that comes back"] = None
    place: Annotated[
        int | None,
        validate.Range(1, MOST_SEATS),
        "in the table's `order`, from 1; by default the last one, or where the seat was",
    ] = None
    points: Annotated[
        int | None,
        validate.Range(0, MOST_POINTS),
        "to start with; by default 0, or those on the sheet for who comes back, "
        "but the highest total at the table where the lowest wins",
    ] = None


class NameSchema(Strict):
    """A seat's name."""

    name: Annotated[str, NAME]


class SeatingSchema(Strict):
    """Who sits where, and who deals next; what is left out stays."""

    order: Annotated[
        list[Annotated[int, SEAT]] | None,
        validate.Length(1, MOST_SEATS),
        "all seats that are in, clockwise",
        {"example": [1, 3, 2]},
    ] = None
    dealer: Annotated[int | None, SEAT] = None


@blueprint.operation(
    "POST /tables/<table_id>/seats",
    "joinSeat",
    "The seat is in from the next round on.",
    body=NewSeatSchema,
    rights=HOST,
)
def join(new: dict[str, Any], table: TableProjection, request: WriteRequest) -> LogEntry:
    """Let somebody join, or come back, between rounds (seat.join); for a host.

    A new seat gets the next number, which the entry names in `seats.join`; its phone takes it with
    the join code.
    """
    return join_seat(event_log(), table, request, **new)


@blueprint.operation(
    "PATCH /tables/<table_id>/seats/<int:seat>",
    "renameSeat",
    "The seat has another name.",
    body=NameSchema,
    rights=HOST_OR_OWN_SEAT,
)
def rename(
    new: dict[str, Any], table: TableProjection, request: WriteRequest, seat: int
) -> LogEntry:
    """Give a seat another name, at any time; for the seat itself and a host."""
    return rename_seat(event_log(), table, request, seat, new["name"])


@blueprint.operation(
    "DELETE /tables/<table_id>/seats/<int:seat>",
    "leaveTable",
    "The seat has left.",
    rights=HOST_OR_OWN_SEAT,
)
def leave(table: TableProjection, request: WriteRequest, seat: int) -> LogEntry:
    """Leave the table, at any time (seat.leave); for the seat itself and a host.

    In a round this is the move `leave`. The points stay on the sheet, the phone may go on reading,
    and a host may let the seat come back.
    """
    return make_move(event_log(), table, request, {"seat": seat, "move": "leave"})


@blueprint.operation(
    "PUT /tables/<table_id>/seating",
    "arrangeSeats",
    "The seats are arranged so from the next round on.",
    body=SeatingSchema,
    rights=HOST,
)
def arrange(new: dict[str, Any], table: TableProjection, request: WriteRequest) -> LogEntry:
    """Change the order of the seats, or who deals next, between rounds (seat.order); for a host."""
    return arrange_seats(event_log(), table, request, new["order"], new["dealer"])
