"""An HTTP server that plays a network camera, and behaves or misbehaves as a test says."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "Camera"

    def do_GET(self) -> None:
        self.server.asked.append(self.headers.get("Authorization") or "")
        try:
            self.server.answer(self)
        except OSError:
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Nothing."""

    def begin(self, status: int, kind: str, length: int | None = None, *more: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if length is None:
            self.send_header("Connection", "close")
            self.close_connection = True
        else:
            self.send_header("Content-Length", str(length))
        for line in more:
            self.send_header(*line.split(": ", 1))
        self.end_headers()

    def part(self, data: bytes, said: bool = True) -> None:
        length = f"Content-Length: {len(data)}\r\n" if said else ""
        head = f"--frame\r\nContent-Type: image/jpeg\r\n{length}\r\n".encode()
        self.wfile.write(head + data + b"\r\n")


class Camera(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, answer: Answer) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer = answer
        self.asked: list[str] = []
        self.done = threading.Event()
        self.go_on = threading.Event()

    def url(self, path: str = "/video", user: str = "") -> str:
        return f"http://{user}127.0.0.1:{self.server_address[1]}{path}"


@contextmanager
def camera(answer: Answer) -> Iterator[Camera]:
    server = Camera(answer)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.done.set()
        server.shutdown()
        server.server_close()
        thread.join(120)
