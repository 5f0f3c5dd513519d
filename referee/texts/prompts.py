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
JUMP_IN, STACKING = "house.jump-in", "house.stacking"
# kind of choice and its rule → the sentence, if it is another than the kind's
SENTENCES = {("play", JUMP_IN): "jump-in", ("play", STACKING): "stack"}
# step that nobody reported → the event that announces the same thing
STEPS = {"draw": "drew", "accept": "drew", "swap": "hands-swapped"}
# how many cards a step drew, in questions that do not say it
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
            or _unique(move.other for move in moves if isinstance(move, act.Swap))
            or choice.to,
            **{name: getattr(choice, name) for name in ("by", "color", "count", "more", "most")},
        }
    )
    kind = SENTENCES.get((choice.kind, choice.rule), choice.kind)
    return speaker.say("choice", kind, words) or speaker.rule(choice.rule)


def _unique(items: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(items))


def describe_waiting(
    awaiting: Any, lang: str, seats: Sequence[str], ruleset: Ruleset | None = None
) -> str:
    """Return a sentence that names what the referee waits for, and from whom."""
    speaker = Speaker(lang, seats, ruleset)
    needs = speaker.needs(awaiting)
    sentence = speaker.say("event", "awaited", {"needs": needs}) if awaiting else None
    return sentence or f"{needs[:1].upper()}{needs[1:]}."


def describe_question(
    question: Mapping[str, Any], lang: str, seats: Sequence[str], ruleset: Ruleset | None = None
) -> dict[str, Any]:
    """Return a question with a ``text`` for itself and for each of its options."""
    speaker = Speaker(lang, seats, ruleset)
    name, args = _asked(question)
    words = speaker.words(args)
    options = [{**option, "text": _option(speaker, option)} for option in question["options"]]
    return {**question, "text": speaker.say("question", name, words) or "", "options": options}


def _asked(question: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Return the sentence that asks, and its arguments."""
    options: Sequence[Mapping[str, Any]] = question["options"]
    if any(option["kind"] == "opening" for option in options):
        return "pile-opening", {}
    laid = [option for option in options if option["moves"]]
    if question["about"] != "pile" or len({option["card"] for option in laid}) != 1:
        return question["about"], {"seat": question.get("seat")}
    first = [option["moves"][0] for option in laid]
    if len(laid) > 1 and all(move["move"] == "swap" for move in first):
        return "pile-swap", first[0]
    seats = {option["moves"][-1]["seat"] for option in laid}
    if len(seats) > 1 and not {JUMP_IN, STACKING}.isdisjoint(o.get("rule") for o in laid):
        return "pile-who", {"card": laid[0]["card"]}
    return "pile", {}


def _option(speaker: Speaker, option: Mapping[str, Any]) -> str:
    """Describe an option, including the steps before it that nobody reported."""
    *before, last = option["moves"] or [{}]
    args = {"card": option["card"], "seat": last.get("seat"), "dealer": option.get("dealer")}
    words = speaker.words({name: value for name, value in args.items() if value})
    kind = option["kind"]
    sentences = [
        speaker.say("event", STEPS[move["move"]], speaker.words(_step(move, option)))
        for move in before
        if move["move"] in STEPS
    ]
    if option.get("rule") == JUMP_IN:
        sentences.append(speaker.say("event", "jumped-in", words))
    if kind in ANNOUNCED:
        sentences.append(speaker.say("event", ANNOUNCED[kind], words))
    else:
        sentences.append(speaker.say("answer", SAME.get(kind, kind), words))
    return " ".join(sentence for sentence in sentences if sentence)


def _step(move: Mapping[str, Any], option: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the arguments of the sentence about a step that nobody reported."""
    if move["move"] == "swap":
        return {"seats": (move["seat"], move["with"])}
    return {"seat": move["seat"], "count": option.get("count", DRAWN[move["move"]])}


def describe_lapse(why: str, lang: str) -> str | None:
    """Return the announcement that a question needs no answer any more."""
    name = why if why in ("presumed", "unanswered") else "settled"
    return Speaker(lang, ()).say("lapsed", name, {})
