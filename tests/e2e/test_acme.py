"""A certificate that phones trust anyway, got as docs/home.md says, from a test authority."""

import http.client
import json
import os
import socket
import ssl
import subprocess
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.acme import PATIENCE, Acme, acme_authority, needed, running
from tests.e2e.home import HomeServer
from tests.e2e.server import Server
from tests.home.handshake import certificate_number, trusting
from tests.waiting import until

DOMAIN = "game.example.com"
Program = Callable[[Acme, Path, str], tuple[Path, Path]]
CADDYFILE = Path(__file__).parents[2] / "examples" / "operations" / "Caddyfile"


@pytest.fixture(scope="module")
def acme(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Acme]:
    with acme_authority(tmp_path_factory.mktemp("acme")) as running_there:
        yield running_there


def lego(acme: Acme, folder: Path, what: str) -> tuple[Path, Path]:
    """Get or renew a certificate by the DNS challenge; return certificate and key."""
    needed("lego")
    command = ["lego", "--server", acme.directory, "--accept-tos", "--email", "ann@example.com"]
    # Whose DNS the name has; the rest is what there is no Internet for.
    command += ["--dns", "exec", "-d", DOMAIN, "--path", str(folder)]
    command += ["--dns.resolvers", acme.resolver, "--dns.disable-cp", what]
    # Otherwise a renewal that nobody watches waits for up to eight minutes.
    command += ["--days", "10000", "--no-random-sleep"] if what == "renew" else []
    env = {"LEGO_CA_CERTIFICATES": str(acme.door), "EXEC_PATH": str(acme.hook)}
    called(command, env)
    return folder / "certificates" / f"{DOMAIN}.crt", folder / "certificates" / f"{DOMAIN}.key"


def certbot(acme: Acme, folder: Path, what: str) -> tuple[Path, Path]:
    """Do the same by certbot."""
    needed("certbot")
    command = ["certbot", "certonly" if what == "run" else "renew", "--server", acme.directory]
    for name in ("config", "work", "logs"):
        command += [f"--{name}-dir", str(folder / name)]
    if what == "run":
        command += ["--manual", "--preferred-challenges", "dns", "-d", DOMAIN, "--agree-tos"]
        command += ["--non-interactive", "--register-unsafely-without-email"]
        command += ["--manual-auth-hook", str(acme.hook)]
    else:
        command += ["--force-renewal", "--no-random-sleep-on-renew"]
    called(command, {"REQUESTS_CA_BUNDLE": str(acme.door)})
    live = folder / "config" / "live" / DOMAIN
    return live / "fullchain.pem", live / "privkey.pem"


def called(command: list[str], env: dict[str, str]) -> None:
    done = subprocess.run(
        command,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=3 * PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def phone(acme: Acme) -> ssl.SSLContext:
    """What a phone has that trusts that authority, as all trust a public one."""
    return trusting(acme.root.parent, acme.root.name)


def served(acme: Acme, port: int) -> str:
    """Shake hands as that phone; return the certificate's number."""
    return certificate_number(phone(acme), port, DOMAIN)


@pytest.mark.parametrize("program", [lego, certbot])
def test_a_house_with_a_domain(acme: Acme, program: Program, tmp_path: Path) -> None:
    """Got by the DNS challenge, and renewed while the server runs."""
    certificate, key = program(acme, tmp_path / "got", "run")
    flags = ("--cert", str(certificate), "--key", str(key))
    server = HomeServer(tmp_path / "home", *flags)
    with server:
        assert server.secure.startswith(f"https://{DOMAIN}:")
        old = served(acme, server.secure_port)
        program(acme, tmp_path / "got", "renew")
        until(lambda: served(acme, server.secure_port) != old, pause=0.2)


@pytest.fixture(scope="module")
def rented(acme: Acme, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server behind Caddy, which gets its certificate from the authority by itself."""
    needed("caddy")
    folder = tmp_path_factory.mktemp("rented")
    with Server(folder / "tables.sqlite3", env={"REFEREE_PROXIES": "1"}) as server:
        site = CADDYFILE.read_text(encoding="utf-8")
        upstream = "reverse_proxy 127.0.0.1:8000 {"
        assert site.count(upstream) == 1
        # Only what differs from the Internet: ports, the authority, and where things are kept.
        options = [
            *("admin off", "grace_period 1s", f"storage file_system {folder / 'caddy'}"),
            *(f"http_port {acme.http}", f"https_port {acme.https}"),
            *(f"acme_ca {acme.directory}", f"acme_ca_root {acme.door}"),
        ]
        there = site.replace(upstream, f"reverse_proxy {server.url} {{")
        (folder / "Caddyfile").write_text(
            "{\n" + "\n".join(options) + "\n}\n" + there, encoding="utf-8"
        )
        with running(["caddy", "run", "--config", str(folder / "Caddyfile")], folder):
            end = time.monotonic() + PATIENCE
            while True:
                try:
                    served(acme, acme.https)
                    break
                except OSError:
                    assert time.monotonic() < end, (folder / "caddy.log").read_text()
                    time.sleep(0.3)
            yield server


class PhoneConnection(http.client.HTTPSConnection):
    """A phone's connection to the domain, wherever DNS says that it is."""

    def __init__(self, acme: Acme) -> None:
        super().__init__(DOMAIN, acme.https, timeout=PATIENCE, context=phone(acme))
        self.trusting = phone(acme)

    def connect(self) -> None:
        """Connect to this machine instead of the name's."""
        raw = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        self.sock = self.trusting.wrap_socket(raw, server_hostname=DOMAIN)

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> object:
        """Send a request that succeeds; return its JSON."""
        said = {"Content-Type": "application/json", **headers}
        self.request(method, path, json.dumps(body) if body is not None else None, said)
        answer = self.getresponse()
        text = answer.read()
        assert answer.status < 300, text
        return json.loads(text)


def test_a_rented_server_behind_caddy(acme: Acme, rented: Server) -> None:
    """Caddy gets its certificate, and passes a stream on at once, packed as browsers ask."""
    there = PhoneConnection(acme)
    found: Any = there.ask("GET", "/origin.json")
    assert found["origin"] == f"https://{DOMAIN}:{acme.https}/"
    made: Any = there.ask("POST", "/api/v1/tables", {"ruleset": "classic-108", "seats": ["A", "B"]})
    table = f"/api/v1/tables/{made['table']['id']}"
    host = {"Authorization": f"Bearer {made['token']}"}
    streaming = PhoneConnection(acme)
    wanted = {**host, "Accept": "text/event-stream", "Accept-Encoding": "gzip"}
    streaming.request("GET", f"{table}/events", headers=wanted)
    stream = streaming.getresponse()
    assert stream.status == 200
    packed = stream.headers.get("Content-Encoding") == "gzip"
    unpack = zlib.decompressobj(31).decompress if packed else bytes
    there.ask("POST", f"{table}/rounds", {"dealer": 1, "opening": ["red-7"]}, **host)
    said = b""
    while b"event: round" not in said:
        part = stream.read1(65536)
        assert part, said
        said += unpack(part)
    streaming.close()
    there.close()
