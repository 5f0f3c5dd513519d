"""What a person reads of a board, in more places than one."""

from hardware.board.messages import SET_NAMES, VERSION, Hello


def introduce(hello: Hello) -> str:
    """The board in a few words: its id, firmware, set and seats."""
    version = ".".join(map(str, hello.firmware))
    return (
        f"board {hello.board.hex()}, firmware {version}, {SET_NAMES[hello.set]}, "
        f"{hello.seats} seat{'s' if hello.seats > 1 else ''}"
    )


def other_version(version: int) -> str:
    """That the two sides do not understand each other, and what helps."""
    needs = "a newer release of this program" if version > VERSION else "newer firmware"
    return f"the board speaks version {version} of the protocol, not {VERSION}: {needs} is needed"


def name_place(place: int) -> str:
    """The name of a place in a sentence."""
    return f"seat {place}" if place else "the tray"
