"""Sets up a camera picture by picture: find, follow, measure, advise, and draw what was found."""

import unicodedata
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from hardware.camera.setup.advice import advise
from hardware.camera.setup.conditions import Conditions, measure
from hardware.camera.setup.find import Sighting
from hardware.camera.setup.find_pile import PileFinder
from hardware.camera.setup.follow import Follower, MatFollower, PilePosition
from hardware.camera.setup.follow_scene import SceneFollower, extract_scene
from hardware.camera.setup.history import ConditionHistory
from hardware.camera.setup.mat import MatView
from hardware.camera.setup.storage import Setup
from hardware.camera.source import Frame
from hardware.camera.types import Corners, Picture, Recogniser
from hardware.check_findings import Finding


@dataclass(frozen=True, slots=True, eq=False)
class SetupReport:
    """Findings after a picture, taken at ``at`` (seconds).

    ``confirmed`` is true if the pile was seen in this session, not only remembered; ``calm`` if
    focus and exposure have not changed.
    """

    at: float
    size: tuple[int, int]
    position: PilePosition
    view: MatView | None
    sighting: Sighting | None
    conditions: Conditions
    findings: list[Finding]
    confirmed: bool = False
    calm: bool = True

    @property
    def ready(self) -> bool:
        """True if the pile was found and no problem prevents reading it."""
        return self.confirmed and all(finding.level != "problem" for finding in self.findings)

    def to_json(self) -> dict[str, Any]:
        """Return it for programs, in pixels and degrees."""
        mat, pile = self.conditions.mat, self.position.pile
        places = {} if self.view is None else {n: self.view.place(n) for n in self.view.mat.places}
        return {
            "ready": self.ready,
            "at": round(self.at, 3),
            "size": list(self.size),
            "state": self.position.state,
            "moved_by": round(self.position.moved_by, 1),
            "pile": None if pile is None else _rounded(pile),
            "places": {name: _rounded(corners) for name, corners in places.items()},
            "mat": mat
            and {
                "paper": mat.paper,
                "tags_seen": mat.seen,
                "tags": mat.tags,
                "card_pixels": round(mat.card, 1),
                "tilt_degrees": round(mat.tilt, 1),
                "edge_pixels": round(mat.edge, 2),
                "white": round(mat.white),
                "error_pixels": round(mat.error, 2),
            },
            "findings": [finding.to_json() for finding in self.findings],
        }


class SetupSession:
    """Sets up one camera.

    ``pile`` is the marked pile's corners in pixels, None to use the mat; ``before`` is the last
    setup, to start from. With neither, the pile's cards tell too if a ``recogniser`` is there.
    ``live`` is false for files, whose picture may stand still.
    """

    def __init__(
        self,
        source: str,
        pile: Corners | None = None,
        before: Setup | None = None,
        *,
        live: bool = True,
        recogniser: Recogniser | None = None,
    ) -> None:
        self._source, self._pile, self._live = source, pile, live
        self._setup = before
        self._follower: Follower | None = None
        if pile is None:
            self._follower = _follower(before, recogniser)
        self._history = ConditionHistory()
        self._confirmed = False

    def examine(self, frame: Frame) -> SetupReport:
        """Examine a picture."""
        picture = frame.picture
        size = picture.shape[1], picture.shape[0]
        if self._follower is None:
            scene = extract_scene(picture, self._pile)  # type: ignore[arg-type]
            self._setup = Setup(self._source, scene=scene)
            self._follower = SceneFollower(scene)
        position = self._follower.update(picture, frame.at)
        self._confirmed = self._confirmed or position.state == "still"
        view = sighting = None
        mat = _mat_of(self._follower)
        if mat is not None:
            view, sighting = mat.view, mat.sighting
            if view is not None and position.state == "still":
                self._setup = Setup(self._source, view=view)
        conditions = measure(picture, sighting, view, position.pile)
        by_mat = mat is not None
        still = position.pile if position.state == "still" else None
        self._history.add(picture, conditions, frame.at, still, by_mat=by_mat)
        findings = advise(conditions, position, self._history, live=self._live)
        findings += self._unfollowable()
        return SetupReport(
            frame.at,
            size,
            position,
            view,
            sighting,
            conditions,
            findings,
            self._confirmed,
            self._history.unrest.calm,
        )

    @property
    def setup(self) -> Setup | None:
        """The setup to store; None until the pile has been found."""
        return self._setup

    def _unfollowable(self) -> list[Finding]:
        scene = self._setup.scene if self._setup is not None else None
        if scene is None or scene.followable:
            return []
        return [
            Finding(
                "warning",
                "camera",
                "there is too little around the pile to follow the camera by",
                "lay the printed mat or something with a pattern beside it, and fasten the camera",
            )
        ]


def _follower(before: Setup | None, recogniser: Recogniser | None) -> Follower:
    if before is not None:
        return before.follower()
    return MatFollower() if recogniser is None else PileFinder(recogniser)


def _mat_of(follower: Follower) -> MatFollower | None:
    if isinstance(follower, PileFinder):
        return follower.mat
    return follower if isinstance(follower, MatFollower) else None


def _rounded(corners: Corners) -> list[list[float]]:
    return [[round(float(value), 1) for value in corner] for corner in corners]


_FONT = cv2.FONT_HERSHEY_SIMPLEX
# BGR.
_PILE, _PLACE, _TAG = (0, 160, 255), (255, 200, 0), (0, 220, 0)
_LEVELS = {"ok": (120, 255, 120), "warning": (80, 220, 255), "problem": (110, 110, 255)}
_FINE, _SHIFT = 16, 4


def draw_report(picture: Picture, report: SetupReport) -> Picture:
    """Return a copy with tags, places, the pile and the findings."""
    out = picture.copy()
    unit = max(out.shape[:2]) / 1280
    thick = max(1, round(2 * unit))
    if report.sighting is not None:
        for quad in report.sighting.tags.values():
            _outline(out, quad, _TAG, thick)
    if report.view is not None:
        for name in report.view.mat.places:
            corners = report.view.place(name)
            _outline(out, corners, _PLACE, thick)
            _write(out, name, corners[0] + (6 * unit, 24 * unit), 0.6 * unit, _PLACE)
    if report.position.pile is not None:
        _outline(out, report.position.pile, _PILE, 2 * thick)
    lines = [
        (f"{finding.about}: {finding.text}", _LEVELS[finding.level]) for finding in report.findings
    ]
    if report.position.moved_by:
        lines.insert(0, ("the camera was moved; the pile is followed", _LEVELS["warning"]))
    for number, (line, colour) in enumerate(lines):
        _write(out, line, np.array([14, 30 + 30 * number]) * unit, 0.7 * unit, colour)
    return out


def _outline(out: Picture, corners: np.ndarray, colour: tuple[int, int, int], thick: int) -> None:
    # Points far outside the picture would overflow OpenCV's integers.
    points = np.clip(np.round(corners * _FINE), -(1 << 22), 1 << 22).astype(np.int32)
    cv2.polylines(out, [points], True, colour, thick, cv2.LINE_AA, _SHIFT)


def _write(
    out: Picture, text: str, at: np.ndarray, scale: float, colour: tuple[int, int, int]
) -> None:
    plain = unicodedata.normalize("NFD", text).encode("ascii", "ignore").decode()
    where = int(np.clip(at[0], -10_000, 10_000)), int(np.clip(at[1], -10_000, 10_000))
    thick = max(1, round(2 * scale))
    (width, height), below = cv2.getTextSize(plain, _FONT, scale, thick)
    first = where[0] - thick, where[1] + below
    cv2.rectangle(out, first, (where[0] + width + thick, where[1] - height), (0, 0, 0), -1)
    cv2.putText(out, plain, where, _FONT, scale, colour, thick, cv2.LINE_AA)
