"""Find the drive that a Pico is while its button BOOTSEL was held when it got power."""

import string
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

INFO = "INFO_UF2.TXT"
RP2040_ID = "RPI-RP2"
# Where systems put drives; a part of a name may be anything.
_PLACES = {
    "linux": ("/media/*/*", "/media/*", "/run/media/*/*", "/mnt/*", "/mnt"),
    "darwin": ("/Volumes/*",),
}
_LABELLED = Path("/dev/disk/by-label") / RP2040_ID  # on Linux


class VolumeError(Exception):
    """This is no drive of a Pico that will do; the text says why."""


@dataclass(frozen=True, slots=True)
class Volume:
    """The drive of a Pico in BOOTSEL."""

    path: Path

    def there(self) -> bool:
        """Return whether it is still there."""
        try:
            return (self.path / INFO).is_file()
        except OSError:
            return False


def volumes() -> list[Volume]:
    """Return the drives of all Picos in BOOTSEL. Raises VolumeError for a Pico 2."""
    return [volume_at(path) for path in _candidates() if Volume(path).there()]


def volume_at(path: Path) -> Volume:
    """Return the drive at a path. Raises VolumeError."""
    try:
        info = (path / INFO).read_text(encoding="ascii", errors="replace")
    except OSError as error:
        raise VolumeError(
            f"{path} is no Pico in BOOTSEL: {INFO}: {error.strerror or error}"
        ) from None
    named = dict(line.split(": ", 1) for line in info.splitlines() if ": " in line)
    board = named.get("Board-ID", "")
    if board != RP2040_ID:
        raise VolumeError(f"{path} is another board ({board or 'unknown'}), not a Pico or a Pico W")
    return Volume(path)


def is_free(path: Path) -> bool:
    """Return whether a drive may yet come to a path: nothing is there, or an empty folder."""
    try:
        return not any(path.iterdir())
    except FileNotFoundError:
        return True
    except OSError:  # a file, or a folder that may not be read
        return False


def unmounted() -> str:
    """Return how to make the drive appear where Linux has not done so by itself, or nothing."""
    if not _LABELLED.exists():
        return ""
    return f"a Pico is there, but its drive is not mounted: udisksctl mount -b {_LABELLED}"


def _candidates() -> Iterator[Path]:
    if sys.platform == "win32":
        for letter in string.ascii_uppercase:
            yield Path(f"{letter}:\\")
        return
    for pattern in _PLACES.get(sys.platform, _PLACES["linux"]):
        yield from sorted(Path("/").glob(pattern.lstrip("/")))
