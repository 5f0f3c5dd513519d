"""Scenarios of ``scenarios/*.toml``: moves at a table, how they are ruled, and what they leave.

A scenario is a text of steps, each in a line of its own or after a semicolon:

``power-grab red-7:U seats=4 dealer=2 hands=7,2,7,7 powers=N3 stacking=any``
    A round is opened: the deck, the cards turned up if they are no red 7, how many sit there if
    no hands say so and they are not three, who dealt if not seat 1, options, and fields of the
    state. A second such step opens another table. ``every-deck`` is each deck with all the usual
    cards in turn, or each of the section's ``decks``.
``round blue-7 dealer=2``
    The next round is opened.
``given hands=7,1,7 top=wild color=green``
    Fields of the state change, as if much had been played.
``2 red-3 uno``, ``2 red-3 legal [match]``, ``2 blue-4 illegal [match]``
    A move, as in docs/notation.md. It has to be legal, by the rule if there is one, or illegal
    by the rule, which must leave the public state as it was.
``has turn=3 hands=7,6,7 awaiting=3:play uno=-``
    What the public state has, who owes a call (``owed``) and whose next draw is more than one
    card (``raised``); ``-`` is nothing.
``tells 2 uno early``, ``tells no 2 uno early``
    An event that the last move brought, as in docs/notation.md, or did not bring.

A line that begins with ``#`` is a comment.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.rules.codec import move_to_json
from referee.rules.notation import event_to_text, move_from_text
from referee.rules.position.views import public_state
from referee.rules.ruleset import rulesets
from tests.rules.builder import RULESETS, Table
from tests.tables import tables

FOLDER = Path(__file__).with_name("scenarios")
EVERY_DECK = "every-deck"
RULED = re.compile(r"(.+?) (legal|illegal) \[([a-z0-9.-]+)\]")
NOTHING = "-"


def named(words: Iterable[str]) -> dict[str, str]:
    return dict(word.split("=", 1) for word in words)


def opening(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """Return the cards turned up, and what else is given."""
    cards = [word for word in words if "=" not in word]
    return cards or ["red-7"], named(word for word in words if "=" in word)


def numbers(word: str) -> tuple[int, ...]:
    return () if word == NOTHING else tuple(int(number) for number in word.split(","))


def powers(word: str) -> dict[str, int]:
    return {item[:-1]: int(item[-1]) for item in word.split(",")}


def needs(word: str) -> tuple[tuple[int, str], ...]:
    pairs = (item.split(":") for item in word.split(","))
    return tuple((int(seat), need) for seat, need in pairs)


# The fields of the state that a scenario may set, and how they are read.
FIELDS: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(("hands", "uno", "scores", "owed"), numbers),
    **dict.fromkeys(("draw_pile", "discard_pile", "turn", "direction"), int),
    **dict.fromkeys(("top", "color"), str),
    "powers": powers,
    "awaiting": needs,
    "raised": lambda word: dict([numbers(word.replace(":", ","))]),
    # So that cards may turn up again that have been seen.
    "known": lambda _: {},
    "opening": lambda word: word == "yes",
}


def set_fields(table: Table, fields: dict[str, str]) -> None:
    read = {name: FIELDS[name](word) for name, word in fields.items()}
    moved = read.pop("powers", {})
    table.given(**read, powers={**table.state.powers, **moved})


def option(word: str) -> Any:
    try:
        return json.loads(word)
    except ValueError:
        return word


def opened(words: list[str]) -> Table:
    deck, *rest = words
    cards, given = opening(rest)
    seats = int(given.pop("seats", len(given.get("hands", "7,7,7").split(","))))
    dealer = int(given.pop("dealer", 1))
    options = {name: option(word) for name, word in given.items() if name not in FIELDS}
    table = Table(deck, cards, seats, dealer, **options)
    set_fields(table, {name: word for name, word in given.items() if name in FIELDS})
    return table


def open_round(table: Table, words: list[str]) -> None:
    cards, given = opening(words)
    table.open(cards, int(given.get("dealer", 1)))


def make_move(table: Table, step: str) -> None:
    ruled = RULED.fullmatch(step)
    line, verdict, rule = ruled.groups() if ruled else (step, "legal", None)
    fields = move_to_json(move_from_text(line, len(table.state.hands)))
    seat, move = fields.pop("seat"), fields.pop("move")
    if verdict == "legal":
        table.legal(seat, move, rule=rule, **fields)
    else:
        table.illegal(seat, move, rule, **fields)


def written(name: str, value: Any) -> str:
    """Return a field of the public state as scenarios have it."""
    if name == "powers":
        value = [f"{power}{seat}" for power, seat in value.items() if seat]
    elif name == "awaiting":
        value = sorted(f"{one['seat']}:{one['need']}" for one in value)
    elif name == "evidence":
        value = [f"{one['seat']}:{one['move']}:{one['rule']}" for one in value]
    words = value if isinstance(value, list | tuple) else [] if value is None else [value]
    return ",".join(str(word) for word in words) or NOTHING


def check(table: Table, words: list[str]) -> None:
    expected, state = named(words), table.state
    found = {"owed": state.owed, "raised": list(state.raised), **public_state(state)}
    assert {name: written(name, found[name]) for name in expected} == expected


def check_event(table: Table, words: list[str]) -> None:
    told = [event_to_text(event) for event in table.events]
    if words[0] == "no":
        assert " ".join(words[1:]) not in told
    else:
        assert " ".join(words) in told


def steps(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if not line.lstrip().startswith("#"):
            yield from (step.strip() for step in line.split(";") if step.strip())


def run(text: str) -> None:
    table: Table | None = None
    for step in steps(text):
        first, *words = step.split()
        try:
            if first in rulesets():
                table = opened([first, *words])
                continue
            assert table is not None, "no table is open"
            if first == "given":
                set_fields(table, named(words))
            elif first == "round":
                open_round(table, words)
            elif first == "has":
                check(table, words)
            elif first == "tells":
                check_event(table, words)
            else:
                make_move(table, step)
        except Exception as error:
            error.add_note(f"at: {step}")
            raise


def scenarios() -> Iterator[Any]:
    for path in sorted(FOLDER.glob("*.toml")):
        for section, content in tables(str(path)).items():
            decks = content.pop("decks", RULESETS)
            for name, text in content.items():
                for deck in decks if EVERY_DECK in text else [None]:
                    place = "/".join(filter(None, (path.stem, section, name, deck)))
                    yield pytest.param(text.replace(EVERY_DECK, deck or EVERY_DECK), id=place)


@pytest.mark.parametrize("text", list(scenarios()))
def test_scenario(text: str) -> None:
    run(text)
