"""A server that keeps a referee's promises, or breaks them on demand; a device to go with it."""

import json
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from hardware.gateway.posting.outbox import Outbox
from hardware.gateway.posting.outbox_file import Queue
from hardware.observation import DeviceStatus, Hint, Memory, Observation, Sink

TOKEN = "device-token"
HOST_TOKEN = "host-token"
AT = "2026-07-01T18:00:00.000Z"
WRONG = {"power": "U", "kind": "misplaced", "is": 3, "should": 2, "text": "U belongs to Bo."}


def seen(number: int) -> Observation:
    return Observation(AT, {"kind": "powers", "powers": {"U": number}})


def queue_of(outbox: Outbox, device: str) -> Queue:
    """The device's queue at table t1."""
    found = [queue for queue in outbox.queues() if (queue.table, queue.device) == ("t1", device)]
    return found[0] if found else Queue("t1", device)


@dataclass
class Fault:
    """What happens to a request in place of its answer.

    ``status`` with ``headers`` is answered as a problem, or as a page if ``page``; "lost" loses the
    answer to what was done, "dropped" the request itself.
    """

    kind: str = "status"
    status: int = 500
    headers: Mapping[str, str] = field(default_factory=dict)
    page: bool = False
    detail: str = "a fault"
    problem: str = "any"


class FakeReferee:
    """Speaks the part of the API that a gateway needs."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.tokens = {TOKEN, HOST_TOKEN}
        # What was posted and taken: key and body, in order; and how often anything was posted.
        self.log: list[tuple[str, Any]] = []
        self.posts = 0
        # Who promised to be heard of again: tokens and bodies, in order.
        self.promises: list[tuple[str, Any]] = []
        self.at_once = 0
        self.most_at_once = 0
        self.answers: dict[str, tuple[bytes, int, bytes]] = {}
        self.version = 10
        self.discrepancies: list[Any] = []
        # Whether it knows batches, how many of one it takes, how many it took, and what it refuses.
        self.batches = True
        self.most_of_batch = 50
        self.batch_sizes: list[int] = []
        self.unfit: set[bytes] = set()
        # What entries say besides.
        self.more: dict[str, Any] = {}
        self.ruleset = "power-grab"
        self.powers = ["U", "N", "O", "!"]
        self.seats = ["Ann", "Bo", "Cy"]
        self.skew = 0.0
        self.stream_ids: list[str | None] = []
        self.stream_tokens: list[str] = []
        # What streams have sent: the id of the event (None for other parts), and the bytes.
        self.stream_parts: list[tuple[int | None, bytes]] = []
        self.stream_status = 200
        self.hang_ups = 0
        self.guard = threading.Condition()
        self.counting = threading.Lock()
        self._server: ThreadingHTTPServer | None = None
        # Bound and not listening, it keeps the port while there is no server.
        self._place = socket.socket()
        self._place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._place.bind(("127.0.0.1", 0))
        self.port = int(self._place.getsockname()[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Listen, always at the same port."""
        server = ThreadingHTTPServer(("127.0.0.1", self.port), _handler(self))
        server.daemon_threads = True
        self._server = server
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self) -> None:
        self.hang_up()
        self._server.shutdown()
        self._server.server_close()

    def hang_up(self) -> None:
        """End every open stream."""
        with self.guard:
            self.hang_ups += 1
            self.guard.notify_all()

    def send(self, part: bytes, number: int | None = None) -> None:
        """Bytes on every open stream; an event with a number is for later ones, too."""
        with self.guard:
            self.version = self.version if number is None else number
            self.stream_parts.append((number, part))
            self.guard.notify_all()

    def event(self, number: int, data: Mapping[str, Any]) -> None:
        part = f"id: {number}\nevent: observed\ndata: {json.dumps({'id': number, **data})}\n\n"
        self.send(part.encode(), number)

    def numbers(self) -> list[int]:
        """The observations in the log, by their numbers."""
        return [body["powers"]["U"] for _, body in self.log]

    def __enter__(self) -> "FakeReferee":
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
        self._place.close()

    def take_many(self, raw: bytes) -> tuple[int, bytes]:
        """Write observations down up to the first that is refused, or as many as it likes."""
        results = []
        for observation in json.loads(raw)["observations"][: self.most_of_batch]:
            body = json.dumps(observation["observation"], separators=(",", ":")).encode()
            if body in self.unfit:
                status, answer = 422, problem("invalid-request", 422, "powers.U: no such place")
            else:
                status, answer = self.take(observation["key"], body)
            what = "entry" if status < 300 else "problem"
            results.append({"status": status, what: json.loads(answer)})
            if status >= 300:
                break
        self.batch_sizes.append(len(results))
        return 200, json.dumps({"results": results}).encode()

    def take(self, key: str, raw: bytes) -> tuple[int, bytes]:
        """Write an observation down, once a key."""
        if key in self.answers:
            before, status, answer = self.answers[key]
            if before != raw:
                return 422, problem("key-reused", 422, "The key belongs to another request.")
            return status, answer
        body = json.loads(raw)
        if "doctor" in body.get("powers", {}):
            return 422, problem("invalid-request", 422, "powers.doctor: no such power")
        self.version += 1
        self.log.append((key, body))
        answer = json.dumps(
            {
                "id": self.version,
                "version": self.version,
                "meaning": "agrees",
                "discrepancies": self.discrepancies,
                **self.more,
            }
        ).encode()
        self.answers[key] = (raw, 201, answer)
        return 201, answer


def problem(kind: str, status: int, detail: str) -> bytes:
    return json.dumps({"type": f"/problems/{kind}", "status": status, "detail": detail}).encode()


def _handler(fake: FakeReferee) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, *args: Any) -> None:
            pass

        def date_time_string(self, timestamp: float | None = None) -> str:
            return super().date_time_string(time.time() + fake.skew)

        def do_GET(self) -> None:
            table = {
                "version": fake.version,
                "ruleset": fake.ruleset,
                "seats": [{"name": name} for name in fake.seats],
                "discrepancies": fake.discrepancies,
            }
            if self.path == "/ready":
                self.answer(200, b'{"status": "ok"}')
            elif self.path == "/openapi.json":
                self.answer(200, b'{"info": {"version": "9.9"}}')
            elif self.path.startswith("/api/v1/rulesets/"):
                self.answer(200, json.dumps({"powers": fake.powers}).encode())
            elif not self.allowed():
                self.answer(401, problem("not-authenticated", 401, "The token is unknown."))
            elif self.path == "/api/v1/tables/t1":
                self.answer(200, json.dumps(table).encode())
            elif self.path == "/api/v1/tables/t1/events":
                self.stream()
            else:
                self.answer(404, problem("not-found", 404, "There is no such table."))

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            key = self.headers["Idempotency-Key"]
            if self.path.endswith("/promises"):
                token = self.headers["Authorization"].removeprefix("Bearer ")
                fake.promises.append((token, json.loads(raw)))
                self.answer(200 if self.allowed() else 401, b"{}")
                return
            with fake.counting:
                fake.posts += 1
                fake.at_once += 1
                fake.most_at_once = max(fake.most_at_once, fake.at_once)
            try:
                with fake.guard:
                    self.post(key, raw, fake.faults.pop(0) if fake.faults else None)
            finally:
                with fake.counting:
                    fake.at_once -= 1

        def post(self, key: str, raw: bytes, fault: Fault | None) -> None:
            if fault is not None and fault.kind == "status":
                body = b"<h1>Bad gateway</h1>"
                if not fault.page:
                    body = problem(fault.problem, fault.status, fault.detail)
                self.answer(fault.status, body, fault.headers)
            elif fault is not None and fault.kind == "dropped":
                self.close_connection = True
            elif not self.allowed():
                self.answer(401, problem("not-authenticated", 401, "The token is unknown."))
            elif self.path.endswith("/devices"):
                self.register(key, json.loads(raw))
            elif self.path.endswith("/batch") and not fake.batches:
                self.answer(404, problem("not-found", 404, "There is nothing here."))
            else:
                batch = self.path.endswith("/batch")
                status, answer = fake.take_many(raw) if batch else fake.take(key, raw)
                if fault is not None and fault.kind == "lost":
                    self.close_connection = True
                else:
                    self.answer(status, answer)

        def register(self, key: str, body: Any) -> None:
            if self.headers["Authorization"] != f"Bearer {HOST_TOKEN}":
                self.answer(403, problem("forbidden", 403, "Only the host may do this."))
                return
            fake.log.append((key, body))
            token = f"token-of-{body['name']}".encode("ascii", "ignore").decode()
            fake.tokens.add(token)
            made = {"device": "d1", "token": token, "table_id": "t1"}
            self.answer(201, json.dumps(made).encode())

        def allowed(self) -> bool:
            return self.headers["Authorization"].removeprefix("Bearer ") in fake.tokens

        def answer(
            self, status: int, body: bytes, headers: Mapping[str, str] | None = None
        ) -> None:
            self.send_response(status)
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def stream(self) -> None:
            fake.stream_ids.append(self.headers["Last-Event-ID"])
            fake.stream_tokens.append(self.headers["Authorization"].removeprefix("Bearer "))
            if fake.stream_status != 200:
                self.answer(fake.stream_status, problem("any", fake.stream_status, "not now"))
                return
            with fake.guard:
                hang_ups, told = fake.hang_ups, len(fake.stream_parts)
                last = int(self.headers["Last-Event-ID"])
                missed = [part for number, part in fake.stream_parts if (number or 0) > last]
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.chunk(b"retry: 2000\n\n")
            while True:
                for part in missed:
                    self.chunk(part)
                with fake.guard:
                    while len(fake.stream_parts) <= told and fake.hang_ups == hang_ups:
                        fake.guard.wait()
                    if fake.hang_ups > hang_ups:
                        break
                    missed = [part for _, part in fake.stream_parts[told:]]
                    told = len(fake.stream_parts)
            self.close_connection = True

        def chunk(self, part: bytes) -> None:
            self.wfile.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")

    return Handler


class FakeDevice:
    """A device whose cells the test moves."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.sink: Sink | None = None
        self.memory: Memory = {}
        self.hints: list[tuple[Hint, ...]] = []
        self.positions: dict[str, Any] = {}
        self.state = "online"
        self.stopped = False

    def start(self, sink: Sink, memory: Memory) -> None:
        self.sink, self.memory = sink, memory

    def stop(self) -> None:
        self.stopped = True

    def status(self) -> DeviceStatus:
        return DeviceStatus(self.state, "on a thread", self.positions, {"lost": 2})

    def indicate(self, hints: Sequence[Hint]) -> None:
        self.hints.append(tuple(hints))

    def see(self, number: int) -> None:
        assert self.sink is not None
        self.positions = {"U": number}
        self.sink([seen(number)], {"last": number})
