"""Sentences for who comes, goes, and hosts."""

from collections.abc import Mapping, Sequence
from typing import Any

from referee.texts.vocabulary import Speaker


def describe_hosts(entry: Mapping[str, Any], lang: str, seats: Sequence[str]) -> list[str]:
    """Return the announcements of an entry about who hosts the table."""
    kind = entry["why"] if entry["kind"] == "host-request-ended" else entry["kind"]
    speaker = Speaker(lang, seats)
    name = kind if kind.startswith("host-") else f"host-{kind}"
    sentence = speaker.say("people", name, {"seat": speaker.seat(entry["seat"])})
    return [sentence] if sentence else []
