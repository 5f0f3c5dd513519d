"""``python -m lab.plans COMMAND``: plans of the sensor board, and whether they work."""

import importlib
import sys
from collections.abc import Sequence

from hardware.backends import needs

COMMANDS = {
    "boards": ("boards:main", "both circuit boards as KiCad files; with KiCad, Gerber files"),
    "prints": ("prints:main", "the printed parts; with OpenSCAD, STL files and pictures"),
    "drawings": ("drawings:main", "the drawings of the building instructions"),
    "orders": ("orders:main", "what makers need: Gerber files, STL files, the bill of materials"),
    "magnetometers": (
        "magnetometers:main",
        "whether two three-axis sensors can do for four sockets",
    ),
    "magnets": ("magnets:main", "the chance that a socket reads wrongly, gap by gap"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the named command; return its exit status."""
    name, *rest = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if name not in COMMANDS:
        width = max(map(len, COMMANDS))
        lines = [f"  {command:{width}}  {about}" for command, (_, about) in COMMANDS.items()]
        usage = "usage: python -m lab.plans COMMAND [--help]"
        print("\n".join([usage, "", __doc__ or "", "", *lines]))  # noqa: T201
        return 0 if name in ("-h", "--help") else 2
    module, _, function = COMMANDS[name][0].partition(":")
    try:
        command = getattr(importlib.import_module(f"lab.plans.{module}"), function)
    except ModuleNotFoundError as error:
        print(f"{name} {needs('table', error.name)}", file=sys.stderr)  # noqa: T201
        return 1
    return int(command(rest))


if __name__ == "__main__":
    sys.exit(main())
