"""Devices, their observations, and discrepancies."""

from datetime import datetime
from typing import Annotated, Any

from marshmallow import ValidationError, validate

from referee.api.schemas.common import SEAT, items_of
from referee.api.schemas.typed import (
    ANSWERED,
    Answer,
    Json,
    Maybe,
    Strict,
)
from referee.api.schemas.vocabulary import CARD, MOST_SEATS
from referee.rules.message import Message
from referee.service.devices.devices import KINDS
from referee.service.devices.liveness import LONGEST, SHORTEST

# By which computers and hosts' browsers are known again: at least 128 bits, however written.
SECRET = validate.Regexp("^[A-Za-z0-9_-]{32,100}$")
MEANINGS = (
    *("settled", "choosing", "agrees", "discrepancy", "lifted", "unknown"),
    *("illegal", "waiting", "asked", "put-right", "taken-back", "repeated", "idle"),
)
POWER_DISCREPANCIES = ("to-move", "ahead", "lifted", "misplaced")
PILE_DISCREPANCIES = ("take-back", "not-on-top")
DISCREPANCIES = (*POWER_DISCREPANCIES, *PILE_DISCREPANCIES)
PILE_EVENTS = ("found", "placed", "lifted", "cleared", "unsure", "unread", "same")
READINGS = ("placed", "lifted", "same")
BLINDNESS = ("no-pictures", "no-pile", "stopped")
WORDS = ("lifted", "unknown")
PLACE = validate.Range(0, MOST_SEATS)
ABOUT = ("pile", "hand")
MOST_POWERS = validate.Length(max=8)
POSITION: dict[str, Any] = {
    "oneOf": [
        {"type": "integer", "minimum": 0, "maximum": MOST_SEATS},
        {"type": "string", "enum": list(WORDS)},
    ],
    "description": 'a seat, 0 for the tray, "lifted" or "unknown"',
}

PILE_CARD = {"type": "string", "description": "of the pile: a card", **CARD}
# A word is a string as well as a card is.
IS = {"anyOf": [*POSITION["oneOf"], PILE_CARD, {"type": "null"}]}
SHOULD = {"oneOf": [POSITION["oneOf"][0], PILE_CARD, {"type": "null"}]}
# kind of observation → the fields it needs, and those it may have
OBSERVED: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "powers": (("at", "powers"), ("conflicts", "faults")),
    "pile": (
        ("at", "number", "event"),
        ("cards", "readings", "likelihoods", "resolves", "laid", "from", "arm", "outbox"),
    ),
    "camera": (("at", "state"), ("reason", "warnings")),
    "hand": (("at", "shown"), ("seat",)),
}


def check_position(value: object) -> None:
    """Check a position: a seat, the tray, "lifted" or "unknown". Raises ValidationError."""
    place = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_SEATS
    if not place and value not in WORDS:
        raise ValidationError(
            Message('must be 0 to {most}, "lifted" or "unknown"', most=MOST_SEATS)
        )


class NewDeviceSchema(Strict):
    """A device to be registered."""

    name: Annotated[str, validate.Length(1, 80), {"example": "Board"}]
    kind: Annotated[str, validate.OneOf(KINDS)]


class RegisteredSchema(Answer):
    """A device and its token. The token is shown this once."""

    table_id: str
    device: Annotated[str, "its id"]
    token: str


class DeviceRefSchema(Answer):
    """A reference to a device."""

    id: str
    name: Annotated[str, "as registered, with a number behind it if that name was in use"]
    kind: str


class ConflictSchema(Answer):
    """A power that several places report at once."""

    power: str
    places: list[int]


class FaultSchema(Strict):
    """Sensors of a place that do not work."""

    place: Annotated[int, PLACE]
    powers: Annotated[list[Annotated[str, validate.Length(1, 20)]], MOST_POWERS]


class DeviceSchema(DeviceRefSchema):
    """A device. ``last_seen`` is when it last reported.

    ``silent`` is when it was reported missing, having broken its promise to report again.
    """

    revoked: bool
    last_seen: datetime | None
    silent: datetime | None
    conflicts: list[ConflictSchema]
    faults: list[FaultSchema]


class PromiseSchema(Strict):
    """Seconds within which the device will report again; if it does not, the table is notified."""

    within: Annotated[int, validate.Range(SHORTEST, LONGEST)]


DevicesSchema = items_of(DeviceSchema, "DevicesSchema")


PowerName = Annotated[str, validate.Length(1, 20)]
Place = Annotated[int, PLACE]
ReadingKind = Annotated[str, validate.OneOf(READINGS)]
Probability = Annotated[float, validate.Range(0, 1)]
CardsRead = Annotated[
    dict[Annotated[str, validate.Length(1, 40)], Probability], validate.Length(max=10)
]


class ObservationSchema(Strict):
    """An observation by a device; ``at`` is the device's time; ``kind`` determines its fields.

    ``powers``: where a board sees one power, or all of them. ``conflicts`` maps a power to the
    places that report it at once; ``faults`` lists all broken sensors, sent whenever that changes.

    ``said_at`` (in answers) is the device's time where that cannot be, being from before the table
    was made or from the future; ``at`` is then when it came.

    ``pile``: a camera saw the discard pile change. ``number`` counts the device's observations of
    the pile, in its ``outbox`` if that is named: one that begins anew names another. ``event`` is
    what happened; ``cards`` are the camera's own probabilities of the card now on top, the
    remainder to 1 meaning "none of these". ``likelihoods`` says what may have
    happened, a probability for each kind, weighed in proportion, also with ``placed`` and
    ``lifted``. An ``unsure`` observation needs them, or ``readings``, the kinds alone with the
    likeliest first: each then counts half of the one before. Where both are given, ``likelihoods``
    wins. ``resolves`` is the number of the ``unread`` that
    this answers; ``laid`` the probability that a card was laid at all; ``from`` where the card came
    from: probabilities by seat (as text) and ``draw-pile``; ``arm`` the direction a hand reached in
    from, in degrees clockwise as seen from above. The device chooses where 0 is; the referee learns
    which seat is where.

    ``camera``: whether it sees the pile (``state``) and, if not, the ``reason``; ``warnings`` are
    what disturbs its view: ``shakes``, ``focus-hunts``, ``exposure-hunts``, ``covered``, ``slow``
    (too few pictures), or others.

    ``hand``: cards laid out to be read at the end of a round, ``shown``, each by its probabilities.
    ``seat``, their owner, may be left out.
    """

    kind: Annotated[str, validate.OneOf(tuple(OBSERVED))]
    at: datetime
    powers: Annotated[
        Maybe[dict[PowerName, Annotated[Any, check_position, POSITION]]],
        MOST_POWERS,
        {"example": {"U": 2, "N": "lifted"}},
    ]
    conflicts: Annotated[
        Maybe[dict[PowerName, Annotated[list[Place], validate.Length(2, 11)]]], MOST_POWERS
    ]
    faults: Annotated[Maybe[list[FaultSchema]], validate.Length(max=11)]
    number: Annotated[Maybe[int], validate.Range(0, 2**53 - 1)]
    event: Annotated[Maybe[str], validate.OneOf(PILE_EVENTS)]
    cards: Maybe[CardsRead]
    readings: Annotated[Maybe[list[ReadingKind]], validate.Length(1, 3)]
    likelihoods: Annotated[
        Maybe[dict[ReadingKind, Probability]],
        validate.Length(1, 3),
        {"example": {"placed": 0.7, "same": 0.3}},
    ]
    outbox: Annotated[
        Maybe[str],
        validate.Regexp("^[A-Za-z0-9_-]{1,40}$"),
        {"example": "5f2b9c0e71d84a36"},
    ]
    said_at: Annotated[Maybe[datetime], ANSWERED]
    resolves: Annotated[Maybe[int], validate.Range(0, 2**53 - 1)]
    laid: Maybe[Probability]
    from_: Annotated[
        Maybe[dict[Annotated[str, validate.Length(1, 10)], Probability]], validate.Length(max=11)
    ]
    arm: Annotated[Maybe[float], validate.Range(0, 360)]
    state: Annotated[Maybe[str], validate.OneOf(("watching", "blind"))]
    reason: Annotated[Maybe[str], validate.OneOf(BLINDNESS)]
    warnings: Annotated[
        Maybe[list[Annotated[str, validate.Regexp("^[a-z-]{1,40}$")]]],
        validate.Length(max=10),
        {"example": ["shakes"]},
    ]
    seat: Annotated[Maybe[int], SEAT]
    shown: Annotated[Maybe[list[CardsRead]], validate.Length(max=112)]


class DiscrepancySchema(Answer):
    """Something out of place, and the fix.

    A power (``power``) has to be moved to ``should``. ``to-move``: by the rules it has moved
    already. ``ahead``: the seat on turn took it, and may still report the play behind it.
    ``lifted``: it is in somebody's hand. ``misplaced``: anything else.

    On the discard pile (no ``power``) ``is`` and ``should`` are cards. ``take-back``: a card that
    was ruled illegal lies there. ``not-on-top``: another card than the game's lies on top, or none.
    """

    power: Maybe[str]
    kind: Annotated[str, validate.OneOf(DISCREPANCIES)]
    is_: Annotated[Any | None, IS]
    should: Annotated[Any | None, SHOULD]
    text: str


class OptionSchema(Answer):
    """A likely answer: what happened, with which card, and the moves that follow."""

    kind: Annotated[str, {"example": "play"}]
    card: str | None
    moves: list[Json]
    probability: float
    dealer: Maybe[int]
    rule: Annotated[
        Maybe[str],
        "the rule that the card would be ruled on by; house.jump-in for one "
        "laid out of turn where the table plays so",
        {"example": "match"},
    ]
    count: Annotated[Maybe[int], "the cards drawn before it, where nobody has reported a draw"]
    may_answer: Annotated[list[int], "the seats that may choose it; a host may choose any"]
    text: str


class HandCardSchema(Answer):
    """A card of a hand that was shown; ``alternatives`` are other cards it may be."""

    card: str | None
    probability: float
    sure: bool
    alternatives: list[str]


class QuestionSchema(Answer):
    """A question to the table; each option lists the seats that may choose it.

    Which card lies on the pile, any seat may say; what costs a seat more than that is for the seat
    itself. A host may answer everything.
    """

    id: int
    about: Annotated[str, validate.OneOf(ABOUT)]
    options: list[OptionSchema]
    seat: Annotated[Maybe[int], "of a hand: whose it is, if that is known"]
    hand: Annotated[Maybe[list[HandCardSchema]], "of a hand: each card as it was read"]
    count: Annotated[Maybe[int | None], "of a hand: how many cards the referee counts"]
    may_name: Annotated[
        list[int], "the seats that may answer with `card` or `hand` instead; a host always may"
    ]
    text: str


QuestionsSchema = items_of(QuestionSchema, "QuestionsSchema")


class AnswerSchema(Strict):
    """An answer: one of the options by its place (from 1), or a card that is none of them.

    ``seat`` says who laid that card: oneself, unless a host answers. A hand is answered with all
    its cards.
    """

    option: Annotated[Maybe[int], validate.Range(1, 99)]
    card: Annotated[Maybe[str], validate.Length(1, 40)]
    seat: Annotated[Maybe[int], SEAT]
    hand: Annotated[Maybe[list[Annotated[str, validate.Length(1, 40)]]], validate.Length(max=112)]


class CameraSchema(Answer):
    """The camera at the pile; ``waiting`` are cards that are not explained yet.

    ``warnings`` are what disturbs its view, in its own words.
    """

    sight: Annotated[str, validate.OneOf(("none", "watching", "blind"))]
    reason: str | None
    warnings: list[str]
    sees: str | None
    waiting: list[str | None]
