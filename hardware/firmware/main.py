"""Program that the Pico runs at start-up."""

import micropython  # type: ignore[import-not-found, unused-ignore]

try:
    micropython.kbd_intr(-1)  # from here on the byte 03 is data and not Ctrl-C
    for _ in range(2):
        pass  # a Ctrl-C that came before is raised here
except KeyboardInterrupt:
    micropython.kbd_intr(-1)

# Only now what takes time.
import config  # type: ignore[import-not-found, unused-ignore]
from referee_board.run import run  # type: ignore[import-not-found, unused-ignore]

run(config)
