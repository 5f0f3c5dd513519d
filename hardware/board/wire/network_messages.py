"""The messages of a board's Wi-Fi: joining it over the cable, and being let in there. No I/O."""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

ADMITTED: Final = 0  # results of an admission
TAKEN: Final = 1
UNKNOWN_HOST: Final = 2

NO_WIFI: Final = 0  # states of the network
NOT_SET: Final = 1
JOINING: Final = 2
JOINED: Final = 3
WRONG_PASSWORD: Final = 4
NOT_FOUND: Final = 5
FAILED: Final = 6

KEY: Final = 16  # bytes


@dataclass(frozen=True, slots=True)
class Admission:
    """Whether the board lets this host in: admitted, taken by another host, or unknown."""

    result: int


@dataclass(frozen=True, slots=True)
class Challenge:
    """What a host on the network has to sign with the board's key."""

    board: bytes  # 8 bytes
    nonce: bytes  # 16 bytes


@dataclass(frozen=True, slots=True)
class Network:
    """The board's Wi-Fi: its state, the board's IPv4 address and port there, and its name."""

    state: int
    address: bytes  # 4 bytes
    port: int
    name: bytes


@dataclass(frozen=True, slots=True)
class Join:
    """Join a Wi-Fi, and let in hosts that know the key; without a name: leave it."""

    key: bytes  # 16 bytes
    name: bytes
    password: bytes


@dataclass(frozen=True, slots=True)
class Proof:
    """The signature of a challenge."""

    signature: bytes  # 32 bytes


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask for the state of the Wi-Fi."""


@dataclass(frozen=True, slots=True)
class Leave:
    """End the connection: another host may have the board at once."""


NetworkMessage = Admission | Challenge | Network | Join | Proof | Ask | Leave

_ADMISSION = struct.Struct("<B")
_CHALLENGE = struct.Struct("<8s16s")
_NETWORK = struct.Struct("<B4sHB")
_JOIN = struct.Struct("<16sBB")
_PROOF = struct.Struct("<32s")


def _read_network(body: bytes) -> Network:
    state, address, port, length = _NETWORK.unpack_from(body)
    return Network(state, address, port, *_texts(body, _NETWORK.size, length))


def _read_join(body: bytes) -> Join:
    key, *lengths = _JOIN.unpack_from(body)
    return Join(key, *_texts(body, _JOIN.size, *lengths))


def _texts(body: bytes, at: int, *lengths: int) -> tuple[bytes, ...]:
    return struct.unpack_from("".join(f"{length}s" for length in lengths), body, at)


# type → its reader, which raises struct.error if the body is too short.
READERS: dict[int, Callable[[bytes], NetworkMessage]] = {
    0x10: lambda body: Admission(*_ADMISSION.unpack_from(body)),
    0x11: lambda body: Challenge(*_CHALLENGE.unpack_from(body)),
    0x12: _read_network,
    0x90: _read_join,
    0x91: lambda body: Proof(*_PROOF.unpack_from(body)),
    0x92: lambda _: Ask(),
    0x93: lambda _: Leave(),
}


def body_of(message: NetworkMessage) -> tuple[int, bytes]:
    """Return a message's type and body. Raises struct.error if a number does not fit its field."""
    match message:
        case Admission(result):
            return 0x10, _ADMISSION.pack(result)
        case Challenge(board, nonce):
            return 0x11, _CHALLENGE.pack(board, nonce)
        case Network(state, address, port, name):
            return 0x12, _NETWORK.pack(state, address, port, len(name)) + name
        case Join(key, name, password):
            return 0x90, _JOIN.pack(key, len(name), len(password)) + name + password
        case Proof(signature):
            return 0x91, _PROOF.pack(signature)
        case Ask():
            return 0x92, b""
        case Leave():
            return 0x93, b""
