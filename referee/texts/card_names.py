"""Names of cards, put together from pattern, colour and symbol, in all their forms."""

from functools import lru_cache
from pathlib import Path

from referee.rules.cards import COLORS
from referee.texts.catalog import GENDER, Sentence, fill, find_in, form_of

# A few decks in every language; clients can ask for cards that no deck has.
MOST_KEPT = 8192


def word_in(section: str, name: str, lang: str, folder: Path | None) -> Sentence:
    """Return the word for an id, else the id with spaces for hyphens."""
    found = find_in(section, name, lang, folder)
    return found[0] if found else Sentence(name.replace("-", " "), lang)


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
