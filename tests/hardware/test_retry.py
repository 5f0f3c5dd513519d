"""The delays between tries."""

import random

from hardware.retry import Retry


def test_delays_grow_to_a_cap_with_jitter_and_start_again_after_a_success() -> None:
    retry = Retry(0.1, 5.0, randomness=random.Random(1))
    delays = [retry.failed() for _ in range(40)]
    assert delays[0] == 0.1
    for failures, delay in enumerate(delays):
        cap = min(5.0, 0.1 * 2**failures)
        assert max(0.1, cap / 2) <= delay <= cap
    assert len(set(delays[10:])) == 30
    retry.succeeded()
    assert retry.failed() == 0.1


def test_a_loop_that_polls_is_told_when_the_delay_is_over() -> None:
    now = [100.0]
    retry = Retry(2.0, 2.0, clock=lambda: now[0])
    assert retry.due
    assert retry.failed() == 2.0
    assert not retry.due
    now[0] += 2.0
    assert retry.due
    retry.failed()
    retry.succeeded()
    assert retry.due
