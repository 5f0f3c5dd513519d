"""Photos of cards."""

from datetime import datetime
from typing import Annotated, Any

from flask import Response, current_app, request
from flask.typing import ResponseReturnValue
from marshmallow import validate

from referee.api.auth import event_log, principal
from referee.api.limits.rates import limiter
from referee.api.operation import Resource
from referee.api.requests import read_body
from referee.api.schemas.common import LanguageQuery, items_of
from referee.api.schemas.typed import Answer
from referee.rules.message import Message
from referee.service.access import HOST, PHOTOGRAPHERS
from referee.service.log.table_projection import TableProjection
from referee.service.problems import Problem
from referee.service.records.photos import (
    LARGEST_PHOTO,
    delete_photo,
    find_photo,
    keep_photo,
    list_photos,
    read_photo,
)

blueprint = Resource("photos", "Cards on photos")
TYPES = ("image/jpeg", "image/png", "image/webp")
# Requests that reading a photo counts as, and so much work it is.
PHOTO_REQUESTS = 20
KEEPING = ("conflict", "closed")
BINARY = {"schema": {"type": "string", "format": "binary", "maxLength": LARGEST_PHOTO}}


class AlternativeSchema(Answer):
    """Another card that it may be."""

    card: str
    probability: float


class PhotoCardSchema(Answer):
    """A card on a photo. ``corners`` are in pixels, from the card's own top left, clockwise."""

    card: Annotated[str, {"example": "red-7"}]
    probability: float
    sure: bool
    corners: list[list[float]]
    alternatives: list[AlternativeSchema]


class PhotoSchema(Answer):
    """The cards on a photo. ``hand`` is ready for a reveal, once somebody has confirmed it."""

    items: list[PhotoCardSchema]
    hand: list[str]
    points: Annotated[int, "of these cards together"]
    sure: Annotated[bool, "true if every card is"]
    kept: Annotated[str | None, "the photo's id where it was kept; else null"]


class KeepQuery(LanguageQuery):
    """Whether to keep the photo."""

    keep: Annotated[
        bool,
        "store the picture, without place, time and device, for the table's "
        "host to fetch and delete",
    ] = False


class KeptPhotoSchema(Answer):
    """A photo that is kept; `by` is the id of the token that sent it."""

    id: str
    at: datetime
    by: str
    media_type: Annotated[str, validate.OneOf(TYPES)]
    size: Annotated[int, "in bytes"]


KeptPhotosSchema = items_of(KeptPhotoSchema, "KeptPhotosSchema")


@blueprint.operation(
    "POST /tables/<table_id>/photos",
    "readPhoto",
    "The cards on the photo, from the left of a fan, and row by row in a spread.",
    PhotoSchema,
    query=KeepQuery,
    write=False,
    fails=("unsupported-media-type", "too-large", "unreadable-photo", "no-reader", *KEEPING),
    rights=PHOTOGRAPHERS,
    also={"requestBody": {"required": True, "content": dict.fromkeys(TYPES, BINARY)}},
)
def read(query: dict[str, Any], table: TableProjection) -> ResponseReturnValue:
    """Read the cards on a photo: a fan, a spread, or one card. It is not kept unless asked for.

    It changes nothing at the table: send the `hand` as a `reveal` once it has been confirmed.
    """
    # One of them is counted already.
    limiter().spend("token", principal().id, PHOTO_REQUESTS - 1)
    if request.mimetype not in TYPES:
        raise Problem(
            "unsupported-media-type", Message("Send the photo as {types}.", types=", ".join(TYPES))
        )
    reader = current_app.extensions["referee-card-reader"]
    photo = read_body(LARGEST_PHOTO)
    answer = read_photo(reader, table, photo)
    answer["kept"] = None
    if query["keep"]:
        answer["kept"] = keep_photo(event_log(), table, principal(), reader, photo)
    return answer


@blueprint.operation(
    "GET /tables/<table_id>/photos",
    "listPhotos",
    "The photos that are kept.",
    KeptPhotosSchema,
    rights=HOST,
)
def list_all(table: TableProjection) -> ResponseReturnValue:
    """List the stored photos; for the table's host."""
    return {"items": list_photos(event_log(), table)}


@blueprint.operation(
    "GET /tables/<table_id>/photos/<photo_id>",
    "getPhoto",
    "The picture, upright, without what the phone added: place, time, device.",
    None,
    rights=HOST,
    also={"responses": {"200": {"content": dict.fromkeys(TYPES, BINARY)}}},
)
def show(table: TableProjection, photo_id: str) -> ResponseReturnValue:
    """Return a stored photo; for the table's host."""
    photo = find_photo(event_log(), table, photo_id)
    return Response(photo["data"], content_type=photo["media_type"])


@blueprint.operation(
    "DELETE /tables/<table_id>/photos/<photo_id>",
    "deletePhoto",
    "The photo is gone.",
    None,
    status=204,
    write=False,
    rights=HOST,
)
def remove(table: TableProjection, photo_id: str) -> ResponseReturnValue:
    """Delete a photo for good, at a closed table too; for the table's host."""
    delete_photo(event_log(), table, photo_id)
    return Response(status=204)
