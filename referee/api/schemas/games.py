"""The games of a table, their rounds, and their scores."""

from typing import Annotated, Any

from marshmallow import validate

from referee.api.schemas.common import SEAT, LanguageQuery, items_of
from referee.api.schemas.typed import Answer, Json, Strict, Winner, default
from referee.api.schemas.vocabulary import CARD
from referee.rules.move_fields import MOST_CARDS, MOST_POINTS
from referee.rules.presets import LONGEST_CODE
from referee.rules.records.seating import MOST_NUMBERS
from referee.service.log.caught_players import CHALLENGE, UNO

WhichGame = Annotated[
    int | None,
    validate.Range(1, 2**31 - 1),
    "which of the table's games; the present one if left out",
]
ABOUT_DECK = "what the deck is called, in the reader's language"
HAND = {
    "oneOf": [
        {
            "type": "array",
            "items": {"type": "string", **CARD},
            "maxItems": MOST_CARDS,
            "description": "its cards",
        },
        {"type": "integer", "minimum": 0, "maximum": MOST_POINTS, "description": "its points"},
        {"type": "null", "description": "nobody knows it: it counts 0"},
    ]
}


class ResultSchema(Strict):
    """The result of a round: who went out, and what everybody else held, by seat."""

    out: Annotated[int, SEAT]
    hands: Annotated[
        dict[Annotated[str, validate.Length(1, 3)], Annotated[Any | None, HAND]],
        validate.Length(max=MOST_NUMBERS),
        {"example": {"1": ["red-9"], "3": 12, "4": None}},
    ]


class GameQuery(LanguageQuery):
    """One of the table's games."""

    game: WhichGame = None


class CountedHandSchema(Answer):
    """What a seat still held when somebody had gone out."""

    seat: int
    cards: Annotated[list[str] | None, "null if it was not shown"]
    card_points: Annotated[list[int] | None, "of each of these cards"]
    points: Annotated[int, "of the hand; 0 if nobody knows it"]
    to: Annotated[int | None, "the seat that gets them; null if nobody does"]


class RoundResultSchema(Answer):
    """A finished round; ``counted``: it was entered by its result."""

    round: int
    dealer: int | None
    counted: bool
    winner: int | None
    scores: Annotated[list[int | None], "after it; null for who had not come yet"]
    points: Annotated[list[int | None], "of it; null for who did not play"]
    played: Annotated[list[int], "the seats that played it"]
    hands: Annotated[list[CountedHandSchema], "what its points are made of"]


class CaughtSchema(Answer):
    """A catch for a missing UNO call, or a challenge."""

    round: int
    rule: Annotated[str, validate.OneOf((UNO, CHALLENGE))]
    by: int
    of: int
    right: Annotated[bool, "whether the accuser was right"]


class ScoresSchema(Answer):
    """The score sheet of a game."""

    game: Annotated[int, "which of the table's games"]
    ruleset: str
    options: Json
    seats: list[str]
    order: Annotated[list[int], "the seats that are still in"]
    scoring: str
    target: Annotated[int, "0 if only the number of rounds ends the game"]
    scores: list[int]
    rounds: list[RoundResultSchema]
    winner: Winner
    caught: Annotated[list[CaughtSchema], "who caught whom, in the order in which it happened"]


class NewGameSchema(Strict):
    """The table's next game. Without ``ruleset`` and ``options`` it is played like the last one."""

    ruleset: Annotated[str | None, validate.Length(1, 80)] = None
    options: Json | None = None
    preset: Annotated[str, validate.Length(1, LONGEST_CODE)] = default(lambda: None)


class GameSchema(Answer):
    """A game of the table."""

    game: int
    ruleset: str
    deck: Annotated[str, ABOUT_DECK]
    options: Json
    seats: list[str]
    scores: list[int]
    winner: Winner
    rounds: Annotated[int, "how many are over"]


GamesSchema = items_of(GameSchema, "GamesSchema")
