"""A live camera that a test plays."""

import threading

from hardware.camera.source import Frame, Source


class PlayedCamera(Source):
    """Delivers no picture by itself."""

    name, live, controls = "camera 9", True, None
    trouble: str | None = None
    ended = False

    def __init__(self) -> None:
        self.closed = threading.Event()

    def start(self) -> None:
        """Nothing to start."""

    def read(self, timeout: float = 1.0) -> Frame | None:
        return None

    def close(self) -> None:
        self.closed.set()

    def __enter__(self) -> "PlayedCamera":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
