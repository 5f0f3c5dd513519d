"""The camera's cost on one core: tracking the pile and reading cards, at 1280 x 720.

All pictures are drawn before anything is timed.
"""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import cv2
import numpy as np

from bench.report import Cell, ResultTable, progress
from hardware.camera.decks import RULESETS
from hardware.camera.pipeline import Pipeline
from hardware.camera.reading.recognise import MODELS, CardRecogniser, ModelError
from hardware.camera.setup.follow_scene import SceneFollower, extract_scene
from hardware.camera.source import Frame
from hardware.camera.types import Picture, Recogniser
from lab.draw.cards.asset_cache import AssetCache
from lab.draw.scenes.params import SceneParams
from lab.draw.scenes.scene import random_scene
from lab.measure.track import TimedRecogniser
from lab.virtual_camera.camera import Deed, VirtualCamera
from lab.virtual_camera.mat_setting import PILE_AREA, random_mat_setting
from lab.virtual_camera.steps import lay, pause

SIZE = (1280, 720)
DECK = "classic-108"
STILL_SECONDS, ROUNDS = 4.0, 5
LAID = ("green-6", "green-6", "wild", "red-skip", "blue-0", "yellow-4", "wild-draw-four", "red-9")
SCENES = 24
WATCHED = ("", "frames", "frames a second", "p50 ms", "p95 ms", "target")
READ = ("", "pictures", "cards each", "p50 ms", "p95 ms", "max ms", "target p95")

JpegFrame = tuple[bytes, float]
"""A frame as JPEG, and its time."""


def run() -> list[ResultTable]:
    """Measure tracking and reading."""
    try:
        recogniser = CardRecogniser(RULESETS[DECK], MODELS)
    except ModelError as error:
        progress(f"camera: {error}")
        return [ResultTable("Camera: not measured", ("",), notes=[str(error)])]
    with _one_core():
        spent: list[float] = []
        watching = _watching(TimedRecogniser(recogniser, spent))
        return [watching, _reading(recogniser, spent)]


@contextmanager
def _one_core() -> Iterator[None]:
    """Pin this process to one core, with one OpenCV thread."""
    threads = cv2.getNumThreads()
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    cv2.setNumThreads(1)
    if cores is not None:
        os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        cv2.setNumThreads(threads)
        if cores is not None:
            os.sched_setaffinity(0, cores)


def _watching(recogniser: Recogniser) -> ResultTable:
    report = ResultTable("Tracking the pile at 1280 x 720 on one core", WATCHED)
    progress("camera: drawing a pile at rest, and one on which cards are laid")
    rest, region = _filmed([pause(STILL_SECONDS)])
    script = [pause(1.0)]
    for card in LAID:
        script += [lay(card), pause(0.4)]
    busy, region_busy = _filmed(script)
    progress("camera: tracking")
    decode, still = _watched(recogniser, rest, region, ROUNDS)
    decode_busy, laid = _watched(recogniser, busy, region_busy, 1)
    report.rows += [
        _watch_row("nothing moves", still, ">= 30"),
        _watch_row("the same, from JPEG", np.add(decode, still), ">= 30"),
        _watch_row(f"{len(LAID)} cards are laid", laid, ">= 10"),
        _watch_row("the same, from JPEG", np.add(decode_busy, laid), ">= 10"),
    ]
    report.notes += [
        "Time of the one thread that follows the mat, tracks the pile and reads cards.",
        "The JPEG rows include decoding.",
    ]
    return report


def _filmed(script: Sequence[Deed]) -> tuple[list[JpegFrame], Picture]:
    place = random_mat_setting(4, SIZE, 30.0, paper=False)
    camera = VirtualCamera(replace(place, pile=("red-3", "blue-7")))
    shots = []
    for frame in camera.film(*script):
        packed = cv2.imencode(".jpg", frame.picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1]
        shots.append((packed.tobytes(), frame.time))
    return shots, np.asarray(place.eye.place_of(*PILE_AREA), np.float32)


def _watched(
    recogniser: Recogniser, shots: Sequence[JpegFrame], region: Picture, rounds: int
) -> tuple[list[float], list[float]]:
    """Return seconds of decoding and tracking per frame, from the first card found on."""
    pipeline: Pipeline | None = None
    decoding, watching = [], []
    tracking, after = False, 0.0
    for number in range(rounds):
        for data, at in shots:
            begun = time.thread_time()
            picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
            decoded = time.thread_time()
            if pipeline is None:
                pipeline = Pipeline(
                    recogniser, SceneFollower(extract_scene(picture, region)), live=False
                )
            events = pipeline.take(Frame(picture, after + at, number))
            done = time.thread_time()
            if tracking:
                decoding.append(decoded - begun)
                watching.append(done - decoded)
            tracking = tracking or bool(events)
        after += shots[-1][1] + 1 / 30
    return decoding, watching


def _watch_row(name: str, spent: Sequence[float], target: str) -> tuple[Cell, ...]:
    p50, p95 = (1000 * float(np.percentile(spent, share)) for share in (50, 95))
    return name, len(spent), len(spent) / float(np.sum(spent)), p50, p95, target


def _reading(recogniser: CardRecogniser, watching: Sequence[float]) -> ResultTable:
    report = ResultTable("Reading the cards on a picture of 1280 x 720 on one core", READ)
    rng, assets = np.random.default_rng(8), AssetCache(8)
    several = {"scatter": 1.0, "spread": 1.0, "row": 1.0, "fan": 1.0}
    for name, kinds in (("one card", {"single": 1.0}), ("several cards", several)):
        progress(f"camera: drawing pictures with {name}")
        pictures = _scenes(rng, assets, kinds)
        progress("camera: reading them")
        recogniser.recognise(pictures[0])
        spent, cards = [], 0
        for picture in pictures:
            begun = time.thread_time()
            cards += len(recogniser.recognise(picture))
            spent.append(time.thread_time() - begun)
        figures = [1000 * float(np.percentile(spent, share)) for share in (50, 95, 100)]
        report.rows.append((name, len(pictures), cards / len(pictures), *figures, "<= 150"))
    figures = [1000 * float(np.percentile(watching, share)) for share in (50, 95, 100)]
    row = ("the pile while it is tracked", len(watching), None, *figures, "<= 150")
    report.rows.insert(0, row)
    report.notes.append("Cards each: mean number found. The time grows with it.")
    return report


def _scenes(rng: np.random.Generator, assets: AssetCache, kinds: dict[str, float]) -> list[Picture]:
    params = SceneParams(long_side=max(SIZE), kinds=kinds, empty=0.0)
    pictures: list[Picture] = []
    while len(pictures) < SCENES:
        image = random_scene(rng, assets, params).image
        # Scenes have several shapes; keep those of a webcam.
        if image.shape[:2] == SIZE[::-1]:
            pictures.append(image)
    return pictures
