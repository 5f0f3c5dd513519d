"""Equal cards and disturbed piles in drawn pictures, read by the networks."""

import pytest

from lab.measure.__main__ import main


def test_drawn_hands_lay_the_same_card_again_or_only_disturb(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["equal", "--tables", "1", "--hands", "6", "--seed", "3"]) == 0
    lines = [line.rsplit(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    told = {" ".join(what.split()): int(count) for what, count in lines}
    assert sum(told.values()) == 6
    assert told.pop("laid told: placed") >= 1
    assert all(what.endswith("told: nothing") for what in told)
