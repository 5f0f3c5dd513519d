"""Sentences about a board that several modules use."""

from hardware.board.wire.messages import SET_NAMES, VERSION, Hello


def introduce(hello: Hello) -> str:
    """Describe the board: id, firmware, set and seats."""
    version = ".".join(map(str, hello.firmware))
    return (
        f"board {hello.board.hex()}, firmware {version}, {SET_NAMES[hello.set]}, "
        f"{hello.seats} seat{'s' if hello.seats > 1 else ''}"
    )


def other_version(version: int) -> str:
    """Say which side needs an update."""
    needs = "a newer release of this program" if version > VERSION else "newer firmware"
    return f"the board speaks version {version} of the protocol, not {VERSION}: {needs} is needed"


def name_place(place: int) -> str:
    """Name a place in a sentence."""
    return f"seat {place}" if place else "the tray"


UNUSABLE = "what the board says about itself cannot be used"
FLASH_ANEW = "put its program on it anew: 'referee-table flash'"
IN_USE = "another host is connected to the board; stop it there"
