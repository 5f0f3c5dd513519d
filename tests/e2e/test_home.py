"""A real server at home: HTTPS beside HTTP, as a client sees it that checks certificates."""

import http.client
import json
import socket
import ssl
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import requests

from referee.home.authority import Pair
from tests.e2e.home import HomeServer
from tests.home.handshake import certificate_number, trusting
from tests.home.test_door import PublicAuthority
from tests.waiting import PATIENCE, until


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HomeServer]:
    with HomeServer(tmp_path_factory.mktemp("house") / "home") as server:
        yield server


def made_table(url: str, verify: Path | bool = True) -> tuple[str, dict[str, str]]:
    """The address of a new table's resources, and its host's headers."""
    answer = requests.post(
        f"{url}/api/v1/tables",
        json={"ruleset": "classic-108", "seats": ["Ann", "Bo"]},
        verify=str(verify) if isinstance(verify, Path) else verify,
        timeout=PATIENCE,
    )
    assert answer.status_code == 201, answer.text
    made = answer.json()
    address = f"{url}/api/v1/tables/{made['table']['id']}"
    return address, {"Authorization": f"Bearer {made['token']}"}


def handshake(house: HomeServer, context: ssl.SSLContext) -> ssl.SSLSocket:
    raw = socket.create_connection(("127.0.0.1", house.secure_port), PATIENCE)
    return context.wrap_socket(raw, server_hostname="127.0.0.1")


def test_one_table_by_http_and_by_https(house: HomeServer) -> None:
    """A host who trusts the house and a guest who does not sit at the same table."""
    table, host = made_table(house.secure, house.certificate)
    there = requests.get(table, headers=host, verify=str(house.certificate), timeout=PATIENCE)
    plain = table.replace(house.secure, house.url)
    assert requests.get(plain, headers=host, timeout=PATIENCE).json() == there.json()
    assert "Strict-Transport-Security" not in there.headers


def test_who_does_not_trust_the_house_gets_no_answer(house: HomeServer) -> None:
    with pytest.raises(requests.exceptions.SSLError, match="CERTIFICATE_VERIFY_FAILED"):
        requests.get(f"{house.secure}/health", timeout=PATIENCE)


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1")
def test_nothing_older_than_tls_1_2(house: HomeServer) -> None:
    with handshake(house, house.trusting()) as there:
        assert there.version() == "TLSv1.3"
    old = house.trusting()
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    with handshake(house, old) as there:
        assert there.version() == "TLSv1.2"
    old.set_ciphers("ALL:@SECLEVEL=0")
    old.minimum_version = ssl.TLSVersion.TLSv1
    old.maximum_version = ssl.TLSVersion.TLSv1_1
    with pytest.raises((ssl.SSLError, ConnectionResetError)):
        handshake(house, old)


def test_who_does_not_shake_hands_holds_nobody(house: HomeServer) -> None:
    address = ("127.0.0.1", house.secure_port)
    slow = [socket.create_connection(address, PATIENCE) for _ in range(50)]
    try:
        for number, one in enumerate(slow):
            # Nothing, half a hello, or no TLS at all.
            one.sendall([b"", b"\x16\x03\x01\x02\x00\x01", b"GET / HTTP/1.1\r\n\r\n"][number % 3])
        assert requests.get(f"{house.url}/health", timeout=PATIENCE).ok
        answer = requests.get(
            f"{house.secure}/health", verify=str(house.certificate), timeout=PATIENCE
        )
        assert answer.ok
        # Those who say nothing are sent away.
        slow[0].settimeout(PATIENCE)
        assert slow[0].recv(1) == b""
    finally:
        for one in slow:
            one.close()


def test_a_stream_by_https_tells_what_happens(house: HomeServer) -> None:
    table, host = made_table(house.secure, house.certificate)
    verify = str(house.certificate)
    with requests.get(
        f"{table}/events",
        headers={**host, "Accept": "text/event-stream"},
        stream=True,
        verify=verify,
        timeout=PATIENCE,
    ) as stream:
        assert stream.status_code == 200
        # Written by HTTP, read by HTTPS.
        plain = table.replace(house.secure, house.url)
        opening = {"dealer": 1, "opening": ["red-7"]}
        answer = requests.post(f"{plain}/rounds", json=opening, headers=host, timeout=PATIENCE)
        assert answer.status_code == 201, answer.text
        for line in stream.iter_lines(decode_unicode=True):
            if line.startswith("event: round"):
                break
        else:
            raise AssertionError("the stream ended")


def test_large_bodies_by_https(house: HomeServer) -> None:
    """A photo goes through in pieces; one that is too large is refused as over HTTP."""
    table, host = made_table(house.secure, house.certificate)
    path = table.removeprefix(house.secure) + "/photos"
    for size, expected in [(4_000_000, {400, 415, 422, 503}), (20_000_000, {413})]:
        connection = http.client.HTTPSConnection(
            "127.0.0.1", house.secure_port, timeout=PATIENCE, context=house.trusting()
        )
        headers = {**host, "Content-Type": "image/jpeg", "Content-Length": str(size)}
        try:
            connection.request("POST", path, headers=headers, body=bytes(size))
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            # It said no before it had all.
            continue
        answer = connection.getresponse()
        assert answer.status in expected, answer.read()
        assert "status" in json.loads(answer.read())
        connection.close()


def test_a_second_start_has_the_same_authority(tmp_path: Path) -> None:
    with HomeServer(tmp_path / "home") as server:
        first = server.certificate.read_bytes()
        assert requests.get(f"{server.url}/house.crt", timeout=PATIENCE).content == (
            ssl.PEM_cert_to_DER_cert(first.decode())
        )
    with HomeServer(tmp_path / "home") as server:
        assert server.certificate.read_bytes() == first


def test_a_renewed_certificate_is_served_without_a_restart(tmp_path: Path) -> None:
    """As certbot and lego renew: the files change, from an authority that everybody trusts."""
    public = PublicAuthority(tmp_path / "public")
    pair = Pair(tmp_path / "fullchain.pem", tmp_path / "privkey.pem")
    public.issue(pair, "game.example")
    flags = ("--cert", str(pair.certificate), "--key", str(pair.key))
    served = partial(certificate_number, trusting(public.folder), host="game.example")
    with HomeServer(tmp_path / "home", *flags) as server:
        assert server.secure.startswith("https://game.example:")
        port = server.secure_port
        old = served(port)
        public.issue(pair, "game.example")
        until(lambda: served(port) != old, pause=0.1)
        # The other phones noticed nothing.
        assert requests.get(f"{server.url}/health", timeout=PATIENCE).ok
