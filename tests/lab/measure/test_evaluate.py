"""Readings are counted as exact, wrong or abstained; found, missed or invented."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera.types import Detection
from lab.labelled_photos import IndexFileError, Photo, read_index
from lab.measure.evaluate import evaluate, judge_photo, main, summarise, table, write_csv

CORNERS = np.array([[0, 0], [10, 0], [10, 15], [0, 15]], np.float32)


def found(**chances: float) -> Detection:
    return Detection(CORNERS, {name.replace("_", "-"): chance for name, chance in chances.items()})


def single(label: str, source: str = "phone") -> Photo:
    return Photo(Path("a.jpg"), source, True, (label,))


@pytest.mark.parametrize(
    ("answer", "verdict", "stage"),
    [
        ([found(red_7=0.95)], "exact", ""),
        ([found(red_1=0.95), found(red_7=0.9)], "wrong", "read"),
        ([found(red_7=0.6)], "abstained", ""),
        ([found(red_1=0.6)], "abstained", "read"),
        ([], "abstained", "locate"),
        ([found()], "abstained", "locate"),
    ],
)
def test_a_single_card_is_judged_by_the_surest_answer(
    answer: list[Detection], verdict: str, stage: str
) -> None:
    line = judge_photo(single("red-7"), answer, 1.0)
    assert (line.verdict, line.stage) == (verdict, stage)


def test_several_cards_are_counted_each_by_itself() -> None:
    photo = Photo(Path("b.jpg"), "table", False, ("red-7", "red-7", "wild"))
    answer = [found(red_7=0.9), found(red_7=0.95), found(blue_1=0.9), found(wild=0.5)]
    line = judge_photo(photo, answer, 1.0)
    assert (line.found, line.invented, line.verdict, line.stage) == (2, 1, "partly", "read")


def test_unwritten_custom_cards_have_one_face() -> None:
    thirds = found(wild_custom_1=0.32, wild_custom_2=0.32, wild_custom_3=0.32)
    for label in ("wild-custom-2", "wild-customizable"):
        assert judge_photo(single(label), [thirds], 1.0).verdict == "exact"
    assert judge_photo(single("wild-swap-hands"), [found(wild_shuffle=0.9)], 1.0).verdict == "exact"
    both = Photo(Path("b.jpg"), "table", False, ("wild-customizable", "red-7"))
    line = judge_photo(both, [thirds, found(red_7=0.9)], 1.0)
    assert (line.found, line.invented, line.verdict) == (2, 0, "exact")


def test_what_was_taken_for_what_is_counted_by_colour_and_by_symbol() -> None:
    lines = [
        judge_photo(single("red-7"), [found(red_1=0.9)], 1.0),
        judge_photo(single("red-7"), [found(blue_7=0.5)], 1.0),
        judge_photo(single("unheard-of"), [found(blue_7=0.9)], 1.0),
    ]
    (summary,) = summarise(lines).values()
    assert summary.colours == {("red", "blue"): 1}
    assert summary.symbols == {("7", "1"): 1}
    assert "7 as 1 1" in table({"phone": summary})


def test_sources_are_never_pooled(tmp_path: Path) -> None:
    lines = [
        judge_photo(single("red-7", "phone"), [found(red_7=0.9)], 10.0),
        judge_photo(single("red-7", "webcam"), [found(red_1=0.9)], 20.0),
    ]
    sources = summarise(lines)
    assert sources["phone"].verdicts == {"exact": 1}
    assert sources["webcam"].verdicts == {"wrong": 1}
    shown = table(sources).splitlines()
    assert shown[1].split()[:4] == ["phone", "1", "100.0", "%"]
    write_csv(lines, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text().count("\n") == 3


class Blind:
    def recognise(self, picture, *, parts=True):
        return []


def test_a_picture_that_cannot_be_opened_is_abstained(tmp_path: Path) -> None:
    (tmp_path / "bad.jpg").write_bytes(b"no picture")
    cv2.imwrite(str(tmp_path / "good.png"), np.zeros((40, 40, 3), np.uint8))
    (tmp_path / "index.csv").write_text(
        "file,source,kind,label\nbad.jpg,s,single,red-7\ngood.png,s,hand,red-7;wild\n"
    )
    photos = read_index(tmp_path)
    assert photos[1].cards == ("red-7", "wild")
    lines = evaluate(photos, lambda deck: Blind())
    assert [line.stage for line in lines] == ["open", "locate"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"a.jpg,phone", "line 2 of .* has fewer values"),
        (b"a.jpg,phone,single,", "its label names 0"),
        (b"a.jpg,phone,single,red-7;red-8", "its label names 2"),
        (b"a.jpg,\xff,single,red-7", "not CSV in UTF-8"),
    ],
)
def test_a_line_that_is_wrong_is_named(tmp_path: Path, line: bytes, why: str) -> None:
    (tmp_path / "index.csv").write_bytes(b"file,source,kind,label\n" + line + b"\n")
    with pytest.raises(IndexFileError, match=why):
        read_index(tmp_path)


def test_an_index_that_lacks_something_says_so(tmp_path: Path, capsys) -> None:
    with pytest.raises(IndexFileError, match="cannot be read"):
        read_index(tmp_path)
    (tmp_path / "index.csv").write_text("file,label\na.jpg,red-7\n")
    with pytest.raises(IndexFileError, match="lacks the columns source, kind"):
        read_index(tmp_path)
    assert main([str(tmp_path)]) == 2
    assert "lacks the columns" in capsys.readouterr().err
