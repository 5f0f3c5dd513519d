"""Prompts to the table: a seat's choices, what is awaited, and questions."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from referee.rules import actions as act
from referee.rules.legal import Choice
from referee.rules.ruleset import Ruleset
from referee.texts.vocabulary import Speaker

# kind of answer → the event that announces the same thing
ANNOUNCED = {"play": "played", "flip": "flipped"}
# kind of answer → another kind whose sentence it shares
SAME = {"put-right": "shows"}
# move → how many cards it draws
DRAWN = {"draw": 1, "accept": 4}


def describe_choice(
    choice: Choice, lang: str, seats: Sequence[str], ruleset: Ruleset | None = None
) -> str:
    """Return a choice as an instruction to the seat."""
    speaker = Speaker(lang, seats, ruleset)
    moves = choice.moves
    words = speaker.words(
        {
            "playable": _unique(move.card for move in moves if isinstance(move, act.Play)),
            "colors": _unique(move.color for move in moves if isinstance(move, act.NameColor)),
            "takeable": _unique(
                power
                for move in moves
                if isinstance(move, act.ChoosePowers)
                for power in move.powers
            ),
            "others": _unique(move.accused for move in moves if isinstance(move, act.Catch))
            or choice.to,
            "by": choice.by,
            "color": choice.color,
        }
    )
    return speaker.say("choice", choice.kind, words) or speaker.rule(choice.rule)


def _unique(items: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(items))


def describe_waiting(
    awaiting: Any, lang: str, seats: Sequence[str], ruleset: Ruleset | None = None
) -> str:
    """Return a sentence that names what the referee waits for, and from whom."""
    speaker = Speaker(lang, seats, ruleset)
    needs = speaker.needs(awaiting)
    said = speaker.say("event", "awaited", {"needs": needs}) if awaiting else None
    return said or f"{needs[:1].upper()}{needs[1:]}."


def describe_question(
    question: Mapping[str, Any], lang: str, seats: Sequence[str], ruleset: Ruleset | None = None
) -> dict[str, Any]:
    """Return a question with a ``text`` for itself and for each of its options."""
    speaker = Speaker(lang, seats, ruleset)
    words = speaker.words({"seat": question.get("seat")})
    opening = any(option["kind"] == "opening" for option in question["options"])
    name = "pile-opening" if opening else question["about"]
    options = [{**option, "text": _option(speaker, option)} for option in question["options"]]
    return {**question, "text": speaker.say("question", name, words) or "", "options": options}


def _option(speaker: Speaker, option: Mapping[str, Any]) -> str:
    """Describe an option, including the unreported draws before it."""
    *before, last = option["moves"] or [{}]
    args = {"card": option["card"], "seat": last.get("seat"), "dealer": option.get("dealer")}
    words = speaker.words({name: value for name, value in args.items() if value})
    kind = option["kind"]
    sentences = [
        speaker.say(
            "event",
            "drew",
            speaker.words({"seat": move["seat"], "count": DRAWN[move["move"]]}),
        )
        for move in before
        if move["move"] in DRAWN
    ]
    if kind in ANNOUNCED:
        sentences.append(speaker.say("event", ANNOUNCED[kind], words))
    else:
        sentences.append(speaker.say("answer", SAME.get(kind, kind), words))
    return " ".join(sentence for sentence in sentences if sentence)


def describe_lapse(why: str, lang: str) -> str | None:
    """Return the announcement that a question needs no answer any more."""
    name = "presumed" if why == "presumed" else "settled"
    return Speaker(lang, ()).say("lapsed", name, {})
