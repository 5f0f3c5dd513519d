"""The computer beside the table trusts the house as docs/table.md says."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from hardware.gateway.api import Api, Unreachable
from hardware.gateway.config import ServerConfig
from referee.home.authority import AUTHORITY, Authority
from referee.home.door import context_of
from referee.home.names import Names


class Answer(BaseHTTPRequestHandler):
    """Answers that there is nothing."""

    def do_GET(self) -> None:
        """Answer."""
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[str]:
    """The HTTPS address of a house whose folder is ``tmp_path``."""
    pair = Authority(tmp_path, "attic").certify(Names(("referee.local", "localhost"), (), ()))
    with HTTPServer(("localhost", 0), Answer) as server:
        server.socket = context_of(pair).wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"https://localhost:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_house_that_is_not_trusted_says_what_to_do(house: str) -> None:
    api = Api(ServerConfig(house, ""))
    with pytest.raises(Unreachable, match="at home use its plain http:// address, or name the"):
        api.get("/")
    api.close()


def test_a_copy_of_its_certificate_is_enough(house: str, tmp_path: Path) -> None:
    api = Api(ServerConfig(house, "", ca_file=tmp_path / AUTHORITY))
    assert api.get("/").status == 204
    api.close()
