"""What a correction tells hands to take and put back: it leaves them with the cards counted."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.random_tables.driver import RandomTable, Step

HELD = re.compile(r"You hold (\d+) cards? now|Then you hold (\d+)")
# How many cards one sentence adds to a hand.
TOLD = {
    re.compile(r"This card belongs in your hand"): 1,
    re.compile(r"Take the [^.]+? back\."): 1,
    re.compile(r"Lay this card on the pile again"): -1,
    re.compile(r"[Pp]ut the (?:drawn )?card back"): -1,
}
# Of cards under the top card the number is told.
FROM_UNDER = re.compile(r"Take back the (\d+) cards? that you put under the top card")
UNDER = re.compile(r"Put (\d+) cards? under the top card again")
# Whole hands go elsewhere, or are counted anew.
WHOLE = re.compile(
    r"[Cc]ount your cards|Keep your hand|go (?:back )?to|gives? you|(?:Pass|Swap) (?:your )?hand"
)
# The host lets a card lie, or says that another hand laid it: what changes is the count alone.
LEFT_ALONE = ("overrule", "replace", "break-off")
LISTS = ("fell", "stands", "changed")


def hands_are_told(table: "RandomTable", step: "Step") -> None:
    """Whoever does what a correction says on the own phone holds as many cards as are counted."""
    for entry in step.news:
        if entry["kind"] != "corrected":
            continue
        made = table.log[entry["voids"] - 1] if "voids" in entry else entry
        if made.get("change", entry["change"])["kind"] in LEFT_ALONE:
            continue
        now = entry["state"]["hands"]
        was = entry.get("differs", {}).get("hands", {}).get("was", now)
        for seat, count in enumerate(now[: len(was)], 1):
            # A move that is entered has been made, and nobody made it if that is taken back; a
            # flipped card comes from the draw pile.
            deeds = [
                one for name in LISTS for one in entry.get(name, ()) if one.get("seat") == seat
            ]
            if made.get("entered", {}).get("seat") == seat or any(
                one.get("kind") == "flip" for one in deeds
            ):
                continue
            text = " ".join(
                f"{one['title']}. {one['text']}" for one in entry["banners"] if one["seat"] == seat
            )
            held, before = HELD.search(text), was[seat - 1]
            if held is None and WHOLE.search(text):
                continue
            told = before + sum(len(words.findall(text)) * n for words, n in TOLD.items())
            told += sum(map(int, FROM_UNDER.findall(text))) - sum(map(int, UNDER.findall(text)))
            told = told if held is None else int(held[held.lastindex or 0])
            assert told == count, f"seat {seat} has {before}, then {count}, and is told: {text}"
