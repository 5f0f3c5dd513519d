"""The pictures of an HTTP answer that never ends (multipart/x-mixed-replace), from its bytes."""

import re

# No camera sends a picture of this size; a server that does so is no camera.
MOST = 32_000_000
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_LENGTH = re.compile(rb"content-length:\s*([0-9]{1,9})\b", re.IGNORECASE)


class PartsError(ValueError):
    """The bytes are no such answer."""


class Parts:
    """Takes bytes as they come and gives the bodies of the parts that are complete.

    Cameras disagree about the dashes of the boundary, so those in front of it do not count.

    Args:
        boundary: what the content type says.
    """

    def __init__(self, boundary: str) -> None:
        self._between = b"--" + boundary.strip().strip('"').lstrip("-").encode("latin-1", "replace")
        self._buffer = bytearray()
        self._in_body = False
        self._length: int | None = None
        self._searched = 0

    def feed(self, data: bytes) -> list[bytes]:
        """The bodies that these bytes complete, in order. Raises PartsError."""
        self._buffer += data
        found = []
        while True:
            if not self._in_body and not self._take_head():
                break
            body = self._take_body()
            if body is None:
                break
            if body:
                found.append(body)
        if len(self._buffer) > MOST:
            raise PartsError(f"no picture ends within {MOST // 1_000_000} MB")
        return found

    def _take_head(self) -> bool:
        start = self._buffer.find(self._between)
        if start < 0:
            # What stands before the first boundary means nothing.
            del self._buffer[: max(0, len(self._buffer) - len(self._between))]
            return False
        end = _HEAD_END.search(self._buffer, start)
        if end is None:
            return False
        said = _LENGTH.search(self._buffer, start, end.start())
        self._length = int(said[1]) if said else None
        if self._length is not None and self._length > MOST:
            raise PartsError(f"a picture is said to have {self._length / 1e6:.0f} MB")
        del self._buffer[: end.end()]
        self._in_body, self._searched = True, 0
        return True

    def _take_body(self) -> bytes | None:
        if self._length is not None:
            end, past = self._length, self._length
            if len(self._buffer) < end:
                return None
        else:
            end = past = self._buffer.find(self._between, self._searched)
            if end < 0:
                self._searched = max(0, len(self._buffer) - len(self._between))
                return None
        body = bytes(self._buffer[:end])
        del self._buffer[:past]
        self._in_body = False
        return body if self._length is not None else body.rstrip(b"\r\n")
