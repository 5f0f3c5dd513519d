"""The sensor board as a device: a thread that opens its port, watches it, and feeds the sink."""

import errno
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from hardware.board.discovery import NoBoardError, choose, probe_all
from hardware.board.health import Troubles, describe_state, figures
from hardware.board.measuring import Calibration
from hardware.board.messages import Hello, Levels
from hardware.board.network_port import SCHEME
from hardware.board.options import AUTO, BoardOptions, read_options
from hardware.board.transport import Transport, TransportError
from hardware.board.watch import BoardWatch
from hardware.device import ThreadedDevice, log
from hardware.observation import DeviceStatus, Hint, Memory, Observation
from hardware.retry import Retry

FIRST_RETRY, LONGEST_RETRY = 0.2, 2.0  # seconds between attempts to open the port
# Seconds after the board fell silent; a TCP connection may be dead without any error. On the
# network the board waits ten seconds for the host that it had.
REOPEN_AFTER, REOPEN_ON_NETWORK_AFTER = 5.0, 1.0


class SerialBoard(ThreadedDevice):
    """A sensor board on a serial port, or on the network.

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
        self._measures = self._calibrates = False

    @property
    def hello(self) -> Hello | None:
        """What the board last said of itself; None before it has."""
        return self._watch.link.hello

    def indicate(self, hints: Sequence[Hint]) -> None:
        """Light these places and no others, as soon as the board is there."""
        self._hints = tuple(hints)

    def measure(self) -> None:
        """Have the board tell what its sensors measure, from now on; nobody else needs it."""
        self._measures = True

    def levels(self) -> dict[int, Levels]:
        """Return what the sensors of each place measure now, if ``measure`` was called."""
        return self._watch.measuring.levels(self._clock())

    def calibrate(self) -> None:
        """Have the board keep the present levels of sensors without a magnet as their middles."""
        self._calibrates = True

    @property
    def calibration(self) -> Calibration:
        """How the calibration stands."""
        return self._watch.measuring.calibration

    def _restore(self, memory: Memory) -> None:
        self._watch = BoardWatch(memory, self._options.board)
        self._report()

    def _observe(self) -> None:
        watch = self._watch
        connections = watch.link.counts["connections"]
        transport = Transport(self._find_port())
        on_network = transport.port.startswith(SCHEME)
        patience = REOPEN_ON_NETWORK_AFTER if on_network else REOPEN_AFTER
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
                if on_network and watch.in_use:
                    # Do not stand in the door while the host comes back that has the board.
                    raise TransportError(transport.port, OSError(errno.EBUSY, watch.trouble))
                if not watch.silent:
                    last_heard = self._clock()
                elif self._clock() - last_heard >= patience:
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
        self._watch.measuring.wanted = self._measures
        if self._calibrates:
            self._calibrates = False
            self._watch.measuring.calibrate()
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
