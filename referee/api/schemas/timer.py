"""The turn timer of a table."""

from datetime import datetime
from typing import Annotated

from marshmallow import validate

from referee.api.schemas.typed import Answer, Strict, default
from referee.service.log.table_meta import LONGEST, SAY, SHORTEST, THEN, TIMED

ABOUT_THEN = {
    "description": "when time is up: `say` so, or `draw` a card for the seat, whose turn is over; "
    "where drawing decides nothing, it is only said"
}


class NewTimerSchema(Strict):
    """The time that turns have from now on."""

    seconds: Annotated[int, validate.Range(SHORTEST, LONGEST)]
    then: Annotated[str, validate.OneOf(THEN), ABOUT_THEN] = default(lambda: SAY)


class TimerChoiceSchema(Strict):
    """A timer, or null for turns that take as long as they take."""

    timer: NewTimerSchema | None


class TimeUpSchema(Strict):
    """The time that is up: the entry with which it began."""

    began: Annotated[int, validate.Range(1, 2**31 - 1)]


class RunningTimeSchema(Answer):
    """The time of the seat that is awaited."""

    began: Annotated[int, "the entry with which it began: see `reportTimeUp`"]
    seat: int
    needs: Annotated[list[Annotated[str, validate.OneOf(sorted(TIMED))]], "what is awaited of it"]
    since: Annotated[datetime, "by the server's clock"]
    up: Annotated[bool, "it has been said"]


class TimerSchema(Answer):
    """The time that turns have, and the time that is running."""

    seconds: int
    then: Annotated[str, validate.OneOf(THEN), ABOUT_THEN]
    running: Annotated[
        RunningTimeSchema | None,
        "null between rounds, while hands are shown, and while the referee asks about the pile",
    ]
    now: Annotated[datetime, "the server's clock"]


# A table's timer.
Timer = Annotated[
    TimerSchema | None, "null where turns take as long as they take: see `chooseTimer`"
]
