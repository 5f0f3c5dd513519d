"""A strip of pictures: what the camera saw at some rulings, with captions."""

import textwrap
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from referee.demo.http.client import DemoError
from referee.demo.show.live_table import RulingPicture

WIDTH, CAPTION, GAP, COLUMNS = 420, 82, 10, 3
ROWS = 2
QUALITY = 82
FONT = cv2.FONT_HERSHEY_SIMPLEX
# Blue, green and red of the mark beside a caption, by its kind.
MARKS = {"illegal": (60, 60, 210), "opened": (150, 110, 40), "won": (30, 160, 220)}
LEGAL = (70, 140, 60)
# Rulings that always get a place in the strip.
RARE = ("opened", "illegal", "challenge", "won")


def write_strip(file: Path, pictures: Sequence[RulingPicture]) -> None:
    """Write some of the pictures into one file. Raises DemoError."""
    cells = [_cell(picture) for picture in chosen(pictures, ROWS * COLUMNS)]
    if not cells:
        raise DemoError("No pictures were taken.")
    height, width = cells[0].shape[:2]
    rows = -(-len(cells) // COLUMNS)
    sheet = np.full((rows * (height + GAP) + GAP, COLUMNS * (width + GAP) + GAP, 3), 255, np.uint8)
    for number, cell in enumerate(cells):
        y = GAP + number // COLUMNS * (height + GAP)
        x = GAP + number % COLUMNS * (width + GAP)
        sheet[y : y + height, x : x + width] = cell
    if not cv2.imwrite(str(file), sheet, [cv2.IMWRITE_JPEG_QUALITY, QUALITY]):
        raise DemoError(f"{file} cannot be written.")


def chosen(pictures: Sequence[RulingPicture], most: int) -> list[RulingPicture]:
    """Choose rare rulings, at most two of a kind, and others evenly, in order."""
    kept: dict[int, RulingPicture] = {}
    seen: dict[str, int] = {}
    for number, picture in enumerate(pictures):
        kind = picture.caption.kind
        seen[kind] = seen.get(kind, 0) + 1
        if kind in RARE and seen[kind] <= 2 and len(kept) < most // 2:
            kept[number] = picture
    # Moves that a device reported have the kind "board".
    laid = [
        n for n, picture in enumerate(pictures) if picture.caption.kind == "board" and n not in kept
    ]
    room = most - len(kept)
    for place in range(room if laid else 0):
        number = laid[place * len(laid) // room]
        kept[number] = pictures[number]
    return [kept[number] for number in sorted(kept)]


def _cell(ruling: RulingPicture) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    picture = cv2.imdecode(np.frombuffer(ruling.jpeg, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise DemoError("The camera gave a picture that cannot be read.")
    height = round(picture.shape[0] * WIDTH / picture.shape[1])
    small = cv2.resize(picture, (WIDTH, height), interpolation=cv2.INTER_AREA)
    cell = np.full((height + CAPTION, WIDTH, 3), 250, np.uint8)
    cell[:height] = small
    cv2.rectangle(
        cell, (0, height), (5, height + CAPTION), MARKS.get(ruling.caption.kind, LEGAL), -1
    )
    text = ruling.caption.text.encode("ascii", "ignore").decode()
    for number, words in enumerate(textwrap.wrap(text, 58)[:3]):
        at = (14, height + 20 + 18 * number)
        cv2.putText(cell, words, at, FONT, 0.42, (40, 40, 40), 1, cv2.LINE_AA)
    at = (14, height + CAPTION - 8)
    cv2.putText(cell, ruling.caption.rule, at, FONT, 0.38, (130, 130, 130), 1, cv2.LINE_AA)
    return cell
