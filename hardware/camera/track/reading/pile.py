"""The tracked pile: its top, the cards below, and its last still view."""

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np

from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.view.change import ComparableView, comparable
from hardware.camera.track.view.top_cards import Quad, Shift, TopCard, TopHistory
from hardware.camera.track.view.window import Mask, Matrix, project
from hardware.camera.types import Picture


class TrackedPile:
    """The pile as far as it has been seen.

    Attributes:
        top: The card on top; None if there is none or none was seen yet.
        last_view: The pile when it was last still; None if it never was.
        empty_view: Its place when last empty; None if it never was.
        known: Whether it has been seen yet.
    """

    def __init__(self, limits: Thresholds) -> None:
        self._limits = limits
        self.top: TopCard | None = None
        self.history = TopHistory(limits.still.history)
        self.last_view: ComparableView | None = None
        self.empty_view: ComparableView | None = None
        self.known = False

    @property
    def outlines(self) -> list[Quad]:
        """Corners of all cards that were seen, the top first."""
        tops = self.history.latest_first()
        return [top.corners for top in ([self.top, *tops] if self.top else tops)]

    def tops(self) -> list[TopCard]:
        """Return the top and the earlier ones, latest first, each as it last looked."""
        if self.top is None or self.last_view is None:
            return []
        return [replace(self.top, view=self.last_view.view), *self.history.latest_first()]

    def remember(self, seen: ComparableView, reach: Mask | None = None) -> None:
        """Remember how the still pile looks; what hands hide is taken from the last view."""
        if reach is not None and reach.any() and self.last_view is not None:
            view = seen.view.copy()
            around = cv2.dilate(reach, np.ones((9, 9), np.uint8)) > 0
            view[around] = self.last_view.view[around]
            seen = comparable(view, self._limits)
        self.last_view = seen
        if self.known and self.top is None:
            self.empty_view = seen

    def lay(self, top: TopCard) -> None:
        """Put a card on top."""
        if self.top is not None and self.last_view is not None:
            self.history.add(replace(self.top, view=self.last_view.view))
        self.top, self.known = top, True

    def lift(self, top: TopCard, earlier: TopCard | None) -> None:
        """Take cards away; ``earlier`` is the entry of the history that shows again, if any."""
        if earlier is None:
            self.history.clear(complete=False)
        else:
            self.history.uncover(earlier)
        self.top = top

    def mark_disturbed(self) -> None:
        """Note that the cards below have moved, in an unknown way."""
        self.history.update(lambda top: replace(top, fresh=False))

    def move_top(self, corners: Quad, shift: Shift | None) -> None:
        """Move the top; if ``shift`` is given, move all cards by it."""
        if self.top is not None:
            self.top = replace(self.top, corners=corners)
        if shift is not None:
            self.history.update(
                lambda top: replace(
                    top, corners=project(shift.matrix, top.corners), view=shift.moved(top.view)
                )
            )

    def follow_camera(self, matrix: Matrix) -> None:
        """Move all positions to where a knocked camera sees them now."""

        def warped(view: Picture) -> Picture:
            size = (view.shape[1], view.shape[0])
            moved = cv2.warpPerspective(view, matrix, size, borderMode=cv2.BORDER_REPLICATE)
            return np.asarray(moved)

        def there(top: TopCard) -> TopCard:
            corners = project(matrix, top.corners)
            return replace(top, corners=corners, view=warped(top.view))

        if self.last_view is not None:
            self.last_view = comparable(warped(self.last_view.view), self._limits)
        if self.empty_view is not None:
            self.empty_view = comparable(warped(self.empty_view.view), self._limits)
        self.history.update(there)
        self.top = None if self.top is None else there(self.top)

    def improve_reading(self, probabilities: Mapping[str, float], corners: Quad) -> None:
        """Update where the top lies, and its probabilities if they are surer than before."""
        if self.top is not None:
            best = max(self.top.probabilities.values(), default=0.0)
            better = max(probabilities.values(), default=0.0) >= best
            kept = probabilities if better else self.top.probabilities
            self.top = replace(self.top, probabilities=kept, corners=corners)

    def clear(self) -> None:
        """Note that no card is left."""
        self.top, self.known = None, True
        self.history.clear()
