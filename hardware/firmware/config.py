"""Settings of this board; no other file needs to be changed."""

SET = 1  # 1: towers U, N, O, !   2: power stands red, blue, green, yellow
SEATS = 6  # 1 … 10, the tray not counted

SENSORS = "hall"  # or "magnetometers": two LIS3MDL a station behind a TCA9548A

# Millivolts; `referee-table board` shows what each sensor gives.
MIDDLE_MV = 1650  # without a magnet, before `referee-table board --calibrate`
PRESENT_MV = 400  # at least this far from the middle: a magnet
ABSENT_MV = 300  # at most this far: no magnet; in between the state stays
BROKEN_MV = 150  # below: a broken wire or an unplugged station
SHORT_MV = 3200  # above: a short circuit
