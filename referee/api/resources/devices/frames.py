"""Frames of a phone that is the table's camera."""

from typing import Any

from flask import current_app, jsonify, request
from flask.typing import ResponseReturnValue

from referee.api.auth import auth, event_log, principal
from referee.api.middleware.limiting import limiter
from referee.api.operation import Resource
from referee.api.requests import read_body
from referee.api.schemas.frames import FrameQuery, FrameViewSchema
from referee.rules.message import Message
from referee.service.access import CAMERAS
from referee.service.devices.frames import LARGEST_FRAME, Frame, Point, take_frame
from referee.service.log.table_projection import TableProjection
from referee.service.problems import Problem, invalid

blueprint = Resource("frames", "Pictures of a phone that is the camera")
TYPE = "image/jpeg"
JPEG = b"\xff\xd8"
BINARY = {"schema": {"type": "string", "format": "binary", "maxLength": LARGEST_FRAME}}


@blueprint.operation(
    "POST /tables/<table_id>/frames",
    "sendFrame",
    "What the newest frames show.",
    FrameViewSchema,
    query=FrameQuery,
    write=False,
    fails=(
        *("unsupported-media-type", "too-large", "unreadable-photo"),
        *("closed", "no-reader", "no-watcher"),
    ),
    rights=CAMERAS,
    also={"requestBody": {"required": False, "content": {TYPE: BINARY}}},
)
def send(query: dict[str, Any], table: TableProjection) -> ResponseReturnValue:
    """Send a frame of the camera that looks at the piles; for a phone that is one.

    It is looked at and forgotten. What is seen becomes observations, as from every other camera.
    While something moves, send up to `frames_per_second` pictures, each in its turn; while nothing
    does, an empty body with `still=true` twice a second, and a picture every `picture_every_s`. A
    frame that is older than the last one is dropped.
    """
    limiter().count("frames", principal().id)
    picture = read_body(LARGEST_FRAME)
    if picture:
        if request.mimetype != TYPE:
            raise Problem(
                "unsupported-media-type", Message("Send the photo as {types}.", types=TYPE)
            )
        if not picture.startswith(JPEG):
            raise Problem("unreadable-photo", "The picture is damaged, or no JPEG: send it whole.")
    elif not query["still"]:
        raise invalid("still", "an empty body needs it to be true")
    frame = Frame(picture, query["captured"], query["sent"], _point(query.get("pile")))
    reader = current_app.extensions["referee-frame-reader"]
    sent = auth.get_auth()
    token = getattr(sent, "token", None) or ""
    certain = event_log().prior.certain
    return jsonify(take_frame(reader, table, principal(), token, frame, certain))


def _point(said: str | None) -> Point | None:
    if said is None:
        return None
    x, _, y = said.partition(",")
    return float(x), float(y)
