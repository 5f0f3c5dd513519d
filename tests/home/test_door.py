"""The certificate in use follows its files."""

import shutil
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID
from structlog.testing import capture_logs

from referee.home.authority import AUTHORITY, Authority, Pair
from referee.home.door import CertificateError, Renewal, certified, first_host, given
from referee.home.names import Names
from tests.home.handshake import shake_hands, trusting

Key = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey


def curve() -> Key:
    return ec.generate_private_key(ec.SECP256R1())


def numbers() -> Key:
    return rsa.generate_private_key(65537, 2048)


class PublicAuthority:
    """An authority that a phone trusts anyway, as the one behind ACME would be."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Test authority")])
        made = self._builder(self._name, self._key).add_extension(
            x509.BasicConstraints(ca=True, path_length=None), critical=True
        )
        signed = made.sign(self._key, hashes.SHA256())
        (folder / AUTHORITY).write_bytes(signed.public_bytes(serialization.Encoding.PEM))

    def issue(self, pair: Pair, *hosts: str, key: Key | None = None) -> None:
        """Write a certificate for hosts, and its key."""
        key = key or curve()
        name = x509.Name([])
        signed = (
            self._builder(name, key)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(h) for h in hosts]), True)
            .sign(self._key, hashes.SHA256())
        )
        pair.certificate.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
        pair.key.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )

    def _builder(self, subject: x509.Name, key: Key) -> x509.CertificateBuilder:
        now = datetime.now(UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=90))
        )


@pytest.fixture
def public(tmp_path: Path) -> PublicAuthority:
    return PublicAuthority(tmp_path / "public")


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    return Pair(tmp_path / "fullchain.pem", tmp_path / "privkey.pem")


def serial(public: PublicAuthority, renewal: Renewal, host: str = "game.example") -> str:
    """The serial number that a phone sees, which trusts public authorities."""
    there = shake_hands(trusting(public.folder), renewal.context, host)
    found = there.getpeercert()
    return str(found["serialNumber"])


@pytest.mark.parametrize(("first", "second"), [(curve, curve), (curve, numbers), (numbers, curve)])
def test_a_renewed_certificate_is_used_from_then_on(
    public: PublicAuthority, pair: Pair, first: type[Key], second: type[Key]
) -> None:
    public.issue(pair, "game.example", key=first())
    renewal = Renewal(given(pair))
    old = serial(public, renewal)
    assert not renewal.look()
    public.issue(pair, "game.example", key=second())
    assert serial(public, renewal) == old
    assert renewal.look()
    assert serial(public, renewal) != old


def test_half_a_renewal_keeps_the_old_certificate(public: PublicAuthority, pair: Pair) -> None:
    public.issue(pair, "game.example")
    renewal = Renewal(given(pair))
    old, key = serial(public, renewal), pair.key.read_bytes()
    public.issue(pair, "game.example")
    fresh = pair.key.read_bytes()
    pair.key.write_bytes(key)
    with pytest.raises(CertificateError, match="KEY_VALUES_MISMATCH"):
        renewal.look()
    assert serial(public, renewal) == old
    pair.key.write_bytes(fresh)
    assert renewal.look()
    assert serial(public, renewal) != old


def test_a_folder_that_is_gone_is_said_once_and_https_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    authority = Authority(folder, "attic")
    phone = trusting(folder)
    names = Names(("referee.local",), (), ())
    renewal = Renewal(certified(authority, lambda: names))
    shutil.rmtree(folder)
    with capture_logs() as logs:
        renewal.follow()
        renewal.follow()
    (told,) = logs
    assert told["reason"].startswith(f"the folder {folder} is gone: start again")
    assert shake_hands(phone, renewal.context, "referee.local").version() == "TLSv1.3"


def test_files_that_cannot_be_used_are_named(
    public: PublicAuthority, pair: Pair, tmp_path: Path
) -> None:
    with pytest.raises(CertificateError, match=r"fullchain\.pem and .*privkey\.pem cannot be used"):
        Renewal(given(pair))
    public.issue(pair, "game.example")
    key = serialization.load_pem_private_key(pair.key.read_bytes(), None)
    pair.key.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(b"secret"),
        )
    )
    with pytest.raises(CertificateError, match="cannot be used"):
        Renewal(given(pair))


def test_the_address_for_phones_is_the_certificates(public: PublicAuthority, pair: Pair) -> None:
    public.issue(pair, "*.example", "game.example", "other.example")
    assert first_host(pair) == "game.example"
    public.issue(pair, "*.example")
    with pytest.raises(CertificateError, match="for no host name"):
        first_host(pair)


def test_old_protocols_are_refused(public: PublicAuthority, pair: Pair) -> None:
    public.issue(pair, "game.example")
    renewal = Renewal(given(pair))
    phone = trusting(public.folder)
    phone.maximum_version = ssl.TLSVersion.TLSv1_2
    assert shake_hands(phone, renewal.context, "game.example").version() == "TLSv1.2"
    assert renewal.context.minimum_version >= ssl.TLSVersion.TLSv1_2
