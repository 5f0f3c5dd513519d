"""Watches the discard pile and reports what was laid, lifted and cleared away, once each.

``PileWatcher`` takes frames and returns ``PileEvent``; ``Thresholds`` holds every number it uses. A
frame goes through these rooms:

- ``view``: ``window`` cuts the watched part out of the frame, upright and small; ``change`` finds
  movement in it. Without any, nothing else runs. ``lookback`` keeps frames to look back at.
- ``outcome``: ``episode`` lasts from the first movement until its result is known. It notes where
  hands are and what they carry (``hand_visits``), and follows a knocked camera.
- ``reading``: ``top_reader`` reads the top of the still pile in several frames until they agree,
  doubtful ones again. ``sightings`` picks the top card. ``pile`` holds what is
  known from then on.
- ``outcome`` again: ``pile_decision`` concludes what happened, and updates the pile.
  ``still_views`` compares the views before and after; of that, and of what hands brought and took,
  ``outcome_scorer`` makes probabilities. What stays open is reported as "unsure". A second card may
  have been covered at once.

``drawpile`` watches another place: whether a card was turned up there. ``lab.measure``
measures all of it on drawn films.
"""

from hardware.camera.track.events import Kind, PileEvent
from hardware.camera.track.outcome.drawpile import DrawPileWatcher
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.view.window import window_of
from hardware.camera.track.watcher import PileWatcher

__all__ = ["DrawPileWatcher", "Kind", "PileEvent", "PileWatcher", "Thresholds", "window_of"]
