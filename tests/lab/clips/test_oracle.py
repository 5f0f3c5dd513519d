"""A recogniser that knows the truth."""

import numpy as np
import pytest

from lab.clips.ground_truth import ClipFrame, VisibleCard
from lab.clips.ground_truth_reader import GroundTruthReader, ReaderErrors

CORNERS = np.array([(30, 20), (60, 20), (60, 66), (30, 66)], float)
CROP = slice(10, 90), slice(5, 125)


def told() -> tuple[GroundTruthReader, ClipFrame]:
    picture = np.random.default_rng(3).integers(0, 255, (100, 140, 3)).astype(np.uint8)
    card = VisibleCard("red-7", CORNERS, 1.0, 0.0, False, 1)
    frame = ClipFrame(1, 0.0, picture, (card,), 0, True, CORNERS)
    oracle = GroundTruthReader(("red-7", "blue-2"), ReaderErrors(offset=0, miss=0, doubt=0))
    oracle.tell(frame, CROP)
    return oracle, frame


def test_it_knows_the_picture_that_it_was_told_of() -> None:
    oracle, frame = told()
    (found,) = oracle.recognise(frame.picture[CROP])
    assert max(found.probabilities, key=found.probabilities.__getitem__) == "red-7"
    assert found.corners.min(axis=0).tolist() == [25, 10]
    with pytest.raises(LookupError):
        oracle.recognise(frame.picture)


def test_it_knows_the_same_turned_by_a_quarter() -> None:
    oracle, frame = told()
    marked = np.zeros((80, 120), np.uint8)
    marked[10:57, 25:56] = 1
    (found,) = oracle.recognise(np.rot90(frame.picture[CROP]))
    rows, columns = np.nonzero(np.rot90(marked))
    assert max(found.probabilities, key=found.probabilities.__getitem__) == "red-7"
    assert found.corners.min(axis=0).tolist() == [columns.min(), rows.min()]
    assert found.corners.max(axis=0).tolist() == [columns.max(), rows.max()]
