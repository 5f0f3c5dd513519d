"""Which form of a word goes with a number, as CLDR has it for each language."""

from functools import cache

from babel import Locale

ORDER = ("zero", "one", "two", "few", "many", "other")
# Every whole number falls into a category that some number up to here is in.
ENOUGH = 200


@cache
def categories(lang: str) -> tuple[str, ...]:
    """The categories that whole numbers fall into, in CLDR's order: ``one``, ``few``, ``many``.

    Those of fractions alone are left out: nothing at a card table is counted in halves.
    """
    rule = Locale.parse(lang, sep="-").plural_form
    found = {rule(number) for number in range(ENOUGH + 1)}
    return tuple(category for category in ORDER if category in found)


def plural(lang: str, number: int, forms: tuple[str, ...]) -> str:
    """The form for a number, of forms in the order of ``categories``; the last one if too few."""
    category = Locale.parse(lang, sep="-").plural_form(number)
    return forms[min(categories(lang).index(category), len(forms) - 1)]
