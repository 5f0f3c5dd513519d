"""A camera that hunts is locked while its picture is good, adjusts when it must, and is told of."""

import math
import struct
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera.setup.unrest import Look, Unrest
from hardware.camera.source import Frame
from hardware.camera.source.controls import CameraControls, described
from hardware.camera.types import Picture
from hardware.camera.upkeep import EVERY, LASTING, Upkeep
from tests.hardware.camera.setup.scenes import Shot

FOCUS_AUTO, FOCUS = 0x009A090C, 0x009A090A
EXPOSURE_AUTO, EXPOSURE = 0x009A0901, 0x009A0902
WHITE_AUTO = 0x0098090C
SET = 0xC008561C
HUNT_S = 2.0


@cache
def shots() -> list[Picture]:
    return [Shot(size=(640, 360), cards=4, seed=seed).take() for seed in range(3)]


class HuntingCamera:
    """It hunts until it is told to keep its focus and exposure.

    It breathes by ``blur`` pixels and swings by ``pump``; ``light`` is the room's.

    ``without`` are controls that it lacks, ``stubborn`` those that it takes and does not keep.
    """

    def __init__(
        self,
        blur: float = 2.5,
        pump: float = 0.2,
        without: tuple[int, ...] = (),
        stubborn: tuple[int, ...] = (),
    ) -> None:
        self._blur, self._pump, self._stubborn = blur, pump, stubborn
        first = {FOCUS_AUTO: 1, FOCUS: 80, EXPOSURE_AUTO: 3, EXPOSURE: 150, WHITE_AUTO: 1}
        self.values = {number: value for number, value in first.items() if number not in without}
        self.light = 1.0
        # How the lens and the sensor are set now.
        self._lens, self._gain = 0.0, 1.0

    def controls(self, path: str) -> CameraControls:
        return CameraControls(path, self.ioctl)

    def ioctl(self, _: int, request: int, data: bytearray) -> int:
        number, value = struct.unpack("Ii", data)
        if number not in self.values:
            raise OSError("no such control")
        if request == SET:
            self.values[number] = value
        data[:] = struct.pack("Ii", number, self.values[number])
        return 0

    def picture(self, at: float) -> Picture:
        swing = math.sin(math.tau * at / HUNT_S)
        if self.values.get(FOCUS_AUTO, 0) or FOCUS_AUTO in self._stubborn:
            self._lens = self._blur * max(0.0, swing)
        if self.values.get(EXPOSURE_AUTO, 1) != 1:
            self._gain = (1 + self._pump * swing) / self.light
        elif EXPOSURE_AUTO in self._stubborn:
            # It goes back to what was set long ago.
            self._gain = 0.3
        picture = shots()[round(at * 10) % 3]
        if self._lens > 0.3:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), self._lens))
        return np.asarray(cv2.convertScaleAbs(picture, alpha=self._gain * self.light))


@pytest.fixture
def node(tmp_path: Path) -> str:
    file = tmp_path / "video0"
    file.touch()
    return str(file)


class Watching:
    """Upkeep of a camera, through simulated time."""

    def __init__(self, camera: HuntingCamera, node: str, *, lock: bool = True) -> None:
        self.camera = camera
        self.upkeep = Upkeep(camera.controls(node) if lock else None)
        self.at = 0.3

    def watch(self, seconds: float, *, busy: bool = False, tremble: float = 0.0) -> None:
        until = self.at + seconds
        while self.at < until:
            frame = Frame(self.camera.picture(self.at), self.at, 0)
            self.upkeep.look(frame, busy=busy, covered=busy, tremble=tremble)
            self.at += EVERY

    @property
    def locked(self) -> bool:
        return self.camera.values[FOCUS_AUTO] == 0 and self.camera.values[EXPOSURE_AUTO] == 1


def test_a_camera_that_hunts_is_locked_where_it_is_sharp(node: str) -> None:
    watching = Watching(HuntingCamera(), node)
    watching.watch(20)
    assert watching.locked
    assert watching.camera._lens < 1.0
    assert "focus and exposure and white balance locked" in watching.upkeep.locked
    watching.watch(40)
    assert watching.upkeep.warnings == ()


def test_a_picture_that_a_phone_says_has_not_changed_is_measured_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    measured: list[float] = []
    add = Unrest.add

    def note(unrest: Unrest, picture: Picture, at: float) -> Look:
        measured.append(at)
        return add(unrest, picture, at)

    monkeypatch.setattr(Unrest, "add", note)
    camera, upkeep = HuntingCamera(), Upkeep(None)
    first, second = camera.picture(0.3), camera.picture(2.3)
    for number in range(8):
        picture = first if number < 4 else second
        upkeep.look(Frame(picture, 0.5 * number, number), busy=False, covered=False, tremble=0.0)
    assert measured == [0.0, 2.0]


def test_a_good_picture_is_locked_after_a_moment(node: str) -> None:
    watching = Watching(HuntingCamera(blur=0, pump=0), node)
    watching.watch(2)
    assert not watching.locked
    watching.watch(4)
    assert watching.locked
    watching.upkeep.close()
    assert watching.camera.values[FOCUS_AUTO] == 1
    assert watching.camera.values[EXPOSURE_AUTO] == 3


def test_it_adjusts_again_when_the_light_changes(node: str) -> None:
    watching = Watching(HuntingCamera(blur=0, pump=0), node)
    watching.watch(30)
    watching.camera.light = 0.4
    watching.watch(4)
    assert watching.locked
    # Nothing is changed while somebody plays.
    watching.watch(20, busy=True)
    assert watching.locked
    watching.watch(8)
    assert not watching.locked
    watching.watch(6)
    assert watching.locked
    assert watching.camera._gain == pytest.approx(2.5)


def test_what_the_camera_does_not_keep_is_left_to_it(node: str) -> None:
    watching = Watching(HuntingCamera(blur=0, pump=0, stubborn=(EXPOSURE_AUTO,)), node)
    watching.watch(20)
    assert watching.camera.values[EXPOSURE_AUTO] == 3
    assert watching.camera.values[FOCUS_AUTO] == 0
    assert watching.upkeep.locked == "focus and white balance locked, exposure refuses to be locked"


def test_it_can_be_left_alone(node: str) -> None:
    watching = Watching(HuntingCamera(), node, lock=False)
    watching.watch(20)
    assert watching.camera.values[FOCUS_AUTO] == 1
    assert watching.upkeep.warnings == ("exposure-hunts", "focus-hunts")
    assert "exposure hunts" in watching.upkeep.sentence()
    assert watching.upkeep.locked == ""


def test_what_disturbs_is_told_until_it_is_long_over(node: str) -> None:
    watching = Watching(HuntingCamera(blur=0, pump=0), node)
    watching.watch(5, tremble=3.0)
    assert watching.upkeep.warnings == ("shakes",)
    watching.watch(8, busy=True)
    assert watching.upkeep.warnings == ("shakes",)
    watching.watch(4, busy=True)
    assert watching.upkeep.warnings == ("covered", "shakes")
    watching.watch(LASTING + 2)
    assert watching.upkeep.warnings == ()
    assert watching.upkeep.sentence() == ""


@pytest.mark.parametrize(("rate", "slow"), [(1.4, True), (3.0, True), (6.0, False)])
def test_few_pictures_are_not_hands(rate: float, slow: bool) -> None:
    camera, upkeep = HuntingCamera(blur=0, pump=0), Upkeep(None)
    for number in range(round(20 * rate)):
        at = 1 + number / rate
        frame = Frame(camera.picture(at), at, number)
        upkeep.look(frame, busy=True, covered=True, tremble=0.0)
    assert upkeep.warnings == (("slow",) if slow else ("covered",))


@pytest.mark.parametrize(
    ("seconds", "every", "hands"),
    [(8, 0.4, False), (4, 0.2, True)],
    ids=["signs at rest and a pause are not slow", "what covered it meanwhile is not known"],
)
def test_a_pause_of_twenty_seconds_is_no_trouble(seconds: int, every: float, hands: bool) -> None:
    camera, upkeep = HuntingCamera(blur=0, pump=0), Upkeep(None)
    begun = np.arange(1, 1 + seconds, every)
    for number, at in enumerate([*begun, *(begun + seconds + 20)]):
        upkeep.look(Frame(camera.picture(at), at, number), busy=hands, covered=hands, tremble=0.0)
    assert upkeep.warnings == ()


def test_a_camera_that_was_plugged_in_anew_is_locked_anew(node: str) -> None:
    watching = Watching(HuntingCamera(blur=0, pump=0), node)
    watching.watch(10)
    watching.camera.values |= {FOCUS_AUTO: 1, EXPOSURE_AUTO: 3, WHITE_AUTO: 1}
    watching.at += 60
    watching.watch(6)
    assert watching.locked


def test_controls_that_are_not_there_or_set_by_hand(node: str) -> None:
    camera = HuntingCamera(without=(WHITE_AUTO,))
    camera.values[FOCUS_AUTO] = 0
    controls = camera.controls(node)
    assert controls.states() == {
        "focus": "by hand",
        "exposure": "automatic",
        "white balance": "absent",
    }
    controls.lock()
    assert described(controls.states()) == "exposure locked, focus set by hand"
    controls.release()
    assert camera.values[FOCUS_AUTO] == 0
    assert camera.values[EXPOSURE_AUTO] == 3


def test_a_camera_that_is_gone_has_no_controls(tmp_path: Path) -> None:
    controls = CameraControls(str(tmp_path / "video9"))
    controls.lock()
    assert set(controls.states().values()) == {"absent"}
    assert described(controls.states()) == ""
