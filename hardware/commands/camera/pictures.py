"""What ``identify`` and ``hand`` share: pictures one after another, read, shown, drawn into."""

import argparse
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware.camera.annotate import WRITTEN, annotate, write_picture
from hardware.camera.deck_recogniser import recogniser_of
from hardware.camera.recognise import ModelError
from hardware.camera.source import SourceError, read_picture
from hardware.camera.source.files import pictures_in
from hardware.camera.thresholds import WORTH_SHOWING
from hardware.camera.types import Detection, Picture, percent
from hardware.commands.camera.deck_flags import add_deck_flags
from hardware.commands.output import complain, print_json, say

WELL, NOT_ALL, NOT_UNDERSTOOD = 0, 1, 2


class DrawError(Exception):
    """Annotated pictures cannot be saved there; the text says why."""


@dataclass(frozen=True, slots=True)
class Read:
    """A picture that was read: the cards on it, the surest first, in ``ms``."""

    path: Path
    found: list[Detection]
    ms: float


def add_picture_flags(parser: Any) -> None:
    """Which pictures, of which deck, and what to make of them."""
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="a JPEG, PNG, WebP …, or a folder"
    )
    add_deck_flags(parser)
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument(
        "--draw",
        type=Path,
        metavar="OUT",
        help="save the picture with what was found drawn in: a file, or a folder for several",
    )


class Reader:
    """Reads the pictures that the flags name, and says what is wrong with others.

    Args:
        args: The command's flags.
        command: Its name.

    Attributes:
        faults: The pictures that could not be read, and why.

    Raises:
        ModelError: There is nothing to read cards with.
        DrawError: What was read could not be saved.
    """

    def __init__(self, args: argparse.Namespace, command: str) -> None:
        self._args, self._command = args, command
        self._recogniser = recogniser_of(args.ruleset, os.environ, args.models, args.faces)
        self.faults: list[tuple[Path, str]] = []
        self._files = list(self._expanded(args.files))
        self._drawn = None if args.draw is None else _Drawn(args.draw, self._files)

    def __iter__(self) -> Iterator[Read]:
        """Each picture. Raises DrawError."""
        for path in self._files:
            try:
                picture = read_picture(path)
            except SourceError as error:
                self._fault(path, error)
                continue
            begun = time.perf_counter()
            found = self._recogniser.recognise(picture)
            spent = time.perf_counter() - begun
            if self._drawn is not None:
                self._drawn.save(path, picture, found)
            yield Read(path, found, 1000 * spent)

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


def tell_each(
    args: argparse.Namespace,
    command: str,
    document: Callable[[Read], dict[str, Any]],
    lines: Callable[[Read], Iterable[str]],
    well: Callable[[Read], bool] = lambda _: True,
) -> int:
    """Read each picture and tell what is on it; the command's exit status.

    Args:
        args: The command's flags.
        command: Its name.
        document: A picture for programs.
        lines: A picture for people.
        well: Whether nobody needs to look at the picture again.
    """
    documents: list[dict[str, Any]] = []
    all_well = True
    try:
        reader = Reader(args, command)
        for read in reader:
            all_well = well(read) and all_well
            if args.json:
                documents.append(document(read))
            else:
                for line in lines(read):
                    say(line)
    except (ModelError, DrawError) as error:
        complain(command, str(error))
        return NOT_UNDERSTOOD
    if args.json:
        documents += [{"file": str(path), "error": why} for path, why in reader.faults]
        print_json(documents)
    return WELL if all_well and not reader.faults else NOT_ALL


class _Drawn:
    """Where annotated pictures go. Raises DrawError."""

    def __init__(self, out: Path, files: list[Path]) -> None:
        self._is_file = out.suffix.lower() in WRITTEN and not out.is_dir()
        if self._is_file and len(files) > 1:
            raise DrawError(f"--draw {out} is one file for {len(files)} pictures; name a folder")
        self._out = out
        self._originals = {path.resolve() for path in files}
        self._taken: set[Path] = set()

    def save(self, path: Path, picture: Picture, found: list[Detection]) -> None:
        out = self._out if self._is_file else self._in_folder(path)
        if out.resolve() in self._originals:
            raise DrawError(f"--draw would write over {out}, which is to be read; name another")
        self._taken.add(out)
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
            write_picture(out, annotate(picture, found))
        except OSError as error:
            raise DrawError(f"{out} cannot be written: {error.strerror or error}") from None

    def _in_folder(self, path: Path) -> Path:
        out, number = self._out / f"{path.stem}.jpg", 1
        while out in self._taken:
            number += 1
            out = self._out / f"{path.stem}-{number}.jpg"
        return out


def as_json(one: Detection) -> dict[str, Any]:
    """A card for programs; corners are in pixels, from the card's own top left, clockwise."""
    return {
        "card": one.best,
        "sure": one.sure,
        "probabilities": {card: round(chance, 4) for card, chance in one.probabilities.items()},
        "corners": [[round(float(v), 1) for v in corner] for corner in one.corners],
    }


def others(one: Detection, most: int = 3) -> str:
    """What else a card may be, for people; empty if nothing."""
    rest = list(one.probabilities.items())[1 : 1 + most]
    return ", ".join(f"{card} {percent(c)}" for card, c in rest if c >= WORTH_SHOWING)
