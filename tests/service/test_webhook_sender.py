"""One message to receivers of every bad kind."""

import asyncio
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from referee.service.webhooks.attempts import Outcome
from referee.service.webhooks.sender import MOST_READ, Sender
from tests.api.receiver import LOOPBACK, receiving
from tests.e2e.server import PATIENCE, free_port

# For what never comes.
DEADLINE = 0.6
BODY = b'{"type": "test"}'


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.service.webhooks.sender.CONNECT_SECONDS", PATIENCE)


def sender(*addresses: str) -> Sender:
    """A sender for which every name has these addresses."""
    if addresses:
        return Sender(LOOPBACK, PATIENCE, lambda host, port: addresses)
    return Sender(LOOPBACK, PATIENCE)


def post(url: str, by: Sender | None = None) -> Outcome:
    return asyncio.run((by or sender()).post(url, {"webhook-id": "msg_1"}, BODY))


@contextmanager
def speaking(behave: Callable[[socket.socket], None]) -> Iterator[str]:
    """Run a receiver that does what it likes with each connection; its URL."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(target=run, args=(connection,), daemon=True).start()

        def run(connection: socket.socket) -> None:
            with connection, suppress(OSError):
                behave(connection)

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        listener.shutdown(socket.SHUT_RDWR)


def test_the_connection_is_made_to_what_was_checked() -> None:
    """The name means something else the second time it is asked for, so it is asked for once."""
    with receiving() as receiver:
        asked = []

        def changing(host: str, port: int) -> list[str]:
            asked.append(host)
            return ["127.0.0.1"] if len(asked) == 1 else ["169.254.169.254"]

        url = receiver.url.replace("127.0.0.1", "lights.example")
        outcome = post(url, Sender(LOOPBACK, PATIENCE, changing))
        assert (outcome.code, outcome.error) == (204, None)
        assert asked == ["lights.example"]
        assert receiver.got[0].headers["host"].startswith("lights.example:")
        assert post(url, Sender(LOOPBACK, PATIENCE, changing)).error == "address"


@pytest.mark.parametrize(
    "addresses",
    [
        ("169.254.169.254",),
        ("127.0.0.1", "10.0.0.1"),
        ("127.0.0.1", "fe80::1"),
        ("127.0.0.1", "nonsense"),
    ],
)
def test_one_bad_address_is_enough(addresses: tuple[str, ...]) -> None:
    with receiving() as receiver:
        url = receiver.url.replace("127.0.0.1", "lights.example")
        assert post(url, sender(*addresses)).error == "address"
        assert receiver.got == []


def test_no_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with receiving() as proxy, receiving() as receiver:
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        assert post(receiver.url).error is None
        assert (len(proxy.got), len(receiver.got)) == (0, 1)


def test_a_redirect_to_a_cloud_is_a_failure() -> None:
    with receiving() as receiver:
        receiver.status = 302
        receiver.headers = {"Location": "http://169.254.169.254/latest/meta-data/"}
        outcome = post(receiver.url)
        assert (outcome.code, outcome.error) == (302, "redirect")


def test_every_other_status_is_what_it_is() -> None:
    with receiving() as receiver:
        for status, error in ((200, None), (299, None), (404, "status"), (500, "status")):
            receiver.status = status
            outcome = post(receiver.url)
            assert (outcome.code, outcome.error) == (status, error)
        receiver.status, receiver.headers = 503, {"Retry-After": "120"}
        assert post(receiver.url).wait == 120
        receiver.headers = {"Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT"}
        assert post(receiver.url).wait == 0


def silent(connection: socket.socket) -> None:
    """Say nothing until the other side has gone."""
    while connection.recv(4096):
        pass


def drip(connection: socket.socket) -> None:
    """Send a byte now and then, for ever."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
    while True:
        connection.sendall(b"a")
        time.sleep(0.05)


def interim(connection: socket.socket) -> None:
    """Promise an answer again and again."""
    while True:
        connection.sendall(b"HTTP/1.1 102 Processing\r\n\r\n")
        time.sleep(0.01)


@pytest.mark.parametrize("behave", [silent, drip, interim])
def test_a_slow_answer_ends_at_the_deadline(behave: Callable[[socket.socket], None]) -> None:
    with speaking(behave) as url:
        assert post(url, Sender(LOOPBACK, DEADLINE)).error == "timeout"


def flood(connection: socket.socket) -> None:
    while True:
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n" * 1000)


def long_header(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
    while True:
        connection.sendall(b"a" * MOST_READ)


def not_http(connection: socket.socket) -> None:
    connection.sendall(b"SSH-2.0-OpenSSH_9.6\r\n\r\n")
    silent(connection)


def hang_up(connection: socket.socket) -> None:
    connection.recv(1)


def wrong_numbers(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 9999 OK\r\n\r\n")
    silent(connection)


@pytest.mark.parametrize("behave", [flood, long_header, not_http, hang_up, wrong_numbers])
def test_what_is_no_answer_is_given_up(behave: Callable[[socket.socket], None]) -> None:
    with speaking(behave) as url:
        assert post(url).error == "answer"


def test_a_gigantic_body_is_not_read() -> None:
    sent = [0]

    def pour(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n")
        while True:
            sent[0] += connection.send(b"x" * 65_536)

    with speaking(pour) as url:
        outcome = post(url)
        assert (outcome.code, outcome.error) == (200, None)
    # What fits into the buffers of two sockets.
    assert sent[0] < 50_000_000


def test_nobody_there() -> None:
    assert post(f"http://127.0.0.1:{free_port()}/").error == "connection"
    assert post("https://hooks.invalid/", Sender(LOOPBACK, PATIENCE, nameless)).error == "name"
    with speaking(not_http) as url:
        assert post(url.replace("http:", "https:")).error == "encryption"


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
def test_the_certificate_has_to_be_that_of_the_name(tmp_path: Path) -> None:
    """The connection goes to an address; what is asked for and checked is the name."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    command += ["-nodes", "-keyout", str(key), "-out", str(certificate), "-days", "2"]
    command += ["-subj", "/CN=lights.example", "-addext", "subjectAltName=DNS:lights.example"]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    names: list[str | None] = []
    context.sni_callback = lambda _, name, __: names.append(name)

    def answer(connection: socket.socket) -> None:
        with context.wrap_socket(connection, server_side=True) as secure:
            secure.recv(4096)
            secure.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")

    trusting = ssl.create_default_context(cafile=str(certificate))
    with speaking(answer) as url:
        port = url.split(":")[2]
        for name, trust, error in (
            ("lights.example", trusting, None),
            ("other.example", trusting, "encryption"),
            ("lights.example", None, "encryption"),
        ):
            by = Sender(LOOPBACK, PATIENCE, lambda host, port: ["127.0.0.1"], trust)
            assert post(f"https://{name}:{port}", by).error == error
            assert names[-1] == name


def nameless(host: str, port: int) -> list[str]:
    raise socket.gaierror(-2, "Name or service not known")


def test_a_name_that_takes_for_ever_ends_at_the_deadline() -> None:
    released = threading.Event()

    def never(host: str, port: int) -> list[str]:
        released.wait(PATIENCE)
        return ["127.0.0.1"]

    async def ask() -> Outcome:
        outcome = await Sender(LOOPBACK, DEADLINE, never).post("http://slow.example/", {}, BODY)
        released.set()
        return outcome

    assert asyncio.run(ask()).error == "timeout"
