"""Notices that the cards shown are of another deck than the named one."""

from collections import OrderedDict
from collections.abc import Iterable

from hardware.camera.decks import RULESETS
from hardware.camera.thresholds import DECK_MEMORY, SURE, TOO_STRANGE
from hardware.camera.types import Detection, Picture, Recogniser


class DeckDoubt:
    """Remembers the last cards read, and which of them the named deck lacks."""

    def __init__(self) -> None:
        # Cards read surely, the latest last, each with whether it is a stranger.
        self._read: OrderedDict[str, bool] = OrderedDict()

    def see(self, detections: Iterable[Detection]) -> None:
        """Take the cards of a picture."""
        for detection in detections:
            card = stranger(detection) or (detection.best if detection.sure else None)
            if card is not None:
                self._read[card] = card in detection.strange
                self._read.move_to_end(card)
                if len(self._read) > DECK_MEMORY:
                    self._read.popitem(last=False)

    def looks_like(self, least: int = TOO_STRANGE) -> list[str]:
        """Return the rulesets whose deck fits better, the likeliest ones; empty if all is well.

        ``least`` is the number of different strangers that it takes.
        """
        strangers = {card for card, strange in self._read.items() if strange}
        if len(strangers) < least:
            return []
        fits = {
            name: (len(strangers & ids), len(self._read.keys() & ids))
            for name, deck in RULESETS.items()
            for ids in ({card.id for card in deck},)
        }
        return [name for name, fit in fits.items() if fit == max(fits.values())]


class DoubtingRecogniser:
    """A recogniser that keeps a ``DeckDoubt`` of what it reads."""

    def __init__(self, recogniser: Recogniser) -> None:
        self._recogniser = recogniser
        self.doubt = DeckDoubt()

    def recognise(self, picture: Picture, *, parts: bool = True) -> list[Detection]:
        """Return the cards in a picture, as the recogniser finds them."""
        detections = self._recogniser.recognise(picture, parts=parts)
        self.doubt.see(detections)
        return detections


def stranger(detection: Detection) -> str | None:
    """Return the card that the deck lacks, if this surely is one."""
    card, chance = next(iter(detection.strange.items()), (None, 0.0))
    return card if chance >= SURE else None


def warning(decks: Iterable[str]) -> str:
    """Say which decks the cards look like; empty for none."""
    names = " or ".join(decks)
    return f"these cards look like {names}: is the ruleset right?" if names else ""
