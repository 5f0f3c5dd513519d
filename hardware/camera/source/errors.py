"""Errors of picture sources; their text is one sentence for people."""

from enum import StrEnum

from hardware.network import Failure, classify_failure


class SourceError(Exception):
    """A source delivers no picture; the text says why and what to do."""


class PictureFault(StrEnum):
    """The reason why a picture is not read, for programs."""

    ABSENT = "absent"  # no such file, or it may not be read
    TOO_LARGE = "too-large"  # more bytes or pixels than allowed
    TOO_SMALL = "too-small"  # too few pixels to show a card
    FOREIGN = "foreign"  # no picture, or an unsupported format
    BROKEN = "broken"  # truncated or damaged


class PictureError(SourceError):
    """A picture cannot be read."""

    def __init__(self, fault: PictureFault, sentence: str) -> None:
        self.fault = fault
        super().__init__(sentence)


_SENTENCES = {
    Failure.NO_HOST: "there is no host of this name; is the address right?",
    Failure.REFUSED: "nothing listens there; is the camera on, and the port right?",
    Failure.TIMEOUT: "it does not answer; is the camera on and in this network?",
    Failure.CERTIFICATE: "its certificate is not trusted; use http:// if it is in your own network",
}


def explain_failure(error: BaseException) -> str:
    """Explain a failed or broken connection, as the end of a sentence."""
    failure = classify_failure(error)
    if failure in _SENTENCES:
        return _SENTENCES[failure]
    strerror = getattr(error, "strerror", None)
    return str(strerror or "the connection broke")
