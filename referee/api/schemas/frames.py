"""Frames of a phone that is the camera, and what they show."""

from typing import Any

from marshmallow import Schema, fields, validate

from referee.api.schemas.common import LanguageQuery

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

    captured = fields.Float(
        required=True,
        validate=MOMENT,
        metadata={"description": "when it was taken, in milliseconds of the sender's own clock"},
    )
    sent = fields.Float(
        required=True,
        validate=MOMENT,
        metadata={"description": "when it was sent, by the same clock"},
    )
    still = fields.Boolean(
        load_default=False,
        metadata={
            "description": "nothing has moved since the last frame: the body may be empty then"
        },
    )
    pile = fields.String(
        validate=[validate.Length(max=20), validate.Regexp(f"^{SHARE},{SHARE}$")],
        metadata={
            "description": "where somebody says that the pile lies: shares of width and height",
            "example": "0.5,0.48",
        },
    )


def corners() -> fields.List[Any]:
    """Return a field of the four corners of a place, or null."""
    point = fields.List(fields.Float(validate=ALONG), validate=validate.Length(2, 2))
    return fields.List(point, required=True, allow_none=True, validate=validate.Length(4, 4))


class FrameViewSchema(Schema):
    """What the newest frames show, and how more should come.

    `pile` and `draw_pile` are corners of the piles' places in the newest frame that was looked at,
    as shares of its width and height; `card` lies on top, and is read so surely that the referee
    need not ask about it where `sure`; `busy`: something moves there, or is being read.
    """

    state = fields.String(required=True, validate=validate.OneOf(STATES))
    reason = fields.String(required=True, allow_none=True, validate=validate.OneOf(REASONS))
    pile = corners()
    draw_pile = corners()
    card = fields.String(required=True, allow_none=True)
    sure = fields.Boolean(required=True)
    busy = fields.Boolean(required=True)
    advice = fields.List(
        fields.String(validate=validate.OneOf(ADVICE)),
        required=True,
        validate=validate.Length(max=len(ADVICE)),
        metadata={"description": ADVICE_TEXT},
    )
    frames_per_second = fields.Float(
        required=True,
        validate=validate.Range(0, 60),
        metadata={"description": "how many to send at most while something moves"},
    )
    picture_every_s = fields.Float(
        required=True,
        validate=validate.Range(0, 60),
        metadata={"description": "the longest time without a picture while nothing moves"},
    )
