"""Photos of cards."""

from flask import current_app, request
from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint
from marshmallow import Schema, fields

from referee.api.auth import own_table, principal
from referee.api.guard.limiting import limiter
from referee.api.resources.operation import operation
from referee.rules.message import Message
from referee.service.photos import LARGEST_PHOTO, read_photo
from referee.service.problems import Problem

blueprint = Blueprint("photos", __name__, description="Cards on photos")
TYPES = ("image/jpeg", "image/png", "image/webp")
BINARY = {"schema": {"type": "string", "format": "binary"}}


class AlternativeSchema(Schema):
    """What else a card may be."""

    card = fields.String(required=True)
    probability = fields.Float(required=True)


class PhotoCardSchema(Schema):
    """A card on a photo. ``corners`` are in pixels, from the card's own top left, clockwise."""

    card = fields.String(required=True, metadata={"example": "red-7"})
    probability = fields.Float(required=True)
    sure = fields.Boolean(required=True)
    corners = fields.List(fields.List(fields.Float()), required=True)
    alternatives = fields.List(fields.Nested(AlternativeSchema), required=True)


class PhotoSchema(Schema):
    """What a photo shows. ``hand`` is ready for a reveal, once somebody has confirmed it."""

    items = fields.List(fields.Nested(PhotoCardSchema), required=True)
    hand = fields.List(fields.String(), required=True)
    points = fields.Integer(required=True, metadata={"description": "of these cards together"})
    sure = fields.Boolean(required=True, metadata={"description": "whether every card is"})


@blueprint.route("/tables/<table_id>/photos", methods=["POST"])
@operation(
    blueprint,
    "readPhoto",
    PhotoSchema,
    "The cards on the photo, from the left of a fan, and row by row in a spread.",
    fails=("unsupported-media-type", "too-large", "unreadable-photo", "no-reader"),
)
@blueprint.doc(
    requestBody={"required": True, "content": dict.fromkeys(TYPES, BINARY)},
)
def read(table_id: str) -> ResponseReturnValue:
    """Read the cards on a photo: a fan, a spread, or one card. The photo is not kept.

    Nothing happens at the table by it: a `reveal` of the `hand` does, once it has been confirmed.
    """
    table = own_table(table_id)
    limiter().count("photos", principal().id)
    if request.mimetype not in TYPES:
        raise Problem(
            "unsupported-media-type", Message("Send the photo as {types}.", types=", ".join(TYPES))
        )
    request.max_content_length = LARGEST_PHOTO
    reader = current_app.extensions["referee-card-reader"]
    return read_photo(reader, table, principal(), request.get_data())
