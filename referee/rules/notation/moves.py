"""Write and read moves: ``2 red-3:U uno``, ``2 wild>blue``, ``3 draw``, ``1 catch 2``."""

from collections.abc import Callable, Mapping
from typing import Any

from referee.rules.actions import Action
from referee.rules.codec import move_to_json, parse_move
from referee.rules.message import Message
from referee.rules.notation.words import (
    COUNTED,
    NOTHING,
    VERBS,
    NotationError,
    name_from_word,
    name_to_word,
    names_from_word,
    names_to_word,
    number_from_word,
)
from referee.rules.state import MOST_SEATS

Fields = Mapping[str, Any]
BARE = frozenset({"accept", "challenge", "draw", "pass", "uno"})
JUDGED = {"passed": True, "failed": False}


def move_to_text(action: Action) -> str:
    """Return a move as one line."""
    fields = move_to_json(action)
    name = fields["move"]
    line = f"{fields['seat']} {name if name in BARE else WRITE[name](fields)}"
    return f"{line} ={fields['ruled']}" if "ruled" in fields else line


def _card(fields: Fields) -> str:
    card = name_to_word(fields["card"])
    return f"{card}>{fields['color']}" if "color" in fields else card


def _play(fields: Fields) -> str:
    words = [_card(fields)]
    if "powers" in fields:
        words.append(f"take {names_to_word(fields['powers'])}")
    if "uno" in fields:
        words.append("uno")
    return " ".join(words)


def _discard(fields: Fields) -> str:
    if "cards" in fields:
        return f"discards {names_to_word(fields['cards'])}"
    return f"discards x{fields['count']}"


WRITE: Mapping[str, Callable[[Fields], str]] = {
    "play": _play,
    "color": lambda fields: f">{fields['color']}",
    "powers": lambda fields: f"take {names_to_word(fields['powers'])}",
    "reveal": lambda fields: f"shows {names_to_word(fields['hand'])}",
    "catch": lambda fields: f"catch {fields['accused']}",
    "discard": _discard,
    "give": lambda fields: f"gives {fields['to']} {names_to_word(fields['cards'])}",
    "flip": lambda fields: f"flips {_card(fields)}",
    "report": lambda fields: f"drew {fields['drawn']}",
    "judge": lambda fields: f"judge {'passed' if fields['passed'] else 'failed'}",
    "hand-count": lambda fields: f"hand {fields['count']}",
}


def move_from_text(text: str, seats: int = MOST_SEATS) -> Action:
    """Parse a move at a table with this many seats. Raises FieldError."""
    words = text.split()
    if len(words) < 2:
        raise NotationError("move", "must be a seat and what it does, such as 2 red-7")
    ruled = {"ruled": words.pop()[1:]} if words[-1].startswith("=") else {}
    seat, *rest = words
    fields = {"seat": number_from_word(seat, "seat"), **_read(rest), **ruled}
    return parse_move(fields, seats)


def _read(words: list[str]) -> Fields:
    verb = words[0] if words else NOTHING
    if verb in BARE and len(words) == 1:
        return {"move": verb}
    if verb.startswith(">") and len(words) == 1:
        return {"move": "color", "color": verb[1:]}
    if verb not in VERBS:
        return _read_play(words)
    if verb not in READ or len(words) != READ[verb][0]:
        raise NotationError("move", Message("{words} is not a move", words=repr(" ".join(words))))
    return READ[verb][1](words)


def _read_play(words: list[str]) -> Fields:
    if not words or words[0] == NOTHING:
        raise NotationError("move", "does not say what the seat does")
    fields = {"move": "play", **_read_card(words[0])}
    rest = words[1:]
    if rest[:1] == ["take"] and len(rest) > 1:
        fields["powers"] = names_from_word(rest[1], "powers")
        rest = rest[2:]
    if rest == ["uno"]:
        fields["uno"] = True
    elif rest:
        raise NotationError(
            "move", Message("{word} does not belong after a card", word=repr(rest[0]))
        )
    return fields


def _read_card(word: str) -> dict[str, Any]:
    card, named, color = word.partition(">")
    fields = {"card": name_from_word(card, "card")}
    return {**fields, "color": color} if named else fields


def _read_discard(words: list[str]) -> Fields:
    if COUNTED.fullmatch(words[1]):
        return {"move": "discard", "count": number_from_word(words[1][1:], "count")}
    return {"move": "discard", "cards": names_from_word(words[1], "cards")}


def _read_give(words: list[str]) -> Fields:
    to, cards = number_from_word(words[1], "to"), names_from_word(words[2], "cards")
    return {"move": "give", "to": to, "cards": cards}


def _read_judge(words: list[str]) -> Fields:
    if words[1] not in JUDGED:
        raise NotationError("passed", "must be passed or failed")
    return {"move": "judge", "passed": JUDGED[words[1]]}


def _number(move: str, field: str) -> Callable[[list[str]], Fields]:
    return lambda words: {"move": move, field: number_from_word(words[1], field)}


def _names(move: str, field: str) -> Callable[[list[str]], Fields]:
    return lambda words: {"move": move, field: names_from_word(words[1], field)}


# verb → number of words, itself included, and their parser
READ: Mapping[str, tuple[int, Callable[[list[str]], Fields]]] = {
    "take": (2, _names("powers", "powers")),
    "shows": (2, _names("reveal", "hand")),
    "catch": (2, _number("catch", "accused")),
    "discards": (2, _read_discard),
    "gives": (3, _read_give),
    "flips": (2, lambda words: {"move": "flip", **_read_card(words[1])}),
    "drew": (2, _number("report", "drawn")),
    "judge": (2, _read_judge),
    "hand": (2, _number("hand-count", "count")),
}
