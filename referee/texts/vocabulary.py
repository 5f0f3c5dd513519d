"""Turn arguments into words: seats into names, cards and colours into the reader's language."""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from referee.rules.book.rulebook import rulebook
from referee.rules.cards import COLORS
from referee.rules.custom import CustomCard
from referee.rules.ruleset import Ruleset
from referee.texts.catalog import GENDER, Sentence, fill, find, find_in, form_of
from referee.texts.own_cards import own_text, with_text


@dataclass(frozen=True, slots=True)
class Speaker:
    """Words and sentences for one reader at one table."""

    lang: str
    seats: Sequence[str]
    ruleset: Ruleset | None = None

    def say(self, section: str, name: str, words: Mapping[str, str]) -> str | None:
        """Return the sentence of an id, None if there is none that ``words`` can fill."""
        if self.ruleset is not None and self.ruleset.wordings:
            section, _, name = self.ruleset.wordings.get(
                f"{section}.{name}", f"{section}.{name}"
            ).partition(".")
        return fill(find(section, name, self.lang, self.ruleset), words)

    def word(self, section: str, name: str) -> Sentence:
        """Return the word for an id, else the id with spaces for hyphens."""
        return word_in(section, name, self.lang, self.folder)

    @property
    def folder(self) -> Path | None:
        """The deck's folder."""
        return None if self.ruleset is None else self.ruleset.folder

    def words(self, args: Mapping[str, Any]) -> dict[str, str]:
        """Return the arguments as words, without empty ones (None, no seat, an empty list).

        A list ``cards`` also gives its length, as ``cards_count``, and a power that goes back to
        where nobody has it that place, as ``tray``.
        """
        words: dict[str, str] = {}
        for name, value in args.items():
            text = WORDS[name](self, value) if name in WORDS else _plain(value)
            if text:
                words[name] = text
            if isinstance(value, list | tuple):
                words[f"{name}_count"] = str(len(value))
            elif isinstance(value, Mapping) and "count" in value:
                # Hidden cards are only counted.
                words[f"{name}_count"] = str(value["count"])
        if args.get("to") == 0:
            words["tray"] = self.word("place", "tray")
        return words

    def seat(self, number: Any) -> str:
        """Return the player's name, empty for no seat."""
        if not isinstance(number, int) or not 1 <= number <= len(self.seats):
            return ""
        return self.seats[number - 1]

    def team_scores(self, teams: Iterable[Sequence[int]], scores: Sequence[int]) -> str:
        """Return each team's players with what their scores sum to."""
        return ", ".join(
            f"{_seats(self, team)} {sum(scores[seat - 1] for seat in team)}" for team in teams
        )

    def place(self, number: int) -> str:
        """Return the tray (0) or a seat, taken or empty, as a place on the table."""
        if number == 0:
            return self.word("place", "tray")
        name = self.seat(number)
        if name:
            return self.say("place", "seat", {"seat": name}) or name
        return self.say("place", "empty", {"number": str(number)}) or str(number)

    def card(self, name: Any) -> Sentence:
        """Return a card's name in all its forms, with what this table has written on it."""
        card = card_name(str(name), self.lang, self.folder)
        own = self.own_card(str(name))
        return with_text(card, own_text(own.text, self.ruleset, self.lang)) if own else card

    def own_card(self, card: str | None) -> CustomCard | None:
        """Return what this table has written on a card, None if nothing."""
        rules = self.ruleset
        if rules is None or card not in rules.custom[: len(rules.written)]:
            return None
        return rules.written[rules.custom.index(card)]

    def color(self, name: Any) -> str:
        """Return a colour's name, empty for none."""
        return self.word("color", name) if name else ""

    def rule(self, name: Any) -> str:
        """Return a rule's title, or its id if the deck is not known."""
        rules = rulebook(self.ruleset, self.lang) if self.ruleset is not None else {}
        return rules[name].title if name in rules else str(name)

    def house_rule(self, name: str) -> tuple[str, str] | None:
        """Return that a rule is this table's own, and what the sheet says; None if it is not."""
        rule = rulebook(self.ruleset, self.lang).get(name) if self.ruleset is not None else None
        if rule is None or not rule.official:
            return None
        own = self.say("house", "own", {"title": rule.title}) or rule.title
        return own, self.say("house", "sheet", {"official": rule.official}) or ""

    def needs(self, needs: Iterable[Any]) -> str:
        """Return a phrase for what is awaited and from whom, or for nothing.

        Whoever owes the same is named together, and the same players are named once:
        ``Ann names a colour and chooses what to take``.
        """
        by_need: dict[str, list[int]] = {}
        for need in needs:
            seat, name = (need["seat"], need["need"]) if isinstance(need, Mapping) else need
            by_need.setdefault(name, []).append(seat)
        by_seats: dict[tuple[int, ...], list[str]] = {}
        for name, seats in by_need.items():
            by_seats.setdefault(tuple(seats), []).append(name)
        phrases = [self._owed(seats, names) for seats, names in by_seats.items()]
        return "; ".join(phrases) or self.word("need", "nothing")

    def _owed(self, seats: tuple[int, ...], names: Sequence[str]) -> str:
        """Return a phrase for all that the same seats owe; every one begins with their names."""
        words = self.words({"seats": seats})
        phrases = [self.say("need", name, words) or name for name in names]
        rest = [phrase.removeprefix(f"{words['seats']} ") for phrase in phrases[1:]]
        return self.listed([*phrases[:1], *rest])

    def listed(self, items: Sequence[str]) -> str:
        """Return ``one, two and three``, in the forms that the items have."""
        return _joined(items, lambda names: _and(names, self.word("word", "and")))


def _and(items: Sequence[str], word: str) -> str:
    """Join names with the word for "and", in its form before the sound that the last begins with.

    An h is silent in the languages that have such forms (Spanish ``before-i``).
    """
    if len(items) < 2:
        return "".join(items)
    sound = unicodedata.normalize("NFD", items[-1].casefold()).removeprefix("h")[:1]
    return f"{', '.join(items[:-1])} {form_of(word, f'before-{sound}')} {items[-1]}"


def _comma(items: Sequence[str]) -> str:
    return ", ".join(items)


def _joined(items: Sequence[str], join: Callable[[Sequence[str]], str]) -> str:
    """Join names; a list of words of ours has their forms."""
    forms = {form for item in items if isinstance(item, Sentence) for form in item.forms}
    if not items or not isinstance(items[0], Sentence):
        return join(items)
    every = {form: join([form_of(item, form) for item in items]) for form in forms}
    return Sentence(join(items), items[0].lang, every)


def _plain(value: Any) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _seats(speaker: Speaker, value: Any) -> str:
    return speaker.listed([speaker.seat(seat) for seat in value])


def _card(speaker: Speaker, value: Any) -> str:
    return speaker.card(value) if value else ""


def _top(speaker: Speaker, value: Any) -> str:
    """Return the card on top; what is written on it was done when it was laid."""
    return card_name(str(value), speaker.lang, speaker.folder) if value else ""


def _scores(speaker: Speaker, value: Any) -> str:
    return ", ".join(f"{name} {score}" for name, score in zip(speaker.seats, value, strict=False))


# argument → how to word it; other arguments are text or numbers and stay as they are
WORDS: Mapping[str, Callable[[Speaker, Any], str]] = {
    "seat": Speaker.seat,
    "out": Speaker.seat,
    "turn": Speaker.seat,
    "to": Speaker.seat,
    "accused": Speaker.seat,
    "dealer": Speaker.seat,
    "until": Speaker.seat,
    "by": Speaker.seat,
    "seats": _seats,
    "order": _seats,
    "card": _card,
    "top": _top,
    "opening": lambda speaker, value: speaker.listed([speaker.card(card) for card in value]),
    "playable": lambda speaker, value: _joined([speaker.card(card) for card in value], _comma),
    "color": Speaker.color,
    "colors": lambda speaker, value: _joined([speaker.color(color) for color in value], _comma),
    "others": lambda speaker, value: _comma([speaker.seat(seat) for seat in value]),
    "power": lambda speaker, value: speaker.word("power", value),
    "powers": lambda speaker, value: speaker.listed([speaker.word("power", p) for p in value]),
    "takeable": lambda speaker, value: _joined([speaker.word("power", p) for p in value], _comma),
    "direction": lambda speaker, value: speaker.word("direction", str(value)),
    "awaiting": Speaker.needs,
    "needs": lambda speaker, value: speaker.needs(value) if value else "",
    "scores": _scores,
    "rule": Speaker.rule,
    "text": lambda speaker, value: own_text(_plain(value), speaker.ruleset, speaker.lang),
    "place": Speaker.place,
    "places": lambda speaker, value: speaker.listed([speaker.place(place) for place in value]),
}


# A few decks in every language; clients can ask for cards that no deck has.
MOST_KEPT = 8192


def word_in(section: str, name: str, lang: str, folder: Path | None) -> Sentence:
    """Return the word for an id, else the id with spaces for hyphens."""
    word = find_in(section, name, lang, folder)
    return word[0] if word else Sentence(name.replace("-", " "), lang)


@lru_cache(MOST_KEPT)
def card_name(card: str, lang: str, folder: Path | None) -> Sentence:
    """Return a card's name, ``red 7`` or ``wild draw four``, in all its forms.

    ``folder`` is the deck's. Colour and pattern agree with the gender of the symbol's name.
    """
    color, _, face = card.partition("-")
    if color not in COLORS or not face:
        return word_in("symbol", card, lang, folder)
    symbol, marked, icon = face.partition(":")
    noun = word_in("symbol", symbol, lang, folder)
    # In some languages a colour has another form before a noun.
    shade = word_in("card-color", color, lang, folder)
    pattern = word_in("card", "icon" if marked else "colored", lang, folder)
    gender = noun.forms.get(GENDER, "")

    def put_together(form: str) -> str:
        words = {
            "color": str(form_of(shade, form, gender)),
            "symbol": str(form_of(noun, form)),
            "icon": icon,
        }
        return fill([Sentence(form_of(pattern, form, gender), lang)], words) or card

    parts = (pattern, shade, noun)
    forms = {form.rpartition("-")[2] for part in parts for form in part.forms} - {GENDER}
    return Sentence(put_together(""), lang, {form: put_together(form) for form in forms})
