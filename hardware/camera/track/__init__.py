"""The pile watched over time: what was laid, lifted and cleared away, told once each.

``PileWatcher`` takes frames and gives ``PileEvent``; ``Thresholds`` holds every number it goes by.
"""

from hardware.camera.track.events import Kind, PileEvent
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.watcher import PileWatcher
from hardware.camera.track.window import window_of

__all__ = ["Kind", "PileEvent", "PileWatcher", "Thresholds", "window_of"]
