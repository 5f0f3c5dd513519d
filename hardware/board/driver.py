"""The sensor board as a device: a thread that opens its port, watches it, and feeds the sink."""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from hardware.board.discovery import NoBoardError, choose, probe_all
from hardware.board.health import Troubles, describe_state, figures
from hardware.board.options import AUTO, BoardOptions, read_options
from hardware.board.transport import Transport, TransportError
from hardware.board.watch import BoardWatch
from hardware.device import ThreadedDevice, log
from hardware.observation import DeviceStatus, Hint, Memory, Observation
from hardware.retry import Retry

FIRST_RETRY, LONGEST_RETRY = 0.2, 2.0  # seconds between attempts to open the port
REOPEN_AFTER = 5.0  # seconds of silence; a TCP connection may be dead without any error


class SerialBoard(ThreadedDevice):
    """A sensor board on a serial port.

    Args:
        name: The device's name, for the log.
        options: How to reach the board.
        clock: Seconds that never go back.

    Attributes:
        tape: Called with all bytes, "in" from the board and "out" to it; for recordings.
    """

    EXPECTED_ERRORS = (TransportError, NoBoardError)

    def __init__(
        self, name: str, options: BoardOptions, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(name, Retry(FIRST_RETRY, LONGEST_RETRY, clock=clock), clock)
        self.tape: Callable[[str, bytes], None] | None = None
        self._options = options
        self._watch = BoardWatch({}, options.board)
        self._hints: tuple[Hint, ...] = ()
        self._shown_hints: tuple[Hint, ...] = ()
        self._port = ""
        self._troubles = Troubles()

    def indicate(self, hints: Sequence[Hint]) -> None:
        """Light these places and no others, as soon as the board is there."""
        self._hints = tuple(hints)

    def _restore(self, memory: Memory) -> None:
        self._watch = BoardWatch(memory, self._options.board)
        self._report()

    def _observe(self) -> None:
        watch = self._watch
        connections = watch.link.counts["connections"]
        transport = Transport(self._find_port())
        try:
            transport.open()
            self._port, self._troubles.port = transport.port, ""
            watch.opened(self._clock())
            last_heard = self._clock()
            while not self._stopping.is_set():
                data = transport.read()
                self._step(data)
                answer = watch.outgoing(self._clock())
                transport.write(answer)
                if self.tape is not None:
                    self.tape("in", data)
                    self.tape("out", answer)
                if not watch.silent:
                    last_heard = self._clock()
                elif self._clock() - last_heard >= REOPEN_AFTER:
                    return
            transport.write(watch.farewell(self._clock()))
        finally:
            transport.close()
            self._port = ""
            watch.link.closed()
            if watch.link.counts["connections"] > connections:
                self._retry.succeeded()

    def _lost(self, detail: str) -> None:
        self._troubles.port = detail

    def _poll(self) -> None:
        # Even without a port, time out the board and retry the sink.
        self._step(b"")

    def _find_port(self) -> str:
        if self._options.port != AUTO:
            return self._options.port
        link = self._watch.link
        reports = probe_all(self._options.ports, link.boot, link.kept_seq)
        return choose(reports, self._options.board, self._watch.known)

    def _step(self, data: bytes) -> None:
        now = self._clock()
        hints = self._hints  # another thread may replace them at any time
        if hints is not self._shown_hints:
            self._shown_hints = hints
            self._watch.indicate(hints)
        bodies = self._watch.receive(data, now) + self._watch.poll(now)
        if bodies:
            at = datetime.now(UTC).isoformat(timespec="milliseconds")
            self._queue.add(Observation(at, body) for body in bodies)
        # Only what the sink has stored is acknowledged to the board.
        if self._queue.flush(self._watch.memory(), even_if_empty=self._watch.unkept):
            self._watch.kept()
        self._troubles.sink = self._queue.trouble
        self._report()

    def _report(self) -> None:
        watch, port, now = self._watch, self._port, self._clock()
        state, detail = describe_state(watch, self._options, port, self._troubles, now)
        if state != self._status.state:
            log.info("%s is %s: %s", self.name, state, detail)
        positions = watch.positions.positions() if watch.positions else {}
        self._status = DeviceStatus(state, detail, positions, figures(watch, len(self._queue)))


def serial_board(name: str, options: Mapping[str, Any]) -> SerialBoard:
    """Make a board from its options (``BoardOptions``), not started. Raises ValueError."""
    return SerialBoard(name, read_options(options))
