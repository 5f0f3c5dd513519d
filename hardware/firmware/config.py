"""What a builder sets, and nothing else needs to be changed."""

SET = 1  # 1: towers U, N, O, !   2: power stands red, blue, green, yellow
SEATS = 6  # 1 … 10, the tray not counted

# Millivolts; `mpremote run calibrate.py` shows what each sensor gives.
MIDDLE_MV = 1650  # without a magnet
PRESENT_MV = 400  # this far off the middle, or further: a magnet
ABSENT_MV = 250  # this far, or less: none; between the two, what was stays
BROKEN_MV = 150  # less: a broken wire, or a station that is not plugged in
SHORT_MV = 3200  # more: a short circuit
