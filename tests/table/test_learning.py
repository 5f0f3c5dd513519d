"""A table with a foreign print: what people said of its cards is known when they come again."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hardware.camera.deck_recogniser import matcher_of
from hardware.camera.decks import cards_of
from hardware.camera.enrol.capture import FaceCapturer
from hardware.camera.learn.learner import LearnOptions, TableLearner
from hardware.camera.learn.recall import LearntFaces
from hardware.camera.pipeline import Pipeline, pile_body
from hardware.camera.reading.locate import Locator
from hardware.camera.reading.recognise import MODELS, CardRecogniser
from hardware.camera.setup.follow import MatFollower
from hardware.camera.source import Frame
from hardware.camera.thresholds import SURE
from hardware.gateway.confirmed_cards import ConfirmedCards
from lab.draw.cards.word_edition import WordFaces, WordStyle
from lab.virtual_camera.camera import VirtualCamera
from lab.virtual_camera.mat_setting import random_mat_setting
from lab.virtual_camera.steps import lay
from tests.table.rig import AT, Rig, started

RULESET = "classic-108"
CARDS = ("red-9", "red-7", "blue-7", "blue-4", "green-4", "green-1", "yellow-1", "yellow-9")
QUIET_S, MOST_S = 1.5, 9.0
RATE = 8.0
Json = dict[str, Any]


class LearningTable:
    """A real server, a drawn table before the camera's whole pipeline, and people who put right."""

    def __init__(self, folder: Path, seed: int, layout: str) -> None:
        self.rig = Rig(folder, started(folder))
        self.counts: Counter[str] = Counter()
        rig = self.rig
        made = rig.call("POST", "/tables", {"ruleset": RULESET, "seats": ["Ann", "Bo"]})
        rig.table, rig.host = made["table"]["id"], made["token"]
        device = rig.at("POST", "/devices", {"name": "camera", "kind": "camera"}, rig.host)
        rig.tokens = {"camera": device["token"]}
        setting = random_mat_setting(seed, (1280, 720), RATE, restless=0.2)
        faces = WordFaces(WordStyle.random(seed, layout))
        self.camera = VirtualCamera(replace(setting, faces=faces))
        matcher = matcher_of(MODELS)
        self.faces = LearntFaces(matcher, cards_of(RULESET))
        reader = CardRecogniser(cards_of(RULESET), MODELS, (self.faces,))
        options = LearnOptions(folder / "faces.sqlite3", rig.table, RULESET)
        capturer = FaceCapturer(Locator(MODELS / "locator.onnx"), matcher)
        self.learner = TableLearner(options, self.faces, reader, capturer)
        self.pipeline = Pipeline(reader, MatFollower(), live=False)
        self.confirmed = ConfirmedCards()
        # What the camera made of the card just laid.
        self.read: dict[str, float] = {}
        self._followed = 0

    def begin(self, opening: str) -> None:
        self.lay(opening)
        rig = self.rig
        rig.at("POST", "/rounds", {"dealer": 2, "opening": [opening]}, rig.host)
        for seat in (1, 2):
            rig.at(
                "POST", "/corrections", {"kind": "hand-count", "seat": seat, "count": 20}, rig.host
            )
        self.follow()

    def lay(self, card: str) -> None:
        """Lay a card, and let the camera look until it is quiet."""
        self.camera.do(lay(card))
        quiet, began = 0.0, self.camera.now_ms()
        while quiet < QUIET_S and self.camera.now_ms() - began < 1000 * MOST_S:
            frame = self.camera.next()
            events = self.pipeline.take(Frame(frame.picture, frame.time, frame.number))
            for event in events:
                self.post(pile_body(event, 0))
            if not self.pipeline.busy:
                self.learner.saw(events, 0, frame.picture, self.pipeline.pile)
            busy = self.camera.busy or self.pipeline.busy
            quiet = 0.0 if busy else quiet + 1 / RATE

    def post(self, body: Mapping[str, Any]) -> None:
        rig = self.rig
        self.read.update(body["cards"])
        entry = rig.at("POST", "/observations", {"at": AT, **body}, rig.tokens["camera"])
        self.confirmed.observed("camera", entry)

    def play(self, seat: int, card: str) -> None:
        """Lay a card and count how the camera read it; people answer, put right or enter it."""
        before = self.rig.log()[-1]["id"]
        self.read.clear()
        self.lay(card)
        sure = {name for name, chance in self.read.items() if chance >= SURE}
        self.counts["wrong" if sure - {card} else "known" if sure else "doubtful"] += 1
        self.settle(seat, card, before)
        self.follow()

    def settle(self, seat: int, card: str, before: int) -> None:
        rig = self.rig
        for item in rig.at("GET", "/questions", token=rig.host)["items"]:
            body = {"card": card, "seat": seat}
            rig.at("POST", f"/questions/{item['id']}/answers", body, rig.host)
        moved = [e for e in rig.log() if e["id"] > before and e["kind"] == "moved"]
        named = [e["move"].get("card") for e in moved]
        right = {"move": "play", "seat": seat, "card": card}
        if not moved:
            rig.at("POST", "/moves", right, rig.host)
        elif named != [card]:
            change = {"kind": "replace", "entry": moved[0]["id"], "replacement": right}
            rig.at("POST", "/corrections", change, rig.host)

    def follow(self) -> None:
        """Give the camera the labels of what is new in the log."""
        for entry in self.rig.log():
            if entry["id"] > self._followed:
                self._followed = entry["id"]
                self.learner.learn([label for _, label in self.confirmed.follow(entry)])


@pytest.mark.soak
def test_faces_of_a_foreign_print_are_known_when_they_come_again(tmp_path: Path) -> None:
    table = LearningTable(tmp_path, 71, "band")
    table.begin("red-5")
    rounds = []
    for _ in range(2):
        table.counts.clear()
        for number, card in enumerate(CARDS):
            table.play(1 + number % 2, card)
        rounds.append(+table.counts)
    first, second = rounds
    told = f"first {dict(first)}, second {dict(second)}, {table.learner.learnt} faces learnt"
    assert table.rig.state()["top"] == CARDS[-1], told
    assert table.learner.learnt >= 5, told
    assert second["known"] >= first["known"] + 3, told
    assert second["wrong"] == 0 < first["wrong"], told
