"""MicroPython's module network of a Pico W in the air of one Wi-Fi; runs in the unix port.

What is in the air comes over the pins' control line: "air NAME PASSWORD", "air" for none.
"""

import sys

import machine
from referee_board import door

# Several boards share this computer's address.
door.PORT = int(sys.argv[9])

STA_IF = 0
_names = []


def hostname(name):
    if len(name) > 32:
        raise ValueError
    _names.append(name)
    machine.tell("hostname " + name)


class WLAN:
    PM_NONE = 0xA11140

    def __init__(self, interface):
        self._status = 0
        self._asked = 0
        self._on = False

    def active(self, on):
        if on and not _names:
            raise RuntimeError("the radio takes its name when it is switched on")
        self._on = on

    def config(self, pm):
        if pm != self.PM_NONE:
            raise ValueError("unknown")

    def connect(self, name, password):
        if not self._on:
            raise OSError(1)
        machine.tell("joins " + name)
        self._wanted = (name, password)
        self._asked = 0
        self._status = 1

    def disconnect(self):
        self._status = 0

    def status(self):
        air = machine.air()
        if self._status == 3:
            if air != self._wanted:
                self._status = 0
        elif self._status == 1:
            self._asked += 1
            if self._asked > 2:
                if air and air[0] == self._wanted[0]:
                    self._status = 3 if air == self._wanted else -3
                else:
                    self._status = -2
        return self._status

    def ifconfig(self):
        return ("127.0.0.1", "255.0.0.0", "127.0.0.1", "127.0.0.1")
