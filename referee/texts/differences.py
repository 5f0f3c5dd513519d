"""What a correction has changed, in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from referee.rules.ruleset import Ruleset
from referee.texts.vocabulary import Speaker


def describe_correction(
    entry: Mapping[str, Any], lang: str, seats: Sequence[str], ruleset: Ruleset | None = None
) -> list[str]:
    """Each ruling that came out otherwise, and what is now otherwise at the table."""
    speaker = Speaker(lang, seats, ruleset)
    said = [
        speaker.say(
            "changed",
            item["now"]["verdict"],
            speaker.words({**item, "was": item["was"]["rule"], "rule": item["now"]["rule"]}),
        )
        for item in entry["changed"]
    ]
    differs: Mapping[str, Mapping[str, Any]] = entry.get("differs", {})
    for name, values in differs.items():
        said += _difference(speaker, name, values["was"], values["now"])
    return [sentence for sentence in said if sentence]


def _difference(speaker: Speaker, name: str, was: Any, now: Any) -> list[str | None]:
    if name == "hands":
        return [
            speaker.say("differs", "hand", speaker.words({"seat": seat, "count": new, "was": old}))
            for seat, (old, new) in enumerate(zip(was, now, strict=True), 1)
            if old != new
        ]
    if name == "powers":
        return [
            speaker.say("differs", "power", speaker.words({"power": power, "to": now[power]}))
            for power in now
            if was.get(power) != now[power]
        ]
    if name == "direction":
        turned = {"direction": 1 if now == "clockwise" else -1}
        return [speaker.say("differs", name, speaker.words(turned))]
    words = {"turn": "turn", "color": "color", "scores": "scores"}.get(name)
    if words is not None:
        return [speaker.say("differs", name, speaker.words({words: now}))]
    winners = list(now) if isinstance(now, list | tuple) else [now] if now else []
    return [speaker.say("differs", name, speaker.words({"seats": winners}))]
