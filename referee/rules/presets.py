"""Ready-made sets of house rules, and short codes for a table's own.

A code has a letter for each option that is not at its default, and its value: the place of a
choice, or the number itself. ``S2J1H5`` is stacking with any card, jumping in, and five cards each.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from referee.rules.message import Message, quoted
from referee.rules.options import OPTIONS
from referee.rules.rulings import RuleError
from referee.rules.suggestions import hinted

RULE = "house.options"
OFFICIAL, HOME, PARTY = "official", "home", "party"
PRESETS: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        OFFICIAL: {},
        HOME: {"stacking": "same", "draw_until": "playable"},
        PARTY: {
            "stacking": "any",
            "jump_in": "on",
            "seven_zero": "on",
            "draw_until": "playable",
            "wild_draw_four": "free",
        },
    }
)
LETTERS: Mapping[str, str] = {
    option.letter: name
    for name, option in sorted(OPTIONS.items(), key=lambda item: item[1].letter)
    if option.letter
}
PART = re.compile(r"([A-Z])(\d{1,7})")
CODE = re.compile(r"(?:[A-Z]\d{1,7})+")
LONGEST_CODE = 80


def code_of(options: Mapping[str, Any]) -> str:
    """Return the code of options as in a record; ``official`` if there are none."""
    parts = []
    for letter, option in LETTERS.items():
        value = options.get(option)
        if value is not None:
            known = OPTIONS[option]
            number = value if known.numbers else known.choices.index(value)
            parts.append(f"{letter}{number}")
    return "".join(parts) or OFFICIAL


def preset_options(word: str, field: str = "preset") -> dict[str, object]:
    """Return the options of a preset or a code. Raises RuleError."""
    if word.casefold() in PRESETS:
        return dict(PRESETS[word.casefold()])
    code = word.replace("-", "").replace(" ", "").upper()
    if len(code) > LONGEST_CODE or not CODE.fullmatch(code):
        reason = Message("there is no preset {preset}", preset=quoted(word))
        raise RuleError(RULE, field, hinted(reason, word, PRESETS))
    options: dict[str, object] = {}
    for letter, number in PART.findall(code):
        name, place = LETTERS.get(letter, ""), int(number)
        option = OPTIONS.get(name)
        if option is None or name in options or not (option.numbers or option.choices[place:]):
            reason = Message("there is no preset {preset}", preset=quoted(word))
            raise RuleError(RULE, field, reason)
        options[name] = place if option.numbers else option.choices[place]
    return options


def with_preset(word: str | None, options: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Return options on top of those of a preset, if there is one. Raises RuleError."""
    return options if word is None else {**preset_options(word), **(options or {})}
