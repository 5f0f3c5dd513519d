"""What is known of the pile: the top, what was below it, and what it looks like when still."""

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np

from hardware.camera.track.change import ComparableView, comparable
from hardware.camera.track.shift import Shift
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.top_cards import Quad, TopCard, TopHistory
from hardware.camera.track.window import Mask, Matrix, project
from hardware.camera.types import Picture


class TrackedPile:
    """The pile as far as it has been seen.

    Args:
        limits: The thresholds.

    Attributes:
        top: The card on top; None if there is none, or nothing was seen yet.
        history: What was on top before and still lies below.
        before: The pile when it was last still; None if it never was.
        empty: Its place when it was last empty; None if it never was.
        known: Whether anything was seen of it yet.
    """

    def __init__(self, limits: Thresholds) -> None:
        self._limits = limits
        self.top: TopCard | None = None
        self.history = TopHistory(limits.history)
        self.before: ComparableView | None = None
        self.empty: ComparableView | None = None
        self.known = False

    @property
    def places(self) -> list[Quad]:
        """Where all cards lie that were seen."""
        tops = self.history.latest_first()
        return [one.corners for one in ([self.top, *tops] if self.top else tops)]

    def tops(self) -> list[TopCard]:
        """What lies on top and what did before, the latest first, each as it looked last."""
        if self.top is None or self.before is None:
            return []
        return [replace(self.top, view=self.before.view), *self.history.latest_first()]

    def still(self, now: ComparableView, reach: Mask | None = None) -> None:
        """This is what it looks like now.

        Args:
            now: The view.
            reach: Where a hand hides it; what is known of there is kept.
        """
        if reach is not None and reach.any() and self.before is not None:
            view = now.view.copy()
            around = cv2.dilate(reach, np.ones((9, 9), np.uint8)) > 0
            view[around] = self.before.view[around]
            now = comparable(view, self._limits)
        self.before = now
        if self.known and self.top is None:
            self.empty = now

    def lay(self, top: TopCard) -> None:
        """A card was laid."""
        if self.top is not None and self.before is not None:
            # As it looked last, before it was covered.
            self.history.add(replace(self.top, view=self.before.view))
        self.top, self.known = top, True

    def lift(self, top: TopCard, earlier: TopCard | None) -> None:
        """Cards were lifted; ``earlier`` is what the top was called before, if it was seen."""
        if earlier is None:
            self.history.clear(complete=False)
        else:
            self.history.back_to(earlier)
        self.top = top

    def stir(self) -> None:
        """The cards below have moved, nobody knows how."""
        self.history.change(lambda one: replace(one, fresh=False))

    def move(self, corners: Quad, shift: Shift | None) -> None:
        """The top was moved; with ``shift`` all of the pile moved so."""
        if self.top is not None:
            self.top = replace(self.top, corners=corners)
        if shift is not None:
            self.history.change(
                lambda one: replace(
                    one, corners=project(shift.matrix, one.corners), view=shift.moved(one.view)
                )
            )

    def carry(self, matrix: Matrix) -> None:
        """The camera has moved: all that was seen would now be seen elsewhere."""

        def carried(view: Picture) -> Picture:
            size = (view.shape[1], view.shape[0])
            warped = cv2.warpPerspective(view, matrix, size, borderMode=cv2.BORDER_REPLICATE)
            return np.asarray(warped)

        def there(top: TopCard) -> TopCard:
            corners = project(matrix, top.corners)
            return replace(top, corners=corners, view=carried(top.view))

        if self.before is not None:
            self.before = comparable(carried(self.before.view), self._limits)
        if self.empty is not None:
            self.empty = comparable(carried(self.empty.view), self._limits)
        self.history.change(there)
        self.top = None if self.top is None else there(self.top)

    def read_again(self, probabilities: Mapping[str, float], corners: Quad) -> None:
        """The top was read once more, no less surely than before."""
        if self.top is not None:
            best = max(self.top.probabilities.values(), default=0.0)
            better = max(probabilities.values(), default=0.0) >= best
            kept = probabilities if better else self.top.probabilities
            self.top = replace(self.top, probabilities=kept, corners=corners)

    def clear(self) -> None:
        """There is no card any more."""
        self.top, self.known = None, True
        self.history.clear()
