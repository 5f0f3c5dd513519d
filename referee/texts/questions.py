"""What the referee asks the table, and what became of it."""

from collections.abc import Mapping, Sequence
from typing import Any

from referee.rules.ruleset import Ruleset
from referee.texts.vocabulary import Speaker

Json = dict[str, Any]


# option → how the same thing is announced when it has happened
ANNOUNCED = {"play": "played", "flip": "flipped"}
SAME = {"put-right": "shows"}


def describe_question(
    question: Mapping[str, Any], lang: str, seats: Sequence[str], ruleset: Ruleset | None = None
) -> Json:
    """A question in words, and each of its likely answers."""
    speaker = Speaker(lang, seats, ruleset)
    words = speaker.words({"seat": question.get("seat")})
    opening = any(option["kind"] == "opening" for option in question["options"])
    name = "pile-opening" if opening else question["about"]
    options = [{**one, "text": _option(speaker, one)} for one in question["options"]]
    return {**question, "text": speaker.say("question", name, words) or "", "options": options}


def _option(speaker: Speaker, option: Mapping[str, Any]) -> str:
    """An answer: what happened, and what nobody had said before it."""
    *before, last = option["moves"] or [{}]
    args = {"card": option["card"], "seat": last.get("seat"), "dealer": option.get("dealer")}
    words = speaker.words({name: value for name, value in args.items() if value})
    kind = option["kind"]
    said = [_step(speaker, move) for move in before]
    if kind in ANNOUNCED:
        said.append(speaker.say("event", ANNOUNCED[kind], words))
    else:
        said.append(speaker.say("answer", SAME.get(kind, kind), words))
    return " ".join(sentence for sentence in said if sentence)


def _step(speaker: Speaker, move: Mapping[str, Any]) -> str | None:
    """What somebody did without saying so; that they left it at that goes without saying."""
    drawn = {"draw": 1, "accept": 4}.get(move["move"])
    if drawn is None:
        return None
    return speaker.say("event", "drew", speaker.words({"seat": move["seat"], "count": drawn}))


def describe_lapse(why: str, lang: str) -> str | None:
    """That nobody needs to answer any more."""
    name = "presumed" if why == "presumed" else "settled"
    return Speaker(lang, ()).say("lapsed", name, {})
