"""The boards that this computer has joined to a Wi-Fi, and the keys by which they let it in."""

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

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


def file() -> Path:
    """Return where they are kept, which is for its owner alone."""
    return default_file(os.environ).with_name(FILE)


def joined_boards() -> list[JoinedBoard]:
    """Return the boards that this computer has joined; none if the file cannot be read."""
    try:
        return [JoinedBoard(**one) for one in json.loads(file().read_text("utf-8"))]
    except (OSError, ValueError, TypeError):
        return []


def key_of(board: bytes) -> bytes | None:
    """Return the key of a board by its id; None if this computer has none."""
    keys = (bytes.fromhex(one.key) for one in joined_boards() if one.board == board.hex())
    return next(keys, None)


def keep(board: JoinedBoard) -> None:
    """Keep a board in place of what was kept of it. Raises OSError."""
    _write([*_without(board.board), board])


def forget(board: bytes) -> None:
    """Keep nothing of a board. Raises OSError."""
    if key_of(board) is not None:
        _write(_without(board.hex()))


def _without(board: str) -> list[JoinedBoard]:
    return [one for one in joined_boards() if one.board != board]


def _write(boards: Iterable[JoinedBoard]) -> None:
    write_private(file(), json.dumps([asdict(one) for one in boards], indent=2) + "\n")
