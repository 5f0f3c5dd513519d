"""Render entries, rulings and tables as JSON with sentences in the reader's language."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from referee.rules.book.rulebook import Rule, citation, rulebook, sheet_name
from referee.rules.options import OPTION_OF_RULE
from referee.rules.position.state import Game
from referee.rules.ruleset import Ruleset
from referee.rules.rulings import NO_ARGS, Ruling
from referee.service.access import Principal, TokenMaker
from referee.service.log.entries import dump
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.play.views import entry_view, sees_all, table_view
from referee.texts import (
    describe_banners,
    describe_changes,
    describe_correction,
    describe_discrepancy,
    describe_events,
    describe_hosts,
    describe_lapse,
    describe_move,
    describe_observation,
    describe_presence,
    describe_proposal,
    describe_question,
    describe_refused_card,
    describe_seats,
    describe_timer,
    own_card,
    own_text,
    render_ruling,
)

MOST_KEPT = 1024


def rule_json(rule: Rule, lang: str) -> dict[str, Any]:
    """Return a rule with its citation."""
    option, value = OPTION_OF_RULE.get(rule.id, (None, None)) if rule.official else (None, None)
    return {
        "id": rule.id,
        "title": rule.title,
        "text": rule.text,
        "source": citation(rule, lang),
        "sheet": sheet_name(rule, lang),
        "document": rule.document,
        "section": rule.section,
        "languages": list(rule.languages),
        "rulings": list(rule.rulings),
        "silent": rule.silent,
        "official": rule.official or None,
        "option": option,
        "option_value": value,
    }


def ruling_json(
    ruleset: Ruleset, seats: tuple[str, ...], ruling: Mapping[str, Any], lang: str
) -> dict[str, Any]:
    """Return a ruling with its sentences and the rule's citation."""
    parsed = Ruling(
        ruling["verdict"], ruling["rule"], ruling.get("args", NO_ARGS), ruling.get("remedy")
    )
    sentences = render_ruling(parsed, lang, seats, ruleset)
    rule = rulebook(ruleset, lang).get(parsed.rule)
    return {**ruling, **sentences, "source": citation(rule, lang) if rule else ""}


def entry_json(
    table: TableProjection,
    entry: LogEntry,
    principal: Principal,
    lang: str,
    game: Game | None = None,
) -> dict[str, Any]:
    """Return an entry of the log as its reader may see it, with sentences.

    ``game`` is that of an entry which the log does not have: its seats may be others.
    """
    open_hands = sees_all(table, entry, principal)
    game = game or table.game_at(entry)
    return _entry_json(game, entry, open_hands, table.meta.undone.get(entry.seq), lang)


def spectator_json(table: TableProjection, entry: LogEntry, lang: str) -> Mapping[str, Any]:
    """Return an entry of the log as anybody may see it who watches the table."""
    return entry_json(table, entry, Principal("", table.id, "spectator"), lang)


def entry_text(
    table: TableProjection, entry: LogEntry, open_hands: bool, undone: int | None, lang: str
) -> str:
    """Return the same as JSON text, cached for other streams with the same rights and language."""
    return _entry_text(table, entry, open_hands, undone, lang, table.state.game.seats)


@lru_cache(maxsize=MOST_KEPT)
def _entry_text(
    table: TableProjection,
    entry: LogEntry,
    open_hands: bool,
    undone: int | None,
    lang: str,
    names: tuple[str, ...],
) -> str:
    return dump(_entry_json(table.game_at(entry), entry, open_hands, undone, lang))


def _entry_json(
    game: Game, entry: LogEntry, open_hands: bool, undone: int | None, lang: str
) -> dict[str, Any]:
    view = entry_view(entry, open_hands, undone)
    if "ruling" in view:
        view["ruling"] = ruling_json(game.ruleset, game.seats, view["ruling"], lang)
    if "changed" in view:
        # As it stands now: whoever shows the entry of that move shows this ruling on it.
        view["changed"] = [
            {**item, "now": ruling_json(game.ruleset, game.seats, item["now"], lang)}
            for item in view["changed"]
        ]
    if "events" in view:
        view["announcements"] = describe_events(view["events"], lang, game.seats, game.ruleset)
        move = view.get("move", {"move": None})
        deed = describe_move(move, view["events"], lang, game.seats)
        # Before what is awaited for it; one that is refused has its ruling.
        view["announcements"][:0] = [deed] if deed else []
    if "discrepancies" in view:
        view["discrepancies"] = discrepancies_json(game, view["discrepancies"], lang)
    if "observation" in view:
        view["announcements"] = describe_observation(view, lang, game.seats, game.ruleset)
    if entry.kind in ("device-silent", "device-heard"):
        view["announcements"] = describe_presence(view, lang, game.seats, game.ruleset)
    if entry.kind == "seats-changed":
        view["announcements"] = describe_seats(view, lang, game.seats)
    if entry.kind.startswith("host-"):
        view["announcements"] = describe_hosts(view, lang, game.seats)
    if "question" in view:
        view["question"] = question_json(game, view["question"], lang)
        view["announcements"] = [view["question"]["text"]]
    if entry.kind == "lapsed":
        view["announcements"] = [describe_lapse(view["why"], lang) or view["why"]]
    if entry.kind in ("game-started", "mode-chosen"):
        event = "game-started" if entry.kind == "game-started" else f"mode-{view['mode']}"
        view["announcements"] = describe_events([{"event": event}], lang, game.seats)
    if entry.kind in ("timer-chosen", "time-up"):
        view["announcements"] = describe_timer(view, lang, game.seats)
    if entry.kind.startswith("house-rules-"):
        view["announcements"] = describe_proposal(view, lang, game.seats, game.ruleset)
    if entry.kind == "custom-withdrawn" and "why" in view:
        view["announcements"] = describe_refused_card(view, lang, game.seats, game.ruleset)
    if entry.kind == "corrected":
        view["announcements"] = describe_correction(view, lang, game.seats, game.ruleset)
    if "state" in view:
        events = entry.body.get("events", ())
        view["banners"] = describe_banners(view, events, lang, game.seats, game.ruleset)
    return view


def discrepancies_json(
    game: Game, items: Sequence[Mapping[str, Any]], lang: str
) -> list[dict[str, Any]]:
    """Return discrepancies with their sentences."""
    return [
        {**item, "text": describe_discrepancy(item, lang, game.seats, game.ruleset)}
        for item in items
    ]


def question_json(game: Game, question: Mapping[str, Any], lang: str) -> dict[str, Any]:
    """Return a question with its sentences."""
    return describe_question(question, lang, game.seats, game.ruleset)


def table_json(table: TableProjection, lang: str, tokens: TokenMaker) -> dict[str, Any]:
    """Return a table with its sentences, custom cards and invitation."""
    view, game = table_view(table), table.state.game
    house = view["house_proposal"]
    if house is not None:
        house["text"] = describe_changes(house["changes"], lang, game.ruleset)
    return {
        **view,
        "invitation": tokens.invitation(table.code),
        "discrepancies": discrepancies_json(game, view["discrepancies"], lang),
        "questions": [question_json(game, question, lang) for question in view["questions"]],
        "custom_cards": custom_cards_json(table, lang),
        "options": _options_json(view["options"], game, lang),
        "notices": [
            {**note, "text": own_text(note["text"], game.ruleset, lang)} for note in view["notices"]
        ],
    }


def _options_json(options: Mapping[str, Any], game: Game, lang: str) -> dict[str, Any]:
    cards = options.get("custom_cards", ())
    own_cards = [own_card(card, game.ruleset, lang) for card in cards]
    return {**options, "custom_cards": own_cards} if own_cards else dict(options)


def custom_cards_json(table: TableProjection, lang: str) -> list[dict[str, Any]]:
    """Return the proposed custom cards, or those in the game once it has begun."""
    return [
        {
            "id": proposal.id,
            "card": own_card(proposal.card, table.state.game.ruleset, lang),
            "seat": proposal.seat,
            "approved": proposal.approved,
            "missing": proposal.missing(table.state.order),
        }
        for proposal in table.meta.proposals
    ]
