"""Where devices see each tower or power, and whether that agrees with the game.

The rules decide, not the towers: a moved tower can make a choice that the game waits for; anything
else out of place is a discrepancy until it is put right.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from referee.rules.actions import ChoosePowers
from referee.rules.position.state import State

Position = int | str
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class TowerSighting:
    """The place where a power was last seen, and whether it is still there.

    ``place`` is a seat, or 0 for the tray; None if it was never seen standing. ``since`` is the log
    entry of its arrival there, 0 if unseen; ``holder`` who held it by the rules then, or later,
    once the rules agreed with the place.
    """

    device: str
    place: int | None
    now: Literal["there", "lifted", "unknown"]
    since: int = 0
    holder: int | None = None

    @property
    def position(self) -> Position:
        """The place, "lifted" or "unknown", as in observations."""
        return self.place if self.now == "there" and self.place is not None else self.now


Sightings = Mapping[str, TowerSighting]


def see(
    before: Sightings, state: State, device: str, positions: Mapping[str, Position], entry: int
) -> dict[str, TowerSighting]:
    """Return the sightings after the observation in entry ``entry``."""
    sightings = dict(before)
    for power, position in positions.items():
        last = sightings.get(power) or TowerSighting(device, None, "unknown")
        if position == "lifted" or position == "unknown":
            status: Literal["lifted", "unknown"] = "lifted" if position == "lifted" else "unknown"
            sightings[power] = replace(last, device=device, now=status)
            continue
        place = int(position)
        if last.place is None:
            sightings[power] = TowerSighting(device, place, "there", 0, place)
        elif last.place == place:
            # Put down where it stood, or seen again after a silence: it has not moved.
            sightings[power] = replace(last, device=device, now="there")
        else:
            holder = state.powers.get(power, 0)
            sightings[power] = TowerSighting(device, place, "there", entry, holder)
    return sightings


def agree(sightings: Sightings, held: Iterable[tuple[str, int]]) -> dict[str, TowerSighting]:
    """Return the sightings after the rules gave powers to holders (0: the tray).

    A power that stands where it now belongs was moved correctly, no matter how it came there.
    """
    agreed = dict(sightings)
    for power, holder in held:
        seen = agreed.get(power)
        if seen is not None and seen.place == holder:
            agreed[power] = replace(seen, holder=holder)
    return agreed


def with_silent_unknown(sightings: Sightings, silent: Collection[str]) -> dict[str, TowerSighting]:
    """Return the sightings, those of silent devices as unknown."""
    return {
        power: replace(seen, now="unknown") if seen.device in silent else seen
        for power, seen in sightings.items()
    }


def powers_moved(events: Iterable[Json]) -> Iterator[tuple[str, int]]:
    """Yield each power that the events of a ruling moved, and its new holder (0: the tray)."""
    for event in events:
        if event["event"] == "power-moved":
            yield event["power"], event["to"]


def chooser(state: State) -> int | None:
    """Return the seat that is choosing powers, if any."""
    return next((seat for seat, need in state.awaiting if need == "powers"), None)


def taken(state: State, sightings: Sightings, since: int) -> tuple[str, ...]:
    """Return the powers that the choosing seat has moved to its place after entry ``since``.

    Return none if there are more than the card allows: players then report their choice.
    """
    seat = chooser(state)
    if seat is None or state.laid is None:
        return ()
    ruleset = state.game.ruleset
    moved = tuple(
        power
        for power in ruleset.powers
        if state.powers[power] != seat and _came(sightings.get(power), seat, since)
    )
    most = ruleset.choices.get(state.game.cards[state.laid.card].symbol, 0)
    return moved if len(moved) <= most else ()


def choice_made(
    state: State, sightings: Sightings, since: int, turn_before: int
) -> ChoosePowers | None:
    """Return the choice that the moved powers imply, if it is unambiguous.

    ``since`` is the entry with which the present turn began, ``turn_before`` that of the turn
    before: the tower on offer was laid open by a card of that one.
    """
    for seat, power in state.offers:
        if _came(sightings.get(power), seat, turn_before):
            return ChoosePowers(seat, (power,))
    seat_choosing = chooser(state)
    if seat_choosing is None or state.laid is None:
        return None
    moved = taken(state, sightings, since)
    ruleset = state.game.ruleset
    most = ruleset.choices.get(state.game.cards[state.laid.card].symbol, 0)
    to_be_had = sum(holder != seat_choosing for holder in state.powers.values())
    if moved and len(moved) == min(most, to_be_had):
        return ChoosePowers(seat_choosing, moved)
    return None


def observation_meaning(
    state: State, positions: Mapping[str, Position], sightings: Sightings, since: int
) -> str:
    """Return the meaning of an observation that settled no choice, given its ``positions``."""
    differences = discrepancies(state, sightings, since)
    if any(item["power"] in positions for item in differences):
        return "discrepancy"
    if positions and all(position == "unknown" for position in positions.values()):
        return "unknown"
    if any(power in taken(state, sightings, since) for power in positions):
        return "choosing"
    return "lifted" if "lifted" in positions.values() else "agrees"


def late_claim(
    lapsed: Mapping[str, Any] | None,
    positions: Mapping[str, Position],
    state: State,
    time: datetime,
    grace: float,
) -> Json | None:
    """Return the correction for a tower on offer that was taken before the offer ended.

    The next player's move ended the offer, ``lapsed``, and a phone reported that move before the
    board reported the tower. ``grace`` is the board's permitted delay in seconds.
    """
    if lapsed is None or positions.get(lapsed["power"]) != lapsed["seat"]:
        return None
    age = (time - datetime.fromisoformat(lapsed["at"])).total_seconds()
    if age > grace or lapsed["round"] != state.round or not state.in_progress:
        return None
    claim = {"seat": lapsed["seat"], "move": "powers", "powers": [lapsed["power"]]}
    place = {"round": lapsed["round"], "move": lapsed["move"]}
    return {"kind": "insert", **place, "inserted": claim}


def _came(seen: TowerSighting | None, seat: int, since: int) -> bool:
    return seen is not None and seen.now == "there" and seen.place == seat and seen.since > since


def discrepancies(state: State, sightings: Sightings, since: int) -> list[Json]:
    """Return each power that is out of place, and the smallest fix: where to move it.

    ``kind`` is "to-move" when the rules have moved the power and nobody else has, "ahead" when the
    seat on turn has taken it and may still report the play behind it, "lifted" when it is in
    somebody's hand, "misplaced" otherwise. An unknown position is no discrepancy.
    """
    choosing = chooser(state) is not None
    chosen = taken(state, sightings, since)
    differences = []
    for power in state.game.ruleset.powers:
        seen = sightings.get(power)
        should = state.powers.get(power, 0)
        if seen is None or seen.position in ("unknown", should) or power in chosen:
            continue
        if seen.now == "lifted":
            if choosing:
                continue
            kind = "lifted"
        elif seen.holder == seen.place:
            kind = "to-move"
        elif seen.place == state.turn and seen.since > since:
            kind = "ahead"
        else:
            kind = "misplaced"
        differences.append({"power": power, "kind": kind, "is": seen.position, "should": should})
    return differences
