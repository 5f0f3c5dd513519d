"""What each word of the API may hold: one word means one thing everywhere.

Fields that check a range, a length or a list of values themselves say so; the rest of their limits
is here, by the field's name. Answers of the tests are compared with them.
"""

from collections.abc import Mapping
from typing import Any

from marshmallow import fields

from referee.rules.records.seating import LONGEST_NAME, MOST_NUMBERS
from referee.rules.ruleset import most_seats

Limits = Mapping[str, Any]
# Every number of JSON that all readers understand exactly.
SAFE = 2**53 - 1
LARGEST_COUNT = 2**31 - 1
# JSON with this character is refused.
NO_NUL = r"^[^\x00]*$"
LONGEST_TEXT = 10_000
MOST_LISTED = 100_000


def whole(least: int, most: int) -> Limits:
    """Return the limits of a whole number."""
    return {"minimum": least, "maximum": most}


def letters(longest: int, pattern: str = NO_NUL) -> Limits:
    """Return the limits of a text."""
    return {"maxLength": longest, "pattern": pattern}


# At the largest table that a deck allows; what is more for a table's own deck, the rules refuse.
MOST_SEATS = most_seats()
SEAT = whole(1, MOST_NUMBERS)
SEAT_OR_NONE = whole(0, MOST_NUMBERS)
PLACE = whole(0, MOST_SEATS)
COUNT = whole(0, LARGEST_COUNT)
VERSION = whole(0, SAFE)
POINTS = whole(-SAFE, SAFE)
TEXT = letters(LONGEST_TEXT)
FILE = letters(2**24)
NOTATION = letters(2000)
NAME = letters(LONGEST_NAME)
CARD = letters(40)
POWER = letters(20)
ID = letters(64, "^[A-Za-z0-9._-]+$")
SECRET = letters(200, "^[A-Za-z0-9._~+/=-]+$")
WORD = letters(80, "^[A-Za-z0-9.-]+$")
LANGUAGE = letters(35, "^[A-Za-z]+([-_][A-Za-z0-9]+)*$")

NUMBERS: Mapping[str, Limits] = {
    **dict.fromkeys(("seat", "turn", "round_winner", "winner", "next_dealer", "by", "of"), SEAT),
    **dict.fromkeys(("tied", "agreed", "uno", "open_hands", "order", "played", "to"), SEAT),
    "counted_hands": SEAT,
    "cards_drawn": COUNT,
    **dict.fromkeys(("approved", "waiting_for", "hands_passed", "hands_kept"), SEAT),
    **dict.fromkeys(("may_answer", "may_name"), SEAT),
    **dict.fromkeys(("through", "lots"), COUNT),
    **dict.fromkeys(("id", "version", "next", "cause", "hands_entry", "voids", "undone"), VERSION),
    **dict.fromkeys(("question_id", "card_id", "proposal", "began", "entries"), VERSION),
    **dict.fromkeys(("fell_entries", "stands_entries"), VERSION),
    **dict.fromkeys(
        ("round", "move", "number", "game", "rounds", "rounds_counted", "game_number"), COUNT
    ),
    **dict.fromkeys(("hands", "draw_pile", "discard_pile", "count", "cards", "aside"), COUNT),
    **dict.fromkeys(("stack", "most", "more", "least"), COUNT),
    **dict.fromkeys(
        ("hosts", "missing", "option", "seconds", "retry_after", "size", "most_seats"), COUNT
    ),
    **dict.fromkeys(
        ("scores", "scores_before", "scores_after", "points", "card_points", "target"), POINTS
    ),
    "team_scores": POINTS,
    **dict.fromkeys(("after", "event"), VERSION),
    **dict.fromkeys(("more_errors", "attempts", "ms", "games_kept"), COUNT),
    **dict.fromkeys(("player", "table", "rank", "place", "drawn", "reached", "left"), COUNT),
    **dict.fromkeys(("byes", "wins", "card_rounds", "table_size", "smallest_table"), COUNT),
    **dict.fromkeys(("minutes", "advance", "placing"), COUNT),
    **dict.fromkeys(("score", "game_points", "bye"), POINTS),
    **dict.fromkeys(("games", "won", "rounds_won", "caught", "catches", "right", "wrong"), COUNT),
    **dict.fromkeys(("bluffed", "fours", "streak", "best_streak"), COUNT),
    "joined": SEAT,
    "code": whole(100, 999),
    "feature_level": COUNT,
    "counts": COUNT,
    "dealer": SEAT_OR_NONE,
    "places": PLACE,
    "powers": SEAT_OR_NONE,
    "seats": SEAT_OR_NONE,
    "status": whole(400, 599),
}
TEXTS: Mapping[str, Limits] = {
    **dict.fromkeys(("text", "put_right", "source", "detail", "title", "waiting", "q"), TEXT),
    "others": TEXT,
    **dict.fromkeys(("event", "need", "needs"), WORD),
    **dict.fromkeys(
        (
            "announcements",
            "document",
            "section",
            "sheet",
            "deck",
            "field",
            "reason",
            "moves",
            "official",
            "house_code",
            "option",
        ),
        TEXT,
    ),
    **dict.fromkeys(("cards", "colors", "directions", "sections", "type"), TEXT),
    **dict.fromkeys(("card", "top", "sees", "opening", "hand", "faces", "alternatives"), CARD),
    **dict.fromkeys(("id", "table_id", "device", "token_id", "kept", "purged", "by", "next"), ID),
    "tournament_id": ID,
    "link": letters(20_000, "^https://"),
    "record": letters(200, "^/"),
    **dict.fromkeys(("token", "ticket", "key"), SECRET),
    "which": ID,
    "computer": letters(80),
    "secret": letters(120, "^whsec_[A-Za-z0-9+/=]+$"),
    "message": ID,
    "url": letters(2000, "^https?://[!-~]+$"),
    "description": letters(200),
    **dict.fromkeys(("kind", "role", "status", "rule", "remedy", "rulings", "preset"), WORD),
    "option_value": WORD,
    **dict.fromkeys(("ruleset", "scoring", "how", "why", "plurals"), WORD),
    **dict.fromkeys(("language", "languages", "lang"), LANGUAGE),
    "version": letters(40, "^[0-9A-Za-z.+-]+$"),
    "position": NOTATION,
    "warnings": letters(40, "^[a-z-]+$"),
    "outbox": letters(40, "^[A-Za-z0-9_-]+$"),
    **dict.fromkeys(("name", "players", "organiser", "asking"), NAME),
    "seats": NAME,
    "power": POWER,
    **dict.fromkeys(("powers", "power_colors", "power_rules", "power_texts"), TEXT),
    "options": TEXT,
    "when": TEXT,
    "letter": letters(1, "^[A-Z]$"),
    **dict.fromkeys(("code", "invitation"), letters(24)),
    "digits": letters(4, "^[0-9]{4}$"),
    "request_id": letters(80, "^[A-Za-z0-9._:/+=-]+$"),
    "instance": letters(LONGEST_TEXT, "^/"),
    "format": {"const": "referee-record/1"},
}
LISTS: Mapping[str, int] = {
    **dict.fromkeys(("order", "tied", "agreed", "uno", "open_hands", "played", "to"), MOST_NUMBERS),
    **dict.fromkeys(("approved", "waiting_for"), MOST_NUMBERS),
    **dict.fromkeys(("hands", "scores", "seats", "scores_before", "may_answer"), MOST_NUMBERS),
    "may_name": MOST_NUMBERS,
    "team_scores": MOST_NUMBERS,
    **dict.fromkeys(("scores_after", "points", "results"), MOST_NUMBERS),
    **dict.fromkeys(("opening", "hand", "alternatives", "waiting", "shown"), 1000),
    **dict.fromkeys(("languages", "rulings", "plurals", "powers", "options", "places"), 1000),
    **dict.fromkeys(("faces", "custom_card_examples", "errors", "mismatches"), 1000),
    **dict.fromkeys(("conflicts", "faults", "discrepancies", "questions"), 1000),
    **dict.fromkeys(("awaiting", "evidence", "notices", "custom_cards", "drawn"), 1000),
    **dict.fromkeys(("asking", "counted_hands"), MOST_SEATS),
    **dict.fromkeys(("people", "games"), 2000),
    "corners": 4,
    "warnings": 10,
    **dict.fromkeys(("placing", "joined", "through", "lots"), MOST_NUMBERS),
    **dict.fromkeys(("tables", "byes", "players", "organisers", "rounds_played"), 1000),
}


def limits_of(field: fields.Field[Any]) -> Limits:
    """Return what the vocabulary says about a field."""
    name = field.data_key or field.name or ""
    if isinstance(field, fields.List):
        return {"maxItems": LISTS.get(name, MOST_LISTED)}
    if isinstance(field, fields.DateTime):
        return {"maxLength": 64}
    if isinstance(field, fields.Integer):
        return NUMBERS.get(name, {})
    if isinstance(field, fields.String):
        return TEXTS.get(name, {})
    return {}
