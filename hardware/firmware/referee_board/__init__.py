"""The board's program. All modules but pins, usb and run also run in CPython."""

VERSION: tuple[int, int, int] = (1, 0, 0)
