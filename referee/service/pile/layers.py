"""The layers of the discard pile, by the game and as a camera sees them.

The pile is a list of layers. A card of the game is one layer, and so one play, whether a camera saw
it, a phone reported it, or both. Other cards lie between and above until they are explained, taken
back or put under the top card.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

Json = dict[str, Any]
# in: a card of the game. wrong: ruled illegal, to be taken back. aside: discarded, or nobody knows;
# it belongs under the top card or away. waiting: seen, and not explained yet.
Standing = Literal["in", "wrong", "aside", "waiting"]
Sight = Literal["none", "watching", "blind"]
MOST_LAYERS = 12
# The origin of a card that came from no seat.
PILE = "draw-pile"


@dataclass(frozen=True, slots=True)
class Reading:
    """A camera's reading of one change of the pile.

    Probabilities: ``kinds`` of what happened ("placed", "lifted", "found", "same"), ``cards`` of
    the card now on top, ``origin`` of the hand it came from, a seat as text. In the last two, the
    rest to 1 is unknown. ``number`` is the device's own; ``arm`` the direction a hand came from, in
    its degrees, ``drawn`` how likely that hand had the card from the draw pile; None where it did
    not say. ``outbox``: where the number counts.
    """

    kinds: Mapping[str, float]
    cards: Mapping[str, float] = field(default_factory=dict)
    origin: Mapping[str, float] = field(default_factory=dict)
    number: int = 0
    arm: float | None = None
    drawn: float | None = None
    outbox: str = ""

    @property
    def card(self) -> str | None:
        """The likeliest card, if any."""
        return max(self.cards, key=self.cards.__getitem__, default=None)


@dataclass(frozen=True, slots=True)
class Layer:
    """A card on the pile.

    ``entry`` is the log entry of the observation that brought it (0: none has), ``move`` that of
    the move that laid it (0: none), ``seat`` who did (0: turned up). ``said``: a person reported
    it; ``presumed``: the seat is inferred from whose turn it was.
    """

    card: str | None
    standing: Standing
    seen: bool = True
    entry: int = 0
    move: int = 0
    seat: int = 0
    said: bool = False
    presumed: bool = False
    reading: Reading | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the table: ``id`` is its log entry, ``entry`` the observation it is about.

    ``options`` are the likely answers, each as JSON: what happened, the card, the moves that
    follow, the seats that may choose it. ``more``: the seats that may name another card; in a
    question about a hand also the seat, the cards, the count.
    """

    id: int
    entry: int
    about: str
    options: tuple[Json, ...]
    more: Json = field(default_factory=dict)

    def shown(self) -> Json:
        """Return the question as the table sees it."""
        return {"id": self.id, "about": self.about, "options": list(self.options), **self.more}


@dataclass(frozen=True, slots=True)
class Pile:
    """The layers, lowest first, and the camera's state.

    ``warnings`` are what disturbs its view. ``gone``: the pile was cleared away, and no card has
    been seen since. ``numbers`` are the last observations by device and its outbox, ``device`` the
    camera that reported last, ``last`` what it saw that did not concern the game. ``early`` are
    calls and catches that came before their card: log entry, move, sender and time. ``hands`` are
    the questions about hands shown at the end of the round, ``away`` how many cards were put under
    the top one, unseen by cameras, since it was laid. ``arms`` are the directions that seats reach
    in from: see ``seat_directions``.
    """

    layers: tuple[Layer, ...] = ()
    sight: Sight = "none"
    reason: str | None = None
    warnings: tuple[str, ...] = ()
    gone: bool = False
    device: str | None = None
    numbers: Mapping[str, int] = field(default_factory=dict)
    question: Question | None = None
    last: Reading | None = None
    early: tuple[Json, ...] = ()
    hands: tuple[Question, ...] = ()
    away: int = 0
    arms: Mapping[str, Sequence[float]] = field(default_factory=dict)

    @property
    def top(self) -> int | None:
        """The index of the game's top card."""
        return next((i for i in reversed(range(len(self.layers))) if self._is(i, "in")), None)

    @property
    def waiting(self) -> list[int]:
        """The indices of the unexplained cards, in order of arrival."""
        return [i for i in range(len(self.layers)) if self._is(i, "waiting")]

    @property
    def visible(self) -> Layer | None:
        """The topmost card that a camera has seen and that is explained."""
        if self.gone:
            return None
        seen = [layer for layer in self.layers if layer.seen and layer.standing != "waiting"]
        return seen[-1] if seen else None

    def _is(self, at: int, standing: Standing) -> bool:
        return self.layers[at].standing == standing

    def put(self, layer: Layer) -> "Pile":
        """Return the pile with a layer on top; the lowest layers are dropped eventually."""
        layers = (*self.layers, layer)
        if len(layers) > MOST_LAYERS:
            lowest = next((i for i, old in enumerate(layers) if old.standing in ("in", "aside")), 0)
            layers = layers[:lowest] + layers[lowest + 1 :]
        return replace(self, layers=layers)

    def change(self, at: int, **changes: Any) -> "Pile":
        """Return the pile with one layer changed."""
        layers = list(self.layers)
        layers[at] = replace(layers[at], **changes)
        return replace(self, layers=tuple(layers))

    def without(self, gone: Iterable[int]) -> "Pile":
        """Return the pile without some layers."""
        out = set(gone)
        return replace(self, layers=tuple(x for i, x in enumerate(self.layers) if i not in out))

    def unwatched(self) -> "Pile":
        """Return the pile without its camera and everything that only the camera knew."""
        blind = self.without(self.waiting)
        return replace(
            blind, sight="none", reason=None, warnings=(), device=None, question=None, arms={}
        )

    def to_json(self) -> Json:
        """Return the pile as the log stores it."""
        return asdict(self)


def pile_from_json(value: Mapping[str, Any]) -> Pile:
    """Return the pile that ``to_json`` wrote."""
    return Pile(
        **{
            **value,
            "layers": tuple(
                Layer(**{**card, "reading": _reading(card["reading"])}) for card in value["layers"]
            ),
            "question": value["question"] and _question(value["question"]),
            "hands": tuple(_question(question) for question in value["hands"]),
            "last": _reading(value["last"]),
            "early": tuple(value["early"]),
            "warnings": tuple(value["warnings"]),
        }
    )


def _question(value: Mapping[str, Any]) -> Question:
    return Question(**{**value, "options": tuple(value["options"])})


def _reading(value: Mapping[str, Any] | None) -> Reading | None:
    return None if value is None else Reading(**value)
