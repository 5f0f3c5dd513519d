"""``referee-table memory``: what tables have learnt, and forgetting it."""

import json
from functools import partial
from pathlib import Path

import pytest

from tests.hardware.camera.learn.test_store import look, store
from tests.hardware.conftest import Run


@pytest.fixture
def config(tmp_path: Path) -> Path:
    kept, other = store(tmp_path), store(tmp_path, "t2", shared=True)
    for number, card in enumerate(("red-7", "red-7", "blue-2")):
        kept.add(look(number, card, "people" if number else "play"))
    other.add(look(9))
    file = tmp_path / "table.toml"
    file.write_text(
        '[server]\nurl = "http://referee:8000"\ntable = "t1"\n[outbox]\npath = "outbox.sqlite3"\n'
    )
    return file


@pytest.fixture
def memory(config: Path, run: Run) -> Run:
    return partial(run, "memory", "--config", config)


def test_the_tables_faces_are_listed(memory: Run) -> None:
    out = memory("list").out
    assert "table t1, classic-108: 2 faces\n" in out
    assert "  red-7: 2 looks, 1 named by people, newest 20" in out
    assert "t2" not in out
    everything = memory("list", "--everything").out
    assert "table t2, classic-108: 1 face, for later tables too\n" in everything


def test_they_are_listed_for_programs(memory: Run) -> None:
    (found,) = json.loads(memory("list", "--json", "--card", "blue-2").out)
    assert (found["table"], found["card"], found["looks"]) == ("t1", "blue-2", 1)


def test_a_card_a_table_and_everything_are_forgotten(memory: Run) -> None:
    assert memory("forget", "--card", "red-7").out == "forgot 2 looks of red-7 of table t1\n"
    assert memory("forget").out == "forgot 1 look of table t1\n"
    assert memory("forget", "--everything").out == "forgot 1 look of all tables\n"
    assert memory("list").out == "nothing is learnt\n"


def test_a_wrong_card_and_an_unusable_file_are_told(config: Path, memory: Run) -> None:
    assert "there is no card red-77" in memory("forget", "--card", "red-77", ends=2).err
    (config.parent / "faces.sqlite3").write_bytes(b"no database" * 100)
    assert "cannot be used" in memory("list", ends=1).err


@pytest.mark.usefixtures("config")
def test_without_a_configuration_the_file_can_be_named(tmp_path: Path, run: Run) -> None:
    said = run("memory", "list", "--file", tmp_path / "faces.sqlite3", "--table", "t2")
    assert "table t2" in said.out
