"""The board's program: the same in MicroPython and in CPython, but for pins, usb and run."""

VERSION: tuple[int, int, int] = (1, 0, 0)
