"""What the server makes of odd requests: every refusal is a problem, and none disturbs another."""

import json

import pytest

from tests.e2e.server import Server
from tests.serving.raw import ask, connect, is_closed, receive

HEAD = b"POST /api/v1/tables HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
NEW = json.dumps({"ruleset": "classic-108", "seats": ["Ann", "Bo"]}).encode()
HEALTH = b"GET /health HTTP/1.1\r\nHost: here\r\n"


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def test_a_chunked_body_is_a_body(server: Server) -> None:
    parts = [chunk(NEW[:10]), chunk(NEW[10:]), b"0\r\n\r\n"]
    assert ask(server, CHUNKED, *parts).status == 201


def test_a_chunked_body_beyond_the_limit_is_refused_whole(server: Server) -> None:
    # Cut at the limit, it would be a good body.
    long = NEW + b" " * 1_000_000
    refused = ask(server, CHUNKED, chunk(long), b"0\r\n\r\n")
    assert refused.status == 413
    assert refused.problem()["type"] == "/problems/too-large"


@pytest.mark.parametrize("offered", ["h2c", "websocket"])
def test_an_offer_of_another_protocol_is_declined(server: Server, offered: str) -> None:
    # Java's HTTP client makes one with its first request.
    offer = f"Connection: Upgrade, HTTP2-Settings\r\nContent-Length: {len(NEW)}\r\n"
    offer += f"HTTP2-Settings: AAEA\r\nUpgrade: {offered}\r\n\r\n"
    with connect(server) as connection:
        for _ in range(2):
            connection.sendall(HEAD + offer.encode() + NEW)
            assert receive(connection).status == 201
        connection.sendall(HEAD + offer.encode())
        connection.sendall(NEW)
        assert receive(connection).status == 201


@pytest.mark.parametrize("declared", [17_000_000, 10**15])
def test_a_long_body_is_refused_before_it_is_sent(server: Server, declared: int) -> None:
    refused = ask(server, HEAD + b"Content-Length: %d\r\n\r\n" % declared)
    assert refused.status == 413
    assert refused.problem()["type"] == "/problems/too-large"


def test_who_sends_a_long_body_all_the_same_reads_the_refusal(server: Server) -> None:
    size = 17_000_000
    with connect(server) as connection:
        connection.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % size)
        assert receive(connection).status == 413
        # As much as a server may have in hand is read and thrown away.
        connection.sendall(b" " * 1_000_000)
    body = b" " * 1_000_000
    with connect(server) as connection:
        connection.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        assert receive(connection).status == 413
        connection.sendall(HEALTH + b"\r\n")
        assert receive(connection).status == 200


@pytest.mark.parametrize(("size", "status"), [(16_777_216, 422), (16_777_217, 413)])
@pytest.mark.parametrize("chunked", [False, True], ids=["whole", "in chunks"])
def test_a_photo_may_be_as_long_as_is_promised(
    server: Server, size: int, status: int, chunked: bool
) -> None:
    table = json.loads(ask(server, HEAD + b"Content-Length: %d\r\n\r\n" % len(NEW) + NEW).body)
    head = f"POST /api/v1/tables/{table['table']['id']}/photos HTTP/1.1\r\nHost: here\r\n"
    head += f"Content-Type: image/png\r\nAuthorization: Bearer {table['token']}\r\n"
    head += "Transfer-Encoding: chunked" if chunked else f"Content-Length: {size}"
    photo = bytes(size)
    body = chunk(photo) + b"0\r\n\r\n" if chunked else photo
    answer = ask(server, head.encode() + b"\r\n\r\n", body)
    problem = answer.problem()
    # The one is read and is no picture.
    assert problem["status"] == status, problem
    if status == 413:
        assert "16777216" in problem["detail"]


@pytest.mark.parametrize(
    "bad",
    [b"5\r\nabc\r\n0\r\n\r\n", b"zz\r\n", b"-1\r\n\r\n", b"5\r\nabcde0\r\n\r\n"],
    ids=["short", "no number", "negative", "no end of line"],
)
def test_a_bad_chunk_is_a_bad_request(server: Server, bad: bytes) -> None:
    with connect(server) as connection:
        connection.sendall(CHUNKED + bad)
        refused = receive(connection)
        assert refused.status == 400
        assert refused.problem()["type"] == "/problems/bad-request"
        assert refused.headers["connection"] == "close"
        assert is_closed(connection)


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"GET /health HTTP/9.9\r\n\r\n", 400),
        (b"GET /\xff HTTP/1.1\r\nHost: here\r\n\r\n", 400),
        (HEALTH + b"Bad Name: 1\r\n\r\n", 400),
        (HEAD + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc", 400),
        (HEAD + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (HEAD + b"Content-Length: three\r\n\r\nabc", 400),
        (b"GET /" + b"a" * 5_000 + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET /" + b"a" * 200_000, 414),
        (HEALTH + b"X: " + b"a" * 40_000 + b"\r\n\r\n", 431),
        (HEALTH + b"X: " + b"a" * 200_000, 431),
        (HEALTH + b"X: a\r\n" * 150 + b"\r\n", 431),
    ],
)
def test_a_request_that_no_server_takes(server: Server, request_: bytes, status: int) -> None:
    refused = ask(server, request_)
    assert refused.status == status
    assert refused.problem()["detail"]


def test_a_refusal_speaks_the_language_asked_for(server: Server) -> None:
    long = b"X: a\r\n" * 150
    refused = ask(server, HEALTH + b"Accept-Language: de\r\n" + long + b"\r\n")
    assert refused.problem()["title"] == "Die Header sind zu groß"


def test_nonsense_after_a_request_does_not_spoil_its_answer(server: Server) -> None:
    with connect(server) as connection:
        connection.sendall(HEALTH + b"\r\n" + b"nonsense\r\n\r\n")
        assert receive(connection).status == 200
        assert is_closed(connection)


def test_requests_in_one_go_are_answered_in_turn(server: Server) -> None:
    with connect(server) as connection:
        connection.sendall((HEALTH + b"\r\n") * 19 + HEALTH + b"Connection: close\r\n\r\n")
        data = b""
        while part := connection.recv(65536):
            data += part
    assert data.count(b"HTTP/1.1 200 OK\r\n") == 20


def test_a_header_with_an_underscore_passes_for_no_other(server: Server) -> None:
    denied = b"POST /api/v1/tables HTTP/1.1\r\nHost: here\r\nContent_Type: application/json\r\n"
    refused = ask(server, denied + b"Content-Length: 2\r\n\r\n{}")
    assert refused.status == 415


def test_a_client_may_wait_to_be_asked_for_the_body(server: Server) -> None:
    with connect(server) as connection:
        expects = b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(NEW)
        connection.sendall(HEAD + expects)
        assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(NEW)
        assert receive(connection).status == 201


@pytest.mark.parametrize("path", [b"/", b"/health"])
def test_the_time_is_said_once(server: Server, path: bytes) -> None:
    with connect(server) as connection:
        connection.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
        data = b""
        while part := connection.recv(4096):
            data += part
    head, _, _ = data.partition(b"\r\n\r\n")
    assert head.lower().count(b"\r\ndate: ") == 1


def test_head_has_no_body(server: Server) -> None:
    with connect(server) as connection:
        connection.sendall(b"HEAD /health HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
        data = b""
        while part := connection.recv(4096):
            data += part
    assert data.startswith(b"HTTP/1.1 200")
    assert data.endswith(b"\r\n\r\n")


@pytest.mark.parametrize(
    "bad",
    [
        b"GET /health HTTP/1.1\r\n",
        HEALTH + b"Host: there\r\n",
        HEAD + b"Transfer-Encoding: gzip, chunked\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        HEAD.replace(b"1.1", b"1.0") + b"Transfer-Encoding: chunked\r\n",
    ],
    ids=["no host", "two hosts", "compressed", "chunked twice", "chunked in HTTP/1.0"],
)
def test_what_servers_may_read_differently_is_refused(server: Server, bad: bytes) -> None:
    refused = ask(server, bad + b"\r\n")
    assert refused.problem()["status"] == 400
    assert refused.headers["connection"] == "close"


def test_http_1_0_needs_no_host(server: Server) -> None:
    assert ask(server, b"GET /health HTTP/1.0\r\n\r\n").status == 200
