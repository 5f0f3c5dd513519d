"""``referee rules``: list rules, or look one up."""

import argparse
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any

from rich.table import Table
from rich.text import Text

from referee.commands.inputs import add_language
from referee.commands.output import complain, console, print_json
from referee.rules.book.rulebook import (
    Clarification,
    Rule,
    citation,
    clarifications,
    rulebook,
    rules_of_card,
    rules_of_power,
)
from referee.rules.legal import choices
from referee.rules.move_fields import FieldError
from referee.rules.notation import position_from_text
from referee.rules.position.views import owed
from referee.rules.ruleset import Ruleset, rulesets
from referee.texts import (
    describe_choice,
    describe_waiting,
    lookup,
    lookup_loosely,
    translate,
    what_the_sheets_say,
)

DESCRIPTION = """\
List the rules, or look one up by its id or by words in it.
"""
EPILOG = """\
examples:
  referee rules                             all rules
  referee rules --ruleset power-grab        the rules of one deck
  referee rules challenge                   rules that mention a word
  referee rules tower.protect               one rule, by its id
  referee rules last card --ruleset moomin  rules that mention all words
  referee rules --ruleset color-powers --power blue
                                            the rules of a tower or power
  referee rules --ruleset moomin --card wild-tales
                                            the rules of a card
  referee rules --now "classic-108 7,7,7 2> play red-7"
                                            the legal moves in a position, and why
  referee rules hoppa över --lang sv        in another language
  referee rules R7                          a clarification, where the rule sheets are silent

exit status: 0 found, 1 nothing found, 2 unknown ruleset or invalid input
"""
EVERY = "all"
# The ruleset, or EVERY, and the rule.
Found = tuple[str, Rule]
# Finds rules of a deck by words, in a language.
Search = Callable[[Ruleset, str, str], list[Rule]]


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("query", metavar="QUERY", nargs="*", help="a rule's id, or words in it")
    parser.add_argument(
        "--ruleset", metavar="ID", help="only rules of this deck: " + ", ".join(rulesets())
    )
    parser.add_argument("--card", metavar="ID", help="only rules of this card; needs --ruleset")
    parser.add_argument("--power", metavar="NAME", help="only rules of this power; needs --ruleset")
    parser.add_argument("--now", metavar="POSITION", help="list the legal moves in this position")
    add_language(parser)
    parser.add_argument("--json", action="store_true", help="JSON instead of text")


def run(args: argparse.Namespace) -> int:
    """Print the requested rules."""
    known = rulesets()
    if args.ruleset is not None and args.ruleset not in known:
        complain("rules", f"there is no ruleset {args.ruleset!r} (known: {', '.join(known)})")
        return 2
    if args.now is not None:
        return _print_now(args.now, args.lang)
    if (args.card or args.power) and args.ruleset is None:
        complain("rules", "--card and --power need a --ruleset")
        return 2
    chosen = known.values() if args.ruleset is None else [known[args.ruleset]]
    query = " ".join(args.query)
    try:
        notes = _clarifications(query, args.lang)
        rules = _find(chosen, query, args, lookup)
        if not rules and not notes:
            rules = _find(chosen, query, args, lookup_loosely)
    except KeyError as missing:
        complain("rules", f"{args.ruleset} has no {missing.args[0]}")
        return 2
    if not rules and not notes:
        where = f" in {args.ruleset}" if args.ruleset else ""
        complain("rules", f"no rule{where} mentions {query!r}")
        return 1
    if args.json:
        print_json(
            {
                "rules": [_rule_json(where, rule, args.lang) for where, rule in rules],
                "rulings": [asdict(note) for note in notes],
            }
        )
    elif query or args.card or args.power:
        _print_texts(rules, notes, args.lang)
    else:
        _print_list(rules)
    return 0


def _print_now(line: str, lang: str) -> int:
    """Print the legal moves of every seat in a position, with the rule behind each."""
    try:
        state = position_from_text(line)
    except FieldError as error:
        complain("rules", f"{error.field}: {translate(error.reason, lang)}")
        return 2
    game, out = state.game, console()
    book = rulebook(game.ruleset, lang)
    out.print(Text(describe_waiting(owed(state), lang, game.seats, game.ruleset)))
    for seat, name in enumerate(game.seats, 1):
        for choice in choices(state, seat):
            sentence = describe_choice(choice, lang, game.seats, game.ruleset)
            source = f"{choice.rule}, {citation(book[choice.rule], lang)}"
            out.print(Text(f"{name}: {sentence} [{source}]"), soft_wrap=True)
    return 0


def _find(
    chosen: Iterable[Ruleset], query: str, args: argparse.Namespace, search: Search
) -> list[Found]:
    """Find rules; rules that all decks share are found once. Raises KeyError."""
    matches: dict[Found, None] = {}
    for ruleset in chosen:
        about = [rules_of_card(ruleset, args.card)] if args.card else []
        about += [rules_of_power(ruleset, args.power)] if args.power else []
        wanted = [{rule.id for rule in rules} for rules in about]
        for rule in search(ruleset, query, args.lang):
            if not all(rule.id in ids for ids in wanted):
                continue
            where = EVERY if rule.document is None else ruleset.id
            matches[where, rule] = None
    return list(matches)


def _clarifications(query: str, lang: str) -> list[Clarification]:
    wanted = query.strip().upper()
    return [note for name, note in clarifications(lang).items() if name == wanted]


def _rule_json(where: str, rule: Rule, lang: str) -> Mapping[str, Any]:
    told = {name: value for name, value in asdict(rule).items() if name != "called"}
    return {"ruleset": where, **told, "source": citation(rule, lang)}


def _print_list(rules: list[Found]) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("ruleset", "rule", "title"):
        table.add_column(name, overflow="fold")
    for where, rule in rules:
        table.add_row(where, Text(rule.id, "bold"), rule.title)
    console().print(table)


def _print_texts(rules: list[Found], notes: list[Clarification], lang: str) -> None:
    out = console()
    numbers = clarifications(lang)
    for where, rule in rules:
        out.print(Text(f"{where}  {rule.id}: {rule.title}", "bold"), soft_wrap=True)
        out.print(Text(rule.text))
        if rule.official:
            out.print(Text(what_the_sheets_say(rule, lang)))
        out.print(Text(f"[{citation(rule, lang)}]", "dim"), soft_wrap=True)
        for name in rule.rulings:
            out.print(Text(f"  {name}: {numbers[name].text}"))
        out.print()
    for note in notes:
        out.print(Text(f"{note.id}: {note.title}", "bold"), soft_wrap=True)
        out.print(Text(f"{note.text} ({note.why})"))
        out.print()
