"""``python -m lab.measure COMMAND``: how well cards are read and the pile is tracked."""

import importlib
import sys
from collections.abc import Sequence

COMMANDS = {
    "cards": ("evaluate:main", "cards read on labelled or drawn photos, source by source"),
    "fans": ("fans:main", "cards in fans of which mostly the indices show"),
    "stages": ("stages:main", "locator and readers, each by itself"),
    "unknown": (
        "unknown:main",
        "unknown things, decks and blurred cards that are named all the same",
    ),
    "memory": ("memory:main", "what faces learnt at the table are worth"),
    "enrol": ("enrol:main", "faces recognised after one enrolment picture"),
    "tops": ("track_tops:main", "the top card of a pile, read from one frame"),
    "track": ("track:main", "events reported from drawn films"),
    "films": ("films:main", "events reported from films, whole pipeline, condition by condition"),
    "order": ("track_order:main", "which of two cards lies on top"),
    "equal": ("track_tables:equal", "a card equal to the top card, and a disturbed pile"),
    "drawpile": ("track_tables:drawpile", "cards from the hand or from the draw pile"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the named measurement; return its exit status."""
    name, *rest = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if name not in COMMANDS:
        width = max(map(len, COMMANDS))
        lines = [f"  {command:{width}}  {about}" for command, (_, about) in COMMANDS.items()]
        usage = "usage: python -m lab.measure COMMAND [--help]"
        print("\n".join([usage, "", __doc__ or "", "", *lines]))  # noqa: T201
        return 0 if name in ("-h", "--help") else 2
    module, _, function = COMMANDS[name][0].partition(":")
    command = getattr(importlib.import_module(f"lab.measure.{module}"), function)
    return int(command(rest))


if __name__ == "__main__":
    sys.exit(main())
