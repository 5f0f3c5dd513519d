"""The pile watched over time: what was laid, lifted and cleared away, told once each.

``PileWatcher`` takes frames and gives ``PileEvent``; ``Thresholds`` holds every number it goes by.

What decides what, in the order in which a frame goes through it:

- ``window``: which part of the frame is watched, made a small upright view; ``dark``: a view that
  shows nothing is no view.
- ``motion``: does anything move? As long as not, nothing else is asked.
- ``episode``: from the first movement until it is known what it was. It notes where hands are
  (``change``), what they bring (``visits``), and keeps moments to look back at (``lookback``).
- ``reading``: the pile is still, and its top is read in several frames until they agree
  (``sightings``); which of several lies on top is seen by their edges (``order``); ``empty``: or
  no card lies there.
- ``decision``: what happened. ``judge`` compares the still pictures before and after, with
  ``shift`` telling how the top moved; ``outcome`` settles what they leave open by what hands
  brought; an equal card may have been seen ``coming`` in the moments kept, and one ``covered`` at
  once is looked for there. What stays open is told as "unsure".
- ``pile`` and ``tops``: what is known from then on. ``realign`` takes it along when the camera was
  knocked.

``drawpile`` looks at another place: whether a card was turned up there.

``evaluate`` measures all of it on rendered clips, and ``score`` counts.
"""

from hardware.camera.track.drawpile import DrawPileWatcher
from hardware.camera.track.events import Kind, PileEvent
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.watcher import PileWatcher
from hardware.camera.track.window import window_of

__all__ = ["DrawPileWatcher", "Kind", "PileEvent", "PileWatcher", "Thresholds", "window_of"]
