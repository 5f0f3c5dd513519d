"""Which of the languages at hand a reader gets."""

from collections.abc import Iterable

from referee.texts.catalog import DEFAULT, languages

LONGEST_HEADER = 1000


def pick_language(accept_language: str | None, available: Iterable[str] | None = None) -> str:
    """The best language for an Accept-Language header; English when it names none of ours."""
    ours = {name.casefold(): name for name in (languages() if available is None else available)}
    wanted = []
    for place, item in enumerate((accept_language or "")[:LONGEST_HEADER].split(",")):
        name, _, parameter = item.partition(";")
        weight = _weight(parameter)
        if weight > 0:
            wanted.append((-weight, place, name.strip().casefold()))
    for _, _, name in sorted(wanted):
        # nb-NO is content with nb, and whoever takes anything with the default
        for tag in (name, name.partition("-")[0]):
            if tag in ours:
                return ours[tag]
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
