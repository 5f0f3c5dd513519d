"""How well cards are read, source by source: ``python -m hardware.camera.evaluate FOLDER``.

Every photo of a labelled folder goes through the recogniser. Of a single card the surest answer
counts: exact, wrong, or abstained (below the threshold, or nothing found). Of several cards those
found and right are counted, those missed, and those invented.
"""

import argparse
import csv
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from hardware.camera.cards import SURE, Found, Recogniser
from hardware.camera.deck import cards_of
from hardware.camera.draw.cards import RULESETS
from hardware.camera.index import IndexFileError, Photo, read_index
from hardware.camera.recognise import CardRecogniser
from hardware.camera.source import SourceError, read_picture

ROW = ("file", "source", "truth", "answer", "probability", "verdict", "stage", "ms")


@dataclass(slots=True)
class Line:
    """What came of one photo; ``stage`` is where it went wrong, "" if it did not."""

    photo: Photo
    answer: str
    probability: float
    verdict: str
    stage: str
    ms: float
    found: int = 0
    invented: int = 0


@dataclass(slots=True)
class Summary:
    """The figures of one source."""

    verdicts: Counter[str] = field(default_factory=Counter)
    cards: int = 0
    found: int = 0
    invented: int = 0
    ms: list[float] = field(default_factory=list)


def judge(photo: Photo, found: Sequence[Found], ms: float) -> Line:
    """What an answer is worth."""
    if photo.single:
        return _judge_single(photo, found, ms)
    sure = Counter(one.best for one in found if one.sure)
    right = sum((sure & Counter(photo.cards)).values())
    invented = sum(sure.values()) - right
    whole = right == len(photo.cards) and not invented
    stage = "" if whole else "locate" if len(found) < len(photo.cards) else "read"
    answer = ";".join(f"{card}" for card in sure.elements())
    verdict = "exact" if whole else "partly"
    return Line(photo, answer, 0.0, verdict, stage, ms, right, invented)


def _judge_single(photo: Photo, found: Sequence[Found], ms: float) -> Line:
    if not found or found[0].best is None:
        return Line(photo, "", 0.0, "abstained", "locate", ms)
    best = found[0].best or ""
    chance = found[0].probabilities[best]
    right = best == photo.cards[0]
    if chance < SURE:
        return Line(photo, best, chance, "abstained", "" if right else "read", ms)
    return Line(photo, best, chance, "exact" if right else "wrong", "" if right else "read", ms)


def evaluate(photos: Iterable[Photo], recogniser: Recogniser) -> list[Line]:
    """All photos, one after another; one that cannot be read counts as abstained."""
    lines = []
    for photo in photos:
        try:
            picture = read_picture(photo.path)
        except SourceError:
            lines.append(Line(photo, "", 0.0, "abstained", "open", 0.0))
            continue
        began = time.perf_counter()
        found = recogniser.recognise(picture)
        lines.append(judge(photo, found, (time.perf_counter() - began) * 1000))
        if len(lines) % 100 == 0:
            sys.stderr.write(f"{len(lines)} photos\n")
    return lines


def summarise(lines: Iterable[Line]) -> dict[str, Summary]:
    """The figures by source, each by itself."""
    sources: dict[str, Summary] = defaultdict(Summary)
    for line in lines:
        summary = sources[line.photo.source]
        summary.ms.append(line.ms)
        if line.photo.single:
            summary.verdicts[line.verdict] += 1
        else:
            summary.cards += len(line.photo.cards)
            summary.found += line.found
            summary.invented += line.invented
    return dict(sorted(sources.items()))


def table(sources: dict[str, Summary]) -> str:
    """The summary for people."""
    rows: list[tuple[str, ...]] = [
        ("source", "photos", "exact", "wrong", "abstained", "of several", "invented", "ms p50")
    ]
    for name, summary in sources.items():
        singles = sum(summary.verdicts.values())
        shares = [
            f"{100 * summary.verdicts[verdict] / singles:.1f} %" if singles else ""
            for verdict in ("exact", "wrong", "abstained")
        ]
        several = f"{100 * summary.found / summary.cards:.1f} %" if summary.cards else ""
        invented = f"{100 * summary.invented / summary.cards:.1f} %" if summary.cards else ""
        middle = f"{np.median(summary.ms):.0f}"
        rows.append((name, str(len(summary.ms)), *shares, several, invented, middle))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def write_csv(lines: Iterable[Line], path: Path) -> None:
    """A row a photo."""
    with path.open("w", newline="", encoding="utf-8") as handle:
        out = csv.writer(handle)
        out.writerow(ROW)
        for line in lines:
            photo = line.photo
            truth = ";".join(photo.cards)
            shown = (f"{line.probability:.3f}", line.verdict, line.stage, f"{line.ms:.1f}")
            out.writerow((photo.path.name, photo.source, truth, line.answer, *shown))


def main(argv: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser("python -m hardware.camera.evaluate", description=__doc__)
    parser.add_argument("folder", type=Path, help="holds index.csv and what it names")
    parser.add_argument("--deck", choices=sorted(RULESETS), help="the deck on the photos (any)")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write a row a photo")
    parser.add_argument("--models", type=Path, metavar="DIR", help="other networks")
    args = parser.parse_args(argv)
    try:
        photos = read_index(args.folder)
    except IndexFileError as error:
        sys.stderr.write(f"evaluate: {error}\n")
        return 2
    deck = cards_of(args.deck)
    recogniser = CardRecogniser(deck, args.models) if args.models else CardRecogniser(deck)
    lines = evaluate(photos, recogniser)
    if args.csv:
        write_csv(lines, args.csv)
    sys.stdout.write(table(summarise(lines)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
