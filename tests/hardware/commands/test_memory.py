"""``referee-table memory``: what tables have learnt, and forgetting it."""

import json
from pathlib import Path

import pytest

from hardware.cli import main
from tests.hardware.camera.learn.test_store import look, store


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


def memory(config: Path, *flags: str) -> int:
    return main(["memory", *flags, "--config", str(config)])


def test_the_tables_faces_are_listed(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert memory(config, "list") == 0
    out = capsys.readouterr().out
    assert "table t1, classic-108: 2 faces\n" in out
    assert "  red-7: 2 looks, 1 named by people, newest 20" in out
    assert "t2" not in out
    assert memory(config, "list", "--everything") == 0
    assert "table t2, classic-108: 1 face, for later tables too\n" in capsys.readouterr().out


def test_they_are_listed_for_programs(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert memory(config, "list", "--json", "--card", "blue-2") == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["table"], found["card"], found["looks"]) == ("t1", "blue-2", 1)


def test_a_card_a_table_and_everything_are_forgotten(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert memory(config, "forget", "--card", "red-7") == 0
    assert memory(config, "forget") == 0
    assert memory(config, "forget", "--everything") == 0
    assert capsys.readouterr().out.splitlines() == [
        "forgot 2 looks of red-7 of table t1",
        "forgot 1 look of table t1",
        "forgot 1 look of all tables",
    ]
    assert memory(config, "list") == 0
    assert capsys.readouterr().out == "nothing is learnt\n"


def test_a_wrong_card_and_an_unusable_file_are_told(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert memory(config, "forget", "--card", "red-77") == 2
    (config.parent / "faces.sqlite3").write_bytes(b"no database" * 100)
    assert memory(config, "list") == 1
    err = capsys.readouterr().err
    assert "there is no card red-77" in err
    assert "cannot be used" in err


def test_without_a_configuration_the_file_can_be_named(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["--file", str(tmp_path / "faces.sqlite3"), "--table", "t2"]
    assert main(["memory", "list", *flags]) == 0
    assert "table t2" in capsys.readouterr().out
