"""``python -m bench [engine|growth|http|board|camera|…] [--json FILE]``."""

import argparse
import importlib
import json
import platform
from pathlib import Path

PARTS = {
    **dict.fromkeys(("engine", "growth", "prior", "seating"), "rules"),
    **dict.fromkeys(("http", "processes", "crowd", "streams", "outage"), "server"),
    **dict.fromkeys(("clock", "kill", "hold", "webhooks"), "server"),
    **dict.fromkeys(("board", "outbox", "camera", "page", "phone-camera"), "devices"),
}


def main() -> None:
    """Run one benchmark, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("part", nargs="?", choices=PARTS, help="run only this one")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the results as JSON")
    args = parser.parse_args()
    reports = []
    for part in (args.part,) if args.part else PARTS:
        module = f"bench.{PARTS[part]}.{part.replace('-', '_')}"
        for report in importlib.import_module(module).run():
            print(report.text(), flush=True)
            reports.append(report.data())
    if args.json:
        args.json.parent.mkdir(parents=True, exist_ok=True)
        measured = {"python": platform.python_version(), "reports": reports}
        args.json.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
