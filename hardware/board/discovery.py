"""Find the serial ports and what is connected to each."""

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
    """What is at a port, or why it cannot be opened."""

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
    """What is at a port; ``detail`` is a sentence, ``hello`` a board's greeting."""

    port: str
    state: PortState
    detail: str
    hello: Hello | None = None


def ports() -> list[str]:
    """Return the serial ports of this computer, USB ports first."""
    found = sorted(list_ports.comports(), key=lambda port: (port.vid is None, port.device))
    return [port.device for port in found]


def probe(port: str, boot: int = 0, last_seq: int = 0, patience: float = PATIENCE) -> PortReport:
    """Find out within ``patience`` seconds what is at a port. Never raises.

    Connecting switches a board's lights off. ``boot`` and ``last_seq`` are those of the board
    looked for, so that it keeps its unacknowledged messages.
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
    """Probe ports at the same time, as ``probe`` does; return the reports in their order.

    Without ``candidates``, all ports of this computer are probed.
    """
    asked = ports() if candidates is None else list(candidates)
    if not asked:
        return []
    with ThreadPoolExecutor(min(len(asked), 16), "probe") as pool:
        return list(pool.map(lambda port: probe(port, boot, last_seq, patience), asked))


class NoBoardError(Exception):
    """No port has the board; the text says what is at each port."""

    def __init__(self, reports: Sequence[PortReport], required: bytes | None) -> None:
        found = [f"{report.port}: {report.detail}" for report in reports]
        what = f"board {required.hex()}" if required else "sensor board"
        super().__init__(
            f"no {what} found; {'; '.join(found) or 'no serial port is there: plug it in'}"
        )


def choose(reports: Sequence[PortReport], required: bytes | None, known: bytes) -> str:
    """Choose the port of the required board, else of the known one, else of the first.

    Raises NoBoardError.
    """
    boards = {report.hello.board: report.port for report in reversed(reports) if report.hello}
    if required is None and boards:
        first = next(report.port for report in reports if report.hello)
        return boards.get(known, first)
    if required is None or required not in boards:
        raise NoBoardError(reports, required)
    return boards[required]


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
