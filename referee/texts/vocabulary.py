"""Turn arguments into words: seats into names, cards and colours into the reader's language."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.rules.cards import COLORS
from referee.rules.rulebook import rulebook
from referee.rules.ruleset import Ruleset
from referee.texts.catalog import fill, find


@dataclass(frozen=True, slots=True)
class Speaker:
    """Words and sentences for one reader at one table."""

    lang: str
    seats: Sequence[str]
    ruleset: Ruleset | None = None

    def say(self, section: str, name: str, words: Mapping[str, str]) -> str | None:
        """Return the sentence of an id, None if there is none that ``words`` can fill."""
        return fill(find(section, name, self.lang, self.ruleset), words)

    def word(self, section: str, name: str) -> str:
        """Return the word for an id, else the id with spaces for hyphens."""
        found = find(section, name, self.lang, self.ruleset)
        return found[0] if found else name.replace("-", " ")

    def words(self, args: Mapping[str, Any]) -> dict[str, str]:
        """Return the arguments as words, without empty ones (None, no seat, an empty list).

        A list ``cards`` also gives its length, as ``cards_count``.
        """
        found: dict[str, str] = {}
        for name, value in args.items():
            text = WORDS[name](self, value) if name in WORDS else _plain(value)
            if text:
                found[name] = text
            if isinstance(value, list | tuple):
                found[f"{name}_count"] = str(len(value))
        return found

    def seat(self, number: Any) -> str:
        """Return the player's name, empty for no seat."""
        if not isinstance(number, int) or not 1 <= number <= len(self.seats):
            return ""
        return self.seats[number - 1]

    def place(self, number: int) -> str:
        """Return the tray (0) or a seat, taken or empty, as a place on the table."""
        if number == 0:
            return self.word("place", "tray")
        name = self.seat(number)
        if name:
            return self.say("place", "seat", {"seat": name}) or name
        return self.say("place", "empty", {"number": str(number)}) or str(number)

    def card(self, name: Any) -> str:
        """Return a card's name: ``red 7``, ``wild draw four``."""
        color, _, face = str(name).partition("-")
        if color not in COLORS or not face:
            return self.word("symbol", str(name))
        symbol, marked, icon = face.partition(":")
        # In some languages a colour has another form before a noun.
        shade = self.word("card-color", color)
        words = {"color": shade, "symbol": self.word("symbol", symbol), "icon": icon}
        return self.say("card", "icon" if marked else "colored", words) or str(name)

    def color(self, name: Any) -> str:
        """Return a colour's name, empty for none."""
        return self.word("color", name) if name else ""

    def rule(self, name: Any) -> str:
        """Return a rule's title, or its id if the deck is not known."""
        rules = rulebook(self.ruleset, self.lang) if self.ruleset is not None else {}
        return rules[name].title if name in rules else str(name)

    def needs(self, needs: Iterable[Any]) -> str:
        """Return a phrase for what is awaited and from whom, or for nothing."""
        items = []
        for need in needs:
            seat, name = (need["seat"], need["need"]) if isinstance(need, Mapping) else need
            items.append(self.say("need", name, {"seat": self.seat(seat)}) or name)
        return self.listed(items) or self.word("need", "nothing")

    def listed(self, items: Sequence[str]) -> str:
        """Return ``one, two and three``."""
        if len(items) < 2:
            return "".join(items)
        return f"{', '.join(items[:-1])} {self.word('word', 'and')} {items[-1]}"


def _plain(value: Any) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _seats(speaker: Speaker, value: Any) -> str:
    return speaker.listed([speaker.seat(seat) for seat in value])


def _card(speaker: Speaker, value: Any) -> str:
    return speaker.card(value) if value else ""


def _scores(speaker: Speaker, value: Any) -> str:
    return ", ".join(f"{name} {score}" for name, score in zip(speaker.seats, value, strict=False))


# argument → how to word it; other arguments are text or numbers and stay as they are
WORDS: Mapping[str, Callable[[Speaker, Any], str]] = {
    "seat": Speaker.seat,
    "turn": Speaker.seat,
    "to": Speaker.seat,
    "accused": Speaker.seat,
    "dealer": Speaker.seat,
    "until": Speaker.seat,
    "seats": _seats,
    "card": _card,
    "top": _card,
    "opening": lambda speaker, value: speaker.listed([speaker.card(card) for card in value]),
    "playable": lambda speaker, value: ", ".join(speaker.card(card) for card in value),
    "color": Speaker.color,
    "colors": lambda speaker, value: ", ".join(speaker.color(color) for color in value),
    "power": lambda speaker, value: speaker.word("power", value),
    "powers": lambda speaker, value: speaker.listed([speaker.word("power", p) for p in value]),
    "direction": lambda speaker, value: speaker.word("direction", str(value)),
    "awaiting": Speaker.needs,
    "needs": lambda speaker, value: speaker.needs(value) if value else "",
    "scores": _scores,
    "rule": Speaker.rule,
    "place": Speaker.place,
    "places": lambda speaker, value: speaker.listed([speaker.place(place) for place in value]),
}
