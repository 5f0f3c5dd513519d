"""Custom cards: the effects that a table can write on a wild-custom card.

A card is ``{"text": …, "effects": [...]}``. ``variants.classic_112.custom_effects`` applies them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.rules.cards import COLORS
from referee.rules.message import Message, sent
from referee.rules.rulings import RuleError
from referee.rules.suggestions import hinted, must_be_one_of

RULE = "card.wild-custom"
MOST_CARDS = 3
MOST_EFFECTS = 20
LONGEST_TEXT = 500
MOST_COUNT = 112
WHO = ("self", "next", "others", "all")

# effect → its fields
VOCABULARY: Mapping[str, tuple[str, ...]] = {
    "draw": ("who", "count"),
    "draw_until_color": ("who", "color"),
    "discard_wilds": ("who",),
    "draw_if_cannot_play": ("who", "count"),
    "extra_turn": (),
    "hand_size": ("who", "count"),
    "open_hand": ("who",),
    "ban": ("who", "text"),
    "dare": ("who", "text", "passed", "failed"),
    "text": ("text",),
}
OPTIONAL = frozenset({"passed", "failed"})


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect of a custom card; fields that it does not use keep their defaults."""

    effect: str
    who: str = "self"
    count: int = 0
    color: str = ""
    text: str = ""
    passed: tuple["Effect", ...] = ()
    failed: tuple["Effect", ...] = ()

    def to_json(self) -> dict[str, object]:
        """Return the effect as in a record."""
        stated: dict[str, object] = {"effect": self.effect}
        for name in VOCABULARY[self.effect]:
            value = getattr(self, name)
            stated[name] = [e.to_json() for e in value] if name in OPTIONAL else value
        return stated


@dataclass(frozen=True, slots=True)
class CustomCard:
    """The text and effects of a wild-custom card."""

    text: str
    effects: tuple[Effect, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Return the card as in a record."""
        return {"text": self.text, "effects": [effect.to_json() for effect in self.effects]}

    def announced_texts(self) -> frozenset[str]:
        """Return the texts that its effects can announce, those of a dare's outcomes among them."""
        return frozenset(effect.text for effect in _all_of(self.effects) if effect.text)


def _all_of(effects: Iterable[Effect]) -> Iterator[Effect]:
    for effect in effects:
        yield effect
        yield from _all_of((*effect.passed, *effect.failed))


def parse_custom_cards(value: Any) -> tuple[CustomCard, ...]:
    """Parse the ``custom_cards`` option of a table, up to three cards. Raises RuleError."""
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) > MOST_CARDS:
        raise _bad(
            "options.custom_cards",
            Message("must be a list of at most {most} cards", most=MOST_CARDS),
        )
    return tuple(
        parse_custom_card(card, f"options.custom_cards[{i}]") for i, card in enumerate(value)
    )


def parse_custom_card(value: Any, where: str) -> CustomCard:
    """Parse one custom card; errors name the field ``where``. Raises RuleError."""
    if not isinstance(value, Mapping):
        raise _bad(where, "must be an object with text and effects")
    for name in value:
        if name not in ("text", "effects"):
            raise _bad(f"{where}.{name}", hinted("unknown field", name, ("text", "effects")))
    text = _text(value.get("text"), f"{where}.text")
    return CustomCard(text, _effects(value.get("effects", []), f"{where}.effects"))


def _effects(value: Any, where: str, nested: bool = False) -> tuple[Effect, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) > MOST_EFFECTS:
        raise _bad(where, Message("must be a list of at most {most} effects", most=MOST_EFFECTS))
    return tuple(_effect(item, f"{where}[{i}]", nested) for i, item in enumerate(value))


def _effect(value: Any, where: str, nested: bool) -> Effect:
    if not isinstance(value, Mapping):
        raise _bad(where, "must be an object")
    name = value.get("effect")
    if not isinstance(name, str) or name not in VOCABULARY:
        raise _bad(f"{where}.effect", must_be_one_of(name, VOCABULARY))
    if nested and name == "dare":
        raise _bad(f"{where}.effect", "a dare cannot be the outcome of a dare")
    wanted = VOCABULARY[name]
    for key in value:
        if key != "effect" and key not in wanted:
            reason = Message("unknown field of {name}", name=name)
            raise _bad(f"{where}.{key}", hinted(reason, key, ("effect", *wanted)))
    fields: dict[str, Any] = {}
    for key in wanted:
        if key in OPTIONAL and key not in value:
            continue
        fields[key] = _field(key, value.get(key), f"{where}.{key}")
    return Effect(name, **fields)


def _field(key: str, value: Any, where: str) -> object:
    if key == "who":
        return _one_of(value, WHO, where)
    if key == "color":
        return _one_of(value, COLORS, where)
    if key == "count":
        if type(value) is not int or not 0 <= value <= MOST_COUNT:
            reason = Message(
                "must be a whole number from {least} to {most}", least=0, most=MOST_COUNT
            )
            raise _bad(where, sent(reason, value))
        return value
    if key == "text":
        return _text(value, where)
    return _effects(value, where, nested=True)


def _one_of(value: Any, allowed: Sequence[str], where: str) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise _bad(where, must_be_one_of(value, allowed))
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > LONGEST_TEXT:
        raise _bad(where, Message("must be a text of 1 to {most} characters", most=LONGEST_TEXT))
    return value


def _bad(where: str, reason: str) -> RuleError:
    return RuleError(RULE, where, reason)
