"""Computers that come along to the later tables of the host who has let them in."""

from typing import Annotated, Any

from flask import Response
from flask.typing import ResponseReturnValue
from marshmallow import validate

from referee.api.auth import event_log, principal
from referee.api.operation import Resource
from referee.api.resources.devices.pairings import AskedDeviceSchema
from referee.api.schemas.common import items_of
from referee.api.schemas.devices import SECRET, RegisteredSchema
from referee.api.schemas.typed import Answer, Strict
from referee.service.access import HOST
from referee.service.devices.computers import (
    FREE,
    PLACES,
    bring_computers,
    find_computer,
    forget_computer,
)
from referee.service.log.table_projection import TableProjection

blueprint = Resource("computers", "Computers that come along with a host")
ID = validate.Length(1, 32)


class BringSchema(Strict):
    """Which computers to bring."""

    key: Annotated[str, SECRET, "the host's own"]
    which: Annotated[
        str,
        ID,
        "`free`: those that no round elsewhere needs; `none`; or one's id: "
        "it leaves even a round to which this host brought it",
    ] = FREE


class ForgetSchema(Strict):
    """The computer to forget."""

    key: Annotated[str, SECRET, "the host's own"]
    which: Annotated[str, ID]


class ComputerSchema(Answer):
    """A computer that comes along, and where it is: `busy` where a round elsewhere needs it."""

    id: str
    name: Annotated[str, "its own, with a number behind it if another of this host's has that name"]
    devices: list[AskedDeviceSchema]
    place: Annotated[str, validate.OneOf(PLACES)]


ComputersSchema = items_of(ComputerSchema, "ComputersSchema")


class FindSchema(Strict):
    """What a computer keeps to itself."""

    token: Annotated[str, SECRET]


class NamedDeviceSchema(RegisteredSchema):
    """A device of the computer, and its token."""

    name: str
    kind: str


class FoundSchema(Answer):
    """Where a computer is to be; no table if nowhere."""

    known: Annotated[bool, "whether any host lets it come along"]
    table_id: str | None
    ruleset: str | None
    devices: list[NamedDeviceSchema]


@blueprint.operation(
    "POST /tables/<table_id>/computers",
    "bringComputers",
    "The computers that come along with this host, and where each is.",
    ComputersSchema,
    body=BringSchema,
    write=False,
    fails=("closed",),
    rights=HOST,
)
def bring(wish: dict[str, Any], table: TableProjection) -> ResponseReturnValue:
    """Bring the host's computers to this table; for a host who has let them in (`agreeAndKeep`).

    Their devices are registered once they ask where they are to be.
    """
    computers = bring_computers(event_log(), table, principal(), wish["key"], wish["which"])
    return {"items": computers}


@blueprint.operation(
    "POST /tables/<table_id>/computers/forgotten",
    "forgetComputer",
    "It comes along no more.",
    None,
    status=204,
    body=ForgetSchema,
    write=False,
    rights=HOST,
)
def forget(gone: dict[str, Any], table: TableProjection) -> ResponseReturnValue:
    """Forget a computer of this host's; its devices stay where they are."""
    forget_computer(event_log(), gone["key"], gone["which"])
    return Response(status=204)


@blueprint.operation(
    "POST /computers/place",
    "findComputer",
    "The table where it is to be, with its devices there.",
    FoundSchema,
    body=FindSchema,
    write=False,
    rights=None,
)
def find(known: dict[str, Any]) -> ResponseReturnValue:
    """Say where a computer is to be, and register its devices there, for the computer itself.

    Ask every few seconds; the answer is the same until a host brings it elsewhere.
    """
    return find_computer(event_log(), known["token"])
