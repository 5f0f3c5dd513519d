import cv2
import pytest

from lab.draw.__main__ import main


@pytest.mark.parametrize("what", ["faces", "scenes", "crops", "corners"])
def test_a_contact_sheet_is_written(what, tmp_path, capsys):
    out = tmp_path / "sheet.png"
    assert main([what, "--out", str(out), "--count", "5", "--ruleset", "moomin"]) == 0
    image = cv2.imread(str(out))
    assert image.std() > 10
    assert str(out) in capsys.readouterr().out


def test_wrong_wishes_are_answered_in_words(tmp_path, capsys):
    assert main(["scenes", "--count", "0", "--out", str(tmp_path / "a.png")]) == 2
    assert main(["scenes", "--out", str(tmp_path / "no" / "a.png")]) == 2
    said = capsys.readouterr().err
    assert "at least 1" in said
    assert ".png" in said
