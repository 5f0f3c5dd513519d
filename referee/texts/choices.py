"""What a seat may do now, in words."""

from collections.abc import Iterable, Sequence
from typing import Any

from referee.rules import actions as act
from referee.rules.choices import Choice
from referee.rules.ruleset import Ruleset
from referee.texts.vocabulary import Speaker


def describe_choice(
    choice: Choice, lang: str, seats: Sequence[str], ruleset: Ruleset | None = None
) -> str:
    """One thing that may be done, as an instruction."""
    speaker = Speaker(lang, seats, ruleset)
    moves = choice.moves
    words = speaker.words(
        {
            "playable": _each(move.card for move in moves if isinstance(move, act.Play)),
            "colors": _each(move.color for move in moves if isinstance(move, act.NameColor)),
            "powers": _each(
                power
                for move in moves
                if isinstance(move, act.ChoosePowers)
                for power in move.powers
            ),
            "seats": _each(move.accused for move in moves if isinstance(move, act.Catch))
            or choice.to,
        }
    )
    return speaker.say("choice", choice.kind, words) or speaker.rule(choice.rule)


def describe_waiting(
    awaiting: Any, lang: str, seats: Sequence[str], ruleset: Ruleset | None = None
) -> str:
    """Who is to do what now."""
    speaker = Speaker(lang, seats, ruleset)
    words = speaker.words({"needs": awaiting}) if awaiting else {"needs": speaker.needs(())}
    return speaker.say("event", "awaited", words) or words["needs"]


def _each(items: Iterable[Any]) -> tuple[Any, ...]:
    """Every item once, in their order."""
    return tuple(dict.fromkeys(items))
