"""How well faces are recognised after one enrolment picture: ``python -m lab.measure enrol``.

Without a folder it draws families of faces from motifs that training never sees. Two thirds of the
faces are enrolled from one picture, then all are seen in ordinary and hard views; the rest must be
rejected. Enrolment names faces that look alike; with ``--twice`` those are shown a second time, as
``referee-table enroll`` asks for. With a labelled folder (see ``lab.labelled_photos``), the first
usable photo of each card of a source enrols it, and the others are recognised.
"""

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from hardware.camera.decks import RULESETS, Card
from hardware.camera.enrol.capture import FaceCapturer, NotTakenError
from hardware.camera.enrol.deckfile import EnrolledDeck, EnrolledFace
from hardware.camera.enrol.enrolment import cards_in, find_lookalikes
from hardware.camera.enrol.face_recogniser import FaceRecogniser
from hardware.camera.enrol.gallery import FaceGallery
from hardware.camera.enrol.matcher import Matcher
from hardware.camera.reading.locate import Locator
from hardware.camera.reading.recognise import MODELS
from hardware.camera.source import SourceError, read_picture
from hardware.camera.thresholds import SURE
from hardware.camera.types import Array, Picture
from lab.draw.cards.asset_cache import AssetCache, mipmap
from lab.draw.cards.face_families import FAMILY_KINDS, KNOWN_DECK, Family, random_family
from lab.draw.cards.paint_design import aged
from lab.draw.scenes.crops import crop_of_face
from lab.draw.scenes.enrolment_views import ENROLMENT_VIEW, HARD_VIEW, ORDINARY_VIEW, enrolment_crop
from lab.draw.scenes.params import CropParams
from lab.labelled_photos import IndexFileError, Photo, read_index

FACES = 9
STRANGERS = 3
"""How many faces of a family are never enrolled."""
LEAST_SHOWN = 0.6
VIEWS = {"ordinary": ORDINARY_VIEW, "hard": HARD_VIEW}
Counts = dict[str, Counter[str]]


def verdict(truth: str, cards: Sequence[str], chances: Array) -> str:
    """Judge an answer; the truth "" is a face that was never enrolled.

    Returns:
        "exact", "wrong" or "abstained"; for a stranger "passed", or "wrong" if it was accepted.
    """
    best = int(np.argmax(chances))
    if not truth:
        return "wrong" if chances[best] >= SURE else "passed"
    if chances[best] < SURE:
        return "abstained"
    return "exact" if cards[best] == truth else "wrong"


def drawn(matcher: Matcher, families: int, views: int, seed: int, *, twice: bool = False) -> Counts:
    """Measure on drawn faces; count verdicts by kind of family and view.

    With ``twice`` those that look alike are enrolled from two pictures.
    """
    rng, assets = np.random.default_rng([seed, 0xFACE]), AssetCache(seed)
    counts: Counts = defaultdict(Counter)
    names = [card.id for card in RULESETS["classic-108"]][: FACES - STRANGERS]
    for kind in (*FAMILY_KINDS, KNOWN_DECK):
        for drawing in range(families):
            family = random_family(rng, FACES, kind, held=True)

            deck = EnrolledDeck(
                "classic-108", "", _enrolled(family, names, names, matcher, assets, rng)
            )
            named = cards_in(find_lookalikes(deck, matcher))
            if twice and named:
                # With a generator of its own, so that all else is drawn as without.
                other = np.random.default_rng([seed, len(counts), drawing])
                again = _enrolled(family, names, named, matcher, AssetCache(seed), other)
                deck = replace(deck, faces=(*deck.faces, *again))
                named = cards_in(find_lookalikes(deck, matcher))
            faces = FaceGallery(deck, matcher)
            for view, params in VIEWS.items():
                count = counts[f"{kind}, {view}"]
                for number in range(FACES):
                    truth = names[number] if number < len(names) else ""
                    crops = [_seen(family, number, params, assets, rng) for _ in range(views)]
                    for row in matcher.describe(crops):
                        _count(
                            count, truth, faces.cards, faces.match(row[None]).probabilities, named
                        )
    for view in VIEWS:
        for kind in (*FAMILY_KINDS, KNOWN_DECK):
            counts[f"all, {view}"].update(counts[f"{kind}, {view}"])
    return counts


def _enrolled(
    family: Family,
    names: Sequence[str],
    cards: Sequence[str],
    matcher: Matcher,
    assets: AssetCache,
    rng: np.random.Generator,
) -> tuple[EnrolledFace, ...]:
    """Enrol some cards of a family, a picture each; ``names`` are the cards of its faces."""
    crops = [
        enrolment_crop(partial(_seen, family, names.index(card), ENROLMENT_VIEW, assets, rng))
        for card in cards
    ]
    rows = matcher.describe(crops)
    return tuple(EnrolledFace(card, row) for card, row in zip(cards, rows, strict=True))


def _count(
    count: Counter[str],
    truth: str,
    cards: Sequence[str],
    chances: Array,
    named: Sequence[str],
) -> None:
    """Count a verdict; also for the cards that enrolment named, whether the truth is one of two."""
    result = verdict(truth, cards, chances)
    count[result if truth else f"stranger {result}"] += 1
    if truth in named:
        count[f"named {result}"] += 1
        first_two = [cards[k] for k in np.argsort(-chances)[:2]]
        count["named one of two"] += result == "abstained" and truth in first_two


def _seen(
    family: Family, number: int, params: CropParams, assets: AssetCache, rng: np.random.Generator
) -> Picture:
    """Draw a crop of a worn card with that face."""
    card = mipmap(aged(family.faces[number], family.used, rng))
    while True:
        image, visible = crop_of_face(rng, assets, card, params)
        if visible > LEAST_SHOWN:
            return image


def photographed(photos: Iterable[Photo], camera: FaceCapturer, matcher: Matcher) -> Counts:
    """Measure on photos of single cards; count verdicts by source."""
    counts: Counts = {}
    sources: dict[str, list[Photo]] = defaultdict(list)
    for photo in photos:
        if photo.single:
            sources[photo.source].append(photo)
    for source, taken in sources.items():
        counts[source] = _source(taken, camera, matcher)
    return counts


def _source(photos: Sequence[Photo], camera: FaceCapturer, matcher: Matcher) -> Counter[str]:
    counts: Counter[str] = Counter()
    looks: dict[str, EnrolledFace] = {}
    rest: list[Photo] = []
    for photo in photos:
        card = photo.cards[0]
        if card in looks:
            rest.append(photo)
            continue
        try:
            capture = camera.capture(read_picture(photo.path))
        except (NotTakenError, SourceError):
            counts["not taken"] += 1
            continue
        looks[card] = EnrolledFace(card, capture.descriptor)
    counts["enrolled"] = len(looks)
    if not looks:
        return counts
    deck = EnrolledDeck("classic-112", matcher.mark(), (*looks.values(),))
    named = cards_in(find_lookalikes(deck, matcher))
    known = FaceRecogniser(matcher, deck, [Card(card, "none", "wild") for card in looks])
    for photo in rest:
        try:
            picture = read_picture(photo.path)
        except SourceError:
            counts["abstained"] += 1
            continue
        sights = known.compare(picture, camera.outlines(picture))
        chances = max(
            (sight.probabilities for sight in sights), key=np.max, default=np.zeros(len(looks))
        )
        _count(counts, photo.cards[0], tuple(looks), chances, named)
    return counts


def table(counts: Counts) -> str:
    """Format the figures."""
    lines = []
    for name, count in counts.items():
        seen = sum(count[result] for result in ("exact", "wrong", "abstained"))
        shares = ", ".join(
            f"{result} {100 * count[result] / max(seen, 1):.1f} %"
            for result in ("exact", "wrong", "abstained")
        )
        strange = count["stranger wrong"] + count["stranger passed"]
        line = f"{name:22} {seen:5} seen: {shares}"
        if strange:
            share = 100 * count["stranger wrong"] / strange
            line += f"; of {strange} strangers {share:.1f} % accepted"
        line += _by_name(count)
        if "enrolled" in count:
            line += f"; {count['enrolled']} enrolled, {count['not taken']} pictures refused"
        lines.append(line)
    return "\n".join(lines)


def _by_name(count: Counter[str]) -> str:
    """Format the figures of the faces that enrolment named as lookalikes, and of the others."""
    results = ("exact", "wrong", "abstained")
    named = sum(count[f"named {result}"] for result in results)
    if not named:
        return ""
    others = sum(count[result] for result in results) - named
    text = f"; {named} of named faces: exact {100 * count['named exact'] / named:.1f} %"
    text += f", wrong {100 * count['named wrong'] / named:.1f} %"
    text += f", asked and one of two {100 * count['named one of two'] / named:.1f} %"
    if others:
        exact, wrong = (count[result] - count[f"named {result}"] for result in results[:2])
        text += (
            f"; the others: exact {100 * exact / others:.1f} %, wrong {100 * wrong / others:.1f} %"
        )
    return text


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser("python -m lab.measure enrol", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="folder with index.csv and photos")
    parser.add_argument("--families", type=int, default=4, help="per kind (%(default)s)")
    parser.add_argument("--views", type=int, default=2, help="per face (%(default)s)")
    parser.add_argument("--twice", action="store_true", help="show faces that look alike again")
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    parser.add_argument(
        "--models", type=Path, default=MODELS, metavar="DIR", help="folder of the networks"
    )
    args = parser.parse_args(argv)
    matcher = Matcher(args.models)
    if args.folder is None:
        counts = drawn(matcher, args.families, args.views, args.seed, twice=args.twice)
    else:
        try:
            photos = read_index(args.folder)
        except IndexFileError as error:
            sys.stderr.write(f"enrol: {error}\n")
            return 2
        camera = FaceCapturer(Locator(args.models / "locator.onnx"), matcher)
        counts = photographed(photos, camera, matcher)
    sys.stdout.write(table(counts) + "\n")
    return 0
