"""What can be wrong with a source of pictures: an error each, its text one sentence for people."""

from enum import StrEnum

from hardware.network import Failure, classify_failure


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


_SENTENCES = {
    Failure.NO_HOST: "there is no host of this name; is the address right?",
    Failure.REFUSED: "nothing listens there; is the camera on, and the port right?",
    Failure.TIMEOUT: "it does not answer; is the camera on and in this network?",
    Failure.CERTIFICATE: "its certificate is not trusted; use http:// if it is in your own network",
}


def why_broken(error: BaseException) -> str:
    """Return why there is no connection, as a sentence without its end."""
    failure = classify_failure(error)
    if failure in _SENTENCES:
        return _SENTENCES[failure]
    strerror = getattr(error, "strerror", None)
    return str(strerror or "the connection broke")
