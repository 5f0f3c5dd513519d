"""``python -m tests.hardware.firmware.measure``: memory, and time a step, in MicroPython."""

import subprocess

from tests.hardware.firmware.rig import FIRMWARE, HERE, micropython

if __name__ == "__main__":
    command = [*micropython(), str(HERE / "unix_measure.py"), str(FIRMWARE)]
    subprocess.run(command, check=True, timeout=600)
