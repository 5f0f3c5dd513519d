"""The house's own certificate authority, made at the first start, and what it certifies.

A phone that trusts it believes nobody else: the authority may only speak for names that end in
``.local`` and for addresses of home networks (RFC 5280, 4.2.1.10), so that a stolen key does not
open the phone's bank.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from referee.home.names import LOCAL, Names
from referee.web.address import HOME_NETWORKS

AUTHORITY, AUTHORITY_KEY = "authority.pem", "authority.key"
ANEW = "delete the folder, start again, and let the phones trust the new certificate"
AUTHORITY_LASTS = timedelta(days=3650)
# Apple accepts no server's certificate of more than 398 days.
SERVER_LASTS = timedelta(days=397)
RENEW_BEFORE = timedelta(days=30)
SAY_BEFORE = timedelta(days=90)
# Clocks at home differ.
EARLIER = timedelta(days=1)
# Files for their owner alone.
PRIVATE = 0o600
Loaded = TypeVar("Loaded")
HOSTS = (LOCAL, "localhost")
USES = dict.fromkeys(
    (
        *("digital_signature", "content_commitment", "key_encipherment", "data_encipherment"),
        *("key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only"),
    ),
    False,
)
SIGNS_CERTIFICATES = x509.KeyUsage(**{**USES, "key_cert_sign": True, "crl_sign": True})
SIGNS_HANDSHAKES = x509.KeyUsage(**{**USES, "digital_signature": True})


class AuthorityError(Exception):
    """The authority's files cannot be read or written; the text says why."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Files with a certificate, its chain behind it, and its key, in PEM."""

    certificate: Path
    key: Path


class Authority:
    """The authority whose files are in a folder; it is made there if the folder has none.

    Raises AuthorityError.
    """

    def __init__(
        self, folder: Path, house: str, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._folder, self._clock = folder, clock
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not (folder / AUTHORITY).exists():
                self._make(house)
            # A copy of the folder may have lost that nobody else reads it.
            with suppress(FileNotFoundError):
                (folder / AUTHORITY_KEY).chmod(PRIVATE)
        except OSError as error:
            reason = error.strerror or error
            raise AuthorityError(
                f"the house's certificate cannot be kept in {folder}: {reason}; --folder names "
                "another place"
            ) from None
        self.certificate = _read(folder / AUTHORITY, x509.load_pem_x509_certificate)
        key = _read(folder / AUTHORITY_KEY, lambda content: load_pem_private_key(content, None))
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            raise AuthorityError(f"{folder / AUTHORITY_KEY} is no key of this program: {ANEW}")
        if key.public_key() != self.certificate.public_key():
            raise AuthorityError(
                f"{AUTHORITY} and {AUTHORITY_KEY} in {folder} do not match: {ANEW}"
            )
        if self.certificate.not_valid_after_utc <= clock():
            raise AuthorityError(f"the house's certificate in {folder} has expired: {ANEW}")
        self._key = key

    @property
    def der(self) -> bytes:
        """The authority's certificate, as phones take it."""
        return self.certificate.public_bytes(Encoding.DER)

    @property
    def fingerprint(self) -> str:
        """Its SHA-256 in pairs of hexadecimal digits, as phones show it."""
        return self.certificate.fingerprint(hashes.SHA256()).hex(":").upper()

    @property
    def ends_soon(self) -> date | None:
        """When it expires, if that is soon."""
        end = self.certificate.not_valid_after_utc
        return end.date() if end - self._clock() < SAY_BEFORE else None

    def certify(self, names: Names) -> Pair:
        """Return a server's certificate for these names; the last one if it still is good.

        Raises AuthorityError.
        """
        # Files for each name: servers of several names that share a folder would else write over
        # each other's for as long as they run.
        server = self._folder / names.hosts[0]
        pair = Pair(server.with_name(f"{server.name}.pem"), server.with_name(f"{server.name}.key"))
        if not self._is_good(pair, names):
            try:
                self._issue(pair, names)
            except OSError as error:
                if not self._folder.exists():
                    raise AuthorityError(
                        f"the folder {self._folder} is gone: start again to make it anew, and let "
                        "the phones trust the new certificate"
                    ) from None
                reason = error.strerror or error
                raise AuthorityError(
                    f"no certificate can be kept in {self._folder}: {reason}; --folder names "
                    "another place"
                ) from None
        return pair

    def _is_good(self, pair: Pair, names: Names) -> bool:
        with suppress(OSError, ValueError, x509.ExtensionNotFound):
            leaf = _certificate(pair.certificate)
            key = load_pem_private_key(pair.key.read_bytes(), None)
            for_names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
            leaf.verify_directly_issued_by(self.certificate)
            return (
                key.public_key() == leaf.public_key()
                and set(for_names) == set(_names(names))
                and leaf.not_valid_before_utc <= self._clock()
                and (leaf.not_valid_after_utc > self._clock() + RENEW_BEFORE or self._is_last(leaf))
            )
        return False

    def _is_last(self, certificate: x509.Certificate) -> bool:
        """Return whether no other certificate would be good for longer."""
        return certificate.not_valid_after_utc >= self.certificate.not_valid_after_utc

    def _make(self, house: str) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        name = _name(f"Referee at home ({house})")
        now = self._clock()
        certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - EARLIER)
            .not_valid_after(now + AUTHORITY_LASTS)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(SIGNS_CERTIFICATES, critical=True)
            .add_extension(_constraints(), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
            .sign(key, hashes.SHA256())
        )
        # The key first: a certificate without one would stay useless.
        _write(self._folder / AUTHORITY_KEY, _key_in_pem(key))
        _write(self._folder / AUTHORITY, certificate.public_bytes(Encoding.PEM))

    def _issue(self, pair: Pair, names: Names) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        now = self._clock()
        until = min(now + SERVER_LASTS, self.certificate.not_valid_after_utc)
        own = x509.SubjectKeyIdentifier.from_public_key(self._key.public_key())
        issued = (
            x509.CertificateBuilder()
            .subject_name(_name(names.hosts[0]))
            .issuer_name(self.certificate.subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - EARLIER)
            .not_valid_after(until)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(SIGNS_HANDSHAKES, critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False)
            .add_extension(x509.SubjectAlternativeName(_names(names)), False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(own), False
            )
            .sign(self._key, hashes.SHA256())
        )
        _write(pair.key, _key_in_pem(key))
        chain = (issued, self.certificate)
        _write(pair.certificate, b"".join(link.public_bytes(Encoding.PEM) for link in chain))


def _constraints() -> x509.NameConstraints:
    hosts = [x509.DNSName(name) for name in HOSTS]
    networks = [x509.IPAddress(network) for network in HOME_NETWORKS]
    return x509.NameConstraints(permitted_subtrees=[*hosts, *networks], excluded_subtrees=None)


def _names(names: Names) -> list[x509.GeneralName]:
    hosts = [x509.DNSName(host) for host in names.hosts]
    return [*hosts, *(x509.IPAddress(address) for address in names.addresses)]


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text[:64])])


def _certificate(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def _read(path: Path, load: Callable[[bytes], Loaded]) -> Loaded:
    """Read a file of the authority. Raises AuthorityError, which names it."""
    try:
        return load(path.read_bytes())
    except FileNotFoundError:
        raise AuthorityError(f"{path} is missing: put it back from a copy, or {ANEW}") from None
    except OSError as error:
        raise AuthorityError(f"{path} cannot be read: {error.strerror or error}") from None
    except (ValueError, TypeError, UnsupportedAlgorithm):
        # As of a key with a password, or of another kind.
        raise AuthorityError(f"{path} is damaged: put it back from a copy, or {ANEW}") from None


def _key_in_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _write(path: Path, content: bytes) -> None:
    """Write a file that only its owner reads, whole or not at all."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    with suppress(FileNotFoundError):
        fresh.unlink()
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
