"""Events as announcements to the table."""

from collections.abc import Mapping, Sequence
from typing import Any

from referee.rules.events import Event
from referee.rules.ruleset import Ruleset
from referee.rules.serial import event_to_json
from referee.texts.vocabulary import Speaker


def describe_event(
    event: Event | Mapping[str, Any],
    lang: str,
    seats: Sequence[str],
    ruleset: Ruleset | None = None,
) -> str | None:
    """What is announced of an event, or None when the table need not hear of it.

    No card of a hand is ever said. Who has not called UNO is not said either: that is for the other
    players to notice.
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
        said = speaker.say("proof", fields["rule"], words)
        return said or speaker.say("proof", "otherwise", words)
    return speaker.say("event", kind, words)
