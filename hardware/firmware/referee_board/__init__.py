"""The board's logic: it touches no pin, and runs the same in MicroPython and in CPython."""

VERSION: tuple[int, int, int] = (1, 0, 0)
