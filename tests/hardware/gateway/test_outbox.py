"""What is in the outbox stays there until it is delivered, whatever happens to the gateway."""

import errno
import json
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.gateway.posting.outbox import Outbox
from hardware.gateway.posting.outbox_file import (
    MOST_SET_ASIDE,
    OutboxError,
    Queue,
    read_memory,
    read_queues,
)
from hardware.observation import Observation
from tests.hardware.gateway.fakes import AT, queue_of, seen

# Puts observations, two at a time, and says so after each put, with the key of the oldest, until it
# is killed.
PUTTER = """
import sys
from pathlib import Path
from hardware.gateway.posting.outbox import Outbox
from hardware.observation import Observation
from tests.hardware.gateway.fakes import queue_of

outbox = Outbox(Path(sys.argv[1]), "t1")
outbox.open()
number = outbox.memory("Board").get("last", 0)
while True:
    seen = [Observation("2026-07-01T18:00:00.000Z", {"n": number + i}) for i in (1, 2)]
    number += 2
    outbox.put("Board", seen, {"last": number})
    print(number, outbox.next("Board").key, flush=True)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "outbox.sqlite3"


@pytest.fixture
def outbox(path: Path) -> Iterator[Outbox]:
    box = Outbox(path, "t1", clock=lambda: 1000.0)
    box.open()
    yield box
    box.close()


def drain(box: Outbox, device: str = "Board") -> list[dict[str, object]]:
    bodies = []
    while waiting := box.next(device):
        bodies.append(json.loads(waiting.body))
        box.done(waiting)
    return bodies


def test_they_come_out_in_order_with_their_time_and_their_own_key(outbox: Outbox) -> None:
    outbox.put("Board", [seen(1), seen(2)], {"boot": 7})
    outbox.put("Board", [seen(3)], {"boot": 8})
    first = outbox.next("Board")
    assert first is not None
    assert first == outbox.next("Board")
    assert json.loads(first.body) == {"at": AT, "kind": "powers", "powers": {"U": 1}}
    outbox.done(first)
    second = outbox.next("Board")
    assert second.key != first.key
    assert [body["powers"] for body in drain(outbox)] == [{"U": 2}, {"U": 3}]
    assert outbox.memory("Board") == {"boot": 8}
    assert queue_of(outbox, "Board") == Queue("t1", "Board", 0, 3, 0, None)


def test_each_device_has_its_own_queue_and_memory(outbox: Outbox, path: Path) -> None:
    outbox.put("A", [seen(1)], {"is": "A"})
    outbox.put("B", [seen(2)], {"is": "B"})
    assert [body["powers"] for body in drain(outbox, "B")] == [{"U": 2}]
    waits, delivered = Queue("t1", "A", 1, 0, 0, 1000.0), Queue("t1", "B", 0, 1, 0, None)
    assert outbox.queues() == read_queues(path) == [waits, delivered]
    assert outbox.memory("A") == {"is": "A"}
    assert outbox.memory("C") == {}


def test_whoever_is_known_by_another_token_remembers_nothing(outbox: Outbox) -> None:
    assert outbox.memory("Board", "one") == {}
    outbox.put("Board", [], {"last": 5})
    assert outbox.memory("Board", "one") == {"last": 5}
    assert outbox.next("Board") is None
    assert outbox.memory("Board", "two") == {}
    outbox.put("Board", [], {"last": 6})
    assert outbox.memory("Board", "two") == {"last": 6}


def test_a_key_is_never_used_twice_even_after_all_was_delivered(outbox: Outbox, path: Path) -> None:
    keys = set()
    for _ in range(3):
        outbox.put("Board", [seen(1)], {})
        waiting = outbox.next("Board")
        keys.add(waiting.key)
        outbox.done(waiting)
        outbox.close()
        outbox.open()
    assert len(keys) == 3


def test_what_is_set_aside_lets_the_next_one_through(outbox: Outbox, path: Path) -> None:
    outbox.put("Board", [seen(1), seen(2)], {})
    bad = outbox.next("Board")
    assert bad is not None
    outbox.set_aside(bad, "powers.U: there is no such thing")
    assert [body["powers"] for body in drain(outbox)] == [{"U": 2}]
    assert queue_of(outbox, "Board") == Queue("t1", "Board", 0, 1, 1, None)
    with sqlite3.connect(path) as db:
        kept = db.execute("SELECT body, reason FROM set_aside").fetchall()
    assert kept == [(bad.body, "powers.U: there is no such thing")]


def test_after_one_was_set_aside_the_state_after_all_is_owed(outbox: Outbox, path: Path) -> None:
    def report(powers: dict[str, object], **more: object) -> None:
        body = {"kind": "powers", "powers": powers, **more}
        outbox.put("Board", [Observation(AT, body)], {})

    report({"U": 0, "N": 0}, faults=[{"place": 3, "powers": ["U"]}])
    report({"U": "unknown"}, conflicts={"U": [2, 5]})
    report({"U": 2})
    report({"N": "unknown"}, conflicts={"N": [1, 3]})
    assert not outbox.owes("Board")
    refused = outbox.next("Board")
    assert refused is not None
    outbox.set_aside(refused, "no")
    drain(outbox)
    # Neither a restart nor the disk forgets what is owed.
    outbox.close()
    outbox.open()
    assert outbox.owes("Board")
    outbox.tell_again("Board")
    assert not outbox.owes("Board")
    assert drain(outbox) == [
        {
            "at": "1970-01-01T00:16:40.000Z",
            "kind": "powers",
            "powers": {"U": 2, "N": "unknown"},
            "conflicts": {"N": [1, 3]},
            "faults": [{"place": 3, "powers": ["U"]}],
        }
    ]


def test_powers_of_another_set_are_no_part_of_the_state(outbox: Outbox) -> None:
    outbox.put("Board", [seen(1)], {"positions": {"names": ["U", "N"]}})
    stand = Observation(AT, {"kind": "powers", "powers": {"red": 2}})
    outbox.put("Board", [stand], {"positions": {"names": ["red"]}})
    drain(outbox)
    outbox.tell_again("Board")
    assert [body["powers"] for body in drain(outbox)] == [{"red": 2}]


def test_a_camera_s_state_is_not_known_here(outbox: Outbox) -> None:
    placed = {"kind": "pile", "number": 1, "event": "placed", "cards": {"red-3": 1.0}}
    outbox.put("Camera", [Observation(AT, placed)], {"number": 1})
    refused = outbox.next("Camera")
    assert refused is not None
    outbox.set_aside(refused, "no")
    outbox.tell_again("Camera")
    assert outbox.next("Camera") is None
    assert not outbox.owes("Camera")


def test_numbers_of_the_pile_count_in_the_outbox(outbox: Outbox, path: Path) -> None:
    def outbox_of_next() -> object:
        placed = {"kind": "pile", "number": 1, "event": "placed", "cards": {"red-3": 1.0}}
        outbox.put("Camera", [Observation(AT, placed)], {"number": 1})
        (body,) = drain(outbox, "Camera")
        return body["outbox"]

    first = outbox_of_next()
    outbox.close()
    outbox.open()
    assert outbox_of_next() == first
    outbox.close()
    path.rename(path.with_name("moved-away"))
    outbox.open()
    assert outbox_of_next() != first


def test_numbers_that_the_server_knows_go_on_in_another_series(outbox: Outbox) -> None:
    def placed(number: int) -> Observation:
        return Observation(AT, {"kind": "pile", "number": number, "event": "same"})

    outbox.put("Camera", [placed(1), placed(2)], {})
    outbox.put("Board", [seen(1)], {})
    outbox.put("Camera", [placed(3)], {})
    first, known, later = outbox.oldest("Camera", 9)
    of_board = outbox.next("Board")
    outbox.count_anew(known)
    outbox.close()
    outbox.open()
    outbox.put("Camera", [placed(4)], {})
    now = outbox.oldest("Camera", 9)
    # What went before, and what another device posts at this moment, keep their keys.
    assert now[0] == first
    assert outbox.next("Board") == of_board
    assert not {one.key for one in now[1:]} & {known.key, later.key}
    bodies = [json.loads(one.body) for one in now]
    assert [body["number"] for body in bodies] == [1, 2, 3, 4]
    assert [body["outbox"] for body in bodies] == [one.series for one in now]
    assert len({one.series for one in now[1:]}) == 1


def test_starting_again_and_again_writes_nothing(outbox: Outbox, path: Path) -> None:
    outbox.memory("Board", "one")
    outbox.put("Board", [seen(1)], {"last": 1})
    outbox.close()
    before = path.read_bytes(), path.stat().st_mtime_ns
    for _ in range(5):
        outbox.open()
        outbox.memory("Board", "one")
        outbox.put("Board", [], {"last": 1})
        outbox.close()
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_only_so_many_are_set_aside(outbox: Outbox, path: Path) -> None:
    outbox.put("Board", [seen(n) for n in range(MOST_SET_ASIDE + 5)], {})
    while waiting := outbox.next("Board"):
        outbox.set_aside(waiting, "no")
    with sqlite3.connect(path) as db:
        kept = [
            json.loads(row[0])["powers"]["U"] for row in db.execute("SELECT body FROM set_aside")
        ]
    assert kept == list(range(5, MOST_SET_ASIDE + 5))


def test_what_waits_for_another_table_stays_and_waits(outbox: Outbox, path: Path) -> None:
    outbox.put("Board", [seen(1)], {"table": 1})
    outbox.close()
    other = Outbox(path, "t2")
    other.open()
    assert other.next("Board") is None
    assert other.memory("Board") == {}
    other.put("Board", [seen(2)], {"table": 2})
    assert [queue.waiting for queue in other.queues()] == [1, 1]
    other.close()
    outbox.open()
    assert [body["powers"] for body in drain(outbox)] == [{"U": 1}]
    assert outbox.memory("Board") == read_memory(path, "t1", "Board") == {"table": 1}


def test_two_gateways_do_not_share_one(outbox: Outbox, path: Path) -> None:
    with pytest.raises(OutboxError, match="another gateway uses"):
        Outbox(path, "t1").open()
    outbox.put("Board", [seen(1)], {})


def test_a_file_that_is_no_outbox_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"precious " * 1000)
    with pytest.raises(OutboxError, match="cannot be used: file is not a database; move it away"):
        Outbox(path, "t1").open()
    assert path.read_bytes() == b"precious " * 1000


@pytest.mark.parametrize("release", [2, 9])
def test_an_outbox_of_another_release_is_left_alone(
    outbox: Outbox, path: Path, release: int
) -> None:
    outbox.close()
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version = {release}")
    with pytest.raises(OutboxError, match=f"format {release}"):
        outbox.open()
    with pytest.raises(OutboxError, match=f"format {release}"):
        read_queues(path)


def test_an_outbox_of_another_user_is_called_that(
    outbox: Outbox, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outbox.close()

    def refuse(_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("hardware.gateway.posting.outbox_file.FileLock.acquire", refuse)
    with pytest.raises(OutboxError, match=f"{path} belongs to another user; run as that one"):
        outbox.open()
    path.unlink()
    with pytest.raises(OutboxError, match="cannot be made: Permission denied"):
        outbox.open()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutboxError, match=r"cannot be made: .*outbox\.path"):
        Outbox(tmp_path / "file" / "outbox", "t1").open()


def test_a_full_disk_keeps_nothing_of_the_put(outbox: Outbox, path: Path) -> None:
    outbox.put("Board", [seen(1)], {"last": 1})
    pages = outbox._in.execute("PRAGMA page_count").fetchone()[0]
    outbox._in.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(OSError, match="full"):
        outbox.put("Board", [seen(n) for n in range(1000)], {"last": 2})
    assert outbox.memory("Board") == {"last": 1}
    assert queue_of(outbox, "Board").waiting == 1
    outbox._in.execute("PRAGMA max_page_count = 1000000")
    outbox.put("Board", [seen(2)], {"last": 2})
    assert [body["powers"] for body in drain(outbox)] == [{"U": 1}, {"U": 2}]


def test_damage_is_found(outbox: Outbox, path: Path) -> None:
    outbox.put("Board", [seen(n) for n in range(2000)], {})
    outbox.close()
    whole = bytearray(path.read_bytes())
    whole[4096 * 5 : 4096 * 30] = b"\xff" * 4096 * 25
    path.write_bytes(whole)
    with pytest.raises(OutboxError, match="cannot be used"):
        read_queues(path)


def test_a_put_looks_at_no_more_rows_when_more_wait(outbox: Outbox) -> None:
    """The cost is counted in the database's own steps, so that no clock is needed."""

    def steps() -> int:
        count = 0

        def step() -> None:
            nonlocal count
            count += 1

        assert outbox._in is not None
        assert outbox._out is not None
        for db in (outbox._in, outbox._out):
            db.set_progress_handler(step, 1)
        outbox.put("Board", [seen(1)], {"last": 1})
        waiting = outbox.next("Board")
        assert waiting is not None
        outbox.done(waiting)
        queue_of(outbox, "Board")
        for db in (outbox._in, outbox._out):
            db.set_progress_handler(None, 1)
        return count

    outbox.put("Board", [seen(0), seen(0)], {})
    few = steps()
    outbox.put("Board", [seen(n) for n in range(20_000)], {})
    assert 0 < steps() <= few * 1.2


def test_killed_in_the_middle_of_putting(path: Path) -> None:
    """kill -9, again and again: what was acknowledged is there, and the memory and keys fit it."""
    keys = set()
    for round_ in range(4):
        process = subprocess.Popen(
            [sys.executable, "-c", PUTTER, str(path)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(5 + 7 * round_)]
        time.sleep(0.003 * round_)
        process.send_signal(signal.SIGKILL)
        said += process.stdout.read().splitlines(keepends=True)
        process.wait()
        process.stdout.close()
        # The last line may have been cut off.
        told = [line.split() for line in said if line.endswith("\n")]
        acknowledged = int(told[-1][0])
        keys |= {key for _, key in told}
        box = Outbox(path, "t1")
        box.open()
        there = int(box.memory("Board")["last"])
        assert there in (acknowledged, acknowledged + 2)
        assert queue_of(box, "Board").waiting == there
        box.close()
    box.open()
    oldest = box.next("Board")
    assert keys == {oldest.key}
    assert [body["n"] for body in drain(box)] == list(range(1, there + 1))
    box.close()
