"""House rules that a table proposes and approves between rounds."""

from marshmallow import Schema, fields, validate

from referee.api.schemas.common import SEAT, Strict
from referee.rules.presets import LONGEST_CODE


class NewHouseRulesSchema(Strict):
    """House rules for the rounds to come: a preset, options on top of it, or both."""

    preset = fields.String(
        load_default=lambda: None,
        validate=validate.Length(1, LONGEST_CODE),
        metadata={"example": "home", "description": "as for a new table: see `createTable`"},
    )
    options = fields.Dict(
        keys=fields.String(),
        load_default=dict,
        metadata={
            "example": {"stacking": "same"},
            "description": "those not given are the deck's own; scoring, target, rounds, teams, "
            "custom cards and the points of cards are settled for the whole game",
        },
    )
    seat = fields.Integer(strict=True, load_default=None, allow_none=True, validate=SEAT)


class HouseAnswerSchema(Strict):
    """A seat's answer; with a seat's own token, ``seat`` may be left out."""

    approve = fields.Boolean(required=True)
    seat = fields.Integer(strict=True, load_default=None, allow_none=True, validate=SEAT)


class HouseProposalSchema(Schema):
    """House rules that are proposed, or agreed for the next round."""

    id = fields.Integer(required=True, metadata={"description": "the entry that proposed them"})
    seat = fields.Integer(
        required=True, allow_none=True, metadata={"description": "who proposed; null: the host"}
    )
    options = fields.Dict(
        required=True, metadata={"description": "those that may change between rounds"}
    )
    changes = fields.Dict(
        required=True, metadata={"description": "those with another value than now"}
    )
    house_code = fields.String(required=True)
    text = fields.String(required=True, metadata={"description": "the changes as a sentence"})
    approved = fields.List(fields.Integer(), required=True)
    waiting_for = fields.List(
        fields.Integer(), required=True, metadata={"description": "who has not answered yet"}
    )
    agreed = fields.Boolean(
        required=True, metadata={"description": "in force from the next round on"}
    )
