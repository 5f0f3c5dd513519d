"""What the referee asks the table, and what became of it."""

from collections.abc import Mapping, Sequence
from typing import Any

from referee.rules.ruleset import Ruleset
from referee.texts.vocabulary import Speaker

Json = dict[str, Any]


def describe_question(
    question: Mapping[str, Any], lang: str, seats: Sequence[str], ruleset: Ruleset | None = None
) -> Json:
    """A question in words, and each of its likely answers."""
    speaker = Speaker(lang, seats, ruleset)
    words = speaker.words({"seat": question.get("seat")})
    kinds = {option["kind"] for option in question["options"]} - {"nothing"}
    name = question["about"]
    if len(kinds) == 1 and len(question["options"]) > 1:
        name = f"{name}-{next(iter(kinds))}"
    text = speaker.say("question", name, words) or speaker.say("question", question["about"], words)
    options = [{**one, "text": _option(speaker, one)} for one in question["options"]]
    return {**question, "text": text or "", "options": options}


def _option(speaker: Speaker, option: Mapping[str, Any]) -> str:
    """An answer: what happened, and what nobody had said before it."""
    *before, last = option["moves"] or [{}]
    args = {"card": option["card"], "seat": last.get("seat"), "dealer": option.get("dealer")}
    words = speaker.words({name: value for name, value in args.items() if value})
    said = [
        speaker.say("step", move["move"], speaker.words({"seat": move["seat"]})) for move in before
    ]
    said.append(speaker.say("option", option["kind"], words))
    return " ".join(sentence for sentence in said if sentence)


def describe_lapse(why: str, lang: str) -> str | None:
    """That nobody needs to answer any more."""
    return Speaker(lang, ()).say("lapsed", why, {})
