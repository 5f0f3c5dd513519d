"""The rulesets and their rulebooks."""

from typing import Any

from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint
from marshmallow import Schema, fields, validate

from referee.api.rendering import rule_json
from referee.api.resources.operation import operation
from referee.api.schemas.common import CitationSchema, PageQuery
from referee.rules.options import COMMON
from referee.rules.rulebook import rulebook, search
from referee.rules.ruleset import Ruleset, find_ruleset, rulesets
from referee.service.problems import Problem

blueprint = Blueprint("rulesets", __name__, description="The decks' rules, with their sources")


class RulesetSchema(Schema):
    """A deck and its rules."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    cards = fields.Integer(required=True, metadata={"description": "how many there are"})
    faces = fields.List(fields.String(), required=True, metadata={"description": "card ids"})
    powers = fields.List(fields.String(), required=True)
    options = fields.List(fields.String(), required=True)
    custom_card_examples = fields.List(fields.Dict(), required=True)


class RulesetsSchema(Schema):
    """All rulesets."""

    items = fields.List(fields.Nested(RulesetSchema), required=True)


class RulePage(Schema):
    """Rules, best match first."""

    items = fields.List(fields.Nested(CitationSchema), required=True)
    next = fields.Integer(required=True, allow_none=True)


class RuleQuery(PageQuery):
    """What to look for."""

    q = fields.String(load_default="", validate=validate.Length(max=200))


@blueprint.route("/rulesets")
@operation(blueprint, "listRulesets", RulesetsSchema, "The rulesets.", token=False)
def list_rulesets() -> ResponseReturnValue:
    """All rulesets."""
    return {"items": [_ruleset_json(ruleset) for ruleset in rulesets().values()]}


@blueprint.route("/rulesets/<ruleset_id>")
@operation(
    blueprint, "getRuleset", RulesetSchema, "The ruleset.", token=False, fails=("not-found",)
)
def get_ruleset(ruleset_id: str) -> ResponseReturnValue:
    """One ruleset."""
    return _ruleset_json(_find(ruleset_id))


@blueprint.route("/rulesets/<ruleset_id>/rules")
@operation(
    blueprint,
    "searchRules",
    RulePage,
    "Rules, best match first.",
    token=False,
    fails=("not-found", "invalid-request"),
)
@blueprint.arguments(RuleQuery, location="query")
def search_rules(query: dict[str, Any], ruleset_id: str) -> ResponseReturnValue:
    """Look rules up by id or words; all of them without a query."""
    rules = rulebook(_find(ruleset_id))
    found = search(rules, query["q"]) if query["q"].strip() else list(rules.values())
    start, end = query["after"], query["after"] + query["limit"]
    return {
        "items": [rule_json(rule) for rule in found[start:end]],
        "next": end if end < len(found) else None,
    }


@blueprint.route("/rulesets/<ruleset_id>/rules/<rule_id>")
@operation(blueprint, "getRule", CitationSchema, "The rule.", token=False, fails=("not-found",))
def get_rule(ruleset_id: str, rule_id: str) -> ResponseReturnValue:
    """One rule, as it is cited."""
    rule = rulebook(_find(ruleset_id)).get(rule_id)
    if rule is None:
        raise Problem("not-found", f"{ruleset_id} has no rule {rule_id[:80]!r}.")
    return rule_json(rule)


def _find(ruleset_id: str) -> Ruleset:
    try:
        return find_ruleset(ruleset_id)
    except KeyError:
        raise Problem("not-found", f"There is no ruleset {ruleset_id[:80]!r}.") from None


def _ruleset_json(ruleset: Ruleset) -> dict[str, Any]:
    return {
        "id": ruleset.id,
        "name": ruleset.name,
        "cards": ruleset.deck.size,
        "faces": list(ruleset.deck.cards),
        "powers": list(ruleset.powers),
        "options": sorted({*ruleset.options, *COMMON}),
        "custom_card_examples": [card.to_json() for card in ruleset.custom_examples],
    }
