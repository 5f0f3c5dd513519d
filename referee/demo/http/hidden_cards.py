"""Check that a spectator learns of open cards only, never of a card in a hand."""

from collections.abc import Iterator, Mapping
from typing import Any

from referee.demo.http.client import DemoError
from referee.rules import actions as act
from referee.rules.actions import Move
from referee.rules.ruleset import Ruleset

Json = Mapping[str, Any]
# Sentences name these cards in general, for example when a challenge is explained.
SPOKEN_OF = frozenset({"wild", "wild-draw-four"})


def open_cards(move: Move, before: Json, after: Json) -> frozenset[str]:
    """Return the cards that everybody sees when the move is made."""
    seen = {before["top"], after["top"]}
    if isinstance(move, act.Play | act.Flip):
        seen.add(move.card)
    elif isinstance(move, act.Discard):
        seen.update(move.cards or ())
    elif isinstance(move, act.Reveal | act.Give) and not shows_to_one(move, after):
        seen.update((move.hand or ()) if isinstance(move, act.Reveal) else move.cards)
    return frozenset(seen)


def shows_to_one(move: Move, after: Json) -> bool:
    """Return whether the move shows cards to one player only, as none does after a round."""
    return isinstance(move, act.Reveal | act.Give) and after["round_winner"] is None


def check_hidden_cards(entry: Json, allowed: frozenset[str], ruleset: Ruleset) -> None:
    """Raise DemoError if the entry names a card that is not ``allowed``."""
    leaked = sorted(cards_named(entry, ruleset) - allowed - SPOKEN_OF)
    if leaked:
        named = ", ".join(leaked)
        raise DemoError(f"Event {entry['id']} tells a spectator of cards in a hand: {named}.")


def cards_named(entry: Json, ruleset: Ruleset) -> set[str]:
    """Return every card that an entry names, by its id or in a sentence."""
    cards = ruleset.deck.cards
    words = {name.replace("-", " ").replace(":", " with "): name for name in cards}
    longest_first = sorted(words, key=len, reverse=True)
    found = set()
    for text in strings_in(entry):
        if text in cards:
            found.add(text)
            continue
        for word in longest_first if " " in text else ():
            if word in text:
                found.add(words[word])
                text = text.replace(word, "")
    return found


def strings_in(value: Any) -> Iterator[str]:
    """Yield every string in a JSON value, the names of fields included."""
    if isinstance(value, Mapping):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list):
        for item in value:
            yield from strings_in(item)
    elif isinstance(value, str):
        yield value
