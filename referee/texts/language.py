"""Which of the languages at hand a reader gets."""

from collections.abc import Mapping
from functools import lru_cache

from referee.texts.catalog import DEFAULT, languages

LONGEST_HEADER = 1000
# The same few tags and headers come with every request.
MOST_KEPT = 256
# Both written forms of Norwegian are read by whoever reads the other.
SAME: Mapping[str, str] = {"nb": "no", "nn": "no"}


@lru_cache(MOST_KEPT)
def as_language(tag: str, available: tuple[str, ...] | None = None) -> str | None:
    """The language at hand that a tag such as ``sv-FI`` asks for; None when there is none."""
    ours = {name.casefold(): name for name in (languages() if available is None else available)}
    name = tag.strip().casefold()
    short = name.partition("-")[0]
    # nb-NO is content with nb, and with no where there is no nb
    for wanted in (name, short, SAME.get(short, "")):
        if wanted in ours:
            return ours[wanted]
    return None


@lru_cache(MOST_KEPT)
def pick_language(accept_language: str | None, available: tuple[str, ...] | None = None) -> str:
    """The best language for an Accept-Language header; English when it names none of ours."""
    ours = languages() if available is None else available
    wanted = []
    for place, item in enumerate((accept_language or "")[:LONGEST_HEADER].split(",")):
        name, _, parameter = item.partition(";")
        weight = _weight(parameter)
        if weight > 0:
            wanted.append((-weight, place, name.strip()))
    for _, _, name in sorted(wanted):
        found = as_language(name, ours)
        if found is not None:
            return found
        # whoever takes anything is content with the default
        if name == "*":
            break
    return DEFAULT


def _weight(parameter: str) -> float:
    """The weight that ``q=0.8`` gives; 1 without one, 0 (not wanted) for what cannot be read."""
    name, equals, value = parameter.partition("=")
    if not equals or name.strip().casefold() != "q":
        return 1.0
    digits = value.strip()
    plain = digits.isascii() and digits.replace(".", "", 1).isdecimal()
    return min(float(digits), 1.0) if plain else 0.0
