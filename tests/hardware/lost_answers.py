"""A way to a server on which answers get lost: the server has done what was asked, nobody hears."""

import contextlib
import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from urllib.parse import urlsplit

from tests.waiting import PATIENCE

# Of one connection; the other side says them for itself.
OF_A_CONNECTION = {"connection", "transfer-encoding", "keep-alive", "content-length"}


class LostAnswers:
    """Requests to ``url`` reach the server; this share of its answers is lost, by hanging up.

    Streams pass as long as they last: they are cut no more than the server cuts them.

    Attributes:
        answers: How many answers the server gave, streams left out.
        lost: How many of these were lost.
    """

    def __init__(self, server: str, share: float, seed: int = 0) -> None:
        self.answers = 0
        self.lost = 0
        self.share = share
        self._to = urlsplit(server)
        self._random = Random(seed)
        self._guard = threading.Lock()
        way = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                way._pass_on(self)

            do_GET = do_DELETE = do_POST  # noqa: N815 - the server's names

            def log_message(self, *_: object) -> None:
                """There is nothing to log."""

        self._listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._listener.daemon_threads = True
        # A gateway that is killed resets its connections, which is nothing to tell.
        self._listener.handle_error = lambda *_: None
        self.url = f"http://127.0.0.1:{self._listener.server_port}"
        self._thread = threading.Thread(target=self._listener.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Nobody gets through any more."""
        self._listener.shutdown()
        self._listener.server_close()
        self._thread.join()

    def _pass_on(self, request: BaseHTTPRequestHandler) -> None:
        request.close_connection = True
        body = request.rfile.read(int(request.headers.get("Content-Length", 0)))
        with contextlib.suppress(OSError, http.client.HTTPException):
            server = http.client.HTTPConnection(
                str(self._to.hostname), self._to.port, timeout=PATIENCE
            )
            with contextlib.closing(server):
                server.request(request.command, request.path, body, dict(request.headers))
                self._answer(request, server.getresponse())

    def _answer(self, request: BaseHTTPRequestHandler, answer: http.client.HTTPResponse) -> None:
        streams = answer.headers.get_content_type() == "text/event-stream"
        content = b"" if streams else answer.read()
        if not streams and self._loses():
            return
        request.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in OF_A_CONNECTION:
                request.send_header(name, value)
        if streams:
            request.send_header("Connection", "close")
            request.end_headers()
            while part := answer.read1(4096):
                request.wfile.write(part)
        else:
            request.close_connection = False
            request.send_header("Content-Length", str(len(content)))
            request.end_headers()
            request.wfile.write(content)

    def _loses(self) -> bool:
        with self._guard:
            self.answers += 1
            lost = self._random.random() < self.share
            self.lost += lost
            return lost
