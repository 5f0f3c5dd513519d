"""``referee home`` as a process of its own, and what a phone has that trusts it."""

import ssl
from pathlib import Path

import requests

from referee.home.authority import AUTHORITY
from tests.e2e.server import PATIENCE, Server
from tests.home.handshake import trusting


class HomeServer(Server):
    """The server of a house, not announced; its authority is in ``folder``."""

    def __init__(self, folder: Path, *flags: str) -> None:
        ports = ("--secure-port", "0", "--folder", str(folder))
        super().__init__(folder.parent / "home.sqlite3", "--quiet", *ports, *flags, command="home")
        self.folder = folder

    @property
    def secure(self) -> str:
        """Where HTTPS is, as the page is told."""
        found = requests.get(f"{self.url}/origin.json", timeout=PATIENCE).json()["secure"]
        return str(found).rstrip("/")

    @property
    def secure_port(self) -> int:
        """The port of HTTPS."""
        return int(self.secure.rpartition(":")[2])

    @property
    def certificate(self) -> Path:
        """The authority's certificate."""
        return self.folder / AUTHORITY

    def trusting(self) -> ssl.SSLContext:
        """What a phone has that trusts this house, and no other authority."""
        return trusting(self.folder)
