"""Write and read moves: ``2 red-3:U uno``, ``2 wild>blue``, ``3 draw``, ``1 catch 2``.

``3 draw 4`` takes four cards; ``2 red-7 swap 3`` and ``2 swap 3`` swap hands with seat 3.
A hand that was not shown is ``3 counts 25`` points, or ``3 counts unknown``.
"""

from collections.abc import Callable, Mapping
from typing import Any

from referee.rules.actions import Action
from referee.rules.codec import move_to_json, parse_move
from referee.rules.message import Message, quoted
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
from referee.rules.ruleset import most_seats

Fields = Mapping[str, Any]
BARE = frozenset({"accept", "challenge", "draw", "leave", "pass", "timeout", "uno"})
UNKNOWN = "unknown"
JUDGED = {"passed": True, "failed": False}


def _judged_to_word(passed: bool) -> str:
    return "passed" if passed else "failed"


def _judged_from_word(word: str, part: str) -> bool:
    if word not in JUDGED:
        raise NotationError(part, "must be passed or failed")
    return JUDGED[word]


# Writer and reader of a word.
Kind = tuple[Callable[[Any], str], Callable[[str, str], Any]]
NUMBER: Kind = (str, number_from_word)
NAMES: Kind = (names_to_word, names_from_word)
JUDGEMENT: Kind = (_judged_to_word, _judged_from_word)
# verb → the move, and the words after the verb: field and kind
FORMS: Mapping[str, tuple[str, Mapping[str, Kind]]] = {
    "take": ("powers", {"powers": NAMES}),
    "shows": ("reveal", {"hand": NAMES}),
    "catch": ("catch", {"accused": NUMBER}),
    "discards": ("discard", {"cards": NAMES}),
    "gives": ("give", {"to": NUMBER, "cards": NAMES}),
    "flips": ("flip", {"card": NAMES}),
    "drew": ("report", {"drawn": NUMBER}),
    "judge": ("judge", {"passed": JUDGEMENT}),
    "hand": ("hand-count", {"count": NUMBER}),
    "swap": ("swap", {"with": NUMBER}),
    "draw": ("draw", {"count": NUMBER}),
}
VERB_OF = {move: verb for verb, (move, _) in FORMS.items()}


def move_to_text(action: Action) -> str:
    """Return a move as one line."""
    fields = move_to_json(action)
    name = fields["move"]
    bare = name in BARE and "count" not in fields
    line = f"{fields['seat']} {name if bare else _write(name, fields)}"
    return f"{line} ={fields['ruled']}" if "ruled" in fields else line


def _card(fields: Fields) -> str:
    card = name_to_word(fields["card"])
    return f"{card}>{fields['color']}" if "color" in fields else card


def _write(name: str, fields: Fields) -> str:
    if name == "color":
        return f">{fields['color']}"
    if name == "play":
        taken = [f"take {names_to_word(fields['powers'])}"] if "powers" in fields else []
        swap = [f"swap {fields['swap_with']}"] if "swap_with" in fields else []
        uno = ["uno"] if "uno" in fields else []
        return " ".join([_card(fields), *taken, *swap, *uno])
    if name == "reveal" and "hand" not in fields:
        return f"counts {fields.get('points', UNKNOWN)}"
    verb = VERB_OF[name]
    if name == "flip":
        return f"{verb} {_card(fields)}"
    if "cards" not in fields and name == "discard":
        return f"{verb} x{fields['count']}"
    words = (write(fields[field]) for field, (write, _) in FORMS[verb][1].items())
    return " ".join([verb, *words])


def move_from_text(text: str, seats: int | None = None) -> Action:
    """Parse a move at a table with this many seats, or at any. Raises FieldError."""
    words = text.split()
    if len(words) < 2:
        raise NotationError("move", "must be a seat and what it does, such as 2 red-7")
    ruled = {"ruled": words.pop()[1:]} if words[-1].startswith("=") else {}
    seat, *rest = words
    fields = {"seat": number_from_word(seat, "seat"), **_read(rest), **ruled}
    return parse_move(fields, most_seats() if seats is None else seats)


def _read(words: list[str]) -> Fields:
    verb = words[0] if words else NOTHING
    if verb in BARE and len(words) == 1:
        return {"move": verb}
    if verb.startswith(">") and len(words) == 1:
        return {"move": "color", "color": verb[1:]}
    if verb not in VERBS:
        return _read_play(words)
    if verb == "counts" and len(words) == 2:
        points = {} if words[1] == UNKNOWN else {"points": number_from_word(words[1], "points")}
        return {"move": "reveal", **(points or {UNKNOWN: True})}
    if verb not in FORMS or len(words) != 1 + len(FORMS[verb][1]):
        raise NotationError("move", Message("{words} is not a move", words=quoted(" ".join(words))))
    move, kinds = FORMS[verb]
    if move == "flip":
        return {"move": move, **_read_card(words[1])}
    if move == "discard" and COUNTED.fullmatch(words[1]):
        return {"move": move, "count": number_from_word(words[1][1:], "count")}
    read = zip(kinds.items(), words[1:], strict=True)
    return {"move": move, **{field: kind[1](word, field) for (field, kind), word in read}}


def _read_play(words: list[str]) -> Fields:
    if not words or words[0] == NOTHING:
        raise NotationError("move", "does not say what the seat does")
    fields = {"move": "play", **_read_card(words[0])}
    rest = words[1:]
    if rest[:1] == ["take"] and len(rest) > 1:
        fields["powers"] = names_from_word(rest[1], "powers")
        rest = rest[2:]
    if rest[:1] == ["swap"] and len(rest) > 1:
        fields["swap_with"] = number_from_word(rest[1], "swap_with")
        rest = rest[2:]
    if rest == ["uno"]:
        fields["uno"] = True
    elif rest:
        raise NotationError(
            "move", Message("{word} does not belong after a card", word=quoted(rest[0]))
        )
    return fields


def _read_card(word: str) -> dict[str, Any]:
    card, named, color = word.partition(">")
    fields = {"card": name_from_word(card, "card")}
    return {**fields, "color": color} if named else fields
