"""The rulesets and their rulebooks."""

from typing import Any

from flask.typing import ResponseReturnValue
from marshmallow import Schema, fields, validate

from referee.api.language import language
from referee.api.operation import Resource
from referee.api.rendering import rule_json
from referee.api.schemas.common import CitationSchema, PageQuery, items_of, page_of
from referee.api.schemas.vocabulary import WORD
from referee.rules.book.rulebook import Rule, rulebook, rules_of_card, rules_of_power
from referee.rules.message import Message, quoted
from referee.rules.options import COMMON, HIGHEST_TARGET, option_to_json
from referee.rules.ruleset import Ruleset, find_ruleset, rulesets
from referee.rules.suggestions import asking, hinted
from referee.service.problems import Problem, invalid
from referee.texts import (
    deck_name,
    deck_words,
    describe_options,
    describe_presets,
    describe_refused,
    example,
    lookup,
    lookup_loosely,
)

# What an option may be.
VALUE = {
    "oneOf": [
        {"type": "string", **WORD},
        {"type": "integer", "minimum": 0, "maximum": HIGHEST_TARGET},
        {"type": "boolean"},
    ]
}
TEAMS_OR_CARDS = {"type": "array", "maxItems": 10, "items": {}}
DEFAULT = {"oneOf": [*VALUE["oneOf"], TEAMS_OR_CARDS, {"type": "null"}]}
blueprint = Resource("rulesets", "The decks' rules, with their sources")


class OptionValueSchema(Schema):
    """A value of an option, and its name."""

    value = fields.Raw(required=True, metadata=VALUE)
    name = fields.String(required=True)
    text = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "what it means, in a sentence, where the name does not say it"},
    )


class HouseRuleSchema(Schema):
    """An option of a table; a number from ``least`` to ``most``, or one of ``values``."""

    option = fields.String(required=True)
    letter = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "what it is called in a `Table.house_code`, before its value: a number, "
            "or the place of one of `values`, from 0"
        },
    )
    name = fields.String(required=True)
    rule = fields.String(required=True)
    text = fields.String(required=True)
    official = fields.String(
        required=True, allow_none=True, metadata={"description": "what the sheets say instead"}
    )
    values = fields.List(fields.Nested(OptionValueSchema), required=True)
    least = fields.Integer(required=True, allow_none=True)
    most = fields.Integer(required=True, allow_none=True)
    optional = fields.Boolean(required=True, metadata={"description": "whether it may be null"})
    default = fields.Raw(required=True, allow_none=True, metadata=DEFAULT)


class RefusedSchema(Schema):
    """Options that do not go together, and why."""

    options = fields.List(fields.String(), required=True)
    when = fields.Dict(
        keys=fields.String(),
        required=True,
        metadata={"description": "values of the others that the first option is refused with"},
    )
    reason = fields.String(required=True)


class PresetSchema(Schema):
    """A ready-made set of house rules."""

    preset = fields.String(required=True)
    name = fields.String(required=True)
    text = fields.String(required=True)
    code = fields.String(required=True)
    options = fields.Dict(keys=fields.String(), required=True)


class RulesetSchema(Schema):
    """A deck and its rules."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    cards = fields.Integer(required=True, metadata={"description": "how many there are"})
    faces = fields.List(fields.String(), required=True, metadata={"description": "card ids"})
    powers = fields.List(fields.String(), required=True)
    options = fields.List(fields.String(), required=True)
    usual = fields.Dict(
        keys=fields.String(),
        required=True,
        metadata={"description": "the value of each option where a table chooses none"},
    )
    house_rules = fields.List(
        fields.Nested(HouseRuleSchema),
        required=True,
        metadata={"description": "each option, what it may be, and what it means"},
    )
    refused = fields.List(
        fields.Nested(RefusedSchema),
        required=True,
        metadata={"description": "options that do not go together"},
    )
    presets = fields.List(
        fields.Nested(PresetSchema),
        required=True,
        metadata={"description": "ready-made sets of house rules"},
    )
    custom_card_examples = fields.List(fields.Dict(), required=True)


RulesetsSchema = items_of(RulesetSchema, "RulesetsSchema")


RulePage = page_of(CitationSchema, "RulePage", fields.Integer)


class RuleQuery(PageQuery):
    """A search for rules."""

    q = fields.String(
        load_default="",
        validate=validate.Length(max=200),
        metadata={"description": "a rule's id, or up to 16 words or beginnings, in any language"},
    )
    card = fields.String(
        validate=validate.Length(1, 40),
        metadata={"description": "only rules about this card", "example": "blue-skip"},
    )
    power = fields.String(
        validate=validate.Length(1, 20),
        metadata={"description": "only rules about this tower or power", "example": "blue"},
    )


class WordsSchema(Schema):
    """Names of things by id; moves are worded as on a button."""

    language = fields.String(required=True)
    name = fields.String(required=True, metadata={"description": "the deck's"})
    cards = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    colors = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    powers = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    power_colors = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={"description": "the colour of each tower or stand"},
    )
    power_rules = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={"description": "the id of the rule that says what the power does"},
    )
    power_blocks = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={"description": "the cards that its holder is safe from; left out if none"},
    )
    directions = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    options = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={
            "description": "house rules, their values as `scoring.low`, and what these mean as "
            "`jump_in.on.text`"
        },
    )
    moves = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


@blueprint.operation("GET /rulesets", "listRulesets", "The rulesets.", RulesetsSchema, rights=None)
def list_rulesets() -> ResponseReturnValue:
    """List all rulesets."""
    return {"items": [_ruleset_json(ruleset) for ruleset in rulesets().values()]}


@blueprint.operation(
    "GET /rulesets/<ruleset_id>",
    "getRuleset",
    "The ruleset.",
    RulesetSchema,
    fails=("not-found",),
    rights=None,
)
def get_ruleset(ruleset_id: str) -> ResponseReturnValue:
    """Return one ruleset."""
    return _ruleset_json(_find(ruleset_id))


@blueprint.operation(
    "GET /rulesets/<ruleset_id>/rules",
    "searchRules",
    "Rules, best match first.",
    RulePage,
    query=RuleQuery,
    fails=("not-found",),
    rights=None,
)
def search_rules(query: dict[str, Any], ruleset_id: str) -> ResponseReturnValue:
    """Look rules up by words in any language, or by card or power; all of them without a query."""
    ruleset, lang = _find(ruleset_id), language()
    words = query["q"]
    found = lookup(ruleset, words, lang) or lookup_loosely(ruleset, words, lang)
    found = _narrowed(ruleset, found, query)
    start, end = query["after"], query["after"] + query["limit"]
    return {
        "items": [rule_json(rule, lang) for rule in found[start:end]],
        "next": end if end < len(found) else None,
    }


def _narrowed(ruleset: Ruleset, found: list[Rule], query: dict[str, Any]) -> list[Rule]:
    """Return the rules about a card or a power, the most important first."""
    for field, about in (("card", rules_of_card), ("power", rules_of_power)):
        if field not in query:
            continue
        try:
            wanted = [rule.id for rule in about(ruleset, query[field])]
        except KeyError:
            reason = Message("the deck has no {card}", card=quoted(query[field]))
            known = ruleset.deck.cards if field == "card" else ruleset.powers
            raise invalid(field, hinted(reason, query[field], known)) from None
        by_id = {rule.id: rule for rule in found}
        found = [by_id[name] for name in wanted if name in by_id]
    return found


@blueprint.operation(
    "GET /rulesets/<ruleset_id>/rules/<rule_id>",
    "getRule",
    "The rule.",
    CitationSchema,
    fails=("not-found",),
    rights=None,
)
def get_rule(ruleset_id: str, rule_id: str) -> ResponseReturnValue:
    """Return one rule as it is cited."""
    lang = language()
    rule = rulebook(_find(ruleset_id), lang).get(rule_id)
    if rule is None:
        detail = Message("{ruleset} has no rule {rule}.", ruleset=ruleset_id, rule=quoted(rule_id))
        raise Problem("not-found", asking(detail, rule_id, rulebook(_find(ruleset_id))))
    return rule_json(rule, lang)


@blueprint.operation(
    "GET /rulesets/<ruleset_id>/words",
    "getWords",
    "The words.",
    WordsSchema,
    fails=("not-found",),
    rights=None,
)
def get_words(ruleset_id: str) -> ResponseReturnValue:
    """Name a deck's cards, powers, house rules and moves in the reader's language."""
    ruleset, lang = _find(ruleset_id), language()
    return {"language": lang, "name": deck_name(ruleset, lang), **deck_words(ruleset, lang)}


def _find(ruleset_id: str) -> Ruleset:
    try:
        return find_ruleset(ruleset_id)
    except KeyError:
        detail = Message("There is no ruleset {ruleset}.", ruleset=quoted(ruleset_id))
        raise Problem("not-found", asking(detail, ruleset_id, rulesets())) from None


def _ruleset_json(ruleset: Ruleset) -> dict[str, Any]:
    lang = language()
    usual = ruleset.usual
    options = sorted({*ruleset.options, *COMMON})
    return {
        "id": ruleset.id,
        "name": deck_name(ruleset, lang),
        "cards": ruleset.deck.size,
        "faces": list(ruleset.deck.cards),
        "powers": list(ruleset.powers),
        "options": options,
        "usual": {name: option_to_json(name, getattr(usual, name)) for name in options},
        "house_rules": describe_options(ruleset, lang),
        "refused": describe_refused(ruleset, lang),
        "presets": describe_presets(ruleset, lang),
        "custom_card_examples": [example(card, ruleset, lang) for card in ruleset.custom_examples],
    }
