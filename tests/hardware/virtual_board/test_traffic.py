from itertools import islice

from hardware.virtual_board.device import virtual_board
from hardware.virtual_board.traffic import random_placements
from tests.hardware.virtual_board.test_device import Kept, eventually


def placed(sink):
    """Every place that a power came to, in order; one told again after a silence is no other."""
    known, came = {}, []
    for body in list(sink.bodies):
        for power, place in body.get("powers", {}).items():
            if isinstance(place, int) and known.get(power) != place:
                known[power] = place
                came.append((power, place))
    return came


def test_every_placement_is_told_once_and_in_order_at_high_speed():
    sink = Kept()
    device = virtual_board("fast", {"speed": 20.0, "corrupt": 0.01, "drop": 0.01, "seed": 2})
    device.start(sink, {})
    assert eventually(lambda: len(placed(sink)) == 4)
    made = []
    for move in islice(random_placements(device.board, seed=3), 60):
        made.append(move)
        if len(made) == 30:
            device.board.unplug(2)
    assert eventually(lambda: len(placed(sink)) >= 64)
    device.stop()
    assert placed(sink)[4:] == made


def test_the_same_seed_makes_the_same_moves():
    moves = []
    for _ in range(2):
        device = virtual_board("fast", {"speed": 50.0})
        with device.board as board:
            moves.append(list(islice(random_placements(board, seed=9), 20)))
    assert moves[0] == moves[1]
    assert len(set(moves[0])) > 5
