"""Where webhooks may go, however an address is written."""

import ipaddress

import pytest

from referee.config import settings_from_env
from referee.service.problems import Problem
from referee.service.webhooks.addresses import AddressPolicy, check_url, literal, parse_url

PUBLIC = AddressPolicy()
HOME = AddressPolicy(networks=(ipaddress.ip_network("192.168.1.0/24"),))
PRIVATE_TOO = AddressPolicy(mode="private-too")
# The widest mistake that an operator can make.
ANYWHERE = AddressPolicy(
    mode="private-too",
    networks=(ipaddress.ip_network("0.0.0.0/0"), ipaddress.ip_network("::/0")),
    http=True,
)
OUTSIDE = ("1.1.1.1", "93.184.216.34", "2606:4700::1111", "64:ff9b::101:101", "::ffff:1.1.1.1")
PRIVATE = ("10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.20", "fd12:3456::1")
SPECIAL = (
    *("127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1", "::127.0.0.1"),
    *("100.64.0.1", "198.18.0.1", "192.0.2.1", "198.51.100.1", "203.0.113.1", "240.0.0.1"),
    *("192.0.0.1", "192.88.99.1", "::ffff:10.0.0.1", "::ffff:192.168.1.1", "fec0::1"),
    *("64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1.1.1.1"),
    *("2002:7f00:1::", "2002:a9fe:a9fe::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2"),
    *("2001:db8::1", "3fff::1", "5f00::1", "100::1", "::2", "4000::1"),
)
NEVER = (
    *("0.0.0.0", "0.1.2.3", "169.254.169.254", "169.254.170.2", "::ffff:169.254.169.254"),
    *("224.0.0.1", "239.255.255.250", "255.255.255.255", "100.100.100.200", "168.63.129.16"),
    *("192.0.0.192", "::", "fe80::1", "fe80::1%eth0", "ff02::1", "fd00:ec2::254", "fd20:ce::254"),
    *("", "localhost", "127.1", "0x7f000001", "1.1.1.1 ", "[::1]"),
)


@pytest.mark.parametrize("address", OUTSIDE)
def test_the_outside_is_reached_by_https(address: str) -> None:
    for policy in (PUBLIC, HOME, PRIVATE_TOO):
        assert policy.allows(address, encrypted=True)
        assert not policy.allows(address, encrypted=False)
    assert AddressPolicy(http=True).allows(address, encrypted=False)


@pytest.mark.parametrize("address", PRIVATE)
def test_private_networks_are_reached_where_allowed(address: str) -> None:
    for encrypted in (True, False):
        assert not PUBLIC.allows(address, encrypted)
        assert PRIVATE_TOO.allows(address, encrypted)
        assert HOME.allows(address, encrypted) is (address == "192.168.1.20")


@pytest.mark.parametrize("address", [*SPECIAL, *NEVER])
def test_special_addresses_are_not_reached(address: str) -> None:
    allowed = {"::ffff:10.0.0.1", "::ffff:192.168.1.1"}
    for policy in (PUBLIC, AddressPolicy(http=True)):
        assert not policy.allows(address, encrypted=True)
    # The same as the IPv4 address that it stands for.
    assert PRIVATE_TOO.allows(address, encrypted=True) is (address in allowed)


@pytest.mark.parametrize("address", NEVER)
def test_some_are_never_reached(address: str) -> None:
    assert not ANYWHERE.allows(address, encrypted=True)


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "[::1]"),
        *("[::ffff:7f00:1]", "169.254.169.254", "0xa9fea9fe", "2852039166", "[fd00:ec2::254]"),
        *("10.1", "0"),
    ],
)
def test_numbers_are_known_however_they_are_written(host: str) -> None:
    target = parse_url(f"https://{host}/")
    assert target is not None
    assert literal(target)
    with pytest.raises(Problem, match="sends nothing to that address; REFEREE_WEBHOOK_NETWORKS"):
        check_url(f"https://{host}/", PUBLIC)


@pytest.mark.parametrize(
    "url", ["http://lights.example/", "http://192.168.1.20:8123/api/webhook/x"]
)
def test_http_is_for_allowed_networks(url: str) -> None:
    check_url(url, HOME)
    with pytest.raises(Problem, match=r"must begin with https.* REFEREE_WEBHOOK_NETWORKS"):
        check_url(url, PUBLIC)


def test_settings() -> None:
    read = settings_from_env(
        {
            "REFEREE_WEBHOOKS": "private-too",
            "REFEREE_WEBHOOK_NETWORKS": "192.168.1.0/24, fd12::/16",
            "REFEREE_WEBHOOK_HTTP": "on",
        }
    ).webhooks
    assert read.mode == "private-too"
    assert read.http
    assert [str(network) for network in read.networks] == ["192.168.1.0/24", "fd12::/16"]
    for wrong in ("192.168.1.7/24", "home", "192.168.1.0/33"):
        with pytest.raises(ValueError, match="REFEREE_WEBHOOK_NETWORKS must list networks"):
            settings_from_env({"REFEREE_WEBHOOK_NETWORKS": wrong})
