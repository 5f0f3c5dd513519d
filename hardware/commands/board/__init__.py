"""Commands for the sensor board and its program."""
