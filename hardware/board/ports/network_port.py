"""A board on the network: ``tcp://HOST[:PORT]``, which lets in who has its key; those keys."""

import errno
import hashlib
import hmac
import json
import os
import select
import socket
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from hardware.board.wire.framing import Deframer, encode
from hardware.board.wire.messages import BoardMessage, MessageError, pack, unpack
from hardware.board.wire.network_messages import ADMITTED, TAKEN, Admission, Challenge, Proof
from hardware.paths import default_file, write_private

FILE = "boards.json"


@dataclass(frozen=True, slots=True)
class JoinedBoard:
    """A board on the network: its id and its key in hex, and its name there."""

    board: str
    name: str
    key: str

    @property
    def port(self) -> str:
        """The port that names it."""
        return f"tcp://{self.name}.local"


def joined_file() -> Path:
    """Return where the boards that this computer has joined are kept, for its owner alone."""
    return default_file(os.environ).with_name(FILE)


def joined_boards() -> list[JoinedBoard]:
    """Return the boards that this computer has joined; none if the file cannot be read."""
    try:
        return [JoinedBoard(**entry) for entry in json.loads(joined_file().read_text("utf-8"))]
    except (OSError, ValueError, TypeError):
        return []


def key_of(board: bytes) -> bytes | None:
    """Return the key of a board by its id; None if this computer has none."""
    keys = (bytes.fromhex(joined.key) for joined in joined_boards() if joined.board == board.hex())
    return next(keys, None)


def keep_joined(board: JoinedBoard) -> None:
    """Keep a board in place of what was kept of it. Raises OSError."""
    _write([*_without(board.board), board])


def forget_joined(board: bytes) -> None:
    """Keep nothing of a board. Raises OSError."""
    if key_of(board) is not None:
        _write(_without(board.hex()))


def _without(board: str) -> list[JoinedBoard]:
    return [joined for joined in joined_boards() if joined.board != board]


def _write(boards: Iterable[JoinedBoard]) -> None:
    write_private(joined_file(), json.dumps([asdict(joined) for joined in boards], indent=2) + "\n")


SCHEME = "tcp://"
PORT = 7833
CONNECT_WITHIN = 2.0  # seconds
ADMITTED_WITHIN = 4.0  # who calls before this computer, and proves nothing, is heard for two
WRITE_WITHIN = 1.0
LEAVE_WITHIN = 0.3
_CHUNK = 4096


def address_of(url: str) -> tuple[str, int]:
    """Return host and port of a URL. Raises ValueError with a readable sentence."""
    wrong = ValueError(f"a board on the network is tcp://HOST or tcp://HOST:PORT, not {url!r}")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port or PORT
    except ValueError:
        raise wrong from None
    if not host or "@" in parts.netloc or f"{SCHEME}{parts.netloc}" != url.rstrip("/"):
        raise wrong
    return host, port


def sign(key: bytes, challenge: Challenge) -> bytes:
    """Return what proves that one knows the key: an HMAC-SHA-256, 32 bytes."""
    return hmac.digest(key, challenge.board + challenge.nonce, hashlib.sha256)


def messages_in(data: bytes, deframer: Deframer) -> Iterator[BoardMessage]:
    """Yield the messages that these bytes complete, without those that are not known."""
    for packet in deframer.feed(data):
        with suppress(MessageError):
            yield unpack(packet)


class NetworkPort:
    """An open connection to a board that has let this computer in.

    It has what ``Transport`` uses of a pyserial port. Raises OSError from every method: EACCES if
    the board does not know this computer, EBUSY if another host is connected to it.
    """

    def __init__(self, url: str) -> None:
        host, port = address_of(url)
        self._socket = _connect(host, port)
        try:
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._be_let_in()
            self._socket.settimeout(WRITE_WITHIN)
        except BaseException:
            self._socket.close()
            raise

    def fileno(self) -> int:
        """Return the descriptor to wait on."""
        return self._socket.fileno()

    def read(self, size: int) -> bytes:
        """Return the bytes there are, at least one; call it once there are some."""
        data = self._socket.recv(size)
        if not data:
            raise _error(errno.ECONNRESET)
        return data

    def write(self, data: bytes) -> None:
        """Send all bytes."""
        self._socket.sendall(data)

    def close(self) -> None:
        """Hang up, once the board has read what was written, if it soon does."""
        until = time.monotonic() + LEAVE_WITHIN
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
            while (left := until - time.monotonic()) > 0:
                ready = select.select([self._socket], [], [], left)[0]
                if not ready or not self._socket.recv(_CHUNK):
                    break
        self._socket.close()

    def _be_let_in(self) -> None:
        """Prove that this computer has the board's key. Raises OSError."""
        deframer = Deframer()
        until = time.monotonic() + ADMITTED_WITHIN
        while (left := until - time.monotonic()) > 0:
            self._socket.settimeout(left)
            try:
                data = self.read(_CHUNK)
            except TimeoutError:
                break
            for message in messages_in(data, deframer):
                if isinstance(message, Challenge):
                    self._prove(message)
                elif not isinstance(message, Admission) or message.result == ADMITTED:
                    return  # a board that wants no proof, such as a virtual one, just talks
                else:
                    raise _error(errno.EBUSY if message.result == TAKEN else errno.EACCES)
        raise _error(errno.ETIMEDOUT)

    def _prove(self, challenge: Challenge) -> None:
        key = key_of(challenge.board)
        if key is None:
            raise _error(errno.EACCES)
        self._socket.sendall(encode(pack(Proof(sign(key, challenge)))))


def _connect(host: str, port: int) -> socket.socket:
    try:
        return socket.create_connection((_resolve(host), port), CONNECT_WITHIN)
    except TimeoutError:
        raise _error(errno.ETIMEDOUT) from None


def _resolve(host: str) -> str:
    """Return the address of a name; of one in ``.local`` by mDNS if the system does not know it."""
    family = socket.AF_INET if host.endswith(".local") else socket.AF_UNSPEC
    try:
        return str(socket.getaddrinfo(host, None, family)[0][4][0])
    except socket.gaierror:
        address = _ask_by_mdns(host) if host.endswith(".local") else None
        if address is None:
            raise _error(errno.ENOENT) from None
        return address


def _ask_by_mdns(host: str) -> str | None:
    try:
        from zeroconf import (  # type: ignore[attr-defined] # it is not in its __all__
            AddressResolverIPv4,
            DNSQuestionType,
            Error,
            Zeroconf,
        )
    except ImportError:
        return None
    try:
        with Zeroconf() as asking:
            resolver = AddressResolverIPv4(f"{host}.")
            # By multicast: another program of this machine may get what is sent to it alone.
            resolver.request(asking, 1000 * CONNECT_WITHIN, question_type=DNSQuestionType.QM)
            return next(iter(resolver.parsed_addresses()), None)
    except (Error, OSError):
        return None


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))
