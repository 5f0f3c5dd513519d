"""How often something unknown is named: ``python -m lab.measure unknown [FOLDER]``.

Counts the pictures in which the reader is sure of a card that is not there. Without a folder, other
games' faces, prints that no training drew, tables without a card, cards that the named deck lacks,
and cards out of focus are drawn. A folder of pictures in sub-folders is read as one kind of unknown
things each. A labelled folder (see ``lab.labelled_photos``) is read out of focus, and with
decks that are not the one on the photos.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from hardware.camera.decks import RULESETS, cards_of, strangers_of
from hardware.camera.reading.geometry import HEIGHT, WIDTH
from hardware.camera.reading.recognise import MODELS, CardRecogniser, ModelError
from hardware.camera.source import SourceError, read_picture
from hardware.camera.thresholds import SURE
from hardware.camera.types import Corners, Picture, Recogniser
from lab.draw.cards.asset_cache import AssetCache, Mipmap, mipmap
from lab.draw.cards.foreign import foreign_face
from lab.draw.cards.invented_design import random_design, random_motif
from lab.draw.cards.paint_design import aged, paint_design
from lab.draw.cards.print_style import PrintStyle
from lab.draw.cards.word_edition import LAYOUTS, WordAssets, WordStyle
from lab.draw.scenes.augment import defocused
from lab.draw.scenes.params import SceneParams
from lab.draw.scenes.scene import random_scene
from lab.draw.shapes.motifs import HELD_OUT_MOTIFS, rune
from lab.labelled_photos import IndexFileError, Photo, face_of, read_index
from lab.measure.drawn_photos import ORDINARY
from lab.measure.evaluate import face_probabilities

LONG_SIDE = 800
"""Long side of drawn pictures, in pixels."""
BLURS = (0.01, 0.02, 0.03, 0.045, 0.06)
"""Radius of the disc that a point becomes out of focus, as a share of the card's height."""
PICTURES = (".jpg", ".jpeg", ".png")


@dataclass(slots=True)
class Tally:
    """Pictures of one kind: those in which a card was named surely, rightly and wrongly."""

    pictures: int = 0
    right: int = 0
    wrong: int = 0

    def add(self, named: Iterable[str], truth: frozenset[str] = frozenset()) -> None:
        """Count a picture by the cards named surely and those that it shows."""
        named = set(named)
        self.pictures += 1
        self.right += bool(named) and named <= truth
        self.wrong += not named <= truth


def named_surely(recogniser: Recogniser, picture: Picture) -> set[str]:
    """Return the faces that the recogniser is sure to see."""
    seen = [face_probabilities(detection) for detection in recogniser.recognise(picture)]
    return {face for chances in seen for face, chance in chances.items() if chance >= SURE}


class ForeignAssets(AssetCache):
    """What scenes are drawn from, with other faces in place of the cards'."""

    def __init__(self, seed: int, draw: Callable[[np.random.Generator], Picture]) -> None:
        super().__init__(seed)
        self._rng = np.random.default_rng([seed, 6])
        self._draw = draw

    def face(self, card_id: str, style: PrintStyle) -> Mipmap:  # noqa: ARG002 - none is a card
        """Return another foreign face each time."""
        return mipmap(self._draw(self._rng))


def invented_face(rng: np.random.Generator) -> Picture:
    """Draw a face with a motif that no training draws and an invented sign for an index."""
    design = random_design(rng, HELD_OUT_MOTIFS)
    index = random_motif(rng, (rune,)) if design.index else design.index
    return aged(paint_design(replace(design, index=index)), float(rng.beta(1.0, 3.0)), rng)


def drawn(count: int, seed: int, tallies: "Tallies") -> None:
    """Read ``count`` drawn pictures of each kind."""
    alone = replace(ORDINARY, long_side=LONG_SIDE, distractors=0.0)
    classic = replace(alone, deck=tuple(card.id for card in cards_of("classic-112")))
    kinds: dict[str, tuple[AssetCache, SceneParams]] = {
        "other games": (ForeignAssets(seed, foreign_face), alone),
        "invented": (ForeignAssets(seed, invented_face), alone),
        **{
            f"words, {layout}": (WordAssets(seed, WordStyle.random(seed, layout)), classic)
            for layout in LAYOUTS
        },
        "empty table": (AssetCache(seed), replace(alone, empty=1.0, distractors=0.5)),
    }
    for kind, (assets, params) in kinds.items():
        rng = np.random.default_rng([seed, len(kind)])
        for _ in range(count):
            tallies.add(kind, "classic-112", random_scene(rng, assets, params).image)
    for named in RULESETS:
        lacking = tuple(card.id for card in strangers_of(cards_of(named)))
        rng, assets = np.random.default_rng([seed, 7]), AssetCache(seed)
        for _ in range(count):
            scene = random_scene(rng, assets, replace(alone, deck=lacking))
            tallies.add(f"not in {named}", named, scene.image)
    rng, assets = np.random.default_rng([seed, 8]), AssetCache(seed)
    for _ in range(count):
        scene = random_scene(rng, assets, classic)
        truth = frozenset(face_of(card.card) for card in scene.cards)
        corners = scene.cards[0].corners if scene.cards else None
        tallies.blurred("classic-112", scene.image, corners, truth)


class Tallies:
    """Reads pictures and counts by kind."""

    def __init__(self, models: Path) -> None:
        self.of: dict[str, Tally] = {}
        self._recogniser = cache(lambda deck: CardRecogniser(cards_of(deck), models))

    def recogniser(self, deck: str | None) -> CardRecogniser:
        """Return the recogniser of a deck."""
        return self._recogniser(deck)

    def add(
        self,
        kind: str,
        deck: str | None,
        picture: Picture,
        truth: frozenset[str] = frozenset(),
    ) -> None:
        """Read a picture with a deck."""
        named = named_surely(self.recogniser(deck), picture)
        self.of.setdefault(kind, Tally()).add(named, truth)
        done = sum(tally.pictures for tally in self.of.values())
        if done % 100 == 0:
            sys.stderr.write(f"{done} read\n")

    def blurred(
        self,
        deck: str | None,
        picture: Picture,
        corners: Corners | None,
        truth: frozenset[str],
    ) -> None:
        """Read a picture of one card sharp and out of focus."""
        self.add("sharp", deck, picture, truth)
        if corners is None:
            return
        high = float(np.sqrt(max(cv2.contourArea(corners.astype(np.float32)), 1) * HEIGHT / WIDTH))
        for share in BLURS:
            self.add(f"blurred by {share:.1%}", deck, defocused(picture, share * high), truth)


def foreign_folder(folder: Path, deck: str | None, tallies: Tallies) -> None:
    """Read a folder's pictures of unknown things; each sub-folder is a kind."""
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in PICTURES:
            tallies.add(path.parent.name, deck, read_picture(path))


def labelled_folder(photos: Sequence[Photo], deck: str | None, tallies: Tallies) -> None:
    """Read photos of single cards out of focus, and with other decks than their own."""
    for photo in photos:
        if not photo.single:
            continue
        own, picture = photo.deck or deck, _fitted(read_picture(photo.path))
        truth = frozenset(face_of(card) for card in photo.cards)
        detections = tallies.recogniser(own).recognise(picture, parts=False)
        tallies.blurred(own, picture, detections[0].corners if detections else None, truth)
        for other in _lacking(photo):
            tallies.add(f"not in {other}", other, picture)


def _lacking(photo: Photo) -> Iterator[str]:
    """Return the rulesets in which no card looks like the photo's."""
    for ruleset in RULESETS:
        strangers = {face_of(card.id) for card in strangers_of(cards_of(ruleset))}
        if {face_of(card) for card in photo.cards} <= strangers:
            yield ruleset


def _fitted(picture: Picture) -> Picture:
    """Reduce a photo, so that blurring it takes no longer than reading it."""
    scale = LONG_SIDE / max(picture.shape[:2])
    return (
        picture
        if scale >= 1
        else cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    )


def table(of: dict[str, Tally]) -> str:
    """Format the figures; a kind without a true card has nothing to name rightly."""
    width = max(map(len, of), default=4)
    lines = [f"{'kind':{width}}  pictures  named surely  wrongly"]
    for kind, tally in of.items():
        shares = (tally.right + tally.wrong) / tally.pictures, tally.wrong / tally.pictures
        named = f"{shares[0]:11.1%}  {shares[1]:7.2%} ({tally.wrong})"
        lines.append(f"{kind:{width}}  {tally.pictures:8}  {named}")
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(
        "python -m lab.measure unknown",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, nargs="?", help="folder of pictures")
    parser.add_argument("--deck", choices=sorted(RULESETS), help="deck named (default: any)")
    parser.add_argument("--count", type=int, default=100, help="drawn of each kind (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of drawn ones (%(default)s)")
    parser.add_argument(
        "--models", type=Path, metavar="DIR", default=MODELS, help="folder of the networks"
    )
    args = parser.parse_args(argv)
    tallies = Tallies(args.models)
    try:
        tallies.recogniser(args.deck)
        if args.folder is None:
            drawn(args.count, args.seed, tallies)
        elif (args.folder / "index.csv").is_file():
            labelled_folder(read_index(args.folder), args.deck, tallies)
        else:
            foreign_folder(args.folder, args.deck, tallies)
    except (IndexFileError, ModelError, SourceError) as error:
        sys.stderr.write(f"unknown: {error}\n")
        return 2
    sys.stdout.write(table(tallies.of) + "\n")
    return 0
