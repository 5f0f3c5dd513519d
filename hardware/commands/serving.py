"""What the commands of virtual devices share: an address, and to run until told to stop."""

import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import NoReturn, Protocol, Self

from hardware.virtual_board.ports import PortError

FAILED, NOT_UNDERSTOOD = 1, 2


class Addressed(Protocol):
    """Where hosts find a device."""

    @property
    def url(self) -> str:
        """Its path or URL."""


class Virtual(Protocol):
    """A device that runs in a ``with``."""

    @property
    def port(self) -> Addressed:
        """Where hosts find it."""

    def __enter__(self) -> Self:
        """Start it. Raises PortError."""

    def __exit__(self, *_: object) -> None:
        """Stop it."""


def serve(name: str, device: Virtual, work: Callable[[], None]) -> int:
    """Start a device, print its URL, and work until that ends or somebody stops it.

    Told to stop, or its terminal closed, it takes its port away too.

    Returns:
        The command's exit status.
    """
    for told in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(told, _stop)
    try:
        with device:
            print(device.port.url, flush=True)  # noqa: T201
            work()
    except KeyboardInterrupt:
        return 0
    except PortError as error:
        return complain(name, str(error), FAILED)
    return 0


def address(flag: str, text: str, host: str | None = None) -> tuple[str, int]:
    """The host and the port that HOST:PORT names; PORT alone where there is a usual ``host``.

    Raises:
        ValueError: It names none, or no host and there is no usual one.
    """
    named, colon, number = text.rpartition(":")
    good = number.isascii() and number.isdigit() and int(number) <= 65535
    if not good or not (colon or host):
        takes = "PORT or HOST:PORT" if host else "HOST:PORT"
        raise ValueError(f"{flag} takes {takes}, such as 127.0.0.1:7000, not {text!r}")
    return named.strip("[]") or host or "127.0.0.1", int(number)


def complain(name: str, sentence: str, status: int) -> int:
    """Say on stderr what is wrong; the exit status."""
    print(f"{name}: {sentence}", file=sys.stderr)  # noqa: T201
    return status


def _stop(told: int, _: FrameType | None) -> NoReturn:
    # Whoever asks twice does not keep it from tidying up.
    signal.signal(told, signal.SIG_IGN)
    raise KeyboardInterrupt
