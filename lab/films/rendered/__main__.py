"""``python -m lab.films.rendered``: look at a rendered film as a contact sheet or a video."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from lab.films.film import Film, FilmOptions
from lab.films.rendered.films import RenderedFilms

COLUMNS, WIDE = 6, 320
VIDEO_RATE = 15.0
"""Pictures a second in a video; frames are left out or repeated to keep time."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser("python -m lab.films.rendered", description=__doc__)
    parser.add_argument("file", type=Path, help="a .png or .jpg for a sheet, an .avi for a video")
    parser.add_argument("--condition", default="tidy", choices=RenderedFilms.makers)
    parser.add_argument("--seed", type=int, default=1, help="selects the film (%(default)s)")
    parser.add_argument("--placements", type=int, default=6, help="cards laid (%(default)s)")
    parser.add_argument("--every", type=float, default=0.4, help="seconds between pictures")
    parser.add_argument("--size", default="640x480", help="of the frames (%(default)s)")
    args = parser.parse_args(argv)
    width, _, height = args.size.partition("x")
    options = FilmOptions(size=(int(width), int(height)), placements=args.placements)
    film = RenderedFilms(options).film(args.condition, args.seed)
    if args.file.suffix == ".avi":
        written = write_video(film, args.file, options.size)
    else:
        written = cv2.imwrite(str(args.file), contact_sheet(film, args.every))
    if not written:
        sys.stderr.write(f"{args.file} cannot be written\n")
        return 1
    for event in film.happened:
        sys.stdout.write(
            f"{event.at:7.2f}  {event.kind:9} {event.card or '':16} {event.note}".rstrip() + "\n"
        )
    return 0


def contact_sheet(film: Film, every: float) -> npt.NDArray[Any]:
    """Return pictures of a film beside each other, each with its time."""
    small: list[npt.NDArray[Any]] = []
    for frame in film.frames:
        if frame.time < len(small) * every:
            continue
        tall = round(WIDE * frame.picture.shape[0] / frame.picture.shape[1])
        picture = cv2.resize(frame.picture, (WIDE, tall), interpolation=cv2.INTER_AREA)
        for ink, thick in ((0, 3), (255, 1)):
            font, at = cv2.FONT_HERSHEY_SIMPLEX, (6, tall - 8)
            cv2.putText(picture, f"{frame.time:.2f}", at, font, 0.5, (ink,) * 3, thick, cv2.LINE_AA)
        small.append(np.asarray(picture))
    while len(small) % COLUMNS:
        small.append(np.zeros_like(small[0]))
    rows = [np.hstack(small[n : n + COLUMNS]) for n in range(0, len(small), COLUMNS)]
    return np.asarray(np.vstack(rows))


def write_video(film: Film, file: Path, size: tuple[int, int]) -> bool:
    """Write a film as Motion JPEG; return whether that worked."""
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), VIDEO_RATE, size)
    if not writer.isOpened():
        return False
    written = 0
    for frame in film.frames:
        while written / VIDEO_RATE <= frame.time:
            writer.write(frame.picture)
            written += 1
    writer.release()
    return True


if __name__ == "__main__":
    sys.exit(main())
