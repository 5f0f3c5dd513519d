"""Starts the firmware in MicroPython's unix port: its own main.py, on pins that a test holds.

Arguments: the firmware's folder, that of the pins, control descriptors in and out, the board's id
in hex, the reset cause, the set, the seats; on a Pico W also the port of its door and the folder of
its radio.
"""

import binascii
import sys

firmware, pins_folder, control_in, control_out, board_id, cause, power_set, seats = sys.argv[1:9]
sys.path[:0] = [pins_folder, firmware] + sys.argv[10:]  # noqa: RUF005 - MicroPython has no star there

import machine  # noqa: E402

machine.hold(int(control_in), int(control_out), binascii.unhexlify(board_id), int(cause))

import config  # noqa: E402
from referee_board import pins, sensing  # noqa: E402

config.SET = int(power_set)
config.SEATS = int(seats)

_show = pins.Lights.show


def show(self, place, pattern, power):
    machine.tell(f"light {place} {pattern} {power}")
    _show(self, place, pattern, power)


pins.Lights.show = show

_update = sensing.Sensing.update


def update(self, place, row, now):
    found = _update(self, place, row, now)
    if found[0]:
        machine.tell(f"cell {place} {self.cell(place)}")
    return found


sensing.Sensing.update = update

with open(f"{firmware}/main.py") as file:
    program = compile(file.read(), "main.py", "exec")

# From here on as on a Pico, where the byte 03 interrupts what has been compiled.
sys.modules["micropython"] = machine.Keyboard
try:
    machine.tell("kbd 3")
    exec(program, {"__name__": "__main__"})
except KeyboardInterrupt:
    pass

machine.tell("prompt")
