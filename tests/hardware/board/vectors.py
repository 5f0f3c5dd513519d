"""The golden frames, for parametrized tests; ``write_vectors.py`` makes them."""

import json
from pathlib import Path

import pytest

from hardware import board
from hardware.board.wire import messages, network_messages

PATH = Path(str(board.__file__)).with_name("vectors.json")
VECTORS = json.loads(PATH.read_text(encoding="utf-8"))


def named(section):
    return [pytest.param(vector, id=vector["name"]) for vector in VECTORS[section]]


def message_of(vector):
    """The message that a vector describes."""
    fields = dict(vector["fields"])
    of_network = getattr(network_messages, vector["message"].capitalize(), None)
    if of_network:
        words = {k: bytes.fromhex(v) if isinstance(v, str) else v for k, v in fields.items()}
        return of_network(**words)
    if vector["message"] == "hello":
        fields |= {"board": bytes.fromhex(fields["board"]), "firmware": tuple(fields["firmware"])}
    if vector["message"] == "snapshot":
        fields["cells"] = bytes(fields["cells"])
    if vector["message"] == "levels":
        fields |= {name: tuple(fields[name]) for name in ("levels", "middles")}
    name = {"error": "BoardError"}.get(vector["message"], vector["message"].capitalize())
    return getattr(messages, name)(**fields)


def cell_of(of_powers):
    """The cell that holds these readings, one for each power."""
    return sum(reading << 2 * power for power, reading in enumerate(of_powers))
