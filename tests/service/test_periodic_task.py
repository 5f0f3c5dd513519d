"""What is done again and again goes on after it has failed, and ends when it is stopped."""

import threading

from referee.service.periodic_task import PeriodicTask


def test_it_goes_on_after_a_failure_and_ends_when_stopped() -> None:
    times: list[str] = []
    enough = threading.Event()

    def do() -> None:
        times.append(threading.current_thread().name)
        if len(times) == 1:
            raise OSError("not now")
        enough.set()

    chore = PeriodicTask("sweeping", do, 0.001)
    chore.start()
    chore.start()
    assert enough.wait(120)
    chore.stop()
    assert len(times) >= 2
    assert set(times) == {"sweeping"}
    assert all(thread.name != "sweeping" for thread in threading.enumerate())
