"""Sentences for rulings, events and questions, in every language.

Rulings and events hold ids and arguments; only this package turns them into sentences, in the
reader's language.
"""

from referee.texts.banners import describe_banners
from referee.texts.catalog import categories, languages
from referee.texts.corrections import describe_correction
from referee.texts.house_rules import (
    describe_changes,
    describe_options,
    describe_presets,
    describe_proposal,
    describe_refused,
    describe_refused_card,
    describe_timer,
    what_the_sheets_say,
)
from referee.texts.language import as_language, pick_language
from referee.texts.lookup import lookup, lookup_loosely
from referee.texts.messages import translate
from referee.texts.observations import (
    describe_discrepancy,
    describe_observation,
    describe_presence,
)
from referee.texts.own_cards import example, own_card, own_text
from referee.texts.people import describe_hosts, describe_seats
from referee.texts.prompts import (
    describe_choice,
    describe_lapse,
    describe_question,
    describe_waiting,
)
from referee.texts.rulings import (
    describe_event,
    describe_events,
    describe_move,
    render_ruling,
)
from referee.texts.words import (
    deck_name,
    deck_name_of,
    deck_words,
    language_names,
    page_texts,
    sheet_words,
)

__all__ = [
    "as_language",
    "categories",
    "deck_name",
    "deck_name_of",
    "deck_words",
    "describe_banners",
    "describe_changes",
    "describe_choice",
    "describe_correction",
    "describe_discrepancy",
    "describe_event",
    "describe_events",
    "describe_hosts",
    "describe_lapse",
    "describe_move",
    "describe_observation",
    "describe_options",
    "describe_presence",
    "describe_presets",
    "describe_proposal",
    "describe_question",
    "describe_refused",
    "describe_refused_card",
    "describe_seats",
    "describe_timer",
    "describe_waiting",
    "example",
    "language_names",
    "languages",
    "lookup",
    "lookup_loosely",
    "own_card",
    "own_text",
    "page_texts",
    "pick_language",
    "render_ruling",
    "sheet_words",
    "translate",
    "what_the_sheets_say",
]
