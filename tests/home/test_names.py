"""Under which names and addresses a machine is reached."""

from ipaddress import ip_address

import pytest

from referee.home.names import Address, at_home, checked_name, own_names, reached


def addresses(*texts: str) -> tuple[Address, ...]:
    return tuple(ip_address(text) for text in texts)


def test_only_addresses_of_homes_are_certified() -> None:
    everything = addresses(
        *("203.0.113.5", "10.1.2.3", "172.31.0.1", "172.32.0.1", "192.168.1.20", "127.0.0.1"),
        *("169.254.3.4", "100.64.0.9", "fd12::7", "fe80::1", "2001:db8::1", "::1"),
    )
    assert at_home(everything) == addresses(
        "10.1.2.3", "172.31.0.1", "192.168.1.20", "fd12::7", "127.0.0.1", "::1"
    )


@pytest.mark.parametrize(
    ("adapters", "usual", "expected"),
    [
        # Phones cannot reach what containers and tunnels have.
        (
            [("127.0.0.1", "::1"), ("192.168.1.20", "fe80::1", "fd12::7"), ("172.17.0.1",)],
            "192.168.1.20",
            ("192.168.1.20", "fd12::7"),
        ),
        ([("127.0.0.1",), ("10.0.0.2",), ("10.0.0.3",)], None, ("10.0.0.2", "10.0.0.3")),
        ([("203.0.113.5", "192.168.1.20")], "203.0.113.5", ("192.168.1.20", "203.0.113.5")),
        ([("2001:db8::1", "fd12::7", "fe80::1")], None, ("fd12::7", "2001:db8::1")),
        ([("127.0.0.1", "::1")], None, ()),
    ],
)
def test_where_others_reach_a_machine(
    adapters: list[tuple[str, ...]], usual: str | None, expected: tuple[str, ...]
) -> None:
    assert reached([addresses(*adapter) for adapter in adapters], usual) == addresses(*expected)


def test_this_machine_has_names() -> None:
    names = own_names("referee")
    assert names.hosts[0] == "referee.local"
    assert "localhost" in names.hosts
    assert ip_address("127.0.0.1") in names.addresses
    assert not any(one.is_loopback for one in names.reached)


@pytest.mark.parametrize(
    ("text", "name"),
    [("referee", "referee"), (" Game-Room.local ", "game-room"), ("a" * 63, "a" * 63)],
)
def test_a_name_is_written_as_people_write_it(text: str, name: str) -> None:
    assert checked_name(text) == name


@pytest.mark.parametrize("text", ["", "-a", "a-", "a.b", "ä", "a b", "a" * 64])
def test_what_is_no_name(text: str) -> None:
    with pytest.raises(ValueError, match="is no name"):
        checked_name(text)
