"""Sentences for rulings, events and corrections."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from referee.rules.events import Event
from referee.rules.ruleset import Ruleset
from referee.rules.rulings import Ruling
from referee.rules.serial import event_to_json
from referee.texts.vocabulary import Speaker

# The id of the sentence for a rule that has none.
OTHERWISE = "otherwise"
# field of the state → the event that announces its change, and that event's field
EVENTS: Mapping[str, tuple[str, str]] = {
    "turn": ("turn-came", "seat"),
    "color": ("color-named", "color"),
    "scores": ("scored", "scores"),
    "round_winner": ("round-won", "seat"),
    "winner": ("game-won", "seats"),
}


class Rendered(TypedDict):
    """The sentences for a ruling; ``put_right`` is None when nothing needs to be put right."""

    text: str
    put_right: str | None


def render_ruling(
    ruling: Ruling, lang: str, seats: Sequence[str], ruleset: Ruleset | None = None
) -> Rendered:
    """Return the sentences for a ruling, in English where ``lang`` has none.

    ``seats`` are the players' names. ``ruleset`` adds its own sentences and card names. A rule
    without a sentence is called by its title in the rulebook.
    """
    speaker = Speaker(lang, seats, ruleset)
    words = speaker.words(ruling.args)
    text = speaker.say(ruling.verdict, ruling.rule, words)
    if text is None:
        text = speaker.say(ruling.verdict, OTHERWISE, {"rule": speaker.rule(ruling.rule)})
    put_right = speaker.say("remedy", ruling.remedy, words) if ruling.remedy else None
    return {"text": text or speaker.rule(ruling.rule), "put_right": put_right}


def describe_event(
    event: Event | Mapping[str, Any],
    lang: str,
    seats: Sequence[str],
    ruleset: Ruleset | None = None,
) -> str | None:
    """Return the announcement of an event, or None if it is not announced.

    Announcements name no card of a hand. Nor do they give away who has not called UNO: the other
    players have to notice.
    """
    fields = event if isinstance(event, Mapping) else event_to_json(event)
    kind = fields["event"]
    if kind == "draw-raised" and not fields["count"]:
        return None
    if kind == "announced" and fields["until_uno"]:
        kind = "announced-until-uno"
    speaker = Speaker(lang, seats, ruleset)
    words = speaker.words(fields)
    if kind == "proved":
        proof = speaker.say("proof", fields["rule"], words)
        return proof or speaker.say("proof", OTHERWISE, words)
    return speaker.say("event", kind, words)


def describe_correction(
    entry: Mapping[str, Any], lang: str, seats: Sequence[str], ruleset: Ruleset | None = None
) -> list[str]:
    """Return a sentence for each ruling and each part of the state that a correction changed."""
    speaker = Speaker(lang, seats, ruleset)
    sentences = [
        speaker.say(
            "changed",
            item["now"]["verdict"],
            speaker.words({**item, "rule": item["now"]["rule"]}),
        )
        for item in entry["changed"]
    ]
    differs: Mapping[str, Mapping[str, Any]] = entry.get("differs", {})
    for name, values in differs.items():
        sentences += _difference(speaker, name, values["was"], values["now"])
    return [sentence for sentence in sentences if sentence]


def _difference(speaker: Speaker, name: str, was: Any, now: Any) -> list[str | None]:
    if name == "hands":
        return [
            speaker.say("differs", "hand", speaker.words({"seat": seat, "count": new, "was": old}))
            for seat, (old, new) in enumerate(zip(was, now, strict=True), 1)
            if old != new
        ]
    if name == "powers":
        moved = ({"power": power, "to": to} for power, to in now.items() if was.get(power) != to)
        return [_event(speaker, "power-moved", args) for args in moved]
    if now is None:
        return []
    if name == "direction":
        turned = 1 if now == "clockwise" else -1
        return [_event(speaker, "direction-turned", {"direction": turned})]
    event, argument = EVENTS[name]
    if argument == "seats":
        now = list(now) if isinstance(now, list | tuple) else [now]
    return [_event(speaker, event, {argument: now})]


def _event(speaker: Speaker, event: str, args: Mapping[str, Any]) -> str | None:
    return speaker.say("event", event, speaker.words(args))
