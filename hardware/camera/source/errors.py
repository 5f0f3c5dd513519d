"""What can be wrong with a source of pictures: an error each, its text one sentence for people."""

import socket
from enum import StrEnum


class SourceError(Exception):
    """A source that gives no picture now; the text says why and what to do."""


class Fault(StrEnum):
    """What is wrong with a picture, for programs that answer differently to each."""

    ABSENT = "absent"  # no such file, or it may not be read
    TOO_LARGE = "too-large"  # more bytes or pixels than allowed
    TOO_SMALL = "too-small"  # too few pixels to show a card
    FOREIGN = "foreign"  # no picture, or in a format that is not read
    BROKEN = "broken"  # cut short or damaged


class PictureError(SourceError):
    """A picture that is not read."""

    def __init__(self, fault: Fault, sentence: str) -> None:
        self.fault = fault
        super().__init__(sentence)


_NO_HOST = "there is no host of this name; is the address right?"
_REFUSED = "nothing listens there; is the camera on, and the port right?"
_SILENT = "it does not answer; is the camera on and in this network?"


def why_broken(error: BaseException) -> str:
    """Why there is no connection (any more), in words: the first cause that says something."""
    text = str(error)
    link: BaseException | None = error
    while link is not None:
        name = type(link).__name__
        if isinstance(link, socket.gaierror) or name == "NameResolutionError":
            return _NO_HOST
        if isinstance(link, ConnectionRefusedError):
            return _REFUSED
        if isinstance(link, TimeoutError) or "Timeout" in name:
            return _SILENT
        if "SSL" in name:
            return "its certificate is not trusted; use http:// if it is in your own network"
        link = _below(link)
    if "refused" in text:
        return _REFUSED
    if "timed out" in text:
        return _SILENT
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return "the connection broke"


def _below(error: BaseException) -> BaseException | None:
    # The HTTP libraries keep the cause as a reason, or as the only argument.
    inside = [getattr(error, "reason", None), *error.args]
    wrapped = next((part for part in inside if isinstance(part, BaseException)), None)
    return wrapped or error.__cause__ or error.__context__
