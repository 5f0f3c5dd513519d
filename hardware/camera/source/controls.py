"""Locks what a camera plugged into this computer adjusts by itself, through Linux."""

import os
import struct
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

try:
    from fcntl import ioctl as _ioctl
except ImportError:  # as on Windows
    _ioctl = None  # type: ignore[assignment]

# struct v4l2_control: id, value
_GET, _SET, _CONTROL = 0xC008561B, 0xC008561C, struct.Struct("Ii")
_FOCUS_AUTO, _FOCUS = 0x009A090C, 0x009A090A
_EXPOSURE_AUTO, _EXPOSURE = 0x009A0901, 0x009A0902
_WHITE_AUTO, _WHITE = 0x0098090C, 0x0098091A

Adjusted = Literal["focus", "exposure", "white balance"]
# absent: the camera has no such control. by hand: it was off when we came, and stays so.
# refused: the camera does not take or not keep what it is told.
ControlState = Literal["automatic", "locked", "by hand", "absent", "refused"]
Ioctl = Callable[[int, int, bytearray], int]


@dataclass(frozen=True, slots=True)
class _Control:
    """Ids of a control and of the switch that lets the camera adjust it; ``off`` stops that."""

    switch: int
    value: int
    off: int


_CONTROLS: Mapping[Adjusted, _Control] = {
    "focus": _Control(_FOCUS_AUTO, _FOCUS, 0),
    # Of the modes, 1 is by hand.
    "exposure": _Control(_EXPOSURE_AUTO, _EXPOSURE, 1),
    "white balance": _Control(_WHITE_AUTO, _WHITE, 0),
}


class CameraControls:
    """What a local camera, named by its path, adjusts by itself, and can be told to leave as it is.

    A camera that is gone has no controls.
    """

    def __init__(self, path: str, ioctl: Ioctl | None = None) -> None:
        self._path = path
        self._ioctl = ioctl or real_ioctl
        # The switches of what is locked, as they were before.
        self._before: dict[Adjusted, int] = {}
        self._refused: set[Adjusted] = set()

    def states(self) -> Mapping[Adjusted, ControlState]:
        """Return the state of each."""
        states: dict[Adjusted, ControlState] = dict.fromkeys(_CONTROLS, "absent")
        with _Device(self._path, self._ioctl) as device:
            for name, control in _CONTROLS.items():
                switch = device.get(control.switch)
                if switch is None:
                    continue
                if name in self._refused:
                    states[name] = "refused"
                elif switch != control.off:
                    states[name] = "automatic"
                else:
                    states[name] = "locked" if name in self._before else "by hand"
        return states

    def lock(self) -> None:
        """Keep all that is automatic as it is now."""
        with _Device(self._path, self._ioctl) as device:
            for name, control in _CONTROLS.items():
                before, value = device.get(control.switch), device.get(control.value)
                if name in self._refused or before in (None, control.off):
                    continue
                # Some cameras go back to an old value once they may not adjust it.
                kept = device.set(control.switch, control.off)
                if kept and value is not None:
                    device.set(control.value, value)
                if device.get(control.switch) == control.off:
                    self._before[name] = int(before or 0)
                else:
                    self._refused.add(name)

    def release(self, refused: Iterable[Adjusted] = ()) -> None:
        """Let the camera adjust again what was locked; ``refused`` is not locked any more."""
        with _Device(self._path, self._ioctl) as device:
            for name, before in self._before.items():
                device.set(_CONTROLS[name].switch, before)
        self._before.clear()
        self._refused |= set(refused)


class _Device:
    """An opened camera; all its controls are missing if it cannot be opened."""

    def __init__(self, path: str, ioctl: Ioctl) -> None:
        self._path, self._ioctl = path, ioctl
        self._handle = -1

    def __enter__(self) -> "_Device":
        try:
            self._handle = os.open(self._path, os.O_RDWR | getattr(os, "O_NONBLOCK", 0))
        except OSError:
            self._handle = -1
        return self

    def __exit__(self, *_: object) -> None:
        if self._handle >= 0:
            os.close(self._handle)

    def get(self, number: int) -> int | None:
        """Return a control's value; None if there is none."""
        return self._ask(_GET, number, 0)

    def set(self, number: int, value: int) -> bool:
        """Set a control; return whether the camera took it."""
        return self._ask(_SET, number, value) is not None

    def _ask(self, request: int, number: int, value: int) -> int | None:
        data = bytearray(_CONTROL.pack(number, value))
        if self._handle < 0:
            return None
        try:
            self._ioctl(self._handle, request, data)
        except OSError:
            return None
        return int(_CONTROL.unpack(data)[1])


def real_ioctl(handle: int, request: int, data: bytearray) -> int:
    """Ask a device driver. Raises OSError."""
    if not sys.platform.startswith("linux"):
        raise OSError("only Linux has these controls")
    return int(_ioctl(handle, request, data, True))


def described(states: Mapping[Adjusted, ControlState]) -> str:
    """Return what is locked and what cannot be, for people; empty if there is nothing to say."""
    words: Mapping[ControlState, str] = {
        "locked": "locked",
        "automatic": "automatic",
        "by hand": "set by hand",
        "refused": "refuses to be locked",
    }
    parts = []
    for state, word in words.items():
        names = [name for name, state_of in states.items() if state_of == state]
        if names:
            parts.append(f"{' and '.join(names)} {word}")
    return ", ".join(parts)
