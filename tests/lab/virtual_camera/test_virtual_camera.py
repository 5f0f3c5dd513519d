import json
import time

import numpy as np

from hardware.camera.setup.follow import MatFollower
from hardware.camera.source import open_source
from hardware.camera.track import PileWatcher, window_of
from lab.films.drawn import CARDS
from lab.films.ground_truth_reader import GroundTruthReader, ReaderErrors
from lab.virtual_camera.__main__ import answer
from lab.virtual_camera.camera import VirtualCamera
from lab.virtual_camera.mat_setting import random_mat_setting
from lab.virtual_camera.steps import parse_step

SIZE, RATE = (640, 360), 15.0


def made(seed=2, told=None, **options):
    setting = random_mat_setting(seed, SIZE, RATE, restless=0.0)
    return VirtualCamera(setting, tell=told.append if told is not None else None, **options)


def do(camera, *lines):
    for line in lines:
        parse_step(line.split())(camera)


def frames(camera, seconds):
    return [camera.next() for _ in range(round(seconds * RATE))]


def until_quiet(camera, draw=True):
    taken = []
    while camera.busy:
        taken.append(camera.next(draw=draw))
        assert len(taken) < 300
    return taken


def test_hands_take_turns_and_the_truth_is_told():
    told = []
    camera = made(told=told)
    do(camera, "lay red-7", "lay blue-2 brisk 2", "nudge", "lift", "clear", "lift")
    until_quiet(camera)
    done = [(one["kind"], one["card"]) for one in told if "kind" in one]
    assert done == [
        ("placed", "red-7"),
        ("placed", "blue-2"),
        ("nudged", "blue-2"),
        ("lifted", "red-7"),
        ("cleared", None),
    ]
    at = [one["at"] for one in told if "kind" in one]
    assert at == sorted(at)
    cleared = {one["number"]: one["clear"] for one in told if "clear" in one}
    assert all(cleared[number] >= at[number - 1] for number in (1, 2, 3, 4, 5))
    assert camera.top is None


def test_the_mat_is_found_where_it_is_drawn():
    for seed in (1, 2, 3):
        camera = made(seed)
        frame = frames(camera, 0.2)[-1]
        followed = MatFollower().update(frame.picture, 0.0)
        assert followed.state == "still"
        # The mat's place is some millimetres larger than the pile's on all sides.
        assert np.abs(followed.pile - frame.region).max() < 0.07 * SIZE[1]


def test_the_watcher_of_the_pile_follows_what_is_done():
    camera = made()
    oracle = GroundTruthReader(CARDS, ReaderErrors(doubt=0.0))
    watcher, told = PileWatcher(oracle), []

    def watch(frame):
        oracle.tell(frame, window_of(frame.region, SIZE[::-1], watcher.limits).crop)
        told.extend(watcher.watch(frame.picture, frame.time, frame.region))

    for line in ("lay red-7", "lay green-7", "lift", "clear"):
        do(camera, line)
        for frame in [*until_quiet(camera), *frames(camera, 0.8)]:
            watch(frame)
    assert [(one.kind, one.card) for one in told] == [
        ("placed", "red-7"),
        ("placed", "green-7"),
        ("lifted", "red-7"),
        ("cleared", None),
    ]


def test_its_pictures_are_read_like_those_of_any_network_camera():
    with made() as camera, open_source(camera.port.url) as source:
        assert answer(camera, "state").startswith("ok {")
        frame = source.read(20)
        assert frame.picture.shape == (360, 640, 3)
        assert answer(camera, "unplug") == "ok"
        assert json.loads(answer(camera, "state")[3:])["plugged"] is False
        deadline = time.monotonic() + 20
        while source.trouble is None and time.monotonic() < deadline:
            source.read(0.1)
        assert source.trouble is not None
        assert answer(camera, "plug") == "ok"
        while source.trouble is not None and time.monotonic() < deadline + 20:
            source.read(0.1)
        assert source.trouble is None
        assert answer(camera, "garble 0.2") == "ok"
        assert answer(camera, "dance").startswith("error there is no step 'dance'")
        assert answer(camera, "url") == f"ok {camera.port.url}"
