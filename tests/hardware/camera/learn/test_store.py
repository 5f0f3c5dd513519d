"""The file of learnt faces: bounded, whole after a crash, and forgotten on request."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hardware.camera.enrol.matcher import SIZE
from hardware.camera.learn.store import (
    Look,
    LookStore,
    LookStoreError,
    forget,
    learnt_counts,
    least_new,
)
from hardware.camera.thresholds import MOST_LOOKS


def look(number: int, card: str = "red-7", by: str = "people", seed: int | None = None) -> Look:
    rng = np.random.default_rng(number if seed is None else seed)
    row = rng.standard_normal(SIZE).astype(np.float32)
    row /= np.linalg.norm(row)
    return Look(number, card, by, "blue-4", 0.75, row)  # type: ignore[arg-type]


def store(folder: Path, table: str = "t1", model: str = "m", *, shared: bool = False) -> LookStore:
    return LookStore(folder / "faces.sqlite3", table, "classic-108", model, shared=shared)


def test_what_was_learnt_is_there_after_a_restart(tmp_path: Path) -> None:
    one = look(4)
    first = store(tmp_path)
    first.add(one)
    first.close()
    (found,) = store(tmp_path).looks()
    assert (found.number, found.card, found.confirmed) == (4, "red-7", "people")
    assert (found.read, found.chance) == ("blue-4", 0.75)
    assert np.allclose(found.descriptor, one.descriptor, atol=1e-3)


def test_the_file_is_for_its_owner_only(tmp_path: Path) -> None:
    store(tmp_path).add(look(1))
    assert (tmp_path / "faces.sqlite3").stat().st_mode & 0o077 == 0


def test_looks_belong_to_a_table_and_to_a_version_of_the_networks(tmp_path: Path) -> None:
    store(tmp_path).add(look(1))
    assert store(tmp_path, table="t2").looks() == []
    assert store(tmp_path, model="newer").looks() == []


def test_looks_that_a_host_shares_are_for_later_tables_that_want_them(tmp_path: Path) -> None:
    store(tmp_path, "t1", shared=True).add(look(1))
    store(tmp_path, "t2").add(look(2))
    assert [one.number for one in store(tmp_path, "t3", shared=True).looks()] == [1]
    assert store(tmp_path, "t3").looks() == []


def test_a_face_keeps_its_newest_and_most_different_looks(tmp_path: Path) -> None:
    kept = store(tmp_path)
    for number in range(MOST_LOOKS):
        kept.add(look(number))
    kept.add(look(90, seed=3))
    numbers = [one.number for one in kept.looks()]
    assert len(numbers) == MOST_LOOKS
    assert 3 not in numbers
    assert numbers[-1] == 90


def test_looks_that_people_named_outlive_those_of_play() -> None:
    rows = np.eye(4, dtype=np.float32)
    rows[1] = rows[0]
    assert least_new(rows, [True, True, False, False]) == 2
    assert least_new(rows, [True, True, True, False]) in (0, 1)


def test_what_came_from_an_observation_is_taken_back(tmp_path: Path) -> None:
    kept = store(tmp_path)
    kept.add(look(1))
    kept.add(look(2))
    kept.remove(1)
    assert [one.number for one in kept.looks()] == [2]


def test_one_card_or_everything_is_forgotten_and_a_gateway_notices(tmp_path: Path) -> None:
    file, kept = tmp_path / "faces.sqlite3", store(tmp_path)
    other = store(tmp_path, "t2")
    for number, card in enumerate(("red-7", "red-7", "blue-2")):
        kept.add(look(number, card))
    other.add(look(9))
    before = kept.version
    assert [(count.table, count.card, count.looks) for count in learnt_counts(file)] == [
        ("t1", "red-7", 2),
        ("t1", "blue-2", 1),
        ("t2", "red-7", 1),
    ]
    assert forget(file, table="t1", card="red-7") == 2
    assert kept.version != before
    assert [one.card for one in kept.looks()] == ["blue-2"]
    assert forget(file) == 2
    assert learnt_counts(file) == []


def test_what_is_forgotten_cannot_be_read_in_the_file_any_more(tmp_path: Path) -> None:
    file, one = tmp_path / "faces.sqlite3", look(1)
    store(tmp_path).add(one)
    raw = one.descriptor.astype("<f2").tobytes()[:64]
    assert raw in file.read_bytes()
    forget(file)
    assert raw not in file.read_bytes()


def test_old_looks_are_forgotten(tmp_path: Path) -> None:
    store(tmp_path).add(look(1))
    with sqlite3.connect(tmp_path / "faces.sqlite3") as db:
        db.execute("UPDATE look SET at = '2020-01-01T00:00:00.000Z'")
    db.close()
    assert store(tmp_path).looks() == []


@pytest.mark.parametrize("content", [b"no database" * 100, b""])
def test_a_damaged_file_is_told_and_an_empty_one_begun(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "faces.sqlite3").write_bytes(content)
    if content:
        with pytest.raises(LookStoreError, match=r"faces\.sqlite3 cannot be used"):
            store(tmp_path)
    else:
        assert store(tmp_path).looks() == []


def test_a_file_of_another_release_is_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "faces.sqlite3") as db:
        db.execute("PRAGMA user_version = 7")
    db.close()
    with pytest.raises(LookStoreError, match="format 7"):
        store(tmp_path)


def test_without_a_file_nothing_is_learnt_or_forgotten(tmp_path: Path) -> None:
    assert learnt_counts(tmp_path / "none") == []
    assert forget(tmp_path / "none") == 0


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.hardware.camera.learn.test_store import look, store
kept = store(Path(sys.argv[1]))
for number in range(100):
    kept.add(look(number, f"red-{number % 10}"))
    print(number, flush=True)
    if number == 20:
        os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_gateway_leaves_a_whole_file(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], capture_output=True)
    assert done.returncode == -9
    assert len(store(tmp_path).looks()) == 21
