"""Cards read without and with what was learnt."""

import csv
import re
from pathlib import Path

import cv2
import pytest

from lab.measure import memory
from tests.hardware.camera.enrol.eyes import faces, shown


def test_a_folder_is_learnt_in_its_first_half_and_read_in_its_second(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (face,) = faces(1, "mixed")
    with (tmp_path / "index.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("file", "source", "kind", "label"))
        for number in range(2):
            cv2.imwrite(str(tmp_path / f"{number}.png"), shown(face))
            rows.writerow((f"{number}.png", "table", "single", "red-9"))
        rows.writerow(("none.png", "table", "single", "red-9"))
    assert memory.main([str(tmp_path)]) == 0
    head, line = capsys.readouterr().out.splitlines()
    assert head.split()[:5] == ["source", "faces", "looks", "foreign", "read"]
    assert line.split()[0] == "table"
    assert int(line.split()[4]) == 1


def test_a_folder_without_an_index_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert memory.main([str(tmp_path)]) == 2
    assert "memory: " in capsys.readouterr().err


@pytest.mark.soak
def test_a_word_edition_is_misread_less_once_faces_were_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert memory.main(["--printings", "1", "--views", "3", "--seed", "5"]) == 0
    for line in capsys.readouterr().out.splitlines()[1:]:
        name = line[:20].strip()
        changes = re.findall(r"(\d+) →\s+(\d+)", line)
        (before, after), (mistaken, still), _ = [(int(was), int(now)) for was, now in changes]
        assert after >= before + (4 if name in ("band, shown", "column, shown") else -3), name
        assert still <= max(2, mistaken // 5), name
