"""What learnt faces are worth: ``python -m lab.measure memory [FOLDER]``.

With a folder of labelled photos (``lab.labelled_photos``), the first half of each source, in the
order of the files, is confirmed as by people; the second half is read without and with what was
learnt. Without a folder it draws printings: usual ones, and word editions that the networks never
saw. Of each, a few faces are shown once and confirmed; then these faces, and as many others, are
read in further views. Figures of drawn prints are the project's own.
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from hardware.camera.deck_recogniser import matcher_of
from hardware.camera.decks import RULESETS, cards_of
from hardware.camera.enrol.capture import FaceCapturer, NotTakenError, check
from hardware.camera.learn.recall import LearntFaces
from hardware.camera.learn.store import Look, LookStore, forget
from hardware.camera.reading.locate import Locator
from hardware.camera.reading.recognise import MODELS, CardRecogniser
from hardware.camera.source import SourceError, read_picture
from hardware.camera.types import Picture
from lab.draw.cards.asset_cache import AssetCache
from lab.draw.cards.print_style import random_style
from lab.draw.cards.word_edition import LAYOUTS, WordAssets, WordStyle
from lab.draw.scenes.scene import random_scene
from lab.labelled_photos import IndexFileError, Photo, read_index
from lab.measure.drawn_photos import ORDINARY, WHOLE
from lab.measure.evaluate import judge_photo

LONG_SIDE = 640
VERDICTS = ("exact", "wrong", "abstained")


@dataclass(slots=True)
class MemoryFigures:
    """Verdicts on pictures that were read without and with learnt faces."""

    learnt: int = 0
    looks: int = 0
    foreign: float = 0.0
    without: Counter[str] = field(default_factory=Counter)
    with_learnt: Counter[str] = field(default_factory=Counter)


class LearningReader:
    """Reads a deck with and without what it learns; keeps learnt faces in a file of ``folder``."""

    def __init__(self, ruleset: str, models: Path, folder: Path) -> None:
        deck = cards_of(ruleset)
        matcher = matcher_of(models)
        self.faces = LearntFaces(matcher, deck)
        self._file = folder / "faces.sqlite3"
        self._store = LookStore(self._file, "", ruleset, matcher.mark())
        self._number = 0
        self._plain = CardRecogniser(deck, models)
        self._learning = CardRecogniser(deck, models, (self.faces,))
        self._capturer = FaceCapturer(Locator(models / "locator.onnx"), matcher)

    def forget(self) -> None:
        """Forget everything."""
        forget(self._file)
        self.recall()

    def recall(self) -> list[Look]:
        """Read with what was learnt by now, from now on; return it."""
        looks = self._store.looks()
        self.faces.learn(looks)
        return looks

    def confirm(self, picture: Picture, card: str) -> None:
        """Learn the surest whole card in a picture as this card, if it is clear enough."""
        whole = [read for read in self._plain.recognise(picture, parts=False) if read.whole]
        try:
            if whole:
                check(picture, whole[0].corners)
                capture = self._capturer.take(picture, whole[0].corners)
            else:
                capture = self._capturer.capture(picture)
        except NotTakenError:
            return
        alone = self._plain.read_alone(picture, capture.corners)
        read = alone.best or ""
        chance = self.faces.face_chance(alone.probabilities, read)
        self._number += 1
        self._store.add(Look(self._number, card, "people", read, chance, capture.descriptor))

    def compare(self, picture: Picture, card: str, figures: MemoryFigures) -> None:
        """Read a picture in both ways."""
        photo = Photo(Path(), "", True, (card,))
        for reader, counts in (
            (self._plain, figures.without),
            (self._learning, figures.with_learnt),
        ):
            counts[judge_photo(photo, reader.recognise(picture), 0.0).verdict] += 1

    def note(self, figures: MemoryFigures) -> None:
        """Recall what was learnt, and write it down."""
        looks = self.recall()
        figures.looks = len(looks)
        figures.learnt = len({look.card for look in looks})
        figures.foreign = self.faces.trust.foreign


def photographed(reader: LearningReader, photos: Iterable[Photo]) -> dict[str, MemoryFigures]:
    """Learn the first half of each source; read the second."""
    sources: dict[str, list[Photo]] = {}
    for photo in photos:
        if photo.single:
            sources.setdefault(photo.source, []).append(photo)
    by_source = {}
    for source, taken in sources.items():
        figures = by_source[source] = MemoryFigures()
        half = len(taken) // 2
        reader.forget()
        for picture, card in _pictures(taken[:half]):
            reader.confirm(picture, card)
        reader.note(figures)
        for picture, card in _pictures(taken[half:]):
            reader.compare(picture, card, figures)
    return by_source


def _pictures(photos: Iterable[Photo]) -> Iterator[tuple[Picture, str]]:
    for photo in photos:
        with suppress(SourceError):
            yield read_picture(photo.path), photo.cards[0]


def drawn(
    reader: LearningReader, ruleset: str, printings: int, shown: int, views: int, seed: int
) -> dict[str, MemoryFigures]:
    """Learn some faces of drawn printings from one view each; read these and others."""
    by_kind = {}
    for kind in ("usual", *LAYOUTS):
        known, others = (MemoryFigures() for _ in range(2))
        for number in range(printings):
            rng = np.random.default_rng([seed, number, *kind.encode()])
            assets = _assets(kind, seed * 1000 + number)
            cards = [card.id for card in RULESETS[ruleset] if card.symbol != "wild-custom"]
            chosen = [str(card) for card in rng.permutation(cards)[: 2 * shown]]
            reader.forget()
            for card in chosen[:shown]:
                reader.confirm(_view(rng, assets, card), card)
            for figures, which in ((known, chosen[:shown]), (others, chosen[shown:])):
                reader.note(figures)
                for card in which:
                    for _ in range(views):
                        reader.compare(_view(rng, assets, card), card, figures)
        by_kind[f"{kind}, shown"], by_kind[f"{kind}, not shown"] = known, others
    return by_kind


def _assets(kind: str, seed: int) -> AssetCache:
    if kind == "usual":
        return AssetCache(seed, height=320, fixed=(random_style(seed),))
    return WordAssets(seed, WordStyle.random(seed, kind))


def _view(rng: np.random.Generator, assets: AssetCache, card: str) -> Picture:
    params = replace(ORDINARY, long_side=LONG_SIDE, deck=(card,))
    while True:
        scene = random_scene(rng, assets, params)
        if len(scene.cards) == 1 and scene.cards[0].visible >= WHOLE:
            return scene.image


def table(sources: dict[str, MemoryFigures]) -> str:
    """Format the figures: exact, wrong unasked and asked, without → with."""
    lines = [f"{'source':20} {'faces':>5} {'looks':>5} {'foreign':>7} {'read':>5}  {_head()}"]
    for name, figures in sources.items():
        counts = f"{figures.learnt:5} {figures.looks:5} {figures.foreign:7.3f}"
        counts = f"{counts} {figures.without.total():5}"
        lines.append(f"{name:20} {counts}  {'  '.join(_changes(figures))}")
    return "\n".join(lines)


def _head() -> str:
    return "  ".join(f"{name:>13}" for name in ("exact", "wrong unasked", "asked"))


def _changes(figures: MemoryFigures) -> Iterator[str]:
    for verdict in VERDICTS:
        yield f"{figures.without[verdict]:5} → {figures.with_learnt[verdict]:5}"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser("python -m lab.measure memory", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="folder with index.csv and photos")
    parser.add_argument("--deck", choices=sorted(RULESETS), default="classic-112", help="the deck")
    parser.add_argument("--printings", type=int, default=2, help="of each kind (%(default)s)")
    parser.add_argument("--shown", type=int, default=9, help="faces confirmed (%(default)s)")
    parser.add_argument("--views", type=int, default=8, help="read of each face (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    parser.add_argument(
        "--models", type=Path, default=MODELS, metavar="DIR", help="folder of the networks"
    )
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        reader = LearningReader(args.deck, args.models, Path(folder))
        try:
            if args.folder is None:
                sources = drawn(
                    reader, args.deck, args.printings, args.shown, args.views, args.seed
                )
            else:
                sources = photographed(reader, read_index(args.folder))
        except IndexFileError as error:
            sys.stderr.write(f"memory: {error}\n")
            return 2
    sys.stdout.write(table(sources) + "\n")
    return 0
