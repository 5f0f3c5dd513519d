"""``memory://…``: a port in this process (tests.hardware.board.rigs)."""

from tests.hardware.board.rigs import MemorySerial as Serial

__all__ = ["Serial"]
