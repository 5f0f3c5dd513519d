"""Looks after a camera while it watches: what disturbs its picture, and what it adjusts."""

from hardware.camera.setup.advice import unrest_finding
from hardware.camera.setup.lock import LockKeeper
from hardware.camera.setup.unrest import Sign, Unrest, UnrestThresholds
from hardware.camera.source import Frame
from hardware.camera.source.controls import CameraControls, described

# Seconds between looks, which take some milliseconds each; an exposure swings in two.
EVERY = 0.25
# Seconds for which a warning stays after the last sign of it, so that it does not come and go.
LASTING = 20.0
# Seconds without a picture after which the camera may be another one, or forgot what it was told.
GONE = 3.0


class Upkeep:
    """The upkeep of one camera; ``controls`` are locked, None leaves them alone.

    ``warnings`` are what disturbs the picture now.
    """

    def __init__(
        self, controls: CameraControls | None, limits: UnrestThresholds | None = None
    ) -> None:
        self._controls = controls
        self._limits = limits or UnrestThresholds()
        self._unrest = Unrest()
        self._keeper = LockKeeper()
        self._looked: float | None = None
        self._busy_since: float | None = None
        self._seen: dict[Sign, float] = {}
        self.warnings: tuple[Sign, ...] = ()
        # What is locked, and what cannot be, for people.
        self.locked = ""

    def look(self, frame: Frame, *, busy: bool, tremble: float) -> None:
        """Look at a picture, if it is time to.

        ``busy``: something moves at the pile; ``tremble``: the camera's shaking in pixels.
        """
        at = frame.at
        self._busy_since = (at if self._busy_since is None else self._busy_since) if busy else None
        if self._looked is not None and 0 <= at - self._looked < EVERY:
            return
        if self._looked is None or not 0 <= at - self._looked < GONE:
            self._keeper.forget()
        self._looked = at
        look = self._unrest.add(frame.picture, at)
        signs = self._unrest.signs(self._limits)
        self._warn(signs, at, tremble)
        if self._controls is None:
            return
        asked = self._keeper.look(look, hunts=bool(signs), still=not busy)
        if asked == "lock":
            self._controls.lock()
        elif asked == "release":
            self._controls.release(self._keeper.refused)
        if asked or not self.locked:
            self.locked = described(self._controls.states())

    def sentence(self) -> str:
        """Return the first warning with its advice; empty without any."""
        if not self.warnings:
            return ""
        finding = unrest_finding(self.warnings[0])
        return f"{finding.text}; {finding.advice}"

    def close(self) -> None:
        """Let the camera adjust itself again, for other programs."""
        if self._controls is not None:
            self._controls.release()

    def _warn(self, signs: tuple[Sign, ...], at: float, tremble: float) -> None:
        self._seen |= dict.fromkeys(signs, at)
        if tremble > self._limits.shaking:
            self._seen["shakes"] = at
        if self._busy_since is not None and at - self._busy_since > self._limits.covered_for:
            self._seen["covered"] = at
        self.warnings = tuple(
            sign for sign, seen in sorted(self._seen.items()) if 0 <= at - seen <= LASTING
        )
