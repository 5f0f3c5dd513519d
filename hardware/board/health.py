"""A board's state in words and figures. No I/O."""

from dataclasses import dataclass

from hardware.board.messages import SET_NAMES
from hardware.board.options import BoardOptions
from hardware.board.sentences import introduce
from hardware.board.stranger import AT_PROMPT, ECHOES, OTHER_TALKS, PROMPT_ADVICE, Kind
from hardware.board.watch import BoardWatch


@dataclass(slots=True)
class Troubles:
    """Problems on the host's side, as sentences; empty if there are none."""

    port: str = ""
    sink: str = ""


def describe_state(
    watch: BoardWatch, options: BoardOptions, port: str, troubles: Troubles, now: float
) -> tuple[str, str]:
    """Return the device's state and the reason. ``port`` is the open port, or empty."""
    hello = watch.link.hello
    if troubles.port:
        state, words = "gone", [troubles.port]
    elif watch.link.connected and hello is not None:
        state, words = "online", [f"{introduce(hello)}, on {port}"]
        if options.set not in (None, SET_NAMES[hello.set]):
            words.append(f"the configuration expects a set of {options.set}")
        if options.seats not in (None, hello.seats):
            words.append(f"the configuration expects {options.seats} seats")
        words += watch.notes(now)
    elif watch.trouble:
        state, words = "silent", [f"{port}: {watch.trouble}" if port else watch.trouble]
    elif watch.silent and watch.stranger.kind is Kind.ECHO:
        state, words = "silent", [ECHOES]
    elif watch.silent and watch.heard:
        who = port or "the board"
        advice = "check the wire from the computer to the board"
        state, words = "silent", [f"{who} sends, but does not answer; {advice}"]
    elif watch.silent and watch.stranger.kind is Kind.PROMPT:
        state, words = "silent", [f"{AT_PROMPT}; {PROMPT_ADVICE}"]
    elif watch.silent and watch.stranger.kind is Kind.OTHER:
        state, words = "silent", [OTHER_TALKS]
    elif watch.silent:
        state, words = "silent", ["the board says nothing; check its cable and its power"]
    else:
        state, words = "starting", [f"connecting to {port}" if port else "looking for the board"]
    if troubles.sink:
        words.append(troubles.sink)
    return state, "; ".join(words)


def figures(watch: BoardWatch, waiting: int) -> dict[str, int]:
    """Return counters by name, and the latest round trip in milliseconds, rounded up."""
    link = watch.link
    good, bad = link.frames
    counts = link.counts
    return {
        "frames_good": good,
        "frames_bad": bad,
        "connections": counts["connections"],
        "reconnects": max(0, counts["connections"] - 1),
        "gaps": counts["gaps"],
        "duplicates": counts["duplicates"],
        "retries": link.commands.retries,
        "unanswered": link.commands.unanswered,
        "other_version": counts["version"],
        "unknown_type": counts["type"],
        "short_body": counts["short"],
        "out_of_range": counts["range"],
        "changes_lost": watch.changes_lost,
        "waiting": waiting,
        "round_trip_ms": -int(-(link.round_trip or 0) * 1000 // 1),
    }
