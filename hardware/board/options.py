"""The options of a sensor board in the configuration."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hardware.board.ports.network_port import SCHEME, address_of
from hardware.board.wire.messages import MAX_SEATS, SET_NAMES

AUTO = "auto"
_NAMES = ("port", "ports", "board", "set", "seats")


@dataclass(frozen=True, slots=True)
class BoardOptions:
    """How to reach a board, and what to expect of it.

    ``port``: a device path, a board on the network (tcp://host), a pyserial URL, or "auto" for the
    first board found among ``ports`` (if None, this computer's ports whose USB identity is a
    board's, and boards that it has joined to the Wi-Fi). ``board``: the id of the required
    board, 8 bytes. ``set`` ("towers" or "stands") and ``seats`` are only compared: the status
    reports differences.
    """

    port: str = AUTO
    ports: tuple[str, ...] | None = None
    board: bytes | None = None
    set: str | None = None
    seats: int | None = None


def read_options(options: Mapping[str, Any]) -> BoardOptions:
    """Check the options of a configuration, where ``board`` has 16 hex digits.

    Raises ValueError with a readable sentence.
    """
    unknown = sorted(options.keys() - set(_NAMES))
    if unknown:
        raise ValueError(f"there is no option {unknown[0]!r}; there are {', '.join(_NAMES)}")
    port = options.get("port", AUTO)
    if not isinstance(port, str) or not port:
        raise ValueError('port is a device path, a URL as tcp://host, or "auto"')
    if port.startswith(SCHEME):
        address_of(port)
    ports = options.get("ports")
    if ports is not None and not (
        isinstance(ports, list) and all(isinstance(name, str) for name in ports)
    ):
        raise ValueError(f"ports is a list of device paths to try, not {ports!r}")
    board = options.get("board")
    if board is not None and not (
        isinstance(board, str) and re.fullmatch("[0-9a-fA-F]{16}", board)
    ):
        raise ValueError(f"board is the id of a board, 16 hex digits, not {board!r}")
    set_ = options.get("set")
    if set_ is not None and set_ not in SET_NAMES.values():
        raise ValueError(f"set is {' or '.join(SET_NAMES.values())}, not {set_!r}")
    seats = options.get("seats")
    if seats is not None and (type(seats) is not int or not 1 <= seats <= MAX_SEATS):
        raise ValueError(f"seats is a number from 1 to {MAX_SEATS}, not {seats!r}")
    return BoardOptions(
        port,
        tuple(ports) if ports is not None else None,
        bytes.fromhex(board) if board else None,
        set_,
        seats,
    )
