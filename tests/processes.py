"""Processes of this machine, as Linux lists them."""

from pathlib import Path


def children(process: int) -> list[int]:
    """The processes that any thread of this one has started."""
    lists = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for file in lists for child in file.read_text(encoding="ascii").split()]


def lives(process: int) -> bool:
    """Whether a process has not ended."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(") ")[2]
    except FileNotFoundError:
        return False
    # Where nobody waits for it, an ended process stays listed.
    return not state.startswith("Z")
