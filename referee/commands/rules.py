"""``referee rules``: the rulebooks, to read and to look things up in."""

import argparse
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from rich.table import Table
from rich.text import Text

from referee.commands.output import complain, console, print_json
from referee.rules.rulebook import Clarification, Rule, citation, clarifications, rulebook, search
from referee.rules.ruleset import Ruleset, rulesets

EPILOG = """\
examples:
  referee rules                             every rule there is
  referee rules --ruleset power-grab        those of one deck
  referee rules challenge                   all that has to do with it
  referee rules tower.protect               one rule
  referee rules last card --ruleset moomin  several words must all occur
  referee rules R7                          a ruling: what was decided where the sheets are silent

exit status: 0 found, 1 nothing found, 2 there is no such ruleset
"""
EVERY = "all"
# A rule as it is found: where it holds, and what it says.
Found = tuple[str, Rule]


def add_parser(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "rules",
        help="look a rule up, with its source",
        description="List the rules, or look one up by its id or by words in it.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("query", metavar="QUERY", nargs="*", help="a rule's id, or words in it")
    parser.add_argument(
        "--ruleset", metavar="ID", help="only of this deck: " + ", ".join(rulesets())
    )
    parser.add_argument("--json", action="store_true", help="JSON instead of text")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Look rules up."""
    known = rulesets()
    if args.ruleset is not None and args.ruleset not in known:
        complain("rules", f"there is no ruleset {args.ruleset!r} (known: {', '.join(known)})")
        return 2
    chosen = known.values() if args.ruleset is None else [known[args.ruleset]]
    query = " ".join(args.query)
    found = _find(chosen, query)
    notes = _clarifications(query)
    if not found and not notes:
        where = f" in {args.ruleset}" if args.ruleset else ""
        complain("rules", f"no rule{where} says {query!r}")
        return 1
    if args.json:
        print_json(
            {
                "rules": [_rule_json(where, rule) for where, rule in found],
                "rulings": [asdict(note) for note in notes],
            }
        )
    elif query:
        _print_texts(found, notes)
    else:
        _print_list(found)
    return 0


def _find(chosen: Iterable[Ruleset], query: str) -> list[Found]:
    """What a query finds, a rule that all decks share once."""
    found: dict[Found, None] = {}
    for ruleset in chosen:
        for rule in search(rulebook(ruleset), query):
            where = EVERY if rule.document is None else ruleset.id
            found[where, rule] = None
    return list(found)


def _clarifications(query: str) -> list[Clarification]:
    wanted = query.strip().upper()
    return [note for name, note in clarifications().items() if name == wanted]


def _rule_json(where: str, rule: Rule) -> Mapping[str, Any]:
    return {"ruleset": where, **asdict(rule), "source": citation(rule)}


def _print_list(found: list[Found]) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("ruleset", "rule", "title", "source"):
        table.add_column(name, overflow="fold")
    for where, rule in found:
        table.add_row(where, Text(rule.id, "bold"), rule.title, Text(citation(rule), "dim"))
    console().print(table)


def _print_texts(found: list[Found], notes: list[Clarification]) -> None:
    out = console()
    numbers = clarifications()
    for where, rule in found:
        out.print(Text(f"{where}  {rule.id}: {rule.title}", "bold"), soft_wrap=True)
        out.print(Text(rule.text))
        out.print(Text(f"[{citation(rule)}]", "dim"), soft_wrap=True)
        for name in rule.rulings:
            out.print(Text(f"  {name}: {numbers[name].text}"))
        out.print()
    for note in notes:
        out.print(Text(f"{note.id}: {note.title}", "bold"), soft_wrap=True)
        out.print(Text(f"{note.text} ({note.why})"))
        out.print()
