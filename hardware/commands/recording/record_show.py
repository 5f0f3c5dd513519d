"""``referee-table record FILE --show``: what a recording holds, before it is sent."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from hardware.camera.annotate import write_picture
from hardware.camera.source import PictureError, read_picture
from hardware.camera.types import Picture
from hardware.commands import CommandError, exits
from hardware.commands.output import say
from hardware.gateway.recording.form import Recording, RecordingError

WELL, NOT_UNDERSTOOD = 0, 2
COLUMNS, ROWS, WIDTH, HEIGHT = 6, 5, 240, 240


def run(file: Path, sheet: Path) -> int:
    """Print what the file holds, and write a sheet of its pictures; return the exit status."""
    with exits(NOT_UNDERSTOOD, RecordingError):
        recording = Recording(file)
        for line in described(recording, file.stat().st_size):
            say(line)
        picture = contact_sheet(recording)
    if picture is not None:
        try:
            write_picture(sheet, picture)
        except OSError as error:
            why = f"{sheet} cannot be written: {error.strerror}"
            raise CommandError(NOT_UNDERSTOOD, why) from None
        say(f"{sheet} shows {COLUMNS * ROWS} of its pictures: look whether you want to send them.")
    return WELL


def described(recording: Recording, size: int) -> Iterator[str]:
    """Yield a sentence for each kind of thing in the file."""
    deck = recording.ruleset or "a deck that is not named"
    yield f"{size / 1e6:.1f} MB, begun {recording.began}, cards of {deck}"
    for name in recording.backends:
        frames = recording.of("frame", name)
        if frames:
            seconds = frames[-1].t - frames[0].t
            rate = (len(frames) - 1) / seconds if seconds else 0.0
            what = "all that it saw" if recording.whole else "only the pile and the table around it"
            yield f"{name}: {len(frames)} pictures in {seconds:.0f} s, {rate:.1f} a second: {what}"
        data = recording.of("bytes", name)
        if data:
            yield f"{name}: {len(data)} messages from and to the board: places of powers"
        posted = recording.of("posted", name)
        if posted:
            yield f"{name}: {len(posted)} reports to the referee: cards and probabilities"
    marks = [mark for _, mark in recording.marks]
    by = ", ".join(f"{count} by {who}" for who, count in Counter(m.by for m in marks).items())
    cards = ", ".join(mark.card or mark.what for mark in marks)
    yield f"{len(marks)} marks of what was laid ({by}): {cards}" if marks else "no marks"
    yield "no sound, no names of players, no tokens, no addresses"


def contact_sheet(recording: Recording) -> Picture | None:
    """Return a sheet of pictures, evenly over time, with their seconds; None without pictures.

    Raises RecordingError.
    """
    sheet = np.full((ROWS * HEIGHT, COLUMNS * WIDTH, 3), 40, np.uint8)
    name = next((name for name in recording.backends if recording.of("frame", name)), None)
    if name is None:
        return None
    count = len(recording.of("frame", name))
    chosen = np.linspace(0, count - 1, min(count, COLUMNS * ROWS)).round().astype(int).tolist()
    shown = 0
    for number, (event, jpeg) in enumerate(recording.frames(name)):
        if shown == len(chosen) or number != chosen[shown]:
            continue
        try:
            small = _fitted(read_picture(jpeg))
        except PictureError as error:
            raise RecordingError(f"{event.fields['file']}: {error}") from None
        cv2.putText(
            small, f"{event.t:.1f} s", (6, 20), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 255, 255)
        )
        row, column = divmod(shown, COLUMNS)
        top, left = row * HEIGHT, column * WIDTH
        sheet[top : top + small.shape[0], left : left + small.shape[1]] = small
        shown += 1
    return sheet


def _fitted(picture: Picture) -> Picture:
    ratio = min(WIDTH / picture.shape[1], HEIGHT / picture.shape[0])
    size = (max(1, int(picture.shape[1] * ratio)), max(1, int(picture.shape[0] * ratio)))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
