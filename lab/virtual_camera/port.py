"""The virtual camera's HTTP port, which can be unplugged at any time."""

import contextlib
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from hardware.virtual_board.ports import PortError

STREAM, PICTURE = "/stream", "/picture.jpg"
BOUNDARY = "picture"
LOOK_AGAIN_S = 0.5
"""Seconds without a picture after which a connection is checked."""
SEND_S = 5.0


class PicturePort:
    """Serves the newest picture over HTTP.

    ``/stream`` is an endless MJPEG stream, ``/picture.jpg`` the newest picture. Slow readers miss
    pictures. Port 0 selects a free one, kept from then on. ``number`` counts published pictures.
    """

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        self._address = (host, port)
        self._server: _Server | None = None
        self._changed = threading.Condition()
        self._newest = b""
        self.number = 0
        self._readers: set[socket.socket] = set()

    @property
    def url(self) -> str:
        """The stream's URL; a port of 0 is resolved by the first ``plug``."""
        host, port = self._address
        host = f"[{host}]" if ":" in host else host
        return f"http://{host}:{port}{STREAM}"

    @property
    def plugged(self) -> bool:
        """Whether the port is open."""
        return self._server is not None

    @property
    def readers(self) -> int:
        """Number of open connections."""
        with self._changed:
            return len(self._readers)

    def plug(self) -> None:
        """Listen. Raises PortError."""
        if self._server is not None:
            return
        try:
            self._server = _Server(self._address, self)
        except OSError as error:
            host, port = self._address
            why = error.strerror or error
            raise PortError(f"cannot listen on {host}:{port}: {why}; choose another port") from None
        self._address = (self._address[0], int(self._server.server_address[1]))
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def unplug(self) -> None:
        """Cut all connections and close the port."""
        server, self._server = self._server, None
        if server is None:
            return
        server.shutdown()
        server.server_close()
        with self._changed:
            readers = list(self._readers)
            self._changed.notify_all()
        for reader in readers:
            with contextlib.suppress(OSError):
                reader.shutdown(socket.SHUT_RDWR)

    def publish(self, jpeg: bytes) -> None:
        """Publish a picture."""
        with self._changed:
            self._newest = jpeg
            self.number += 1
            self._changed.notify_all()

    def after(self, number: int, server: "_Server") -> tuple[int, bytes]:
        """Wait a while for a picture newer than ``number``; return the newest and its number.

        Raises OSError if the port was unplugged.
        """
        with self._changed:
            if self.number == number and self._server is server:
                self._changed.wait(LOOK_AGAIN_S)
            if self._server is not server:
                raise OSError("unplugged")
            return self.number, self._newest

    @contextlib.contextmanager
    def reading(self, reader: socket.socket) -> Any:
        """Count a connection as open."""
        with self._changed:
            self._readers.add(reader)
        try:
            yield
        finally:
            with self._changed:
                self._readers.discard(reader)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # Unplugging does not wait for requests to end.
    block_on_close = False

    def __init__(self, address: tuple[str, int], port: PicturePort) -> None:
        if ":" in address[0]:
            self.address_family = socket.AF_INET6
        self.pictures = port
        super().__init__(address, _Answer)

    def handle_error(self, request: Any, address: Any) -> None:
        """Ignore clients that disconnect."""


class _Answer(BaseHTTPRequestHandler):
    server: _Server
    timeout = SEND_S

    def do_GET(self) -> None:
        """Answer with pictures."""
        path = self.path.partition("?")[0]
        if path not in (STREAM, PICTURE):
            self.send_error(404, f"there are {STREAM} and {PICTURE}")
            return
        with self.server.pictures.reading(self.connection):
            if path == PICTURE:
                self._one()
            else:
                self._many()

    def _one(self) -> None:
        pictures = self.server.pictures
        _, jpeg = pictures.after(pictures.number, self.server)
        if not jpeg:
            self.send_error(503, "no picture has been taken yet")
            return
        self.send_response(200)
        self.send_header("Content-Type", "image/jpeg")
        self.send_header("Content-Length", str(len(jpeg)))
        self.end_headers()
        self.wfile.write(jpeg)

    def _many(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={BOUNDARY}")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        number = -1
        while True:
            newest, jpeg = self.server.pictures.after(number, self.server)
            if newest != number and jpeg:
                head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}"
                self.wfile.write(f"{head}\r\n\r\n".encode() + jpeg + b"\r\n")
            number = newest

    def log_message(self, *_: Any) -> None:
        """Log nothing."""
