"""The server is found by name in the house: real packets, on this machine alone."""

import threading
from collections.abc import Iterator
from ipaddress import ip_address

import pytest
from zeroconf import ServiceBrowser, ServiceInfo, ServiceListener, Zeroconf

from referee.home.announce import SERVICE, Announcement, resolve
from referee.home.names import Address
from tests.waiting import PATIENCE

HERE = ip_address("127.0.0.1")
OTHER = ip_address("127.0.0.2")


class Finder(ServiceListener):
    """Waits for a server to be announced, and to be taken back."""

    def __init__(self) -> None:
        self.found, self.gone = threading.Event(), threading.Event()
        self.info: ServiceInfo | None = None

    def add_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        self.info = zc.get_service_info(type_, name, 1000 * PATIENCE)
        self.found.set()

    def update_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        self.info = zc.get_service_info(type_, name, 1000 * PATIENCE)

    def remove_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        self.gone.set()


@pytest.fixture
def neighbour() -> Iterator[Zeroconf]:
    """Another machine of the house."""
    with Zeroconf(interfaces=["127.0.0.1"]) as zeroconf:
        yield zeroconf


def announced(name: str, *at: Address) -> Announcement:
    return Announcement(name, lambda: at, 8000, 8443)


def test_it_is_announced_found_and_taken_back(neighbour: Zeroconf) -> None:
    finder = Finder()
    ServiceBrowser(neighbour, SERVICE, finder)
    announcement = announced("house-one", HERE)
    assert announcement.follow() is None
    assert finder.found.wait(PATIENCE)
    assert (finder.info.port, finder.info.server) == (8000, "house-one.local.")
    assert finder.info.parsed_addresses() == ["127.0.0.1"]
    assert finder.info.decoded_properties["https"] == "8443"
    assert resolve(neighbour, "house-one.local.") == [HERE]
    announcement.close()
    assert finder.gone.wait(PATIENCE)


def test_a_name_that_another_machine_has_gets_a_number(neighbour: Zeroconf) -> None:
    taken = ServiceInfo(
        "_http._tcp.local.",
        "Printer._http._tcp.local.",
        port=80,
        server="house-two.local.",
        addresses=[OTHER.packed],
    )
    neighbour.register_service(taken)
    announcement = announced("house-two", HERE)
    assert announcement.follow() is None
    try:
        assert announcement.name == "house-two-2"
        assert resolve(neighbour, "house-two-2.local.") == [HERE]
    finally:
        announcement.close()


def test_it_follows_the_machines_address(neighbour: Zeroconf) -> None:
    at: list[Address] = []
    announcement = Announcement("house-three", lambda: at, 8000, 8443)
    assert announcement.follow() == "this machine is in no network with IPv4 addresses"
    at.append(HERE)
    assert announcement.follow() is None
    try:
        assert resolve(neighbour, "house-three.local.") == [HERE]
        at.append(ip_address("fd00::5"))
        assert announcement.follow() is None
        assert set(resolve(neighbour, "house-three.local.")) == set(at)
    finally:
        announcement.close()
