"""Frames of a phone that is the table's camera, and what they show."""

from typing import Annotated, Any

from flask import current_app, jsonify, request
from flask.typing import ResponseReturnValue
from marshmallow import validate

from referee.api.auth import auth, event_log, principal
from referee.api.limits.rates import limiter
from referee.api.operation import Resource
from referee.api.requests import read_body
from referee.api.schemas.common import LanguageQuery
from referee.api.schemas.typed import Answer, Maybe
from referee.rules.message import Message
from referee.service.access import CAMERAS
from referee.service.devices.frames import LARGEST_FRAME, Frame, Point, take_frame
from referee.service.log.table_projection import TableProjection
from referee.service.problems import Problem, invalid

STATES = ("starting", "watching", "blind")
REASONS = ("no-pictures", "no-pile")
ADVICE = (
    *("slow", "dark", "bright", "glare", "blurred", "far", "near", "tilted", "outside"),
    *("shakes", "moving", "covered", "hunts", "other-deck"),
)
SHARE = r"(?:0(?:\.[0-9]{1,6})?|1(?:\.0{1,6})?)"
# Any moment of a clock that JSON numbers tell exactly, to the microsecond.
MOMENT = validate.Range(0, 2**43)
# A pile may lie partly outside the picture.
ALONG = validate.Range(-10, 10)
ADVICE_TEXT = (
    "what is wrong with the picture, worst first: pictures come too `slow`; it is too `dark` or "
    "`bright`, with `glare` on the pile, `blurred`, the pile too `far` or too `near`, seen too "
    "`tilted` or partly `outside`; the camera `shakes`, is `moving`, or `hunts` for focus or "
    "light; something has `covered` the pile for long; the cards are of an `other-deck`"
)


class FrameQuery(LanguageQuery):
    """When a frame was taken and sent, and what it shows."""

    captured: Annotated[
        float, MOMENT, "when it was taken, in milliseconds of the sender's own clock"
    ]
    sent: Annotated[float, MOMENT, "when it was sent, by the same clock"]
    still: Annotated[bool, "nothing has moved since the last frame: the body may be empty then"] = (
        False
    )
    pile: Annotated[
        Maybe[str],
        validate.Length(max=20),
        validate.Regexp(f"^{SHARE},{SHARE}$"),
        "where somebody says that the pile lies: shares of width and height",
        {"example": "0.5,0.48"},
    ]
    phone: Annotated[
        Maybe[str],
        validate.Length(1, 64),
        validate.Regexp("^[0-9A-Za-z-]+$"),
        "the sender's own name, the same for all its frames: of two phones with the same token one "
        "is the camera, and the other is told so",
        {"example": "5f2a90c1"},
    ]
    take_over: Annotated[bool, "be the camera from now on, in another phone's place"] = False


# The four corners of a place.
Corner = Annotated[list[Annotated[float, ALONG]], validate.Length(2, 2)]
Corners = Annotated[list[Corner], validate.Length(4, 4)]


class FrameViewSchema(Answer):
    """What the newest frames show, and how more should come.

    `pile` and `draw_pile` are corners of the piles' places in the newest frame that was looked at,
    as shares of its width and height; `card` lies on top, and is read so surely that the referee
    need not ask about it where `sure`; `busy`: something moves there, or is being read.
    """

    state: Annotated[str, validate.OneOf(STATES)]
    reason: Annotated[str | None, validate.OneOf(REASONS)]
    pile: Corners | None
    draw_pile: Corners | None
    card: str | None
    sure: bool
    busy: bool
    advice: Annotated[
        list[Annotated[str, validate.OneOf(ADVICE)]], validate.Length(max=len(ADVICE)), ADVICE_TEXT
    ]
    frames_per_second: Annotated[
        float, validate.Range(0, 60), "how many to send at most while something moves"
    ]
    picture_every_s: Annotated[
        float, validate.Range(0, 60), "the longest time without a picture while nothing moves"
    ]


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
        *("closed", "conflict", "no-reader", "no-watcher"),
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
    frame = Frame(
        picture,
        query["captured"],
        query["sent"],
        _point(query.get("pile")),
        query.get("phone"),
        query["take_over"],
    )
    reader = current_app.extensions["referee-frame-reader"]
    sent = auth.get_auth()
    token = getattr(sent, "token", None) or ""
    certain = event_log().prior.certain
    return jsonify(take_frame(reader, table, principal(), token, frame, certain))


def _point(text: str | None) -> Point | None:
    if text is None:
        return None
    x, _, y = text.partition(",")
    return float(x), float(y)
