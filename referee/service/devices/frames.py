"""Frames of a phone that is a table's camera: passed on to what reads them, and never kept.

A ``FrameReader`` is passed in where the server has a worker (``referee.serving.frames``).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from referee.rules.message import Message
from referee.service.access import CAMERAS, Principal
from referee.service.log.table_projection import TableProjection
from referee.service.problems import Problem

LARGEST_FRAME = 512 * 1024
LONGEST_SIDE = 1920
# Seconds after which to try again: while the worker starts, and where there is none.
SOON, LATER = 2, 60
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame: JPEG, or empty for a picture that shows the same as the one before.

    ``captured`` and ``sent`` are in milliseconds of the sender's own clock. ``pile`` is where
    somebody says that it lies, as shares of width and height. ``phone`` is the sender's own name:
    of two with the same token one is the camera, until the other wants to ``take_over``.
    """

    picture: bytes = field(repr=False)
    captured: float
    sent: float
    pile: Point | None = None
    phone: str | None = None
    take_over: bool = False


@dataclass(frozen=True, slots=True)
class Sender:
    """Whose frames they are: the device with its token, at a table, and the deck there."""

    table: str
    device: str
    token: str = field(repr=False)
    ruleset: str


FrameTrouble = Literal["no-watcher", "no-reader", "unreadable-photo", "too-large", "another-phone"]


class FrameError(Exception):
    """A frame that is not taken."""

    def __init__(self, kind: FrameTrouble) -> None:
        super().__init__(kind)
        self.kind = kind


class FrameReader(Protocol):
    """Takes frames; called from several threads."""

    def take(self, sender: Sender, frame: Frame) -> Mapping[str, Any]:
        """Return what the newest frames show. Raises FrameError.

        That is the API's ``FrameView``, with the ``chance`` of the card in place of ``sure``.
        """


def take_frame(
    reader: FrameReader | None,
    table: TableProjection,
    by: Principal,
    token: str,
    frame: Frame,
    certain: float,
) -> Mapping[str, Any]:
    """Pass a frame on; return what is seen. Raises Problem.

    ``certain``: from which probability on a card that the camera reads is taken without asking.
    """
    device = table.meta.devices.get(by.id)
    if device is None or device.kind != "camera":
        raise Problem("forbidden", CAMERAS.refusal)
    if table.meta.closed:
        raise Problem(
            "closed", "This table is closed: it can be read, and nothing is written any more."
        )
    if reader is None:
        raise _no_watcher(LATER)
    ruleset = table.state.game.ruleset.id
    try:
        seen = dict(reader.take(Sender(table.id, by.id, token, ruleset), frame))
    except FrameError as error:
        raise _problem(error.kind) from None
    chance = seen.pop("chance")
    return {**seen, "sure": chance >= certain}


def _problem(kind: FrameTrouble) -> Problem:
    match kind:
        case "no-watcher":
            return _no_watcher(SOON)
        case "no-reader":
            return Problem(kind, "The card reader does not know the cards of this deck.")
        case "too-large":
            detail = Message(
                "The picture is too large: {most} × {most} pixels at most.", most=LONGEST_SIDE
            )
            return Problem(kind, detail)
        case "another-phone":
            return Problem("conflict", "Another phone is this table's camera.")
        case _:
            return Problem(kind, "The picture is damaged, or no JPEG: send it whole.")


def _no_watcher(after: int) -> Problem:
    return Problem(
        "no-watcher",
        "Nothing reads a phone's pictures on this server just now.",
        extra={"retry_after": after},
    )
