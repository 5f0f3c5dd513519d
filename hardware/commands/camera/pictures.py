"""Shared by ``identify`` and ``hand``: reads pictures, reports and draws the cards."""

import argparse
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware.camera.annotate import WRITTEN, annotate, write_picture
from hardware.camera.deck_recogniser import recogniser_of
from hardware.camera.decks import RULESETS
from hardware.camera.reading.other_deck import DoubtingRecogniser, warning
from hardware.camera.reading.recognise import MODELS, ModelError
from hardware.camera.source import SourceError, read_picture
from hardware.camera.source.files import pictures_in
from hardware.camera.thresholds import WORTH_SHOWING
from hardware.camera.types import Detection, Picture, percent
from hardware.commands import exits
from hardware.commands.output import complain, print_json, say

WELL, NOT_ALL, NOT_UNDERSTOOD = 0, 1, 2
MOST_OTHERS = 3


class DrawError(Exception):
    """Annotated pictures cannot be saved; the text says why."""


@dataclass(frozen=True, slots=True)
class ReadPicture:
    """A read picture: its cards, surest first, and the time it took in ms."""

    path: Path
    cards: list[Detection]
    ms: float


def add_deck_flags(parser: Any) -> None:
    """Add the flags that choose the deck and the networks."""
    parser.add_argument(
        "--ruleset",
        choices=sorted(RULESETS),
        help="the deck on the table (default: any of the five)",
    )
    parser.add_argument(
        "--faces",
        type=Path,
        metavar="FILE",
        help="enrolled faces (default: those enrolled for the ruleset)",
    )
    parser.add_argument(
        "--models", type=Path, metavar="DIR", default=MODELS, help="folder of your own networks"
    )


def add_picture_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of ``identify`` and ``hand``."""
    add = parser.add_argument
    add("files", nargs="+", type=Path, metavar="FILE", help="a JPEG, PNG, WebP …, or a folder")
    add_deck_flags(parser)
    add("--json", action="store_true", help="print JSON")
    add(
        "--draw",
        type=Path,
        metavar="OUT",
        help="save the picture with the cards drawn in: a file, or a folder for several",
    )


class PictureReader:
    """Reads the pictures that the flags name; ``faults`` lists the unreadable ones, and why.

    Raises ModelError if the networks are unusable, DrawError if ``--draw`` is.
    """

    def __init__(self, args: argparse.Namespace, command: str) -> None:
        self._args, self._command = args, command
        self._recogniser = DoubtingRecogniser(
            recogniser_of(args.ruleset, os.environ, args.models, args.faces)
        )
        self.faults: list[tuple[Path, str]] = []
        self._files = list(self._expanded(args.files))
        self._drawn = None if args.draw is None else _Drawn(args.draw, self._files)

    def __iter__(self) -> Iterator[ReadPicture]:
        """Read each picture. Raises DrawError."""
        for path in self._files:
            try:
                picture = read_picture(path)
            except SourceError as error:
                self._fault(path, error)
                continue
            begun = time.perf_counter()
            cards = self._recogniser.recognise(picture)
            spent = time.perf_counter() - begun
            if self._drawn is not None:
                self._drawn.save(path, picture, cards)
            yield ReadPicture(path, cards, 1000 * spent)

    @property
    def doubt(self) -> str:
        """Whether the cards look like another deck's, as a sentence; empty if not."""
        return warning(self._recogniser.doubt.looks_like())

    def _expanded(self, files: list[Path]) -> Iterator[Path]:
        for path in files:
            if not path.is_dir():
                yield path
                continue
            try:
                yield from pictures_in(path)
            except SourceError as error:
                self._fault(path, error)

    def _fault(self, path: Path, error: SourceError) -> None:
        complain(self._command, str(error))
        self.faults.append((path, str(error)))


def report_each(
    args: argparse.Namespace,
    command: str,
    document: Callable[[ReadPicture], dict[str, Any]],
    lines: Callable[[ReadPicture], Iterable[str]],
    well: Callable[[ReadPicture], bool] = lambda _: True,
) -> int:
    """Read each picture and report its cards; return the exit status.

    ``document`` describes a picture for programs, ``lines`` for people; ``well`` returns false for
    one that someone should check.
    """
    documents: list[dict[str, Any]] = []
    all_well = True
    with exits(NOT_UNDERSTOOD, ModelError, DrawError):
        reader = PictureReader(args, command)
        for read in reader:
            all_well = well(read) and all_well
            if args.json:
                documents.append(document(read))
            else:
                for line in lines(read):
                    say(line)
    if reader.doubt:
        complain(command, reader.doubt)
    if args.json:
        documents += [{"file": str(path), "error": why} for path, why in reader.faults]
        print_json(documents)
    return WELL if all_well and not reader.faults else NOT_ALL


class _Drawn:
    """Saves annotated pictures. Raises DrawError."""

    def __init__(self, out: Path, files: list[Path]) -> None:
        self._is_file = out.suffix.lower() in WRITTEN and not out.is_dir()
        if self._is_file and len(files) > 1:
            raise DrawError(f"--draw {out} is one file for {len(files)} pictures; name a folder")
        self._out = out
        self._originals = {path.resolve() for path in files}
        self._taken: set[Path] = set()

    def save(self, path: Path, picture: Picture, cards: list[Detection]) -> None:
        out = self._out if self._is_file else self._in_folder(path)
        if out.resolve() in self._originals:
            raise DrawError(f"--draw would overwrite {out}, an input; name another")
        self._taken.add(out)
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
            write_picture(out, annotate(picture, cards))
        except OSError as error:
            raise DrawError(f"{out} cannot be written: {error.strerror or error}") from None

    def _in_folder(self, path: Path) -> Path:
        out, number = self._out / f"{path.stem}.jpg", 1
        while out in self._taken:
            number += 1
            out = self._out / f"{path.stem}-{number}.jpg"
        return out


def as_json(detection: Detection) -> dict[str, Any]:
    """Describe a card for programs; corners in pixels, clockwise from its own top left."""
    strange = {card: round(p, 4) for card, p in detection.strange.items()}
    return {
        "card": detection.best,
        "sure": detection.sure,
        "probabilities": {card: round(p, 4) for card, p in detection.probabilities.items()},
        "corners": [[round(float(v), 1) for v in corner] for corner in detection.corners],
        **({"strange": strange} if strange else {}),
    }


def others(detection: Detection) -> str:
    """List a card's alternatives for people; empty without any."""
    rest = list(detection.probabilities.items())[1 : 1 + MOST_OTHERS]
    return ", ".join(f"{card} {percent(c)}" for card, c in rest if c >= WORTH_SHOWING)
