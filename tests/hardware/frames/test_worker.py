"""The worker that watches for phones: what goes to its log."""

import sys

import cv2
import numpy as np
import pytest

from hardware.commands.worker import quiet_libraries
from tests.hardware.camera.pictures import blocks, damaged_jpeg


def test_what_is_damaged_in_a_frame_is_not_in_the_log(capfd: pytest.CaptureFixture[str]) -> None:
    frame = np.frombuffer(damaged_jpeg(blocks()), np.uint8)
    with quiet_libraries():
        assert cv2.imdecode(frame, cv2.IMREAD_COLOR) is not None
        sys.stderr.write("told\n")
    assert capfd.readouterr().err == "told\n"
    cv2.imdecode(frame, cv2.IMREAD_COLOR)
    assert "Corrupt JPEG data" in capfd.readouterr().err
