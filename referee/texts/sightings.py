"""What devices see, in words: where a tower should go, and what a board cannot tell."""

from collections.abc import Mapping, Sequence
from typing import Any

from referee.rules.ruleset import Ruleset
from referee.texts.vocabulary import Speaker


def describe_discrepancy(
    item: Mapping[str, Any], lang: str, seats: Sequence[str], ruleset: Ruleset | None = None
) -> str:
    """A power that stands elsewhere than it should, and what to do about it."""
    speaker = Speaker(lang, seats, ruleset)
    words = speaker.words({"power": item["power"], "seat": item["is"], "to": item["should"]})
    return speaker.say("discrepancy", item["kind"], words) or words["power"]


def describe_observation(
    entry: Mapping[str, Any], lang: str, seats: Sequence[str], ruleset: Ruleset | None = None
) -> list[str]:
    """What the table hears of an observation: what cannot be told, and what stands wrong by it.

    That a power was moved as the game expects it is said by the move, not here.
    """
    speaker = Speaker(lang, seats, ruleset)
    seen = entry["observation"]
    conflicts: Mapping[str, Sequence[int]] = seen.get("conflicts", {})
    said = [
        speaker.say("observed", "conflict", speaker.words({"power": power, "places": places}))
        for power, places in conflicts.items()
    ]
    unknown = [
        power
        for power, position in seen["powers"].items()
        if position == "unknown" and power not in conflicts
    ]
    if unknown:
        said.append(speaker.say("observed", "unknown", speaker.words({"powers": unknown})))
    faults = seen.get("faults", ())
    said += [speaker.say("observed", "fault", speaker.words(fault)) for fault in faults]
    said += [
        describe_discrepancy(item, lang, seats, ruleset)
        for item in entry["discrepancies"]
        if item["power"] in seen["powers"]
    ]
    if entry["meaning"] == "agrees" and not entry["discrepancies"]:
        said.append(speaker.say("observed", "agrees", {}))
    return [sentence for sentence in said if sentence]
