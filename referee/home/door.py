"""HTTPS beside plain HTTP: the certificate in use, renewed without a restart."""

import re
import ssl
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import structlog
from cryptography import x509

from referee.home.authority import Authority, AuthorityError, Pair
from referee.home.names import Names

logger = structlog.get_logger(__name__)

# No pattern such as *.example.com: nobody can open that.
HOST = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)*", re.IGNORECASE)


class CertificateError(Exception):
    """A certificate or its key cannot be used; the text says why."""


def context_of(pair: Pair) -> ssl.SSLContext:
    """Return a context that serves with a certificate. Raises CertificateError."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    _load(context, pair)
    return context


class Renewal:
    """Serves with a certificate, and with its successor when it changes.

    ``pair`` says which one is to be used now; it may make a new one. ``context`` is what to listen
    with. Raises AuthorityError or CertificateError.
    """

    def __init__(self, pair: Callable[[], Pair]) -> None:
        self._pair = pair
        self._hindered: str | None = None
        self._seen = _state(pair())
        self._present = self.context = context_of(pair())
        # Loading into a context in use would keep an old key of another kind, and leave it without
        # any while only one of two files has been written.
        self.context.sni_callback = self._choose

    def look(self) -> bool:
        """Use the certificate that is there now; return whether it is another one.

        Raises AuthorityError or CertificateError; the old certificate is used on.
        """
        pair = self._pair()
        state = _state(pair)
        if state == self._seen:
            return False
        self._present = context_of(pair)
        self._seen = state
        return True

    def follow(self) -> None:
        """Use the certificate that is there now, or else the old one; a new reason is logged."""
        hindered = None
        try:
            self.look()
        except (AuthorityError, CertificateError) as error:
            hindered = str(error)
            if hindered != self._hindered:
                logger.warning("the certificate in use stays", reason=hindered)
        self._hindered = hindered

    def _choose(self, connection: ssl.SSLObject, _name: str | None, _: ssl.SSLContext) -> None:
        connection.context = self._present


def first_host(pair: Pair) -> str:
    """Return the first host name that a certificate is valid for. Raises CertificateError."""
    with suppress(OSError, ValueError, x509.ExtensionNotFound):
        certificate = x509.load_pem_x509_certificate(pair.certificate.read_bytes())
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        for name in names.get_values_for_type(x509.DNSName):
            if HOST.fullmatch(name):
                return name
    raise CertificateError(f"{pair.certificate} is for no host name")


def certified(authority: Authority, names: Callable[[], Names]) -> Callable[[], Pair]:
    """Return what certifies the machine's present names."""
    return lambda: authority.certify(names())


def given(pair: Pair) -> Callable[[], Pair]:
    """Return what always names the same files."""
    return lambda: pair


def _load(context: ssl.SSLContext, pair: Pair) -> None:
    try:
        # A key with a password would ask for it in the terminal.
        context.load_cert_chain(pair.certificate, pair.key, lambda: b"")
    except (OSError, ssl.SSLError) as error:
        reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or error
        raise CertificateError(
            f"{pair.certificate} and {pair.key} cannot be used: {reason}"
        ) from None


def _state(pair: Pair) -> tuple[bytes, ...]:
    contents = []
    for path in (pair.certificate, pair.key):
        with suppress(OSError):
            contents.append(Path(path).read_bytes())
    return tuple(contents)
