"""What the referee says: sentences for rulings and events, one file per language.

Rulings and events hold ids and arguments; they become sentences only here, at the edge, in the
reader's language.
"""

from referee.texts.announcements import describe_event
from referee.texts.catalog import languages
from referee.texts.choices import describe_choice, describe_waiting
from referee.texts.differences import describe_correction
from referee.texts.language import as_language, pick_language
from referee.texts.lookup import lookup
from referee.texts.messages import translate
from referee.texts.plurals import categories
from referee.texts.questions import describe_lapse, describe_question
from referee.texts.rendering import render_ruling
from referee.texts.sheet import sheet_words
from referee.texts.sightings import (
    describe_discrepancy,
    describe_observation,
    describe_presence,
)
from referee.texts.words import deck_name, deck_words, language_names, page_texts

__all__ = [
    "as_language",
    "categories",
    "deck_name",
    "deck_words",
    "describe_choice",
    "describe_correction",
    "describe_discrepancy",
    "describe_event",
    "describe_lapse",
    "describe_observation",
    "describe_presence",
    "describe_question",
    "describe_waiting",
    "language_names",
    "languages",
    "lookup",
    "page_texts",
    "pick_language",
    "render_ruling",
    "sheet_words",
    "translate",
]
