"""Which ports there are, and what is at each of them."""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum

from serial.tools import list_ports

from hardware.board.events import Connected, OtherVersion
from hardware.board.link import Link
from hardware.board.messages import Hello
from hardware.board.sentences import introduce, other_version
from hardware.board.transport import Transport, TransportError, Trouble

PATIENCE = 1.2  # seconds: several times ``connect``, and two heartbeats


class PortState(StrEnum):
    """What a port turned out to be."""

    BOARD = "board"
    SILENT = "silent"
    DEAF = "deaf"
    FOREIGN = "foreign"
    OTHER_VERSION = "other version"
    BUSY = "busy"
    DENIED = "not permitted"
    ABSENT = "absent"
    BROKEN = "broken"


_STATES = {
    Trouble.ABSENT: PortState.ABSENT,
    Trouble.DENIED: PortState.DENIED,
    Trouble.BUSY: PortState.BUSY,
    Trouble.REFUSED: PortState.ABSENT,
    Trouble.BROKEN: PortState.BROKEN,
}


@dataclass(frozen=True, slots=True)
class PortReport:
    """What is at a port; ``detail`` is a plain sentence, ``hello`` what a board said of itself."""

    port: str
    state: PortState
    detail: str
    hello: Hello | None = None


def ports() -> list[str]:
    """The serial ports of this computer, those on USB first."""
    found = sorted(list_ports.comports(), key=lambda port: (port.vid is None, port.device))
    return [port.device for port in found]


def probe(port: str, boot: int = 0, last_seq: int = 0, patience: float = PATIENCE) -> PortReport:
    """What is at a port, after ``patience`` seconds at most. It never raises.

    A board there is connected to, which puts its lights out. ``boot`` and ``last_seq`` are those
    of the board that is looked for: it then forgets nothing that it still has to tell.
    """
    transport = Transport(port)
    try:
        transport.open()
        return _ask(transport, Link(boot, last_seq), patience)
    except TransportError as error:
        return PortReport(port, _STATES[error.trouble], str(error))
    finally:
        transport.close()


def probe_all(
    candidates: Sequence[str] | None = None,
    boot: int = 0,
    last_seq: int = 0,
    patience: float = PATIENCE,
) -> list[PortReport]:
    """What is at each of the ports, in their order; all are asked at the same time.

    Args:
        candidates: the ports; those of this computer if None.
        boot: as for ``probe``.
        last_seq: as for ``probe``.
        patience: as for ``probe``.
    """
    asked = ports() if candidates is None else list(candidates)
    if not asked:
        return []
    with ThreadPoolExecutor(min(len(asked), 16), "probe") as pool:
        return list(pool.map(lambda port: probe(port, boot, last_seq, patience), asked))


class NoBoardError(Exception):
    """No port has the board; the text says what is at each of them."""

    def __init__(self, reports: Sequence[PortReport], insisted: bytes | None) -> None:
        found = [f"{report.port}: {report.detail}" for report in reports]
        what = f"board {insisted.hex()}" if insisted else "sensor board"
        super().__init__(
            f"no {what} found; {'; '.join(found) or 'no serial port is there: plug it in'}"
        )


def choose(reports: Sequence[PortReport], insisted: bytes | None, known: bytes) -> str:
    """The port of the board insisted on, or of the one known from before, or of the first.

    Raises NoBoardError.
    """
    boards = {report.hello.board: report.port for report in reversed(reports) if report.hello}
    if insisted is None and boards:
        first = next(report.port for report in reports if report.hello)
        return boards.get(known, first)
    if insisted is None or insisted not in boards:
        raise NoBoardError(reports, insisted)
    return boards[insisted]


def _ask(transport: Transport, link: Link, patience: float) -> PortReport:
    port = transport.port
    begin = now = time.monotonic()
    link.opened(now)
    got = 0
    version: int | None = None
    while now - begin < patience:
        link.poll(now)
        transport.write(link.outgoing(now))
        data = transport.read()
        got += len(data)
        now = time.monotonic()
        for event in link.receive(data, now):
            match event:
                case Connected(hello):
                    return PortReport(port, PortState.BOARD, introduce(hello), hello)
                case OtherVersion(other):
                    version = other
    if version is not None:
        return PortReport(port, PortState.OTHER_VERSION, other_version(version))
    if link.frames[0]:
        return PortReport(
            port,
            PortState.DEAF,
            "a board is heard but does not answer; check the wire from the computer to the board",
        )
    if got:
        return PortReport(
            port,
            PortState.FOREIGN,
            f"something else is there: {got} bytes, but no frame of a board",
        )
    return PortReport(
        port, PortState.SILENT, "nothing answers; is it the right port, and has the board power?"
    )
