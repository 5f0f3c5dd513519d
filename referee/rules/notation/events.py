"""Write events as one short line each, for logs, tests and the replay table."""

from collections.abc import Callable, Mapping
from typing import Any

from referee.rules.actions import NAMES
from referee.rules.notation.words import name_to_word, names_to_word
from referee.rules.position import events as ev

MOVES: Mapping[str, str] = {action.__name__: name for action, name in NAMES.items()}
WAYS = {1: ">", -1: "<"}


def event_to_text(event: ev.Event) -> str:
    """Return an event as one line. It contains a shown hand: only for those who saw it."""
    return WRITE[type(event)](event)


def _seats(seats: tuple[int, ...]) -> str:
    return ",".join(str(seat) for seat in seats)


def _discarded(e: ev.Discarded) -> str:
    return f"{e.seat} discards {names_to_word(e.cards) if e.cards else f'x{e.count}'}"


def _awaited(e: ev.Awaited) -> str:
    return "awaits " + (",".join(f"{seat}:{need}" for seat, need in e.needs) or "nothing")


def _laid(e: ev.Laid) -> str:
    return f"{e.seat} lays {name_to_word(e.card)} against {e.victim}"


def _claimed(e: ev.Claimed) -> str:
    kinds = [kind for kind in (e.color, e.symbol, "wild" if e.wilds else None) if kind]
    return f"{e.seat} claims no {'/'.join(kinds)} [{e.rule}]"


def _announced(e: ev.Announced) -> str:
    shown = f"text to {_seats(e.seats) or 'all'}: {e.text}"
    if e.until_uno:
        return f"{shown} (until uno)"
    return f"{shown} (until {e.until})" if e.until else shown


WRITE: Mapping[type[ev.Event], Callable[[Any], str]] = {
    ev.RoundOpened: lambda e: f"round {e.number} dealer {e.dealer} {names_to_word(e.opening)}",
    ev.Ruled: lambda e: f"{e.seat} {MOVES.get(e.move, e.move)} {e.verdict} [{e.rule}]",
    ev.Played: lambda e: f"{e.seat} {name_to_word(e.card)}",
    ev.Flipped: lambda e: f"{e.seat} flips {name_to_word(e.card)}",
    ev.TurnedOver: lambda e: f"turned over {name_to_word(e.card)}",
    ev.ColorNamed: lambda e: f">{e.color}",
    ev.DrawDue: lambda e: f"{e.seat} due {e.count} [{e.rule}]",
    ev.Drew: lambda e: f"{e.seat} +{e.count}",
    ev.Reshuffled: lambda _: "reshuffle",
    ev.Discarded: _discarded,
    ev.Gave: lambda e: f"{e.seat} gives {e.to} {names_to_word(e.cards)}",
    ev.Redealt: lambda e: f"redeal {_seats(e.seats)} to {_seats(e.hands)}",
    ev.HandsPassed: lambda e: f"hands pass {_seats(e.seats)}",
    ev.JumpedIn: lambda e: f"{e.seat} jumps in",
    ev.Stacked: lambda e: f"stack {e.count}",
    ev.SeatsOut: lambda e: f"{_seats(e.seats)} out of the game",
    ev.Revealed: lambda e: f"{e.seat} shows {names_to_word(e.hand)}",
    ev.HandCounted: lambda e: f"{e.seat} counts {'unknown' if e.points is None else e.points}",
    ev.SeatLeft: lambda e: f"{e.seat} left",
    ev.SeatsChanged: lambda e: f"seats {_seats(e.order)}",
    ev.RoundCounted: lambda e: f"round {e.number} by its result",
    ev.RoundBrokenOff: lambda _: "round broken off",
    ev.HandSet: lambda e: f"{e.seat} hand {e.count}",
    ev.PowerMoved: lambda e: f"{name_to_word(e.power)} to {e.to or 'tray'}",
    ev.PowerOffered: lambda e: f"{name_to_word(e.power)} open to {e.seat}",
    ev.DirectionTurned: lambda e: f"direction {WAYS[e.direction]}",
    ev.TurnCame: lambda e: f"turn {e.seat}",
    ev.TurnLost: lambda e: f"{e.seat} loses turn [{e.rule}]",
    ev.Protected: lambda e: f"{name_to_word(e.power)} protects {e.seat}",
    ev.Awaited: _awaited,
    ev.Laid: _laid,
    ev.EffectsQueued: lambda e: f"effects left {len(e.paths)}",
    ev.Acted: lambda _: "acted",
    ev.UnoOwed: lambda e: f"{e.seat} owes uno",
    ev.UnoCalled: lambda e: f"{e.seat} uno early" if e.early else f"{e.seat} uno",
    ev.UnoKept: lambda e: f"{e.seat} uno kept",
    ev.UnoLapsed: lambda e: f"{e.seat} uno lapsed",
    ev.UnoSettled: lambda e: f"{e.seat} uno settled",
    ev.UnoMissed: lambda e: f"{e.seat} missed uno",
    ev.FollowUpOpened: lambda e: f"{e.seat} may lay more [{e.rule}]",
    ev.FollowUpClosed: lambda _: "no more cards",
    ev.DrawRaised: lambda e: f"{e.seat} next draw {e.count or 1}",
    ev.HandOpened: lambda e: f"{e.seat} open hand until {e.until}",
    ev.Announced: _announced,
    ev.Claimed: _claimed,
    ev.Proved: lambda e: f"proof {e.seat} move {e.move} [{e.rule}]",
    ev.RoundWon: lambda e: f"{e.seat} out",
    ev.Scored: lambda e: f"scores {_seats(e.scores)}",
    ev.GameWon: lambda e: f"won by {_seats(e.seats)}",
}
