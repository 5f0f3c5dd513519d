"""Putting what the service says into the reader's language."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from referee.rules.rulebook import Rule, citation, rulebook
from referee.rules.ruleset import Ruleset
from referee.rules.rulings import NO_ARGS, Ruling
from referee.rules.state import Game
from referee.service.access import Principal
from referee.service.event_log import dump
from referee.service.table_projection import LogEntry, TableProjection
from referee.service.views import entry_view, sees_all, table_view
from referee.texts import (
    describe_correction,
    describe_discrepancy,
    describe_event,
    describe_lapse,
    describe_observation,
    describe_presence,
    describe_question,
    render_ruling,
)

MOST_KEPT = 1024


def rule_json(rule: Rule, lang: str) -> dict[str, Any]:
    """A rule with its source."""
    return {
        "id": rule.id,
        "title": rule.title,
        "text": rule.text,
        "source": citation(rule, lang),
        "document": rule.document,
        "section": rule.section,
        "languages": list(rule.languages),
        "rulings": list(rule.rulings),
        "silent": rule.silent,
    }


def ruling_json(
    ruleset: Ruleset, seats: tuple[str, ...], ruling: Mapping[str, Any], lang: str
) -> dict[str, Any]:
    """A ruling in words, with the rule's source."""
    said = Ruling(
        ruling["verdict"], ruling["rule"], ruling.get("args", NO_ARGS), ruling.get("remedy")
    )
    words = render_ruling(said, lang, seats, ruleset)
    rule = rulebook(ruleset, lang).get(said.rule)
    return {**ruling, **words, "source": citation(rule, lang) if rule else ""}


def entry_json(
    table: TableProjection, entry: LogEntry, principal: Principal, lang: str
) -> dict[str, Any]:
    """An entry of the log, in words for its reader."""
    return _entry_json(table.state.game, entry, sees_all(table, entry, principal), lang)


@lru_cache(maxsize=MOST_KEPT)
def entry_text(table: TableProjection, entry: LogEntry, open_hands: bool, lang: str) -> str:
    """The same as text, kept for the other streams that are to say the very same."""
    return dump(_entry_json(table.state.game, entry, open_hands, lang))


def _entry_json(game: Game, entry: LogEntry, open_hands: bool, lang: str) -> dict[str, Any]:
    view = entry_view(entry, open_hands)
    if "ruling" in view:
        view["ruling"] = ruling_json(game.ruleset, game.seats, view["ruling"], lang)
    if "events" in view:
        said = (describe_event(event, lang, game.seats, game.ruleset) for event in view["events"])
        view["announcements"] = [sentence for sentence in said if sentence]
    if "discrepancies" in view:
        view["discrepancies"] = discrepancies_json(game, view["discrepancies"], lang)
    if "observation" in view:
        view["announcements"] = describe_observation(view, lang, game.seats, game.ruleset)
    if entry.kind in ("device-silent", "device-heard"):
        view["announcements"] = describe_presence(view, lang, game.seats, game.ruleset)
    if "question" in view:
        view["question"] = question_json(game, view["question"], lang)
        view["announcements"] = [view["question"]["text"]]
    if entry.kind == "lapsed":
        view["announcements"] = [describe_lapse(view["why"], lang) or view["why"]]
    if entry.kind == "corrected":
        view["announcements"] = describe_correction(view, lang, game.seats, game.ruleset)
    return view


def discrepancies_json(
    game: Game, items: Sequence[Mapping[str, Any]], lang: str
) -> list[dict[str, Any]]:
    """What stands elsewhere than it should, in words too."""
    return [
        {**item, "text": describe_discrepancy(item, lang, game.seats, game.ruleset)}
        for item in items
    ]


def question_json(game: Game, question: Mapping[str, Any], lang: str) -> dict[str, Any]:
    """A question, in words too."""
    return describe_question(question, lang, game.seats, game.ruleset)


def table_json(table: TableProjection, lang: str) -> dict[str, Any]:
    """A table, with the custom cards proposed for it."""
    view = table_view(table)
    found = discrepancies_json(table.state.game, view["discrepancies"], lang)
    asked = [question_json(table.state.game, one, lang) for one in view["questions"]]
    custom = custom_cards_json(table)
    return {**view, "discrepancies": found, "questions": asked, "custom_cards": custom}


def custom_cards_json(table: TableProjection) -> list[dict[str, Any]]:
    """The custom cards proposed, or, once the game has begun, those in it."""
    seats = len(table.state.game.seats)
    return [
        {
            "id": proposal.id,
            "card": proposal.card,
            "seat": proposal.seat,
            "approved": proposal.approved,
            "missing": proposal.missing(seats),
        }
        for proposal in table.meta.proposals
    ]
