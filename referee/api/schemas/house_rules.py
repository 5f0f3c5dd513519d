"""House rules that a table proposes and approves between rounds."""

from typing import Annotated

from marshmallow import validate

from referee.api.schemas.common import SEAT
from referee.api.schemas.typed import Answer, Json, Strict, default
from referee.rules.presets import LONGEST_CODE


class NewHouseRulesSchema(Strict):
    """House rules for the rounds to come: a preset, options on top of it, or both."""

    preset: Annotated[
        str,
        validate.Length(1, LONGEST_CODE),
        {"example": "home"},
        "as for a new table: see `createTable`",
    ] = default(lambda: None)
    options: Annotated[
        Json,
        {"example": {"stacking": "same"}},
        "those not given are the deck's own; scoring, target, rounds, teams, "
        "custom cards and the points of cards are settled for the whole game",
    ] = default(dict)
    seat: Annotated[int | None, SEAT] = None


class HouseAnswerSchema(Strict):
    """A seat's answer; with a seat's own token, ``seat`` may be left out."""

    approve: bool
    seat: Annotated[int | None, SEAT] = None


class HouseProposalSchema(Answer):
    """House rules that are proposed, or agreed for the next round."""

    id: Annotated[int, "the entry that proposed them"]
    seat: Annotated[int | None, "who proposed; null: the host"]
    options: Annotated[Json, "those that may change between rounds"]
    changes: Annotated[Json, "those with another value than now"]
    house_code: str
    text: Annotated[str, "the changes as a sentence"]
    approved: list[int]
    waiting_for: Annotated[list[int], "who has not answered yet"]
    agreed: Annotated[bool, "in force from the next round on"]
