"""A camera whose focus or exposure hunts is told from hands, cards and lamps."""

from collections.abc import Iterator
from functools import cache

import cv2
import numpy as np
import pytest

from hardware.camera.setup.session import SetupReport, SetupSession
from hardware.camera.setup.unrest import OVER, Unrest, swings
from hardware.camera.source import Frame
from hardware.camera.types import Picture
from lab.virtual_camera.faults import PictureFaults, unsteady
from tests.hardware.camera.setup.scenes import Shot

EVERY = 0.25
GOOD = Shot(size=(640, 360), cards=4)


@cache
def shots(hand: bool = False) -> list[Picture]:
    # Noise of its own in each picture; a hand comes and goes.
    spots = [(60 + 30 * n, 190) for n in range(4)]
    hands = [[spots[n]] if hand and n % 2 else [] for n in range(4)]
    return [GOOD.changed(seed=n, hands=hands[n]).take() for n in range(4)]


def film(faults: PictureFaults, hand: bool = False) -> Iterator[tuple[float, Picture]]:
    rng = np.random.default_rng(1)
    for n in range(round(OVER / EVERY)):
        yield n * EVERY, unsteady(shots(hand)[n % 4], faults, n * EVERY, rng)


def watched(faults: PictureFaults, hand: bool = False) -> Unrest:
    unrest = Unrest()
    for at, picture in film(faults, hand):
        unrest.add(picture, at)
    return unrest


@pytest.mark.parametrize(
    ("faults", "hand", "signs"),
    [
        (PictureFaults(), False, ()),
        (PictureFaults(), True, ()),
        (PictureFaults(tremble=1.5), False, ()),
        (PictureFaults(breathe=2.5), False, ("focus-hunts",)),
        (PictureFaults(pump=0.2), False, ("exposure-hunts",)),
        (PictureFaults(breathe=2.5, pump=0.2), False, ("focus-hunts", "exposure-hunts")),
    ],
    ids=str,
)
def test_what_hunts_is_named(faults: PictureFaults, hand: bool, signs: tuple[str, ...]) -> None:
    unrest = watched(faults, hand)
    assert unrest.signs() == signs
    assert unrest.calm == (not signs)


def test_a_lamp_switched_off_and_on_does_not_hunt() -> None:
    unrest = Unrest()
    for n, (at, picture) in enumerate(film(PictureFaults())):
        unrest.add(cv2.convertScaleAbs(picture, alpha=0.6 if 10 < n < 25 else 1.0), at)
    assert unrest.signs() == ()
    assert not unrest.calm


def test_what_hunted_long_ago_is_forgotten() -> None:
    unrest = watched(PictureFaults(pump=0.2))
    for n, picture in enumerate(shots() * 2):
        unrest.add(picture, 2 * OVER + n)
    assert unrest.calm


def test_the_setup_gives_advice() -> None:
    def reported(faults: PictureFaults) -> SetupReport:
        session = SetupSession("camera 0")
        for number, (at, picture) in enumerate(film(faults)):
            report = session.examine(Frame(picture, at, number))
        return report

    report = reported(PictureFaults(pump=0.2))
    assert "exposure hunts" in " ".join(finding.text for finding in report.findings)
    assert not report.calm
    report = reported(PictureFaults(breathe=2.5))
    assert "autofocus hunts" in " ".join(finding.text for finding in report.findings)


def test_ways_up_and_down_are_counted() -> None:
    assert swings([], 1) == 0
    assert swings([0, 0.5, 0, 0.9], 1) == 0
    assert swings([0, 1], 1) == 1
    assert swings([0, 2, 1.5, 2, 0, 0.5, 3], 1) == 3


def test_a_camera_that_shakes_is_told_of() -> None:
    def reported(pixels: float) -> list[str]:
        session = SetupSession("camera 0")
        rng = np.random.default_rng(2)
        for number in range(25):
            picture = unsteady(shots()[number % 4], PictureFaults(tremble=pixels), 0.1, rng)
            report = session.examine(Frame(picture, number / 10, number))
        return [finding.text for finding in report.findings]

    assert "the camera shakes" in reported(2.5)
    assert "the camera shakes" not in reported(0.7)
