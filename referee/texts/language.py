"""Choose the reader's language."""

from collections.abc import Mapping
from functools import lru_cache

from referee.texts.catalog import DEFAULT, languages

LONGEST_HEADER = 1000
# Most requests repeat the same few tags and headers.
CACHE_SIZE = 256
# Readers of either written form of Norwegian read both.
ALIASES: Mapping[str, str] = {"nb": "no", "nn": "no"}


@lru_cache(CACHE_SIZE)
def as_language(tag: str, available: tuple[str, ...] | None = None) -> str | None:
    """Return the available language for a tag such as ``sv-FI``, None if there is none."""
    ours = {name.casefold(): name for name in (languages() if available is None else available)}
    name = tag.strip().casefold()
    short = name.partition("-")[0]
    for wanted in (name, short, ALIASES.get(short, "")):
        if wanted in ours:
            return ours[wanted]
    return None


@lru_cache(CACHE_SIZE)
def pick_language(accept_language: str | None, available: tuple[str, ...] | None = None) -> str:
    """Return the best available language for an Accept-Language header, English if none fits."""
    ours = languages() if available is None else available
    wanted = []
    for place, item in enumerate((accept_language or "")[:LONGEST_HEADER].split(",")):
        name, _, parameter = item.partition(";")
        weight = _weight(parameter)
        if weight > 0:
            wanted.append((-weight, place, name.strip()))
    for _, _, name in sorted(wanted):
        language = as_language(name, ours)
        if language is not None:
            return language
        if name == "*":
            break
    return DEFAULT


def _weight(parameter: str) -> float:
    """Parse ``q=0.8``: 1 without a weight, 0 (unwanted) if it cannot be parsed."""
    name, equals, value = parameter.partition("=")
    if not equals or name.strip().casefold() != "q":
        return 1.0
    digits = value.strip()
    plain = digits.isascii() and digits.replace(".", "", 1).isdecimal()
    return min(float(digits), 1.0) if plain else 0.0
