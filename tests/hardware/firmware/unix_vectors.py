"""Checks the golden frames in MicroPython: the firmware's folder, this folder, vectors.json."""

import json
import sys

sys.path[:0] = sys.argv[1:3]

from referee_board import framing, messages  # noqa: E402
from referee_board.door import proof  # noqa: E402
from vector_checks import check  # noqa: E402

with open(sys.argv[3]) as file:
    wrong, count = check(json.load(file), framing, messages, proof)
for line in wrong:
    sys.stdout.write(line + "\n")
sys.stdout.write(f"{count} checks, {len(wrong)} wrong\n")
