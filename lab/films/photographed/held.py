"""Hands cut out of photos in which they hold a card: a real thumb for other cards."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.reading.geometry import HEIGHT, WIDTH
from hardware.camera.types import Corners, Picture
from lab.films.photographed import hands
from lab.films.photographed.hands import GRIP, Hand, canvas, onto, shaded, sleeve
from lab.films.photographed.pose import Pose

REACH, SCALE = 150.0, 2.2
"""Extent of a layer from the card's middle in mm, and its pixels per millimetre."""
PLAIN = 0.95
"""Share of a hand's surroundings that must be plain and bright, or its outline is not sure."""
AREA = (0.05, 0.24)
"""Least and largest area of a hand, as shares of the photo."""
TOUCHES = 20
"""Least length in pixels along which a hand leaves the photo."""


@dataclass(frozen=True, slots=True)
class HeldHand:
    """A hand around a card's place.

    ``layer`` is (n, n, 4) in BGRA, with the card's middle at its own, the card upright, ``SCALE``
    pixels a millimetre. ``wrist`` is where the hand left the photo, in mm from the card's middle,
    and ``wide`` how wide it was there.
    """

    layer: Picture
    wrist: tuple[float, float]
    wide: float

    @property
    def card(self) -> Pose:
        """Where the card lies in the hand, whose wrist is straight below."""
        return Pose(0.0, -GRIP, math.degrees(math.atan2(*self.wrist)))


def held_hand(picture: Picture, corners: Corners) -> HeldHand | None:
    """Return the hand that holds a photo's card before something plain and bright, if one does."""
    height, width = picture.shape[:2]
    card = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(card, np.round(corners).astype(np.int32), 255)
    mask = _segment(picture, card)
    if mask is None or not AREA[0] < mask.mean() < AREA[1]:
        return None
    around = (cv2.dilate(mask, np.ones((21, 21), np.uint8)) > 0) & (mask == 0)
    around &= cv2.dilate(card, np.ones((9, 9), np.uint8)) == 0
    hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)
    if ((hsv[..., 1] < 60) & (hsv[..., 2] > 90))[around].mean() < PLAIN:
        return None
    to_mm, _ = cv2.estimateAffinePartial2D(corners.astype(np.float32), _card())
    left = _border(mask)
    if to_mm is None or left is None:
        return None
    at, long = left
    size = round(2 * REACH * SCALE)
    to_layer = to_mm * SCALE
    to_layer[:, 2] += REACH * SCALE
    # The outermost pixels hold some of what lay behind.
    alpha = cv2.GaussianBlur(cv2.erode(mask, np.ones((3, 3), np.uint8)) * 255, (0, 0), 0.8)
    layer = cv2.warpAffine(
        np.dstack([picture, alpha]), to_layer, (size, size), flags=cv2.INTER_LINEAR
    )
    layer[layer[..., 3] == 0] = 0
    x, y = to_mm @ (*at, 1.0)
    wide = long * float(np.hypot(*to_mm[:, 0]))
    return HeldHand(layer, (float(x), float(y)), wide)


def real_hand(held: HeldHand, rng: np.random.Generator, cloths: Sequence[Picture]) -> Hand:
    """Return a hand from a photo, with an arm and a sleeve beyond the photo's border."""
    card, far = held.card, math.hypot(*held.wrist)
    flat = np.array([[1 / SCALE, 0, -REACH], [0, 1 / SCALE, -REACH], [0, 0, 1.0]])
    tall, across = canvas()
    to_canvas = np.linalg.inv(Hand(held.layer, held.layer).to_mm) @ card.matrix @ flat
    photo = cv2.warpPerspective(held.layer, to_canvas, (across, tall))
    # People's skin differs more than that of one photographer.
    tone = float(rng.choice([1.0, 1.3, 1.7])) * np.array([1.0, 1.0, 1.0 - 0.08 * rng.random()])
    photo[..., :3] = np.clip(photo[..., :3] * tone, 0, 250)
    end = far - GRIP
    wide = float(np.clip(held.wide, 52, 72))
    row = round((end - 12 - hands.TOP) * hands.SCALE)
    near = photo[max(0, row - 25) : row + 10]
    near = near[near[..., 3] > 200]
    skin = np.median(near[:, :3], axis=0) if len(near) else np.array([50.0, 70.0, 105.0])
    light = rng.normal((-0.35, -0.45), 0.35)
    arm = shaded(
        [(((0, end - 6), (6, end + 60), (10, 600)), wide, 66)],
        1.0,
        skin.astype(np.float32) * 1.25,
        light,
        0,
        rng,
    )
    # The photo fades into the arm where it ends.
    ys = np.arange(tall)[:, None] / hands.SCALE + hands.TOP
    fade = np.clip((end - 2 - ys) / 14, 0, 1)
    photo[..., 3] = photo[..., 3] * fade
    cuff = end + float(rng.uniform(-6, 50))
    whole = onto(onto(arm, photo), sleeve(rng, cloths, light, 4.0, 0.85, cuff))
    whole[whole[..., 3] == 0] = 0
    return Hand(np.zeros_like(whole), whole, card)


def _card() -> npt.NDArray[np.float32]:
    box = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array([WIDTH, HEIGHT]) / 2
    return np.asarray(box, np.float32)


def _segment(picture: Picture, card: Picture) -> Picture | None:
    """Return a mask of the hand, 0 or 1, (height, width): skin that touches card and border."""
    hue, strength, value = cv2.split(cv2.cvtColor(picture, cv2.COLOR_BGR2HSV))
    skin = ((hue < 17) | (hue > 170)) & (strength > 45) & (strength < 170)
    skin &= (value > 25) & (value < 215)
    if not AREA[0] / 2 < skin.mean() < 2 * AREA[1]:
        return None
    sure = cv2.erode(skin.astype(np.uint8), np.ones((7, 7), np.uint8)) > 0
    plain = ((strength < 32) & (value > 95)) | ((card > 0) & ~skin)
    if sure.sum() < 400 or not plain.any():
        return None
    known = np.full(card.shape, cv2.GC_PR_BGD, np.uint8)
    known[skin], known[sure], known[plain] = cv2.GC_PR_FGD, cv2.GC_FGD, cv2.GC_BGD
    cv2.setRNGSeed(7)
    cv2.grabCut(
        picture, known, None, np.zeros((1, 65)), np.zeros((1, 65)), 3, cv2.GC_INIT_WITH_MASK
    )  # type: ignore[call-overload]
    front = np.isin(known, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8)
    count, parts, facts, _ = cv2.connectedComponentsWithStats(front)
    beside = cv2.dilate(card, np.ones((9, 9), np.uint8)) > 0
    best = None
    for number in sorted(range(1, count), key=lambda part: facts[part, cv2.CC_STAT_AREA]):
        part = (parts == number).astype(np.uint8)
        if part[beside].any() and _border(part) is not None:
            best = part
    return best


def _border(mask: Picture) -> tuple[tuple[float, float], float] | None:
    """Return the middle of where a mask touches the border, and for how many pixels."""
    rim = np.zeros_like(mask)
    rim[[0, -1]], rim[:, [0, -1]] = mask[[0, -1]], mask[:, [0, -1]]
    ys, xs = np.nonzero(rim)
    if len(xs) < TOUCHES:
        return None
    long = float(np.hypot(np.ptp(xs), np.ptp(ys)))
    return (float(xs.mean()), float(ys.mean())), long
