"""Looks after a camera while it watches: what disturbs its picture, and what is locked."""

from collections import deque
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hardware.camera.setup.advice import unrest_finding
from hardware.camera.setup.unrest import Look, Sign, Unrest, UnrestThresholds
from hardware.camera.source import Frame
from hardware.camera.source.controls import Adjusted, CameraControls, described
from hardware.camera.types import Picture

Ask = Literal["lock", "release"]


@dataclass(frozen=True, slots=True)
class LockThresholds:
    """When to lock and when to let the camera adjust again; chosen by judgement."""

    # Width in pixels of the sharpest edges, as for advice: 2.8 when sharp.
    sharp: float = 4.0
    # Mean brightness of 255 between which a picture is well lit.
    dark: float = 45.0
    bright: float = 215.0
    settled: float = 3.0  # Seconds for which it has to be well: cameras take one or two.
    # Of an autofocus that hunts, the moment counts in which it is as sharp as it gets.
    sharpest: float = 1.1
    usual: float = 0.05  # The same of an exposure: logarithm of brightness against its usual one.
    # Factor by which the light may differ from when it was locked: two thirds of a stop.
    light_off: float = 1.6
    bad_for: float = 5.0  # Seconds of that without anything moving, before it adjusts again.
    again: float = 20.0  # Least seconds between two adjustments.
    # Seconds after locking within which the picture shows whether the camera kept its values, and
    # the factors by which it is brighter or darker, and its edges are wider, if it did not.
    kept_within: float = 2.0
    kept: float = 1.3
    blurred: float = 1.5


class LockKeeper:
    """Keeps a camera locked while its picture is good; ``locked`` says whether it should be."""

    def __init__(self) -> None:
        self._limits = LockThresholds()
        self.locked = False
        # What the camera did not keep when it was locked.
        self.refused: tuple[Adjusted, ...] = ()
        self._since: float | None = None
        self._asked = float("-inf")
        self._at_lock: Look | None = None

    def look(self, look: Look, *, hunts: bool, still: bool) -> Ask | None:
        """Take a look at a picture; return what to ask of the camera.

        ``hunts``: focus or exposure hunt. ``still``: nothing moves at the pile.
        """
        if not self.locked:
            return self._lock(look, hunts=hunts)
        at_lock = self._at_lock or look
        after = look.at - self._asked
        self.refused = self._not_kept(at_lock, look) if after <= self._limits.kept_within else ()
        if self.refused:
            return self._ask("release", look.at)
        lit_alike = _lit(at_lock, look) <= self._limits.light_off
        if not still or (self._well(look) and lit_alike):
            self._since = None
            return None
        self._since = look.at if self._since is None else self._since
        due = look.at - self._since >= self._limits.bad_for and after >= self._limits.again
        return self._ask("release", look.at) if due else None

    def forget(self) -> None:
        """Begin again, as with a camera that was plugged in anew."""
        self.locked, self._since, self._at_lock = False, None, None
        self._asked = float("-inf")

    def _lock(self, look: Look, *, hunts: bool) -> Ask | None:
        if not self._well(look):
            self._since = None
            return None
        self._since = look.at if self._since is None else self._since
        sharpest = look.edge is not None and look.edge <= self._limits.sharpest * look.sharpest
        at_best = sharpest and abs(look.gain) <= self._limits.usual
        if (hunts and at_best) or (not hunts and look.at - self._since >= self._limits.settled):
            self._at_lock = look
            return self._ask("lock", look.at)
        return None

    def _ask(self, ask: Ask, at: float) -> Ask:
        self.locked, self._since, self._asked = ask == "lock", None, at
        return ask

    def _well(self, look: Look) -> bool:
        sharp = look.edge is not None and look.edge <= self._limits.sharp
        return sharp and self._limits.dark <= look.brightness <= self._limits.bright

    def _not_kept(self, before: Look, after: Look) -> tuple[Adjusted, ...]:
        adjusted: list[Adjusted] = []
        if _lit(before, after) > self._limits.kept:
            adjusted.append("exposure")
        if before.edge and after.edge and after.edge > self._limits.blurred * before.edge:
            adjusted.append("focus")
        return tuple(adjusted)


def _lit(before: Look, after: Look) -> float:
    """Return the factor by which most of a picture is brighter or darker than before."""
    return float(np.exp(abs(np.median(after.blocks - before.blocks))))


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

    def __init__(self, controls: CameraControls | None) -> None:
        self._controls = controls
        self._limits = UnrestThresholds()
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
