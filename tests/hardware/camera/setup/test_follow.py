"""A bumped camera is followed; hands on the table are no bump."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from hardware.camera.setup.find import MatFinder, Sighting, view_of
from hardware.camera.setup.follow import LOOK_EVERY, Follower, MatFollower, PilePosition
from hardware.camera.setup.follow_scene import SceneFollower, extract_scene
from tests.hardware.camera.setup.scenes import Shot

FINDER = MatFinder()


def sighting_of(shot: Shot, tags: Sequence[int] | None = None, noise: float = 0.0) -> Sighting:
    """A sighting of these tags, or of all, exact or with noise."""
    mat = shot.view.mat
    random = np.random.default_rng(shot.seed)
    found = {
        number: (shot.view.pixels(box.corners) + random.normal(0, noise, (4, 2))).astype(np.float32)
        for number, box in mat.tags.items()
        if tags is None or number in tags
    }
    return Sighting(shot.size, mat.paper, found, view_of(mat, found, shot.size))


def error(followed: PilePosition, shot: Shot) -> float:
    assert followed.pile is not None
    return float(np.linalg.norm(followed.pile - shot.view.place("discard"), axis=1).max())


BASE = Shot()
BUMPED = BASE.changed(aside=(24, -9), turn=7, tilt=18)


def test_the_mat_is_searched_until_it_is_there() -> None:
    follower = MatFollower()
    empty = follower.learn(Sighting(BASE.size))
    assert (empty.state, empty.pile) == ("searching", None)
    assert follower.learn(sighting_of(BASE, [12])).state == "searching"
    found = follower.learn(sighting_of(BASE))
    assert found.state == "still"
    assert found.moved_by == 0
    assert error(found, BASE) < 0.05


def test_noise_is_averaged() -> None:
    follower = MatFollower()
    single, smooth = [], []
    for seed in range(60):
        sighting = sighting_of(BASE.changed(seed=seed), noise=1.0)
        assert sighting.view is not None
        followed = follower.learn(sighting)
        assert followed.state == "still"
        if seed >= 20:
            away = sighting.view.place("discard") - BASE.view.place("discard")
            single.append(np.linalg.norm(away, axis=1).max())
            smooth.append(error(followed, BASE))
    assert np.mean(smooth) < 0.6 * np.mean(single)


def test_a_slow_drift_is_followed_without_a_word() -> None:
    follower = MatFollower()
    for step in range(200):
        shot = BASE.changed(aside=(0.05 * step, 0.0))
        followed = follower.learn(sighting_of(shot))
        assert followed.moved_by == 0
        assert followed.state == "still"
        assert error(followed, shot) < 3


def test_a_bump_is_told_once_it_has_ended() -> None:
    follower = MatFollower()
    follower.learn(sighting_of(BASE))
    for step in (0.3, 0.7):
        shot = BASE.changed(aside=(24 * step, -9 * step))
        followed = follower.learn(sighting_of(shot))
        assert followed.state == "moving"
        assert error(followed, BASE) < 0.1  # the last good one
    assert follower.learn(sighting_of(BUMPED)).state == "moving"
    told = follower.learn(sighting_of(BUMPED))
    assert told.state == "still"
    assert told.moved_by > 30
    assert error(told, BUMPED) < 0.1
    after = follower.learn(sighting_of(BUMPED))
    assert (after.state, after.moved_by) == ("still", 0)


def test_hands_over_the_tags_change_nothing() -> None:
    follower = MatFollower()
    follower.learn(sighting_of(BASE))
    covered = follower.learn(Sighting(BASE.size))
    assert covered.state == "covered"
    assert error(covered, BASE) < 0.1
    one = follower.learn(sighting_of(BASE, [15]))
    assert one.state == "still"
    assert error(one, BASE) < 0.1


@pytest.mark.parametrize("tags", [[15], [10, 15], [11, 13, 16]])
def test_a_bump_is_followed_by_the_tags_that_are_seen(tags: list[int]) -> None:
    follower = MatFollower()
    follower.learn(sighting_of(BASE))
    shot = BASE.changed(aside=(30, 12), turn=6)
    assert follower.learn(sighting_of(shot, tags)).state == "moving"
    told = follower.learn(sighting_of(shot, tags))
    assert told.moved_by > 30
    assert error(told, shot) < 12  # a twentieth of the place; all tags make it exact later
    follower.learn(sighting_of(shot))
    assert error(follower.learn(sighting_of(shot)), shot) < error(told, shot) + 0.1


def test_one_bent_tag_is_no_bump() -> None:
    follower = MatFollower()
    follower.learn(sighting_of(BASE))
    bent = sighting_of(BASE)
    bent.tags[10][:] += 30
    followed = follower.learn(bent)
    assert (followed.state, followed.moved_by) == ("still", 0)
    assert error(followed, BASE) < 0.1


def test_another_size_of_pictures_and_another_mat() -> None:
    follower = MatFollower(BASE.view)
    assert follower.learn(Sighting((640, 360))).pile is not None
    half = BASE.changed(size=(640, 360))
    assert error(follower.learn(Sighting((640, 360))), half) < 1.0
    large = BASE.changed(paper="a3", distance=700.0)
    assert follower.learn(sighting_of(large, [0])).state == "covered"
    assert follower.learn(sighting_of(large)).state == "moving"
    assert error(follower.learn(sighting_of(large)), large) < 0.1


def watch(follower: Follower, shots: Sequence[Shot]) -> list[PilePosition]:
    return [
        follower.update(shot.changed(seed=number).take(), number * LOOK_EVERY)
        for number, shot in enumerate(shots)
    ]


def test_pictures_between_looks_are_not_looked_at() -> None:
    follower = MatFollower()
    picture, black = BASE.take(), np.zeros((720, 1280, 3), np.uint8)
    assert follower.update(picture, 10.0).state == "still"
    assert follower.update(black, 10.0 + LOOK_EVERY / 2).state == "still"
    assert follower.update(black, 10.0 + LOOK_EVERY).state == "covered"
    assert follower.update(picture, 1.0).state == "still"  # a clock that went back


def test_the_mat_in_pictures() -> None:
    hands = BASE.changed(hands=[(60, 190), (200, 150)], cards=3)
    seen = watch(MatFollower(finder=FINDER), [BASE, hands, hands, BUMPED, BUMPED, BUMPED])
    assert [followed.state for followed in seen] == [*["still"] * 3, "moving", "still", "still"]
    assert [followed.moved_by > 0 for followed in seen] == [False] * 4 + [True, False]
    assert error(seen[2], BASE) < 0.6
    assert error(seen[5], BUMPED) < 0.6


BARE = Shot(paper=None, cards=4, tilt=30, distance=600)


def scene_follower(shot: Shot) -> SceneFollower:
    return SceneFollower(extract_scene(shot.take(), shot.view.place("discard")))


def test_the_surroundings_without_a_mat() -> None:
    moved = BARE.changed(aside=(25, 15), tilt=33)
    more = BARE.changed(cards=9, hands=[(150, 100)])
    shots = [BARE, more, more, moved, moved, moved.changed(light=0.5, hands=[(80, 60)])]
    seen = watch(scene_follower(BARE), shots)
    assert [followed.state for followed in seen] == [*["still"] * 3, "moving", "still", "still"]
    assert error(seen[2], BARE) == 0
    assert seen[4].moved_by > 30
    assert error(seen[4], moved) < 8  # of a place of 150 pixels
    assert seen[5].moved_by == 0


def test_a_pile_that_grows_over_its_surroundings_does_not_hide_them() -> None:
    picture, place = BARE.take(), BARE.view.place("discard")
    follower = SceneFollower(extract_scene(picture, place))
    rng = np.random.default_rng(4)
    for number in range(40):
        at = place.mean(axis=0) + rng.normal(0, 130, 2)
        box = cv2.boxPoints((at.tolist(), (100, 150), float(rng.uniform(0, 180)))).astype(np.int32)
        cv2.fillPoly(picture, [box], rng.integers(0, 255, 3).tolist())
        cv2.polylines(picture, [box], True, (250, 250, 250), 8)
        cv2.putText(picture, str(number), np.int32(at).tolist(), 0, 2, (250, 250, 250), 6)
        noise = rng.integers(-3, 4, picture.shape, np.int8)
        seen = np.asarray(cv2.add(picture, noise, dtype=cv2.CV_8U))
        followed = follower.update(seen, number * LOOK_EVERY)
        assert followed.state == "still"
        assert error(followed, BARE) == 0


def test_surroundings_that_are_covered_or_gone() -> None:
    follower = scene_follower(BARE)
    assert follower.update(BARE.take(), 0.0).state == "still"
    for number, picture in enumerate(
        (np.zeros((720, 1280, 3), np.uint8), BARE.changed(table=2).take()), 1
    ):
        followed = follower.update(picture, float(number))
        assert followed.state == "covered"
        assert error(followed, BARE) == 0


def test_a_plain_table_cannot_be_followed() -> None:
    plain = np.full((720, 1280, 3), 90, np.uint8)
    scene = extract_scene(plain, BARE.view.place("discard"))
    assert not scene.followable
    followed = SceneFollower(scene).update(plain, 0.0)
    assert followed.state == "still"
    assert error(followed, BARE) == 0


def test_no_feature_of_the_pile_itself_is_remembered() -> None:
    pile = BARE.view.place("discard")
    scene = extract_scene(BARE.changed(cards=9).take(), pile)
    (left, top), (right, bottom) = pile.min(axis=0), pile.max(axis=0)
    x, y = scene.points[:, 0], scene.points[:, 1]
    assert not ((x > left) & (x < right) & (y > top) & (y < bottom)).any()
    assert len(scene.points) > 100
