"""The rulesets and their rulebooks."""

from typing import Annotated, Any

from flask.typing import ResponseReturnValue
from marshmallow import fields, validate

from referee.api.language import language
from referee.api.operation import Resource
from referee.api.rendering import rule_json
from referee.api.schemas.common import CitationSchema, PageQuery, items_of, page_of
from referee.api.schemas.typed import Answer, Json, Maybe
from referee.api.schemas.vocabulary import WORD
from referee.rules.book.rulebook import Rule, rulebook, rules_of_card, rules_of_power
from referee.rules.message import Message, quoted
from referee.rules.options import HIGHEST_TARGET, option_to_json
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


class OptionValueSchema(Answer):
    """A value of an option, and its name."""

    value: Annotated[Any, VALUE]
    name: str
    text: Annotated[str | None, "what it means, in a sentence, where the name does not say it"]


class HouseRuleSchema(Answer):
    """An option of a table; a number from ``least`` to ``most``, or one of ``values``."""

    option: str
    letter: Annotated[
        str | None,
        "what it is called in a `Table.house_code`, before its value: a number, "
        "or the place of one of `values`, from 0",
    ]
    name: str
    rule: str
    text: str
    official: Annotated[str | None, "what the sheets say instead"]
    values: list[OptionValueSchema]
    least: int | None
    most: int | None
    optional: Annotated[bool, "whether it may be null"]
    default: Annotated[Any | None, DEFAULT]


class RefusedSchema(Answer):
    """Options that do not go together, and why."""

    options: list[str]
    when: Annotated[Json, "values of the others that the first option is refused with"]
    reason: str


class PresetSchema(Answer):
    """A ready-made set of house rules."""

    preset: str
    name: str
    text: str
    code: str
    options: Json


class RulesetSchema(Answer):
    """A deck and its rules."""

    id: str
    name: str
    cards: Annotated[int, "how many there are"]
    faces: Annotated[list[str], "card ids"]
    most_seats: Annotated[int, "how many can sit at a table"]
    powers: list[str]
    options: list[str]
    usual: Annotated[Json, "the value of each option where a table chooses none"]
    house_rules: Annotated[list[HouseRuleSchema], "each option, what it may be, and what it means"]
    refused: Annotated[list[RefusedSchema], "options that do not go together"]
    presets: Annotated[list[PresetSchema], "ready-made sets of house rules"]
    custom_card_examples: list[Json]


RulesetsSchema = items_of(RulesetSchema, "RulesetsSchema")


RulePage = page_of(CitationSchema, "RulePage", fields.Integer)


class RuleQuery(PageQuery):
    """A search for rules."""

    q: Annotated[
        str,
        validate.Length(max=200),
        "a rule's id, or up to 16 words or beginnings, in any language",
    ] = ""
    card: Annotated[
        Maybe[str], validate.Length(1, 40), "only rules about this card", {"example": "blue-skip"}
    ]
    power: Annotated[
        Maybe[str],
        validate.Length(1, 20),
        "only rules about this tower or power",
        {"example": "blue"},
    ]


class WordsSchema(Answer):
    """Names of things by id; moves are worded as on a button."""

    language: str
    name: Annotated[str, "the deck's"]
    cards: dict[str, str]
    colors: dict[str, str]
    powers: dict[str, str]
    power_colors: Annotated[dict[str, str], "the colour of each tower or stand"]
    power_rules: Annotated[dict[str, str], "the id of the rule that says what the power does"]
    power_texts: Annotated[dict[str, str], "what the power does, as its holder is told"]
    directions: dict[str, str]
    options: Annotated[
        dict[str, str],
        "house rules, their values as `scoring.low`, and what these mean as `jump_in.on.text`",
    ]
    moves: dict[str, str]


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
    rules = lookup(ruleset, words, lang) or lookup_loosely(ruleset, words, lang)
    rules = _narrowed(ruleset, rules, query)
    start, end = query["after"], query["after"] + query["limit"]
    return {
        "items": [rule_json(rule, lang) for rule in rules[start:end]],
        "next": end if end < len(rules) else None,
    }


def _narrowed(ruleset: Ruleset, rules: list[Rule], query: dict[str, Any]) -> list[Rule]:
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
        by_id = {rule.id: rule for rule in rules}
        rules = [by_id[name] for name in wanted if name in by_id]
    return rules


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
    options = ruleset.all_options
    return {
        "id": ruleset.id,
        "name": deck_name(ruleset, lang),
        "cards": ruleset.deck.size,
        "faces": list(ruleset.deck.cards),
        "most_seats": ruleset.most_seats,
        "powers": list(ruleset.powers),
        "options": options,
        "usual": {name: option_to_json(name, getattr(usual, name)) for name in options},
        "house_rules": describe_options(ruleset, lang),
        "refused": describe_refused(ruleset, lang),
        "presets": describe_presets(ruleset, lang),
        "custom_card_examples": [example(card, ruleset, lang) for card in ruleset.custom_examples],
    }
