"""Starts the firmware in MicroPython's unix port: its own main.py, on pins that a test holds.

Arguments: the firmware's folder, that of the pins, control descriptors in and out, the board's id
in hex, the reset cause, the set, the seats.
"""

import binascii
import sys

firmware, pins_folder, control_in, control_out, board_id, cause, power_set, seats = sys.argv[1:]
sys.path[:0] = [pins_folder, firmware]

import machine  # noqa: E402

machine.hold(int(control_in), int(control_out), binascii.unhexlify(board_id), int(cause))

import config  # noqa: E402
from referee_board import pins  # noqa: E402

config.SET = int(power_set)
config.SEATS = int(seats)

_show = pins.Lights.show


def show(self, place, pattern, power):
    machine.tell(f"light {place} {pattern} {power}")
    _show(self, place, pattern, power)


pins.Lights.show = show

import main  # noqa: E402, F401

machine.tell("prompt")
