"""What talks at a port from which no frame of a board comes. No I/O."""

from enum import StrEnum

# A carriage return, and Ctrl-B, which ends another mode of MicroPython's prompt: it then introduces
# itself. To a board's program they are noise between two frames.
QUESTION = b"\r\x02"
_OF_PROMPT = (b">>> ", b"MicroPython v", b"raw REPL; CTRL-B to exit")
_REMEMBERED = 200  # bytes
AT_PROMPT = "MicroPython's prompt is there: the board's program does not run"
PROMPT_ADVICE = (
    "take the service jumper out and connect the cable anew, or put the program on it: "
    "'referee-table flash'"
)
OTHER_TALKS = (
    "something else is at this port: it sends, but no frame of a board; name the board's port"
)

ECHOES = (
    "what is sent to this port comes back: its two data wires are joined, or it is a modem; "
    "name the board's port"
)


class Kind(StrEnum):
    """What is at a port."""

    NOTHING = "nothing"
    PROMPT = "MicroPython's prompt"
    ECHO = "an echo"
    OTHER = "something else"


class Stranger:
    """Listens to a port from its opening on; ``kind`` is what it took it for."""

    def __init__(self) -> None:
        self.kind = Kind.NOTHING
        self.count = 0
        self._end = b""
        self._sent = b""
        self._asked = False

    def opened(self) -> None:
        """Listen anew. What it was counts until it says something, unless it said nothing."""
        if not self.count:
            self.kind = Kind.NOTHING
        self.count, self._end, self._sent, self._asked = 0, b"", b"", False

    def sent(self, data: bytes) -> None:
        """Take frames that were sent to the port: a board never says them."""
        if data:
            self._sent = data[-_REMEMBERED:]

    def hear(self, data: bytes) -> None:
        """Take bytes from the port."""
        if not data:
            return
        self.count += len(data)
        heard = self._end + data
        if any(sign in heard for sign in _OF_PROMPT):
            self.kind = Kind.PROMPT
        elif self._sent and self._sent in heard:
            self.kind = Kind.ECHO
        elif self.kind is Kind.NOTHING:
            self.kind = Kind.OTHER
        self._end = heard[-_REMEMBERED:]

    def question(self) -> bytes:
        """Return what a prompt answers, once an opening."""
        if self._asked:
            return b""
        self._asked = True
        return QUESTION
