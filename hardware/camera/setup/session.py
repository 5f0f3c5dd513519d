"""Setting up, picture by picture: find, follow, measure, advise, and what to remember of it."""

from dataclasses import dataclass
from typing import Any

from hardware.camera.setup.advice import advise
from hardware.camera.setup.conditions import Conditions, measure
from hardware.camera.setup.find import Sighting
from hardware.camera.setup.follow import Follower, PilePosition
from hardware.camera.setup.follow_mat import MatFollower
from hardware.camera.setup.follow_scene import SceneFollower, extract_scene
from hardware.camera.setup.history import ConditionHistory
from hardware.camera.setup.mat_view import MatView
from hardware.camera.setup.storage import Setup
from hardware.camera.source import Frame
from hardware.camera.types import Corners
from hardware.findings import Finding


@dataclass(frozen=True, slots=True, eq=False)
class SetupReport:
    """What is known after a picture."""

    at: float
    size: tuple[int, int]
    followed: PilePosition
    view: MatView | None
    sighting: Sighting | None
    conditions: Conditions
    findings: list[Finding]
    confirmed: bool = False  # whether the pile was seen at all, or is only remembered

    @property
    def ready(self) -> bool:
        """Whether the pile is known and nothing keeps it from being read."""
        return self.confirmed and all(finding.level != "problem" for finding in self.findings)

    def to_json(self) -> dict[str, Any]:
        """It for other programs. Pixels, millimetres and degrees."""
        mat, pile = self.conditions.mat, self.followed.pile
        places = {} if self.view is None else {n: self.view.place(n) for n in self.view.mat.places}
        return {
            "ready": self.ready,
            "at": round(self.at, 3),
            "size": list(self.size),
            "state": self.followed.state,
            "moved_by": round(self.followed.moved_by, 1),
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
    """Looks at the pictures of one camera.

    Args:
        source: the camera's name, without passwords.
        pile: the marked pile's corners in pixels, None to go by the mat.
        before: what was remembered the last time, to start from.
        live: whether pictures show the present; a file may well stand still.
    """

    def __init__(
        self,
        source: str,
        pile: Corners | None = None,
        before: Setup | None = None,
        *,
        live: bool = True,
    ) -> None:
        self._source, self._pile, self._live = source, pile, live
        self._setup = before
        self._follower: Follower | None = None
        if pile is None:
            self._follower = MatFollower() if before is None else before.follower()
        self._history = ConditionHistory()
        self._confirmed = False

    def look(self, frame: Frame) -> SetupReport:
        """Take in a picture."""
        picture = frame.picture
        size = picture.shape[1], picture.shape[0]
        if self._follower is None:
            scene = extract_scene(picture, self._pile)  # type: ignore[arg-type]
            self._setup = Setup(self._source, scene=scene)
            self._follower = SceneFollower(scene)
        followed = self._follower.update(picture, frame.at)
        self._confirmed = self._confirmed or followed.state == "still"
        view = sighting = None
        if isinstance(self._follower, MatFollower):
            view, sighting = self._follower.view, self._follower.sighting
            if view is not None and followed.state == "still":
                self._setup = Setup(self._source, view=view)
        conditions = measure(picture, sighting, view, followed.pile)
        by_mat = isinstance(self._follower, MatFollower)
        self._history.add(picture, conditions, frame.at, by_mat=by_mat)
        findings = advise(conditions, followed, self._history, live=self._live)
        findings += self._unfollowed()
        return SetupReport(
            frame.at, size, followed, view, sighting, conditions, findings, self._confirmed
        )

    @property
    def setup(self) -> Setup | None:
        """What to extract_scene, None as long as the pile was not found."""
        return self._setup

    def _unfollowed(self) -> list[Finding]:
        scene = self._setup.scene if self._setup is not None else None
        if scene is None or scene.followable:
            return []
        return [
            Finding(
                "warning",
                "camera",
                "there is nothing around the pile to follow the camera by",
                "lay the printed mat or something with a pattern beside it, and fasten the camera",
            )
        ]


def _rounded(corners: Corners) -> list[list[float]]:
    return [[round(float(value), 1) for value in corner] for corner in corners]
