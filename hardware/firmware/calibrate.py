"""Shows what the sensors give, five times a second: ``mpremote run calibrate.py``.

The service jumper has to be in, so that the board's own program does not run. Ctrl-C ends it.
"""

import sys
import time

import config  # type: ignore[import-not-found, unused-ignore]
from referee_board.calibration import table  # type: ignore[import-not-found, unused-ignore]
from referee_board.pins import Sensors  # type: ignore[import-not-found, unused-ignore]
from referee_board.run import thresholds  # type: ignore[import-not-found, unused-ignore]

sensors = Sensors(config.SEATS)
while True:
    began = time.ticks_us()  # type: ignore[attr-defined]
    rows = sensors.scan()
    took = time.ticks_diff(time.ticks_us(), began)  # type: ignore[attr-defined]
    for text in table(config.SET, rows, thresholds(config)):
        sys.stdout.write(text + "\n")
    sys.stdout.write(f"one scan: {took} microseconds\n\n")
    time.sleep_ms(200)  # type: ignore[attr-defined]
