"""``referee-table watch``: report what happens at the discard pile."""

import argparse
import dataclasses
import itertools
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, perf_counter

from hardware.camera.deck_recogniser import recogniser_of
from hardware.camera.pipeline import Pipeline
from hardware.camera.reading.recognise import ModelError
from hardware.camera.setup.mark_pile import has_display, read_pile
from hardware.camera.setup.storage import SetupError
from hardware.camera.source import Frame, Source, SourceError, open_source
from hardware.camera.stats import WatchStats
from hardware.camera.upkeep import Upkeep
from hardware.commands import CommandError, exits
from hardware.commands.camera.follower import follower_for
from hardware.commands.camera.pictures import add_deck_flags
from hardware.commands.camera.watch_show import WatchDisplay, make_display

WELL, NO_PICTURES, NOT_UNDERSTOOD = 0, 1, 2
# A folder's picture is repeated for a moment, like a pile at rest; seconds pass before the next
# one, and anything may happen meanwhile.
REPEATS = tuple(number / 30 for number in range(12))
APART = 3.0
HELP = "report what happens at the discard pile"
DESCRIPTION = (
    "Watch the discard pile and report each card that is laid, lifted or cleared "
    "away. Nothing leaves this computer."
)
EPILOG = """\
SOURCE is one of
  0, 1, …, /dev/video0            a camera plugged in here
  http://…, rtsp://…              a network camera; name and password go into the address
  clip.avi                        a film of a pile
  shot.jpg, a folder              pictures of a pile, one after another

The pile's place is the one saved by 'referee-table camera SOURCE'; without it, the mat is searched.
--pile overrides it once. An unplugged camera is waited for.

found     a card was there at the start           placed    a card was laid
lifted    cards were taken away                      cleared   no card is left
unsure    the pictures do not show what happened    unread    something unreadable
same      the unreadable card was the previous one

examples:
  referee-table watch 0 --ruleset power-grab
  referee-table watch rtsp://10.0.0.9/live --picture seen.jpg     seen.jpg shows the pile
  referee-table watch clip.avi --pile 500,180,290,400 --json

exit status: 0 the film has ended, or q was pressed in the window, 1 the source delivers no
pictures, 2 usage error, 130 stopped (Ctrl-C)
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's flags."""
    add = parser.add_argument
    add("source", metavar="SOURCE", help="the camera")
    add_deck_flags(parser)
    add(
        "--pile",
        metavar="X,Y,W,H",
        help="the pile, in pixels, 4 cm wider than the cards on every side; or four "
        "corners, as eight numbers",
    )
    add("--setup", metavar="FILE", type=Path, help="the camera's setup (camera.json)")
    add("--json", action="store_true", help="print JSON lines")
    add("--picture", metavar="FILE.jpg", type=Path, help="save the newest picture, annotated")
    add("--no-lock", action="store_true", help="let the camera adjust focus, light and colours")
    add("--no-window", action="store_true", help="open no window")


def run(args: argparse.Namespace) -> int:
    """Watch until the source ends or the user quits."""
    with exits(NOT_UNDERSTOOD, SourceError, SetupError, ModelError):
        pile = None if args.pile is None else read_pile(args.pile)
        source = open_source(args.source)
        recogniser = recogniser_of(args.ruleset, os.environ, args.models, args.faces)
    shown = make_display(args, source, window=_wants_window(args))
    with exits(NOT_UNDERSTOOD, SetupError), exits(NO_PICTURES, SourceError), source, shown:
        pictures = _pictures(source, shown)
        first = next(pictures, None)
        if first is None:
            return _without_pictures(source)
        follower = follower_for(args, source, pile, first, shown.note, recogniser)
        pipeline = Pipeline(recogniser, follower, live=source.live)
        upkeep = Upkeep(None if args.no_lock else source.controls)
        _watch(pipeline, upkeep, first, pictures, shown)
    return WELL


def _wants_window(args: argparse.Namespace) -> bool:
    unwanted = args.no_window or args.json or args.picture is not None
    return not unwanted and sys.stdout.isatty() and has_display(os.environ)


def _watch(
    pipeline: Pipeline,
    upkeep: Upkeep,
    first: Frame,
    pictures: Iterator[Frame | None],
    shown: WatchDisplay,
) -> None:
    figures = WatchStats()
    try:
        for frame in itertools.chain((first,), pictures):
            if frame is None:
                pipeline.missing(monotonic())
                asked = shown.waiting(pipeline)
            else:
                begun = perf_counter()
                events = pipeline.take(frame)
                figures.add(frame, perf_counter() - begun, len(events))
                upkeep.look(
                    frame,
                    busy=pipeline.busy,
                    covered=pipeline.covered,
                    tremble=pipeline.tremble,
                )
                shown.disturbed(upkeep)
                asked = shown.show(frame, pipeline, events, figures)
            if asked == "quit":
                break
    finally:
        upkeep.close()
        shown.end(figures)


def _pictures(source: Source, shown: WatchDisplay) -> Iterator[Frame | None]:
    """Yield the source's pictures, None for a pause, and report its trouble."""
    trouble: str | None = None
    came = False
    while not source.ended:
        frame = source.read(0.5)
        if source.trouble != trouble:
            trouble = source.trouble
            shown.trouble(trouble)
        if frame is not None:
            came = True
            yield from _repeat(frame) if frame.file is not None else (frame,)
        elif came and source.live:
            yield None


def _repeat(frame: Frame) -> Iterator[Frame]:
    for later in REPEATS:
        yield dataclasses.replace(frame, at=APART * frame.at + later)


def _without_pictures(source: Source) -> int:
    if source.trouble is None:
        raise CommandError(NO_PICTURES, f"{source.name} delivered no picture")
    return NO_PICTURES
