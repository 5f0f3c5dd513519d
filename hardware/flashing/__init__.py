"""What goes on a Pico in one file: MicroPython, and a file system with the board's program."""
