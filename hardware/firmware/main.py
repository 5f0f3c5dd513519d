"""Program that the Pico runs at start-up."""

import config  # type: ignore[import-not-found, unused-ignore]
from referee_board.run import run  # type: ignore[import-not-found, unused-ignore]

run(config)
