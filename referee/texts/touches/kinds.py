"""What can happen to a seat, and how its banner looks and ends."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """How a banner looks and what ends it.

    ``tone`` is "good", "bad", "do" (something is awaited) or "info". ``until``: "done" ends it when
    the referee awaits ``need`` no longer, "next" with the seat's next move, "acted" with anybody's,
    "counted" when the seat holds another number of cards, "tap" with a tap alone. A tap ends any of
    them, and so does what is next: a round or a game. A ``deed`` is done with one's hands, unseen
    by the referee: what comes after it, as its seat's answer to a card, is no reason to forget it.
    """

    tone: str
    until: str
    need: str | None = None
    deed: bool = False


# What happens to a seat, the weightiest first: that is what its banner is about.
KINDS: Mapping[str, Kind] = {
    "game-won": Kind("good", "tap"),
    "game-lost": Kind("info", "tap"),
    "round-won": Kind("good", "tap"),
    # Cards that are given away as the last ones are held when hands are shown.
    "given": Kind("bad", "next", deed=True),
    "hands": Kind("do", "done", "reveal"),
    "scored": Kind("good", "tap"),
    "out": Kind("bad", "tap"),
    "round-lost": Kind("info", "tap"),
    "broken-off": Kind("info", "tap"),
    "left": Kind("do", "tap", deed=True),
    # What was laid goes back into the hand that it came from: that hand comes back first.
    "hands-back": Kind("do", "next", deed=True),
    "illegal": Kind("bad", "next"),
    "late": Kind("info", "acted"),
    "undone": Kind("bad", "next", deed=True),
    "restored": Kind("info", "next", deed=True),
    "now-illegal": Kind("bad", "next", deed=True),
    "now-legal": Kind("good", "next"),
    "entered": Kind("info", "next"),
    "hands-kept": Kind("do", "counted", deed=True),
    "hand-set": Kind("info", "counted", deed=True),
    "respond": Kind("do", "done", "respond"),
    "reveal": Kind("do", "done", "reveal"),
    "draw": Kind("bad", "next", deed=True),
    "giving": Kind("do", "next", deed=True),
    "redealt": Kind("do", "next", deed=True),
    "redealing": Kind("do", "acted", deed=True),
    "swap": Kind("do", "done", "swap"),
    "hands-passed": Kind("do", "next", deed=True),
    "discarded": Kind("good", "next", deed=True),
    # Not awaited, as nobody has to: what was called ends it.
    "call-uno": Kind("do", "counted", "uno"),
    "skipped": Kind("bad", "next"),
    "dare": Kind("do", "next"),
    "ban": Kind("do", "next"),
    "watch": Kind("do", "acted"),
    "open-hand": Kind("do", "next"),
    "draw-raised": Kind("info", "next"),
    "card-says": Kind("info", "next"),
    "color": Kind("do", "done", "color"),
    "powers": Kind("do", "done", "powers"),
    "discard": Kind("do", "done", "discard"),
    "report": Kind("do", "done", "report"),
    "judge": Kind("do", "done", "judge"),
    "challenge-won": Kind("good", "next"),
    "challenge-held": Kind("good", "next"),
    "catch": Kind("good", "acted"),
    "power-lost": Kind("bad", "next", deed=True),
    "power-offered": Kind("do", "acted"),
    "power-taken": Kind("good", "next"),
    "proved": Kind("bad", "next"),
    "uno-lapsed": Kind("bad", "next"),
    "protected": Kind("good", "next"),
    "follow-up": Kind("do", "acted"),
    "reversed": Kind("info", "next"),
    "turn-gone": Kind("info", "acted"),
    "drawn": Kind("do", "done", "drawn"),
    "turn": Kind("do", "done", "play"),
}
RANK: Mapping[str, int] = {name: rank for rank, name in enumerate(KINDS)}
# What the referee waits for → what it means to the seat.
NEEDS: Mapping[str, str] = {"play": "turn", **{name: name for name in KINDS if name != "turn"}}


@dataclass(frozen=True, slots=True)
class Touch:
    """Something that happens to a seat.

    ``special`` picks sentences of its own (``draw.uno.catch``), ``args`` fill them. ``event`` is
    the log's event behind it, by which the others hear of it. What hands do before (-1) or after
    (1) anything else is told in that ``order``.
    """

    seat: int
    kind: str
    special: str | None = None
    args: Json = field(default_factory=dict)
    event: Json | None = None
    order: int = 0
