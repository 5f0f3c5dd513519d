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


def describe_seats(entry: Mapping[str, Any], lang: str, seats: Sequence[str]) -> list[str]:
    """Return the announcements of a change of the seats."""
    speaker = Speaker(lang, seats)
    change, was = entry["seats"], entry["was"]
    join, order = change.get("join", {}), change.get("order") or was.get("order", [])
    # An imported record does not say what was before.
    before = was.get("order", ())
    sentences = [
        _said(speaker, "renamed", seat=int(seat), was=name)
        for seat, name in was.get("names", {}).items()
    ]
    for seat, points in join.items():
        # Whoever comes after the game has no part in it.
        new = "joined" if entry.get("state", {}).get("winner") is None else "joined-next"
        name = "back" if int(seat) in was.get("back", ()) else new
        sentences.append(_said(speaker, name, seat=int(seat), points=points))
    sentences += [_said(speaker, "left", seat=seat) for seat in before if seat not in order]
    if [seat for seat in order if seat in before] != [seat for seat in before if seat in order]:
        sentences.append(speaker.say("event", "seats-changed", speaker.words({"order": order})))
    if change.get("dealer") and change["dealer"] != was.get("dealer"):
        sentences.append(_said(speaker, "dealer", seat=change["dealer"]))
    return [sentence for sentence in sentences if sentence]


def _said(speaker: Speaker, name: str, **args: Any) -> str | None:
    return speaker.say("people", name, speaker.words(args))
