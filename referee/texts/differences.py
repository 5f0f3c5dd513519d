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
            speaker.words({**item, "rule": item["now"]["rule"]}),
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


# field of the state → the event that is announced when it comes about, and what that one calls it
EVENTS: Mapping[str, tuple[str, str]] = {
    "turn": ("turn-came", "seat"),
    "color": ("color-named", "color"),
    "scores": ("scored", "scores"),
    "round_winner": ("round-won", "seat"),
    "winner": ("game-won", "seats"),
}


def _event(speaker: Speaker, event: str, args: Mapping[str, Any]) -> str | None:
    return speaker.say("event", event, speaker.words(args))
