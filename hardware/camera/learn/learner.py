"""Learns the faces of a table's cards from what people let stand."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hardware.camera.enrol.capture import Capture, FaceCapturer, NotTakenError, check
from hardware.camera.learn.recall import LearntFaces
from hardware.camera.learn.store import Look, LookStore, LookStoreError
from hardware.camera.reading.recognise import CardRecogniser
from hardware.camera.thresholds import LEARN_CERTAIN
from hardware.camera.track import PileEvent
from hardware.camera.types import Corners, Detection, Picture
from hardware.observation import CardLabel

MOST_SIGHTINGS = 64
"""Sightings that wait for a label: more than the cards of a round before which one is asked."""
LEARNT_FROM = ("placed", "found", "unread", "unsure")
"""Events after which the card on top may get a label: it is seen for the first time."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LearnOptions:
    """Where a table keeps its learnt faces; ``shared``: for later tables with this deck too."""

    file: Path
    table: str
    ruleset: str
    shared: bool = False


@dataclass(frozen=True, slots=True)
class _Sighting:
    """A card that waits for its label: descriptor, and what was read, with everything and alone."""

    capture: Capture
    read: str
    chance: float
    alone: Detection


class TableLearner:
    """What one table learns of its cards; from one thread, that of the camera.

    Learning is a help: whatever fails is logged and shown by ``trouble``, and reading goes on.
    """

    def __init__(
        self,
        options: LearnOptions,
        faces: LearntFaces,
        reader: CardRecogniser,
        capturer: FaceCapturer,
    ) -> None:
        self._options = options
        self._faces = faces
        self._reader = reader
        self._capturer = capturer
        self._sightings: OrderedDict[int, _Sighting] = OrderedDict()
        self._store: LookStore | None = None
        self._version = 0
        self.trouble = ""
        self.learnt = 0
        """Number of faces learnt."""
        self._try(self._open)

    def saw(
        self, events: Sequence[PileEvent], before: int, picture: Picture, pile: Corners | None
    ) -> None:
        """Keep how the card on top looks, if it is whole, sharp and alone.

        ``events`` are those of this picture, numbered from ``before``, and ``pile`` the corners of
        the pile's place in it. Nothing may be moving there.
        """
        if len(events) != 1 or events[0].kind not in LEARNT_FROM:
            return
        (event,) = events
        if event.kind == "unsure" and event.card is None:
            # Nobody knows where it lies, and the card that is seen is the one before.
            return
        try:
            capture = self._capture(event, picture, pile)
        except NotTakenError:
            return
        alone = self._reader.read_alone(picture, capture.corners)
        chance = event.probabilities.get(event.card or "", 0.0)
        sighting = _Sighting(capture, event.card or "", chance, alone)
        self._sightings[before + event.number] = sighting
        while len(self._sightings) > MOST_SIGHTINGS:
            self._sightings.popitem(last=False)

    def learn(self, labels: Sequence[CardLabel]) -> None:
        """Learn from labels; a label without a card takes back what was learnt."""
        if labels:
            self._try(lambda: self._learn(labels))

    def refresh(self) -> None:
        """Take over what another program changed in the file, such as a request to forget."""
        self._try(self._refresh)

    def close(self) -> None:
        """Close the file."""
        if self._store is not None:
            self._store.close()

    def _capture(self, event: PileEvent, picture: Picture, pile: Corners | None) -> Capture:
        """Return how the card looks; raises NotTakenError."""
        if event.corners is not None:
            corners = np.asarray(event.corners, np.float32)
            check(picture, corners)
            return self._capturer.take(picture, corners)
        if pile is None:
            raise NotTakenError("the pile's place is not known")
        # Unread: nobody knows its outline, so it must be the only card to be found there.
        low = np.maximum(np.floor(pile.min(axis=0)), 0).astype(int)
        high = np.ceil(pile.max(axis=0)).astype(int)
        part = np.ascontiguousarray(picture[low[1] : high[1], low[0] : high[0]])
        if part.size == 0:
            raise NotTakenError("the pile is outside the picture")
        seen = self._capturer.capture(part)
        return Capture(seen.corners + low.astype(np.float32), seen.crop, seen.descriptor)

    def _learn(self, labels: Sequence[CardLabel]) -> None:
        store = self._open_store()
        for label in labels:
            store.remove(label.number)
            sighting = self._sightings.get(label.number)
            if sighting is None or label.card is None or not _sure(label, sighting):
                continue
            read = sighting.alone.best or ""
            chance = self._faces.face_chance(sighting.alone.probabilities, read)
            self._unlearn_contrary(store, label, sighting)
            store.add(
                Look(label.number, label.card, label.by, read, chance, sighting.capture.descriptor)
            )
        self._recall(store)

    def _unlearn_contrary(self, store: LookStore, label: CardLabel, sighting: _Sighting) -> None:
        """Forget looks of other cards that only play confirmed and that people contradict now."""
        if label.by != "people" or sighting.read in ("", label.card):
            return
        for look in store.looks():
            wrong = look.card == sighting.read and look.confirmed == "play"
            if wrong and self._faces.alike(look.descriptor, sighting.capture.descriptor):
                store.remove(look.number)

    def _recall(self, store: LookStore) -> None:
        looks = store.looks()
        self._faces.learn(looks)
        self.learnt = len({look.card for look in looks})
        self._version = store.version

    def _open(self) -> None:
        self._recall(self._open_store())

    def _open_store(self) -> LookStore:
        if self._store is None:
            self._store = LookStore(
                self._options.file,
                self._options.table,
                self._options.ruleset,
                self._faces.matcher.mark(),
                shared=self._options.shared,
            )
        return self._store

    def _refresh(self) -> None:
        store = self._open_store()
        if store.version != self._version:
            self._recall(store)

    def _try(self, action: Callable[[], None]) -> None:
        try:
            action()
            self.trouble = ""
        except LookStoreError as error:
            if not self.trouble:
                log.warning("nothing is learnt: %s", error)
            self.trouble = str(error)


def _sure(label: CardLabel, sighting: _Sighting) -> bool:
    """Return whether a label may be learnt: named by people, or read surely as what it was."""
    if label.by == "people":
        return True
    return sighting.read == label.card and sighting.chance >= LEARN_CERTAIN
