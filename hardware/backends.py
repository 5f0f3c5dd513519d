"""Make devices by the name of their ``backend`` in a configuration."""

import importlib
from collections.abc import Callable, Mapping
from typing import Any

from hardware.observation import Device

BOARD, CAMERA = "serial-board", "camera"
# name → "module:factory"; a factory takes the device's name and its options. A module is imported
# only when its backend is used, since each needs other packages.
BACKENDS: Mapping[str, str] = {
    BOARD: "hardware.board.driver:serial_board",
    CAMERA: "hardware.camera.device:camera",
    "virtual-board": "hardware.virtual_board.device:virtual_board",
}


class BackendError(ValueError):
    """A device cannot be made; the text says why and what to do."""


def needs(extra: str, *missing: str | None) -> str:
    """Return which packages something needs, as ``referee.extras`` says it."""
    named = f" ({', '.join(filter(None, missing))})" if any(missing) else ""
    return f"needs the {extra} packages{named}: pip install '.[{extra}]' in the project's folder"


def make_device(name: str, backend: str, options: Mapping[str, Any]) -> Device:
    """Make the device, not started yet. Raises BackendError."""
    if backend not in BACKENDS:
        known = ", ".join(sorted(BACKENDS))
        raise BackendError(f"{name}: there is no backend {backend!r}; there are {known}")
    module, _, factory = BACKENDS[backend].partition(":")
    try:
        make: Callable[[str, Mapping[str, Any]], Device] = getattr(
            importlib.import_module(module), factory
        )
    except ImportError as error:
        raise BackendError(
            f"{name}: the backend {backend!r} {needs('table', error.name)}"
        ) from None
    try:
        return make(name, options)
    except (TypeError, ValueError) as error:
        raise BackendError(f"{name}: {error}") from None
