"""``python -m lab.clips``: draw a clip as a contact sheet or a video."""

import argparse
import itertools
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from lab.clips.clip import Clip, random_setting
from lab.clips.ground_truth import ClipFrame, TrueEvent
from lab.clips.random_scripts import idle_script, play_script, starting_pile


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser("python -m lab.clips", description=__doc__)
    parser.add_argument(
        "file", type=Path, help="a .png or .jpg for a contact sheet, an .avi for a video"
    )
    parser.add_argument("--seed", type=int, default=1, help="selects the clip")
    parser.add_argument("--seconds", type=float, default=20.0, help="its length")
    parser.add_argument("--idle", action="store_true", help="nobody plays")
    parser.add_argument("--every", type=int, default=10, help="frames between the sheet's pictures")
    parser.add_argument("--columns", type=int, default=6, help="columns of the sheet")
    parser.add_argument("--size", default="1280x720", help="of the frames, such as 640x360")
    args = parser.parse_args(argv)
    width, _, height = args.size.partition("x")
    place = random_setting(args.seed, (int(width), int(height)), starting_pile(args.seed))
    script = (idle_script if args.idle else play_script)(args.seed, args.seconds)
    clip = Clip(place, script)
    if args.file.suffix == ".avi":
        written = video(clip, args.file)
    else:
        frames = itertools.islice(clip, 0, None, max(1, args.every))
        written = cv2.imwrite(str(args.file), sheet(frames, args.columns))
    if not written:
        print(f"{args.file} cannot be written", file=sys.stderr)  # noqa: T201
        return 1
    for one in clip.happened:
        print(line(one))  # noqa: T201
    return 0


def line(one: TrueEvent) -> str:
    """Format an event."""
    clear = "" if one.clear is None else f"free from {one.clear:.2f}"
    return f"{one.at:7.2f}  {one.kind:10} {one.card or '':16} {one.note:5} {clear}".rstrip()


def sheet(
    frames: Iterator[ClipFrame], columns: int, wide: int = 320
) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Return frames side by side, each with its time."""
    small = []
    for frame in frames:
        height = round(wide * frame.picture.shape[0] / frame.picture.shape[1])
        picture = cv2.resize(frame.picture, (wide, height), interpolation=cv2.INTER_AREA)
        at, font = (6, height - 8), cv2.FONT_HERSHEY_SIMPLEX
        for colour, thick in (((0, 0, 0), 3), ((255, 255, 255), 1)):
            cv2.putText(picture, f"{frame.time:.2f}", at, font, 0.5, colour, thick, cv2.LINE_AA)
        small.append(picture)
    while len(small) % columns:
        small.append(np.zeros_like(small[0]))
    rows = [np.hstack(small[n : n + columns]) for n in range(0, len(small), columns)]
    return np.asarray(np.vstack(rows), dtype=np.uint8)


def video(clip: Clip, file: Path) -> bool:
    """Write all frames as Motion JPEG; return whether that worked."""
    camera = clip.setting.camera
    code = cv2.VideoWriter.fourcc(*"MJPG")
    writer = cv2.VideoWriter(str(file), code, clip.setting.rate, camera.size)
    if not writer.isOpened():
        return False
    for frame in clip:
        writer.write(frame.picture)
    writer.release()
    return True


if __name__ == "__main__":
    sys.exit(main())
