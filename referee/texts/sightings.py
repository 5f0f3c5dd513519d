"""What devices see, in words: where a tower should go, and what a board cannot tell."""

from collections.abc import Mapping, Sequence
from typing import Any

from referee.rules.ruleset import Ruleset
from referee.texts.vocabulary import Speaker


def describe_discrepancy(
    item: Mapping[str, Any], lang: str, seats: Sequence[str], ruleset: Ruleset | None = None
) -> str:
    """A power or a card that is elsewhere than it should be, and what to do about it."""
    speaker = Speaker(lang, seats, ruleset)
    if "power" not in item:
        words = speaker.words({"card": item["is"], "top": item["should"]})
        return speaker.say("discrepancy", item["kind"], words) or str(item["should"])
    words = speaker.words({"power": item["power"], "seat": item["is"], "to": item["should"]})
    return speaker.say("discrepancy", item["kind"], words) or words["power"]


def describe_observation(
    entry: Mapping[str, Any], lang: str, seats: Sequence[str], ruleset: Ruleset | None = None
) -> list[str]:
    """What the table hears of an observation: what cannot be told, and what is wrong by it.

    That something was moved or laid as the game expects it is said by the move, not here.
    """
    speaker = Speaker(lang, seats, ruleset)
    seen = entry["observation"]
    found: Sequence[Mapping[str, Any]] = entry.get("discrepancies", ())
    if seen["kind"] == "powers":
        said, wrong = _powers(speaker, seen), [x for x in found if x.get("power") in seen["powers"]]
        if entry["meaning"] == "agrees" and not any("power" in item for item in found):
            said.append(speaker.say("observed", "agrees", {}))
    else:
        said = [_pile(speaker, entry)]
        wrong = [item for item in found if "power" not in item] if seen["kind"] == "pile" else []
    said += [describe_discrepancy(item, lang, seats, ruleset) for item in wrong]
    return [sentence for sentence in said if sentence]


def describe_presence(
    entry: Mapping[str, Any], lang: str, seats: Sequence[str], ruleset: Ruleset | None = None
) -> list[str]:
    """What the table hears of a device that is missed, or is heard again."""
    speaker = Speaker(lang, seats, ruleset)
    if "sight" in entry:
        said = speaker.say("observed", f"camera-{entry['sight']}", {})
    elif entry["powers"]:
        said = speaker.say("observed", "unknown", speaker.words({"powers": entry["powers"]}))
    else:
        said = None
    return [said] if said else []


def _powers(speaker: Speaker, seen: Mapping[str, Any]) -> list[str | None]:
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
    return said + [speaker.say("observed", "fault", speaker.words(fault)) for fault in faults]


def _pile(speaker: Speaker, entry: Mapping[str, Any]) -> str | None:
    """That the camera sees or does not see, or what became of a card that was not moved on."""
    seen = entry["observation"]
    if seen["kind"] == "camera":
        return speaker.say("observed", f"camera-{seen['state']}", {})
    cards = seen.get("cards") or {}
    card = max(cards, key=cards.__getitem__, default=None)
    words = speaker.words({"card": card, "seat": seen.get("seat")})
    return speaker.say("observed", f"{seen['kind']}-{entry['meaning']}", words)
