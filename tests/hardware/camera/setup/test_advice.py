"""Pictures with one fault each get that advice and no other; sharpness needs no mat."""

import warnings
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from hardware.camera.setup.advice import AdviceThresholds, advise
from hardware.camera.setup.conditions import measure
from hardware.camera.setup.follow import PilePosition
from hardware.camera.setup.history import ConditionHistory
from hardware.camera.setup.session import SetupReport, SetupSession
from hardware.camera.source import Frame
from hardware.camera.types import Picture
from hardware.check_findings import Finding
from tests.hardware.camera.setup.scenes import Shot
from tests.tables import tables

GOOD = Shot(cards=4)
X, Y = GOOD.view.mat.places["discard"].centre
Said = list[tuple[str, str, str]]
CASES = tables(__file__)


def told(report: SetupReport) -> Said:
    return [(finding.level, finding.about, finding.text) for finding in report.findings]


def look(shot: Shot, session: SetupSession | None = None, at: float = 0.0) -> SetupReport:
    # Noise of its own in each picture: none stands still.
    picture = shot.changed(seed=shot.seed + int(10 * at)).take()
    return (session or SetupSession("camera 0")).examine(Frame(picture, at, 0))


def watch(
    pictures: Sequence[Picture], every: float, session: SetupSession | None = None
) -> SetupReport:
    session = session or SetupSession("camera 0")
    reports = [
        session.examine(Frame(picture, every * number, number))
        for number, picture in enumerate(pictures)
    ]
    return reports[-1]


WELL = [("ok", "camera", "the pile is clearly visible")]


def changed(shot: Shot, changes: dict[str, Any]) -> Shot:
    """The shot with these changes; a lamp that lights the pile is given by its radius alone."""
    glare = changes.get("glare")
    return shot.changed(**(changes | ({"glare": (X, Y, glare)} if isinstance(glare, int) else {})))


@pytest.mark.parametrize("changes", CASES["good"], ids=str)
def test_good_pictures_are_called_good(changes: dict[str, Any]) -> None:
    report = look(changed(GOOD, changes))
    assert told(report) == WELL
    assert report.ready


@pytest.mark.parametrize(("changes", "level", "about", "words"), CASES["faults"], ids=str)
def test_each_fault_is_named_and_no_other(
    changes: dict[str, Any], level: str, about: str, words: str
) -> None:
    report = look(changed(GOOD, changes))
    assert [(said[0], said[1]) for said in told(report)] == [(level, about)], told(report)
    assert words in told(report)[0][2]
    assert report.findings[0].advice
    assert report.ready == (level == "warning")


def bent(shot: Shot) -> Picture:
    """Distort the picture as if the right half of the sheet bulged."""
    picture = shot.take()
    rows, columns = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]].astype(np.float32)
    bulge = 9 * np.sin(columns / 1280 * 2 * np.pi) * np.cos(rows / 720 * np.pi)
    return cv2.remap(picture, columns, rows + bulge.astype(np.float32), cv2.INTER_LINEAR)


def test_a_mat_that_is_not_flat() -> None:
    report = watch([bent(GOOD)], 1.0)
    assert ("warning", "mat", "the mat is not flat") in told(report)


@cache
def steady(paper: str | None, count: int = 30) -> list[Picture]:
    # Half the size: flicker does not need more.
    shot = GOOD.changed(size=(640, 360), paper=paper)
    return [shot.changed(seed=n).take() for n in range(count)]


def lit(light: Callable[[int], float], paper: str | None) -> list[Picture]:
    return [(picture * light(n)).astype(np.uint8) for n, picture in enumerate(steady(paper))]


@pytest.mark.parametrize("paper", ["a4", None])
def test_flicker_is_told_and_a_cloud_is_not(paper: str | None) -> None:
    session = SetupSession("camera 0", None if paper else GOOD.view.place("discard") / 2)
    pulsing = lit(lambda n: 0.8 + 0.15 * np.sin(2.4 * n), paper)
    report = watch(pulsing, 0.1, session)
    assert any("the light flickers by" in text for _, _, text in told(report)), told(report)
    for slow in (lambda n: 1.0 - 0.02 * n, lambda n: 1.0 if n < 15 else 0.6, lambda n: 1.0):
        session = SetupSession("camera 0", None if paper else GOOD.view.place("discard") / 2)
        report = watch(lit(slow, paper), 0.1, session)
        assert not any("flicker" in text for _, _, text in told(report)), told(report)


def test_covered_tags_are_told_after_a_while() -> None:
    session = SetupSession("camera 0")
    assert told(look(GOOD, session, 0.0)) == WELL
    shot = GOOD.changed(cover=[10, 11, 12, 13, 16])
    assert told(look(shot, session, 1.0)) == WELL
    assert told(look(shot, session, 4.0)) == WELL
    report = look(shot, session, 9.0)
    assert told(report) == [("warning", "mat", "only 3 of the mat's 8 squares are visible")]
    assert report.ready
    gone = GOOD.changed(paper=None)
    report = look(gone, session, 20.0)
    assert [about for _, about, _ in told(report)] == ["mat"]
    assert "assumed not to have moved" in told(report)[0][2]
    assert told(look(GOOD, session, 21.0)) == WELL


def test_no_mat() -> None:
    report = look(GOOD.changed(paper=None))
    assert ("problem", "mat", "no mat is visible") in told(report)
    assert not report.ready


def test_a_picture_that_shows_nothing() -> None:
    random = np.random.default_rng(0)
    black = random.integers(0, 4, (720, 1280, 3)).astype(np.uint8)
    blue = np.full((720, 1280, 3), (200, 30, 20), np.uint8)
    assert told(watch([black], 1)) == [("problem", "picture", "the picture is black")]
    assert told(watch([blue], 1)) == [("problem", "picture", "the picture has one uniform colour")]


def test_a_picture_that_stands_still() -> None:
    picture = GOOD.take()
    report = watch([picture] * 8, 0.5)
    assert told(report) == [("problem", "picture", "the picture has been frozen for 4 seconds")]
    assert told(watch([picture] * 8, 0.5, SetupSession("clip.avi", live=False))) == WELL
    moving = [GOOD.changed(seed=seed).take() for seed in range(8)]
    assert told(watch(moving, 0.5)) == WELL


def test_a_camera_that_is_moving_and_was_moved() -> None:
    session = SetupSession("camera 0")
    look(GOOD, session, 0.0)
    bumped = GOOD.changed(aside=(20, 5))
    moving = look(bumped, session, 1.0)
    assert [text for _, _, text in told(moving)] == ["the camera or the mat is moving"]
    after = look(bumped, session, 2.0)
    assert after.position.moved_by > 20
    assert told(after) == WELL


def bare(table: int, white: int, lamp: int = 0) -> set[str | None]:
    """The advice on a table and a card of these brightnesses, with a reflected lamp or without."""
    random = np.random.default_rng(2)
    picture = np.full((360, 640, 3), table, np.uint8)
    cv2.rectangle(picture, (276, 114), (364, 246), (white,) * 3, -1)
    cv2.ellipse(picture, (320, 180), (34, 54), 20, 0, 360, (30, 30, 190), -1)
    if lamp:
        cv2.circle(picture, (320, 180), lamp, (255,) * 3, -1)
    noise = random.normal(0, 3, picture.shape)
    picture = np.clip(picture + noise, 0, 255).astype(np.uint8)
    place = np.array([(245, 85), (395, 85), (395, 275), (245, 275)], np.float32)
    position = PilePosition(place, "still")
    found = advise(measure(picture, None, None, place), position, ConditionHistory(), live=False)
    return {one.code for one in found} & {"dark", "glare"}


def test_a_dark_table_with_cards_well_lit_is_not_dark() -> None:
    assert bare(20, 225) == set()
    assert bare(20, 70) == {"dark"}


def test_white_that_is_a_little_overexposed_is_no_lamp() -> None:
    assert bare(190, 248) == set()
    assert bare(120, 253) == set()
    assert bare(120, 215, lamp=20) == {"glare"}


BARE = Shot(paper=None, cards=4, tilt=30, distance=600)


@pytest.mark.parametrize(("changes", "words"), CASES["without_a_mat"], ids=str)
def test_a_marked_pile_without_a_mat(changes: dict[str, Any], words: str) -> None:
    session = SetupSession("camera 0", BARE.view.place("discard"))
    assert told(look(BARE, session, 0.0)) == WELL
    report = look(changed(BARE, changes), session, 1.0)
    assert any(words in text for _, _, text in told(report)), told(report)


def test_a_marked_pile_that_is_too_small_or_cannot_be_followed() -> None:
    small = BARE.view.place("discard").mean(axis=0) + np.float32(
        [[-20, -20], [20, -20], [20, 20], [-20, 20]]
    )
    assert ("problem", "distance") in [
        (level, about) for level, about, _ in told(look(BARE, SetupSession("c", small)))
    ]
    random = np.random.default_rng(1)
    plain = (90 + random.normal(0, 1.5, (720, 1280, 3))).astype(np.uint8)
    plain[300:420, 500:600] = (30, 30, 200)
    pile = np.float32([[480, 280], [620, 280], [620, 440], [480, 440]])
    report = watch([plain], 1, SetupSession("c", pile))
    assert "there is too little around the pile to follow the camera by" in [
        text for _, _, text in told(report)
    ]


def test_thresholds_are_in_order() -> None:
    limits = AdviceThresholds()
    assert limits.card_least < limits.card
    assert limits.black < limits.dark_picture < limits.dark_white < limits.bright_grey


def test_findings_can_be_read_by_programs() -> None:
    document = look(GOOD.changed(blur=2.6)).to_json()
    assert document["state"] == "still"
    assert document["mat"]["paper"] == "a4"
    assert document["mat"]["edge_pixels"] > 5
    assert len(document["pile"]) == 4
    assert set(document["places"]) == {"draw", "discard", "hand"}
    assert document["findings"] == [
        Finding(
            "warning",
            "focus",
            "the picture is not sharp",
            document["findings"][0]["advice"],
            "blurred",
        ).to_json()
    ]


# -- sharpness, without a mat

SHEET = np.zeros((360, 640, 3), np.uint8)
SHEET[100:200, 200:400] = 255


def edge(picture: np.ndarray) -> float:
    found = measure(picture, None, None, None).edge
    assert found is not None
    return found


def test_the_even_ground_beside_an_edge_is_no_edge() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sharp = edge(SHEET)
    # Without noise all pixels of the outline are alike: what they take is that of any of them.
    across = np.zeros_like(SHEET)
    across[:, 320:] = 255
    assert sharp == pytest.approx(edge(across), rel=0.02)


def test_a_blurred_picture_has_wide_edges() -> None:
    assert edge(cv2.GaussianBlur(SHEET, (0, 0), 3.0)) > 2 * edge(SHEET)


def test_a_picture_without_edges() -> None:
    assert measure(np.full_like(SHEET, 90), None, None, None).edge is None
