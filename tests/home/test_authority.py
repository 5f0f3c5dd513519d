"""The house's authority: what it certifies, for how long, and what it cannot."""

import ssl
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509

from referee.home.authority import (
    AUTHORITY,
    AUTHORITY_KEY,
    AUTHORITY_LASTS,
    RENEW_BEFORE,
    SERVER_LASTS,
    Authority,
    AuthorityError,
)
from referee.home.names import Names
from tests.home.handshake import serving, shake_hands, trusting

HOUSE = Names(
    hosts=("referee.local", "localhost"),
    addresses=(ip_address("192.168.1.20"), ip_address("fd00::5")),
    reached=(ip_address("192.168.1.20"),),
)
DAY = timedelta(days=1)


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = datetime.now(UTC).replace(microsecond=0)

    def __call__(self) -> datetime:
        return self.now


def certificate(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


@pytest.mark.parametrize("host", ["referee.local", "localhost", "192.168.1.20", "fd00::5"])
def test_a_phone_that_trusts_the_house_trusts_its_server(tmp_path: Path, host: str) -> None:
    pair = Authority(tmp_path, "attic").certify(HOUSE)
    there = shake_hands(trusting(tmp_path), serving(pair), host)
    assert there.version() == "TLSv1.3"


def test_a_phone_that_does_not_trust_it_refuses(tmp_path: Path) -> None:
    pair = Authority(tmp_path / "one", "attic").certify(HOUSE)
    Authority(tmp_path / "other", "cellar")
    with pytest.raises(ssl.SSLCertVerificationError, match="CERTIFICATE_VERIFY_FAILED"):
        shake_hands(trusting(tmp_path / "other"), serving(pair), "referee.local")


@pytest.mark.parametrize(
    ("names", "host"),
    [
        (replace(HOUSE, hosts=("example.com",)), "example.com"),
        (replace(HOUSE, hosts=("www.bank.example",)), "www.bank.example"),
        (replace(HOUSE, hosts=("referee.local.example.com",)), "referee.local.example.com"),
        (replace(HOUSE, addresses=(ip_address("203.0.113.5"),)), "203.0.113.5"),
        (replace(HOUSE, addresses=(ip_address("2001:db8::5"),)), "2001:db8::5"),
    ],
)
def test_whoever_steals_its_key_opens_no_other_site(
    tmp_path: Path, names: Names, host: str
) -> None:
    """The key signs whatever its holder likes; phones do not believe it."""
    pair = Authority(tmp_path, "attic").certify(names)
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"):
        shake_hands(trusting(tmp_path), serving(pair), host)


def test_it_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "home"
    first = Authority(folder, "attic")
    first.certify(HOUSE)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    (folder / AUTHORITY_KEY).chmod(0o644)
    again = Authority(folder, "cellar")
    assert again.fingerprint == first.fingerprint
    assert (folder / AUTHORITY_KEY).stat().st_mode & 0o777 == 0o600
    assert len(first.fingerprint) == 95
    assert first.der == ssl.PEM_cert_to_DER_cert((folder / AUTHORITY).read_text())


def test_a_start_that_was_cut_short_is_made_good(tmp_path: Path) -> None:
    Authority(tmp_path, "attic")
    (tmp_path / AUTHORITY).unlink()
    pair = Authority(tmp_path, "attic").certify(HOUSE)
    shake_hands(trusting(tmp_path), serving(pair), "referee.local")


def test_a_certificate_is_used_until_a_month_before_its_end(tmp_path: Path) -> None:
    clock = Clock()
    authority = Authority(tmp_path, "attic", clock)
    first = certificate(authority.certify(HOUSE).certificate)
    # Apple accepts 398 days.
    assert first.not_valid_after_utc - first.not_valid_before_utc <= timedelta(days=398)
    clock.now += SERVER_LASTS - RENEW_BEFORE - DAY
    assert certificate(authority.certify(HOUSE).certificate) == first
    clock.now += 2 * DAY
    renewed = certificate(authority.certify(HOUSE).certificate)
    assert renewed.serial_number != first.serial_number
    assert renewed.not_valid_after_utc == clock.now + SERVER_LASTS


def test_other_addresses_take_another_certificate(tmp_path: Path) -> None:
    authority = Authority(tmp_path, "attic")
    first = certificate(authority.certify(HOUSE).certificate)
    assert certificate(authority.certify(HOUSE).certificate) == first
    moved = replace(HOUSE, addresses=(ip_address("10.0.0.7"),))
    pair = authority.certify(moved)
    shake_hands(trusting(tmp_path), serving(pair), "10.0.0.7")
    with pytest.raises(ssl.SSLCertVerificationError, match="IP address mismatch"):
        shake_hands(trusting(tmp_path), serving(pair), "192.168.1.20")


def test_a_certificate_of_a_clock_that_was_wrong_is_replaced(tmp_path: Path) -> None:
    clock = Clock()
    authority = Authority(tmp_path, "attic", clock)
    now = clock.now
    clock.now += 300 * DAY
    early = certificate(authority.certify(HOUSE).certificate)
    clock.now = now
    assert certificate(authority.certify(HOUSE).certificate) != early


def test_the_last_certificate_ends_with_the_authority_and_is_not_made_again(tmp_path: Path) -> None:
    clock = Clock()
    authority = Authority(tmp_path, "attic", clock)
    assert authority.ends_soon is None
    end = authority.certificate.not_valid_after_utc
    clock.now = end - 5 * DAY
    last = certificate(authority.certify(HOUSE).certificate)
    assert last.not_valid_after_utc == end
    assert certificate(authority.certify(HOUSE).certificate) == last
    assert authority.ends_soon == end.date()


def test_an_expired_authority_says_what_to_do(tmp_path: Path) -> None:
    clock = Clock()
    Authority(tmp_path, "attic", clock)
    clock.now += AUTHORITY_LASTS
    with pytest.raises(AuthorityError, match="has expired: delete the folder"):
        Authority(tmp_path, "attic", clock)


def test_broken_files_are_named(tmp_path: Path) -> None:
    Authority(tmp_path / "one", "attic")
    Authority(tmp_path / "other", "cellar")
    (tmp_path / "one" / AUTHORITY_KEY).replace(tmp_path / "other" / AUTHORITY_KEY)
    with pytest.raises(AuthorityError, match="do not match"):
        Authority(tmp_path / "other", "cellar")
    missing = f"{tmp_path / 'one' / AUTHORITY_KEY} is missing: put it back .*, or delete the folder"
    with pytest.raises(AuthorityError, match=missing):
        Authority(tmp_path / "one", "attic")
    (tmp_path / "file").write_text("")
    with pytest.raises(AuthorityError, match="File exists"):
        Authority(tmp_path / "file", "attic")
    for name in (AUTHORITY_KEY, AUTHORITY):
        (tmp_path / "other" / name).write_text("nonsense")
        damaged = f"{tmp_path / 'other' / name} is damaged: put it back .*, or delete the folder"
        with pytest.raises(AuthorityError, match=damaged):
            Authority(tmp_path / "other", "cellar")


def test_servers_of_two_names_do_not_write_over_each_other(tmp_path: Path) -> None:
    den = replace(HOUSE, hosts=("den.local", "localhost"))
    one, other = Authority(tmp_path, "attic"), Authority(tmp_path, "attic")
    first, second = one.certify(HOUSE), other.certify(den)
    kept = [pair.certificate.read_bytes() for pair in (first, second)]
    assert (one.certify(HOUSE), other.certify(den)) == (first, second)
    assert [pair.certificate.read_bytes() for pair in (first, second)] == kept


def test_a_damaged_certificate_of_the_server_is_replaced(tmp_path: Path) -> None:
    authority = Authority(tmp_path, "attic")
    pair = authority.certify(HOUSE)
    for path in (pair.certificate, pair.key):
        path.write_text("nonsense")
        again = authority.certify(HOUSE)
        shake_hands(trusting(tmp_path), serving(again), "referee.local")
