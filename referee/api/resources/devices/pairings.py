"""A computer beside the table, or a phone, is let in with its camera or board, if a host agrees."""

from dataclasses import replace
from typing import Annotated, Any

from flask import Response
from flask.typing import ResponseReturnValue
from marshmallow import validate

from referee.api.auth import event_log, principal
from referee.api.limits.rates import sender_address
from referee.api.operation import Resource
from referee.api.schemas.common import items_of
from referee.api.schemas.devices import SECRET, NewDeviceSchema, RegisteredSchema
from referee.api.schemas.typed import Answer, Strict
from referee.service.access import ASKERS, HOST, hash_token
from referee.service.devices.devices import KINDS
from referee.service.devices.pairings import (
    agree_and_keep,
    agree_to_pair,
    ask_to_pair,
    list_pairings,
    refuse_all,
    refuse_to_pair,
    sender_of,
)
from referee.service.log.pairing_requests import NewDevice, Wish
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection

blueprint = Resource("pairings", "Computers and phones that ask to be a table's devices")
MOST_TOGETHER = 4
DIGITS = {"description": "which both screens show", "example": "4711"}


class ComputerSelfSchema(Strict):
    """A computer that would come along to later tables: its own secret, and its name."""

    token: Annotated[str, SECRET]
    name: Annotated[str, validate.Length(1, 80), {"example": "Living room"}]


class KeepSchema(Strict):
    """What the host's browser keeps to itself, to bring the computer along."""

    key: Annotated[str, SECRET]


class AskToPairSchema(Strict):
    """The devices that a computer or a phone has."""

    devices: Annotated[list[NewDeviceSchema], validate.Length(1, MOST_TOGETHER)]
    phone: Annotated[bool, "A phone asks, with one camera."] = False
    computer: ComputerSelfSchema | None = None


class PairingSchema(Answer):
    """What became of it: no devices until a host agrees."""

    id: str
    digits: Annotated[str, DIGITS]
    devices: list[RegisteredSchema]


class AskedDeviceSchema(Answer):
    """A device that would be registered."""

    name: str
    kind: Annotated[str, validate.OneOf(KINDS)]


class AskingSchema(Answer):
    """A computer or a phone that asks to be let in."""

    id: str
    digits: Annotated[str, DIGITS]
    seat: Annotated[int | None, "whose phone asks"]
    phone: bool
    computer: Annotated[str | None, "its name, if it would come along later (`agreeAndKeep`)"]
    devices: list[AskedDeviceSchema]
    quiet: Annotated[
        bool,
        "a host has refused it, or another from its address, not long ago: not "
        "to disturb anybody with",
    ]


PairingsSchema = items_of(AskingSchema, "PairingsSchema")


@blueprint.operation(
    "POST /tables/<table_id>/pairings",
    "askToPair",
    "The number to show; and the devices with their tokens, once a host has agreed.",
    PairingSchema,
    body=AskToPairSchema,
    write=False,
    fails=("conflict",),
    rights=ASKERS,
)
def ask(wish_sent: dict[str, Any], table: TableProjection) -> ResponseReturnValue:
    """Ask a host to register these devices: a computer with the token that the join code gives.

    Ask again every second or two until there is an answer: who no longer asks is forgotten after
    ten seconds. 403 says that a host refuses (`retry_after`: ask anew then), or that the join code
    has changed since; 401 that the host took the token back; 409 that others ask: go on asking.
    """
    by, log = principal(), event_log()
    devices = tuple(NewDevice(**device) for device in wish_sent["devices"])
    wish = Wish(devices, by.seat, wish_sent["phone"], sender=sender_of(log, sender_address()))
    if wish_sent["computer"] is not None:
        known = hash_token(wish_sent["computer"]["token"])
        wish = replace(wish, computer=known, name=wish_sent["computer"]["name"])
    return ask_to_pair(log, table, by, wish)


@blueprint.operation(
    "GET /tables/<table_id>/pairings",
    "listPairings",
    "Who asks at present.",
    PairingsSchema,
    rights=HOST,
)
def list_asking(table: TableProjection) -> ResponseReturnValue:
    """List the computers and phones that ask to be let in with their devices; for a host."""
    return {"items": list_pairings(event_log(), table)}


@blueprint.operation(
    "POST /tables/<table_id>/pairings/<pairing_id>",
    "agreeToPair",
    "The devices are registered.",
    if_match="none",
    rights=HOST,
)
def agree(table: TableProjection, request: WriteRequest, pairing_id: str) -> LogEntry:
    """Register the devices of one that asks; for a host who sees its number there."""
    return agree_to_pair(event_log(), table, request, pairing_id)


@blueprint.operation(
    "POST /tables/<table_id>/pairings/<pairing_id>/kept",
    "agreeAndKeep",
    "The devices are registered, and the computer comes along.",
    body=KeepSchema,
    if_match="none",
    fails=("conflict",),
    rights=HOST,
)
def agree_for_later(
    body: dict[str, Any], table: TableProjection, request: WriteRequest, pairing_id: str
) -> LogEntry:
    """Do the same, and let the computer come along to the tables at which this key brings it."""
    return agree_and_keep(event_log(), table, request, pairing_id, body["key"])


@blueprint.operation(
    "DELETE /tables/<table_id>/pairings/<pairing_id>",
    "refuseToPair",
    "It is told so, and keeps whatever token it has.",
    None,
    status=204,
    write=False,
    rights=HOST,
)
def refuse(table: TableProjection, pairing_id: str) -> ResponseReturnValue:
    """Refuse one that asks; for a host."""
    refuse_to_pair(event_log(), table, pairing_id)
    return Response(status=204)


@blueprint.operation(
    "DELETE /tables/<table_id>/pairings",
    "refuseAllToPair",
    "All are told so.",
    None,
    status=204,
    write=False,
    rights=HOST,
)
def refuse_everybody(table: TableProjection) -> ResponseReturnValue:
    """Refuse all that ask; for a host. A new join code keeps them from asking again."""
    refuse_all(event_log(), table)
    return Response(status=204)
