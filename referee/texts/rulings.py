"""Sentences for rulings and events."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from referee.rules.events import Event
from referee.rules.ruleset import Ruleset
from referee.rules.rulings import Ruling
from referee.rules.serial import event_to_json
from referee.texts.vocabulary import Speaker

# The id of the sentence for a rule that has none.
OTHERWISE = "otherwise"


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
