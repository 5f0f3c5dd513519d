"""One-line notation of positions, moves and events (``docs/notation.md``)."""

from referee.rules.notation.events import event_to_text
from referee.rules.notation.moves import move_from_text, move_to_text
from referee.rules.notation.positions import position_to_text
from referee.rules.notation.setup import position_from_text
from referee.rules.notation.words import NotationError

__all__ = [
    "NotationError",
    "event_to_text",
    "move_from_text",
    "move_to_text",
    "position_from_text",
    "position_to_text",
]
