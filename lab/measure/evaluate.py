"""How well cards are read, source by source: ``python -m lab.measure.evaluate [FOLDER]``.

Reads every photo of a labelled folder; without a folder, draws pictures of all decks first.
For a single card the surest answer counts as exact, wrong, or abstained (below the threshold, or
nothing found). For several cards it counts those found and those invented. Cards that share a face
(blank custom cards) are one card.
"""

import argparse
import csv
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from hardware.camera.decks import RULESETS, all_cards, cards_of
from hardware.camera.reading.recognise import MODELS, CardRecogniser, ModelError
from hardware.camera.source import SourceError, read_picture
from hardware.camera.thresholds import SURE
from hardware.camera.types import Detection, Recogniser
from lab.labelled_photos import IndexFileError, Photo, face_of, read_index
from lab.measure.drawn_photos import write_drawn_photos

ROW = ("file", "source", "truth", "answer", "probability", "verdict", "stage", "ms")


@dataclass(slots=True)
class PhotoResult:
    """The result of one photo; ``stage`` is the stage that failed, or ""."""

    photo: Photo
    answer: str
    probability: float
    verdict: str
    stage: str
    ms: float
    found: int = 0
    invented: int = 0


@dataclass(slots=True)
class SourceSummary:
    """The figures of one source; ``colours`` and ``symbols`` count (true, read) confusions."""

    verdicts: Counter[str] = field(default_factory=Counter)
    colours: Counter[tuple[str, str]] = field(default_factory=Counter)
    symbols: Counter[tuple[str, str]] = field(default_factory=Counter)
    cards: int = 0
    found: int = 0
    invented: int = 0
    ms: list[float] = field(default_factory=list)


def judge_photo(photo: Photo, detections: Sequence[Detection], ms: float) -> PhotoResult:
    """Judge the recogniser's answer."""
    if photo.single:
        return _judge_single(photo, detections, ms)
    truth = Counter(face_of(card) for card in photo.cards)
    probabilities = [face_probabilities(detection) for detection in detections]
    sure = Counter(face for face, chance in map(_best, probabilities) if chance >= SURE)
    right = sum((sure & truth).values())
    invented = sum(sure.values()) - right
    whole = right == len(photo.cards) and not invented
    stage = "" if whole else "locate" if len(detections) < len(photo.cards) else "read"
    answer = ";".join(sorted(sure.elements()))
    verdict = "exact" if whole else "partly"
    return PhotoResult(photo, answer, 0.0, verdict, stage, ms, right, invented)


def face_probabilities(detection: Detection) -> Mapping[str, float]:
    """Return the probability of each face."""
    chances: dict[str, float] = defaultdict(float)
    for card, chance in detection.probabilities.items():
        chances[face_of(card)] += chance
    return chances


def _best(chances: Mapping[str, float]) -> tuple[str, float]:
    return max(chances.items(), key=lambda pair: pair[1], default=("", 0.0))


def _judge_single(photo: Photo, detections: Sequence[Detection], ms: float) -> PhotoResult:
    best, chance = max(
        (_best(face_probabilities(item)) for item in detections),
        key=lambda item: item[1],
        default=("", 0.0),
    )
    if not best:
        return PhotoResult(photo, "", 0.0, "abstained", "locate", ms)
    right = best == face_of(photo.cards[0])
    if chance < SURE:
        return PhotoResult(photo, best, chance, "abstained", "" if right else "read", ms)
    return PhotoResult(
        photo, best, chance, "exact" if right else "wrong", "" if right else "read", ms
    )


def evaluate(
    photos: Iterable[Photo], recogniser_of: Callable[[str | None], Recogniser]
) -> list[PhotoResult]:
    """Read all photos; one that cannot be opened counts as abstained.

    ``recogniser_of`` returns the recogniser for a ruleset's deck (None: all decks).
    """
    lines: list[PhotoResult] = []
    progress = _progress("read")
    for photo in photos:
        try:
            picture = read_picture(photo.path)
        except SourceError:
            lines.append(PhotoResult(photo, "", 0.0, "abstained", "open", 0.0))
            continue
        recogniser = recogniser_of(photo.deck)
        began = time.perf_counter()
        detections = recogniser.recognise(picture)
        lines.append(judge_photo(photo, detections, (time.perf_counter() - began) * 1000))
        progress(len(lines))
    return lines


def summarise(lines: Iterable[PhotoResult]) -> dict[str, SourceSummary]:
    """Return the figures of each source."""
    sources: dict[str, SourceSummary] = defaultdict(SourceSummary)
    for line in lines:
        summary = sources[line.photo.source]
        summary.ms.append(line.ms)
        if line.photo.single:
            summary.verdicts[line.verdict] += 1
            _confusion(summary, face_of(line.photo.cards[0]), line.answer)
        else:
            summary.cards += len(line.photo.cards)
            summary.found += line.found
            summary.invented += line.invented
    return dict(sorted(sources.items()))


def _confusion(summary: SourceSummary, truth: str, answer: str) -> None:
    cards = all_cards()
    if answer != truth and answer in cards and truth in cards:
        was, read = cards[truth], cards[answer]
        if was.colour != read.colour:
            summary.colours[was.colour, read.colour] += 1
        if was.symbol != read.symbol:
            summary.symbols[was.symbol, read.symbol] += 1


HEAD = (
    "source",
    "photos",
    "exact",
    "wrong",
    "asks",
    "colour",
    "symbol",
    "found",
    "invented",
    "p50",
    "p95",
)


def table(sources: Mapping[str, SourceSummary]) -> str:
    """Format the figures: shares of single photos, shares of the cards on others, and ms."""
    rows: list[tuple[str, ...]] = [HEAD]
    for name, summary in sources.items():
        singles, cards = sum(summary.verdicts.values()), summary.cards
        of_singles = [summary.verdicts[verdict] for verdict in ("exact", "wrong", "abstained")]
        of_singles += [sum(summary.colours.values()), sum(summary.symbols.values())]
        shares = [_share(count, singles) for count in of_singles]
        shares += [_share(count, cards) for count in (summary.found, summary.invented)]
        ms = [f"{np.percentile(summary.ms, q):.0f}" for q in (50, 95)]
        rows.append((name, str(len(summary.ms)), *shares, *ms))
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEAD))]
    lines = [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    return "\n".join([*lines, *_confusions(sources)])


def _share(count: int, of: int) -> str:
    return f"{100 * count / of:.1f} %" if of else ""


def _confusions(sources: Mapping[str, SourceSummary]) -> list[str]:
    """Return the commonest confusions of each source, one line each."""
    lines = []
    for name, summary in sources.items():
        both = (summary.colours + summary.symbols).most_common(5)
        if both:
            confusions = ", ".join(f"{was} as {read} {count}" for (was, read), count in both)
            lines.append(f"{name}: {confusions}")
    return lines


def write_csv(lines: Iterable[PhotoResult], path: Path) -> None:
    """Write one row per photo."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as handle:
        out = csv.writer(handle)
        out.writerow(ROW)
        for line in lines:
            photo = line.photo
            truth = ";".join(photo.cards)
            shown = (f"{line.probability:.3f}", line.verdict, line.stage, f"{line.ms:.1f}")
            out.writerow((photo.path.name, photo.source, truth, line.answer, *shown))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser("python -m lab.measure.evaluate", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="folder with index.csv and photos")
    parser.add_argument(
        "--deck", choices=sorted(RULESETS), help="deck on the photos (default: any)"
    )
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write one row per photo")
    parser.add_argument(
        "--models", type=Path, metavar="DIR", default=MODELS, help="folder of the networks"
    )
    drawn = parser.add_argument_group("drawn pictures, without a folder")
    drawn.add_argument("--singles", type=int, default=100, help="per deck (%(default)s)")
    drawn.add_argument("--hard", type=int, default=20, help="per deck (%(default)s)")
    drawn.add_argument("--hands", type=int, default=20, help="per deck (%(default)s)")
    drawn.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    drawn.add_argument("--keep", type=Path, metavar="DIR", help="keep the pictures there")
    args = parser.parse_args(argv)

    @cache
    def recogniser_of(deck: str | None) -> CardRecogniser:
        return CardRecogniser(cards_of(deck or args.deck), args.models)

    try:
        photos = read_index(args.folder) if args.folder else []
        recogniser_of(None)
        with tempfile.TemporaryDirectory() as passing:
            if not args.folder:
                folder, progress = args.keep or Path(passing), _progress("drawn")
                write_drawn_photos(
                    folder, args.singles, args.hard, args.hands, args.seed, progress=progress
                )
                photos = read_index(folder)
            lines = evaluate(photos, recogniser_of)
    except (IndexFileError, ModelError) as error:
        sys.stderr.write(f"evaluate: {error}\n")
        return 2
    if args.csv:
        write_csv(lines, args.csv)
    sys.stdout.write(table(summarise(lines)) + "\n")
    return 0


def _progress(what: str) -> Callable[[int], None]:
    def report(count: int) -> None:
        if count % 100 == 0:
            sys.stderr.write(f"{count} {what}\n")

    return report


if __name__ == "__main__":
    sys.exit(main())
