"""Frames of a phone that is the camera, and what they show."""

from typing import Annotated

from marshmallow import fields, validate

from referee.api.schemas.answers import Answer
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


# The four corners of a place.
Point = Annotated[list[Annotated[float, ALONG]], validate.Length(2, 2)]
Corners = Annotated[list[Point], validate.Length(4, 4)]


class FrameViewSchema(Answer):
    """What the newest frames show, and how more should come.

    `pile` and `draw_pile` are corners of the piles' places in the newest frame that was looked at,
    as shares of its width and height; `card` lies on top; `busy`: something moves there, or is
    being read.
    """

    state: Annotated[str, validate.OneOf(STATES)]
    reason: Annotated[str | None, validate.OneOf(REASONS)]
    pile: Corners | None
    draw_pile: Corners | None
    card: str | None
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
