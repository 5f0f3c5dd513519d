"""Why a connection failed, found in the nested exceptions of the HTTP libraries and sockets."""

import errno
import socket
from enum import StrEnum


class Failure(StrEnum):
    """The kinds of failure that call for different advice."""

    NO_HOST = "no such host"
    REFUSED = "refused"
    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    CERTIFICATE = "certificate"
    BROKEN = "broken"


_ERRNOS = {
    errno.ECONNREFUSED: Failure.REFUSED,
    errno.ETIMEDOUT: Failure.TIMEOUT,
    errno.ENETUNREACH: Failure.UNREACHABLE,
    errno.EHOSTUNREACH: Failure.UNREACHABLE,
}


def classify_failure(error: BaseException) -> Failure:
    """Return the first kind of failure that the error or one of its causes names."""
    cause: BaseException | None = error
    while cause is not None:
        name = type(cause).__name__
        if isinstance(cause, socket.gaierror) or name == "NameResolutionError":
            return Failure.NO_HOST
        if isinstance(cause, TimeoutError) or "Timeout" in name:
            return Failure.TIMEOUT
        if "SSL" in name:
            return Failure.CERTIFICATE
        if isinstance(cause, OSError) and cause.errno in _ERRNOS:
            return _ERRNOS[cause.errno]
        cause = _cause_of(cause)
    return Failure.BROKEN


def _cause_of(error: BaseException) -> BaseException | None:
    # requests and urllib3 keep the cause as a reason, or as the only argument.
    inside = [getattr(error, "reason", None), *error.args]
    wrapped = next((part for part in inside if isinstance(part, BaseException)), None)
    return wrapped or error.__cause__ or error.__context__
