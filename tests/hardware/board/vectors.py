"""The golden frames of ``vectors.json``, for parametrized tests of host and firmware.

They are what boards and hosts of all releases of a protocol speak: messages are added, and none is
changed. Bytes are in hex. The sections:

- ``frames``: a message's fields, packet and frame, for both directions.
- ``readable``: packets that are read, but that this version would write differently: there are
  more bytes in the body.
- ``network``: as ``frames``, the messages of the Wi-Fi, which a browser does without; ``signed``:
  what signs a challenge by a key.
- ``refused``: packets in good frames that are counted and dropped; ``reason`` is ``version``,
  ``type`` or ``short``.
- ``dropped``: bytes without a packet; ``reason`` is ``long``, ``cobs``, ``short`` or ``crc``.
- ``streams``: bytes chunk by chunk, the packets in them, and what is dropped.
- ``cells``: a cell and its readings, power 0 first.
- ``circle``: whether sequence number ``a`` comes before ``b``, modulo 65536.
"""

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
