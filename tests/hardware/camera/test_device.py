"""The camera as a device of the gateway: its reports, and failures that it survives."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hardware.backends import BackendError, make_device
from hardware.camera import device
from hardware.camera.device import Camera, CameraOptions
from hardware.camera.source import Frame, SourceError
from hardware.camera.track.thresholds import SightThresholds, Thresholds
from hardware.camera.upkeep import Upkeep
from tests.hardware.board.patience import Notebook
from tests.hardware.camera.piles import Plain, film, save_marked, write_film
from tests.hardware.camera.source.played import PlayedCamera
from tests.waiting import until


class Kept(Notebook):
    """A sink that says what a camera told."""

    def told(self) -> list[tuple[Any, ...]]:
        bodies = [observation.body for observation in self.observations]
        return [
            (body["number"], body["event"], *body["cards"])
            if body["kind"] == "pile"
            else (body["state"], *([body["reason"]] if "reason" in body else []))
            for body in bodies
        ]

    def warned(self) -> list[tuple[str, list[str]]]:
        """Return what disturbed it, whatever it saw meanwhile."""
        bodies = [observation.body for observation in self.observations]
        return [(body["state"], body["warnings"]) for body in bodies if "warnings" in body]


@pytest.fixture
def kept() -> Kept:
    return Kept()


Start = Callable[..., Camera]


@pytest.fixture
def live(tmp_path: Path) -> CameraOptions:
    return CameraOptions("9", None, save_marked(tmp_path / "live.json", "camera 9"))


@pytest.fixture
def start(kept: Kept, live: CameraOptions) -> Iterator[Start]:
    started: list[Camera] = []

    def begin(options: CameraOptions = live, memory: Mapping[str, Any] | None = None) -> Camera:
        one = Camera("Camera", options, Plain())
        started.append(one)
        one.start(kept, memory or {})
        return one

    yield begin
    for one in started:
        one.stop()


@pytest.fixture
def clip(tmp_path: Path) -> CameraOptions:
    file = write_film(tmp_path / "clip.avi", ["red-7", "blue-3"])
    return CameraOptions(str(file), None, save_marked(tmp_path / "camera.json", str(file)))


def test_what_it_sees_is_told_in_order(clip: CameraOptions, start: Start, kept: Kept) -> None:
    began = time.time()
    camera = start(clip, {"number": 40})
    until(lambda: len(kept.observations) == 4)
    assert kept.told() == [
        ("watching",),
        (41, "found", "red-7"),
        (42, "placed", "blue-3"),
        ("blind", "no-pictures"),
    ]
    assert kept.observations[2].body["cards"] == {"blue-3": 0.97}
    assert all(observation.at.endswith("Z") for observation in kept.observations)
    assert kept.observations[0].at <= kept.observations[2].at
    assert kept.observations[1].at[:13] >= time.strftime("%Y-%m-%dT%H", time.gmtime(began))
    until(lambda: camera.status().state == "gone")
    assert "ended" in camera.status().detail
    # It is not watched a second time, and being stopped is no news of what is gone.
    camera.stop()
    assert len(kept.observations) == 4
    assert kept.memory == {"number": 42}
    figures = camera.status().figures
    assert figures["pictures"] == 68
    assert figures["events"] == 2


class Wire(PlayedCamera):
    """A live camera whose pictures come from the test."""

    def __init__(self) -> None:
        super().__init__()
        self.pictures: Iterator[Any] = iter(())
        self.error: Exception | None = None
        self.opened = 0
        self.sight = SightThresholds(patience=1e9)  # no real seconds count
        self._number = 0

    def show(self, cards: Sequence[str]) -> None:
        self.pictures = iter(list(film(cards)))

    def read(self, timeout: float = 1.0) -> Frame | None:
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        picture = next(self.pictures, None)
        if picture is None:
            threading.Event().wait(min(timeout, 0.01))
            return None
        self._number += 1
        return Frame(picture, Moment.now + self._number / 30, self._number)

    def __enter__(self) -> "Wire":
        self.opened += 1
        return self


class Moment:
    now = 0.0


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    one = Wire()
    Moment.now = time.monotonic()
    monkeypatch.setattr(device, "open_source", lambda _: one)
    monkeypatch.setattr(device, "REOPEN_AFTER", 0.01)
    monkeypatch.setattr("hardware.device.SINK_RETRY", 0.01)
    limits = replace(Thresholds(), sight=one.sight)
    monkeypatch.setattr("hardware.camera.pipeline.Thresholds", lambda: limits)
    return one


def test_it_is_lost_and_comes_back(wire: Wire, start: Start, kept: Kept) -> None:
    wire.show(["red-7"])
    camera = start()
    until(lambda: (1, "found", "red-7") in kept.told())
    until(lambda: camera.status().sees == {"on top": "red-7"})
    until(lambda: camera.status().state == "online")
    assert "640 × 360" in camera.status().detail
    wire.trouble = "camera 9 is unplugged; plug it in again"
    # Frozen, but the test must not wait for real seconds to pass.
    object.__setattr__(wire.sight, "patience", -1e9)
    until(lambda: kept.told()[-1] == ("blind", "no-pictures"))
    until(lambda: camera.status().state == "gone")
    assert camera.status().detail == "camera 9 is unplugged; plug it in again"
    until(lambda: camera.status().sees == {})
    object.__setattr__(wire.sight, "patience", 1e9)
    wire.trouble = None
    Moment.now += 100
    wire.show(["blue-3"])
    until(lambda: kept.told()[-1] == (2, "found", "blue-3"))
    assert kept.told()[-2] == ("watching",)
    until(lambda: camera.status().state == "online")
    camera.stop()
    assert kept.told()[-1] == ("blind", "stopped")


def test_what_disturbs_it_is_told_and_what_is_locked_is_shown(
    wire: Wire, start: Start, kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Upkeep] = []

    class Disturbed(Upkeep):
        def __init__(self, controls: Any) -> None:
            super().__init__(controls)
            made.append(self)

        def look(self, *_: Any, **__: Any) -> None:
            self.locked = "focus locked"

    monkeypatch.setattr(device, "Upkeep", Disturbed)
    wire.show(["red-7"])
    camera = start()
    until(lambda: (1, "found", "red-7") in kept.told())
    until(lambda: "; focus locked" in camera.status().detail)
    assert camera.status().detail.startswith("camera 9, 640 × 360 pixels")
    made[-1].warnings = ("shakes",)
    until(lambda: "the camera shakes; fasten it" in camera.status().detail)
    until(lambda: kept.warned() == [("watching", ["shakes"])])
    made[-1].warnings = ()
    until(lambda: kept.warned() == [("watching", ["shakes"]), ("watching", [])])


def test_asked_to_it_tells_again_what_it_sees(wire: Wire, start: Start, kept: Kept) -> None:
    wire.show(["red-7"])
    camera = start()
    first = [("watching",), (1, "found", "red-7")]
    until(lambda: kept.told() == first)
    camera.tell_again()
    wire.show(["red-7"])
    until(lambda: kept.told() == [*first, ("watching",), (2, "found", "red-7")])


def test_what_nobody_foresaw_does_not_end_it(wire: Wire, start: Start, kept: Kept) -> None:
    wire.error = RuntimeError("a driver's whim")
    camera = start()
    until(lambda: wire.opened >= 2)
    until(lambda: ("blind", "no-pictures") in kept.told())
    wire.show(["red-7"])
    until(lambda: (1, "found", "red-7") in kept.told())
    wire.error = SourceError("camera 9 is on fire")
    until(lambda: wire.opened >= 3)
    wire.show(["red-7"])
    until(lambda: (2, "found", "red-7") in kept.told())
    until(lambda: camera.status().state == "online")


def test_a_full_disk_loses_nothing(wire: Wire, start: Start, kept: Kept) -> None:
    kept.failing = True
    wire.show(["red-7"])
    camera = start()
    until(lambda: "cannot be kept on the disk" in camera.status().detail)
    assert camera.status().figures["unkept"] >= 1
    kept.failing = False
    until(lambda: kept.told() == [("watching",), (1, "found", "red-7")])
    until(lambda: "cannot be kept" not in camera.status().detail)


def test_without_networks_the_rest_of_the_table_goes_on(
    tmp_path: Path, clip: CameraOptions, kept: Kept
) -> None:
    camera = Camera("Camera", CameraOptions(clip.source, None, clip.setup, tmp_path))
    assert camera.status().state == "starting"
    camera.start(kept, {})
    until(lambda: camera.status().state == "gone")
    assert "there is nothing to read cards with" in camera.status().detail
    until(lambda: kept.told() == [("blind", "no-pictures")])
    camera.indicate([])
    camera.stop()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"source": "0", "deck": "x"}, "there is no option 'deck'; there are source, ruleset"),
        ({"source": ""}, "source is a camera's number"),
        ({"source": "nowhere.avi"}, "source: there is no file or folder nowhere.avi"),
        ({"ruleset": "tarot"}, "ruleset is one of classic-108"),
        ({"setup": 3}, "setup is a path in quotes, not 3"),
    ],
)
def test_options_that_cannot_be(options: Mapping[str, Any], said: str) -> None:
    with pytest.raises(BackendError) as error:
        make_device("Camera", "camera", options)
    assert f"Camera: {said}" in str(error.value)


def test_a_camera_by_its_backend() -> None:
    made = make_device("Over the pile", "camera", {"source": 1, "ruleset": "moomin"})
    assert made.name == "Over the pile"
    assert made.status().state == "starting"
