"""Unknown things that are named are counted by kind."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from lab.measure.unknown import BLURS, Tally, main, table

FROZEN = Path(__file__).parents[2] / "hardware" / "camera" / "frozen"


def test_naming_what_is_not_there_is_wrong() -> None:
    tally = Tally()
    tally.add([])
    tally.add(["red-7"])
    tally.add(["red-7"], frozenset({"red-7"}))
    tally.add(["red-7", "blue-1"], frozenset({"red-7"}))
    assert (tally.pictures, tally.right, tally.wrong) == (4, 1, 2)
    assert table({"cloth": tally}).splitlines()[1].split() == [
        "cloth",
        "4",
        "75.0%",
        "50.00%",
        "(2)",
    ]


def test_a_folder_of_unknown_things(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "cards").mkdir()
    plain = np.full((90, 120, 3), 90, np.uint8)
    cv2.imwrite(str(tmp_path / "tables" / "one.png"), plain)
    card = FROZEN / "classic-108" / "0001.jpg"
    (tmp_path / "cards" / "one.jpg").write_bytes(card.read_bytes())
    (tmp_path / "cards" / "notes.txt").write_text("no picture")
    assert main([str(tmp_path), "--deck", "classic-108"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    assert rows == [
        ["cards", "1", "100.0%", "100.00%", "(1)"],
        ["tables", "1", "0.0%", "0.00%", "(0)"],
    ]


def test_a_labelled_folder_is_blurred_and_read_with_other_decks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one.jpg").write_bytes((FROZEN / "classic-108" / "0001.jpg").read_bytes())
    rows = "file,source,kind,label\none.jpg,phone,single,green-0\n"
    (tmp_path / "index.csv").write_text(rows)
    assert main([str(tmp_path), "--deck", "classic-108"]) == 0
    lines = [line.rsplit(maxsplit=4) for line in capsys.readouterr().out.splitlines()[1:]]
    told = {kind: figures for kind, _, *figures in lines}
    # The card is a green 8, so the label makes a wrong answer of a sure one.
    assert told["sharp"] == ["100.0%", "100.00%", "(1)"]
    assert sum(kind.startswith("blurred") for kind in told) == len(BLURS)
    assert {kind for kind in told if kind.startswith("not in")} == {
        "not in power-grab",
        "not in color-powers",
    }
