"""What the referee says: sentences for rulings and events, one file per language.

Rulings and events hold ids and arguments; they become sentences only here, at the edge, in the
reader's language.
"""

from referee.texts.announcements import describe_event
from referee.texts.catalog import languages
from referee.texts.language import pick_language
from referee.texts.rendering import render_ruling
from referee.texts.sightings import describe_discrepancy, describe_observation

__all__ = [
    "describe_discrepancy",
    "describe_event",
    "describe_observation",
    "languages",
    "pick_language",
    "render_ruling",
]
