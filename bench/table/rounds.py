"""Plays one round at the simulated table, from the deal to the scores."""

import json
import time
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import cv2

from bench.report import progress
from bench.table.rendered import Latencies, NetworkWatcher, OracleWatcher, RenderedPile
from hardware.camera.deck_recogniser import matcher_of
from hardware.camera.decks import cards_of
from hardware.camera.enrol.capture import Capture, FaceCapturer, NotTakenError
from hardware.camera.enrol.deckfile import EnrolledDeck, EnrolledFace
from hardware.camera.enrol.face_recogniser import FaceRecogniser
from hardware.camera.reading.locate import Locator
from hardware.camera.reading.recognise import MODELS, CardRecogniser
from hardware.camera.types import Picture, Recogniser
from hardware.gateway.api import Api
from hardware.gateway.config import ServerConfig
from hardware.times import utc
from lab.films.ground_truth_reader import ReaderErrors
from lab.virtual_camera.camera import VirtualCamera
from lab.virtual_camera.mat_setting import random_mat_setting
from lab.virtual_camera.steps import pause
from referee.demo.http.client import DemoError
from referee.demo.http.server_process import running_server
from referee.demo.players.captions import Caption, Snapshot
from referee.demo.rounds.camera_table import SEEN, CameraGame, CameraTable
from referee.demo.rounds.game import Plan
from referee.demo.show.live_table import RulingPicture
from referee.demo.show.picture_strip import write_strip
from referee.rules.presets import OFFICIAL, preset_options

QUALITY = 92
PART = (0.42, 0.03, 0.82, 0.58)
"""The part of the picture around the pile: left, top, right, bottom, as shares."""


class RulingFilm:
    """Keeps a picture of each ruling."""

    def __init__(self) -> None:
        self.shots: list[RulingPicture] = []
        self._last: Picture | None = None
        self._ruled: Picture | None = None

    def see(self, picture: Picture, _: float) -> None:
        """Take a picture from the camera."""
        self._last = picture

    def told(self, event: str | None) -> None:
        """Note an event at the pile; the last picture still shows the card."""
        if event in ("found", "placed", "unsure"):
            self._ruled = self._last

    def update(self, _: Snapshot, line: Caption) -> None:
        """Store the picture of a ruling. Raises DemoError."""
        if self._ruled is None:
            return
        height, width = self._ruled.shape[:2]
        left, top, right, bottom = PART
        rows = slice(round(top * height), round(bottom * height))
        part = self._ruled[rows, round(left * width) : round(right * width)]
        done, jpeg = cv2.imencode(".jpg", part, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        if not done:
            raise DemoError("The picture cannot be kept.")
        self.shots.append(RulingPicture(jpeg.tobytes(), line))


WRITTEN = "wild-custom"
RATE, MOST_S = 15.0, 6.0


def enrolled_recogniser(ruleset: str, models: Path, seed: int, size: tuple[int, int]) -> Recogniser:
    """Return a recogniser for the deck with its hand-written cards enrolled.

    The enrolment pictures show the round's table and print style, with a single card each.
    """
    deck = cards_of(ruleset)
    written = [card.id for card in deck if card.symbol == WRITTEN]
    if not written:
        return CardRecogniser(deck, models)
    matcher = matcher_of(models)
    taking = FaceCapturer(Locator(models / "locator.onnx"), matcher)
    looks = [
        EnrolledFace(card, capture.descriptor, capture.crop)
        for card in written
        if (capture := _show(card, taking, seed, size)) is not None
    ]
    enrolled = EnrolledDeck(ruleset, matcher.mark(), tuple(looks))
    return CardRecogniser(deck, models, (FaceRecogniser(matcher, enrolled, deck),))


def _show(card: str, taking: FaceCapturer, seed: int, size: tuple[int, int]) -> Capture | None:
    """Put a card before the camera; return its enrolment picture, or None."""
    setting = random_mat_setting(seed, size, RATE, paper=False)
    camera = VirtualCamera(replace(setting, pile=(card,)))
    for frame in camera.film(pause(MOST_S)):
        try:
            return taking.capture(frame.picture)
        except NotTakenError:
            continue
    return None


# As good as a real reader: sometimes unsure, rarely wrong.
READER = ReaderErrors(doubt=0.03, confuse=0.002, certain=0.9995)
MISDEEDS = 2


@dataclass(frozen=True)
class Trial:
    """A round to play, and its card reader.

    ``reader`` is "networks", or "oracle" for a ground-truth reader with some errors; ``house`` a
    preset of house rules, or their code.
    """

    ruleset: str
    seed: int
    reader: str = "networks"
    players: int = 4
    size: tuple[int, int] = (1280, 720)
    rate: float = 15.0
    house: str = OFFICIAL
    models: Path = MODELS


@dataclass
class TrialResult:
    """The result of a round; ``failure`` says why its scores are wrong, or is ""."""

    trial: Trial
    counts: Counter[str] = field(default_factory=Counter)
    phone: Counter[str] = field(default_factory=Counter)
    troubles: list[str] = field(default_factory=list)
    latencies: Latencies = field(default_factory=Latencies)
    failure: str = ""
    seconds: float = 0.0


class _Unseen:
    """Displays nothing."""

    def update(self, scene: Snapshot, line: Caption) -> None:
        """Do nothing."""


class PostingCamera:
    """Posts observations in order, each with its own key, as the gateway does."""

    def __init__(self, server: str, table: str, token: str) -> None:
        self._api = Api(ServerConfig(server, table), token)

    def post(self, body: Mapping[str, Any]) -> None:
        """Post an observation. Raises DemoError if the referee refuses it."""
        seen = {"at": utc(time.time()), **body}
        path = self._api.table_path("/observations")
        reply = self._api.post(path, json.dumps(seen).encode(), str(uuid.uuid4()))
        if reply.status != 201:
            raise DemoError(f"The camera's {body} was answered {reply.status}: {reply.detail}")


def play(trial: Trial, server: str, film: RulingFilm | None = None) -> TrialResult:
    """Play the round at a server; ``film`` records pictures of the rulings."""
    plan = Plan(trial.ruleset, trial.players, trial.seed, 1, SEEN, MISDEEDS, trial.house)
    table = CameraTable(
        server, plan.ruleset, plan.names, {**preset_options(trial.house), "target": 1}
    )
    camera = PostingCamera(server, table.id, table.register_camera())
    if trial.reader == "networks":
        watching: Any = NetworkWatcher(
            enrolled_recogniser(trial.ruleset, trial.models, trial.seed, trial.size)
        )
    else:
        deck = tuple(card.id for card in cards_of(trial.ruleset))
        watching = OracleWatcher(deck, READER, trial.seed)
    look = trial.seed, trial.players, trial.size, trial.rate

    def post(body: Mapping[str, Any]) -> None:
        camera.post(body)
        if film:
            film.told(body.get("event"))

    pile = RenderedPile(*look, watching, post, film.see if film else None)
    table.watch(pile, Random(f"people/{trial.seed}"))
    result = TrialResult(trial, latencies=pile.latencies)
    begun = time.perf_counter()
    try:
        CameraGame(plan, film or _Unseen(), table).play()
    except DemoError as error:
        result.failure = str(error)
    result.seconds = time.perf_counter() - begun
    result.counts, result.phone = table.tally.counts, table.tally.phone
    result.troubles = table.tally.troubles
    return result


def play_all(trials: Sequence[Trial], strip: Path | None = None) -> list[TrialResult]:
    """Play rounds at a private server; write pictures of the first to ``strip``."""
    cv2.setNumThreads(1)
    results: list[TrialResult] = []
    with running_server() as server:
        for trial in trials:
            film = RulingFilm() if strip and not results else None
            result = play(trial, server.url, film)
            results.append(result)
            if strip and film:
                write_strip(strip, film.shots)
            outcome = result.failure or "scores right"
            counts = ", ".join(f"{name} {count}" for name, count in result.counts.items())
            progress(f"{trial.ruleset} {trial.seed}: {counts}; {outcome} ({result.seconds:.0f} s)")
            for trouble in result.troubles:
                progress(f"    {trouble}")
    return results
