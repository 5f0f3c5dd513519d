"""Looks after a camera while it watches: what disturbs its picture, and what it adjusts."""

from collections import deque

from hardware.camera.setup.advice import unrest_finding
from hardware.camera.setup.lock import LockKeeper
from hardware.camera.setup.unrest import Look, Sign, Unrest, UnrestThresholds
from hardware.camera.source import Frame
from hardware.camera.source.controls import CameraControls, described
from hardware.camera.types import Picture

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
        self._look: Look | None = None
        self._picture: Picture | None = None
        self._covered_since: float | None = None
        self._paces: deque[float] = deque(maxlen=self._limits.paces)
        self._before: float | None = None
        self._seen: dict[Sign, float] = {}
        self.warnings: tuple[Sign, ...] = ()
        # What is locked, and what cannot be, for people.
        self.locked = ""

    def look(self, frame: Frame, *, busy: bool, covered: bool, tremble: float) -> None:
        """Look at a picture, if it is time to.

        ``busy``: something moves at the pile; ``covered``: something hides it; ``tremble``: the
        camera's shaking in pixels.
        """
        at = frame.at
        self._pace(at, busy=busy)
        if not covered:
            self._covered_since = None
        elif self._covered_since is None:
            self._covered_since = at
        if self._looked is not None and 0 <= at - self._looked < EVERY:
            return
        if self._looked is None or not 0 <= at - self._looked < GONE:
            self._keeper.forget()
        self._looked = at
        if self._look is None or frame.picture is not self._picture:
            # What a phone says has not changed is measured once.
            self._picture = frame.picture
            self._look = self._unrest.add(frame.picture, at)
        signs = self._unrest.signs(self._limits)
        self._warn(signs, at, tremble)
        if self._controls is None:
            return
        asked = self._keeper.look(self._look, hunts=bool(signs), still=not busy)
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

    def _pace(self, at: float, *, busy: bool) -> None:
        """Note how long after the last picture this one was taken, where that tells something."""
        before, self._before = self._before, at
        pause = 0.0 if before is None else at - before
        if not 0 <= pause < GONE:
            # None came at all, which is not slowness; and nobody knows what was over the pile.
            self._paces.clear()
            self._covered_since = None
        elif busy or pause > self._limits.pause:
            # At rest a phone sends a sign now and then.
            self._paces.append(pause)

    @property
    def _slow(self) -> bool:
        """Whether too few pictures come while something moves."""
        paces = self._paces
        return len(paces) == self._limits.paces and sum(paces) > self._limits.slow_pace * len(paces)

    def _warn(self, signs: tuple[Sign, ...], at: float, tremble: float) -> None:
        self._seen |= dict.fromkeys(signs, at)
        if tremble > self._limits.shaking:
            self._seen["shakes"] = at
        if self._slow:
            # What is over the pile between two pictures nobody knows.
            self._seen["slow"] = at
        elif (
            self._covered_since is not None and at - self._covered_since > self._limits.covered_for
        ):
            self._seen["covered"] = at
        self.warnings = tuple(
            sign for sign, seen in sorted(self._seen.items()) if 0 <= at - seen <= LASTING
        )
