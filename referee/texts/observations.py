"""Sentences for what devices observe: discrepancies, camera and board reports."""

from collections.abc import Mapping, Sequence
from typing import Any

from referee.rules.ruleset import Ruleset
from referee.texts.vocabulary import Speaker


def describe_discrepancy(
    item: Mapping[str, Any], lang: str, seats: Sequence[str], ruleset: Ruleset | None = None
) -> str:
    """Return the instruction to put right a power or card that is out of place."""
    speaker = Speaker(lang, seats, ruleset)
    if "power" not in item:
        words = speaker.words({"card": item["is"], "top": item["should"]})
        return speaker.say("discrepancy", item["kind"], words) or str(item["should"])
    words = speaker.words({"power": item["power"], "seat": item["is"], "to": item["should"]})
    return speaker.say("discrepancy", item["kind"], words) or words["power"]


def describe_observation(
    entry: Mapping[str, Any], lang: str, seats: Sequence[str], ruleset: Ruleset | None = None
) -> list[str]:
    """Return the announcements of an observation: doubts, and what has to be put right.

    Moves that the game expected are announced with the move, not here.
    """
    speaker = Speaker(lang, seats, ruleset)
    seen = entry["observation"]
    doubts: Sequence[Mapping[str, Any]] = entry.get("discrepancies", ())
    if seen["kind"] == "powers":
        sentences = _powers(speaker, seen)
        wrong = [item for item in doubts if item.get("power") in seen["powers"]]
        if entry["meaning"] == "agrees" and not any("power" in item for item in doubts):
            sentences.append(speaker.say("observed", "agrees", {}))
    else:
        sentences = [_pile(speaker, entry)]
        wrong = [item for item in doubts if "power" not in item] if seen["kind"] == "pile" else []
    sentences += [describe_discrepancy(item, lang, seats, ruleset) for item in wrong]
    return [sentence for sentence in sentences if sentence]


def describe_presence(
    entry: Mapping[str, Any], lang: str, seats: Sequence[str], ruleset: Ruleset | None = None
) -> list[str]:
    """Return the announcements of a device that fell silent or came back."""
    speaker = Speaker(lang, seats, ruleset)
    if "sight" in entry:
        sentence = speaker.say("observed", f"camera-{entry['sight']}", {})
    elif entry["powers"]:
        sentence = speaker.say("observed", "unknown", speaker.words({"powers": entry["powers"]}))
    else:
        sentence = None
    return [sentence] if sentence else []


def _powers(speaker: Speaker, seen: Mapping[str, Any]) -> list[str | None]:
    conflicts: Mapping[str, Sequence[int]] = seen.get("conflicts", {})
    sentences = [
        speaker.say("observed", "conflict", speaker.words({"power": power, "places": places}))
        for power, places in conflicts.items()
    ]
    unknown = [
        power
        for power, position in seen["powers"].items()
        if position == "unknown" and power not in conflicts
    ]
    if unknown:
        sentences.append(speaker.say("observed", "unknown", speaker.words({"powers": unknown})))
    faults = seen.get("faults", ())
    return sentences + [speaker.say("observed", "fault", speaker.words(item)) for item in faults]


def _pile(speaker: Speaker, entry: Mapping[str, Any]) -> str | None:
    seen = entry["observation"]
    if seen["kind"] == "camera":
        if "warnings" in seen:
            # It goes on seeing the pile; the page shows what disturbs it.
            return None
        return speaker.say("observed", f"camera-{seen['state']}", {})
    cards = seen.get("cards") or {}
    card = max(cards, key=cards.__getitem__, default=None)
    words = speaker.words({"card": card, "seat": seen.get("seat")})
    return speaker.say("observed", f"{seen['kind']}-{entry['meaning']}", words)
