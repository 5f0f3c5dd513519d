"""``python -m lab.virtual_camera``: a simulated camera above a simulated table."""

import argparse
import contextlib
import json
import re
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from hardware.commands.serving import NOT_UNDERSTOOD, address, complain, serve
from hardware.times import utc
from hardware.virtual_board import timeline
from lab.draw.cards.word_edition import LAYOUTS, WordFaces, WordStyle
from lab.virtual_camera.camera import VirtualCamera
from lab.virtual_camera.mat_setting import random_mat_setting
from lab.virtual_camera.port import PicturePort
from lab.virtual_camera.steps import Script, parse_script, parse_step

NAME = "virtual-camera"
LEAST, MOST = (320, 180), (3840, 2160)
DESCRIPTION = """\
A camera without hardware: draws and films a table with the printed mat, cards, hands and changing
light, and serves the pictures over HTTP, as network cameras do, to anything that opens the address:
the gateway, referee-table watch, a browser. The first line printed is that address.
"""
EPILOG = """\
examples:
  python -m lab.virtual_camera --port 7001 --commands        lay cards by typing "lay red-7"
  referee-table watch http://127.0.0.1:7001/stream           what the camera reader sees there
  python -m lab.virtual_camera --script evening.txt --truth truth.jsonl --once

scripts have one step a line ("at" counts from the start, "after" from the step before, in seconds):
  at 2 lay red-7         a hand lays it       hide 5          something covers the lens
  after 3 quick red-2 red-9 0.5   two hands   freeze 30       no picture for 30 s
  turn-up red-7, draw    from the draw pile   drop 0.1, garble 0.001, clean
  lift, put-back, nudge, nudge top, tidy      stick 10        repeat one picture for 10 s
  clear                  the pile is taken    unplug 5, plug  the cable
  pass, pass blue-2      a hand passes over   slow 4, lag 300
  hover 2                a hand stays over    glare on, light 0.5, bump
  tremble 0.8            pixels of shaking    breathe 2, pump 0.2   focus, exposure hunt
  quality 40             of compression
Hands take turns; "meanwhile" before a hand's step lets it come beside the others.

With --commands, each line on standard input is such a step, answered on standard output by "ok" or
by "error" and the reason. "state" returns the whole state as JSON, "url" the address.

--truth writes what happened at the pile, one JSON object a line: {"number": 3, "kind": "placed",
"card": "red-7", "at": seconds, "time": UTC} and, once nothing hides the top any more,
{"number": 3, "clear": seconds, "time": UTC}.

exit status: 0 stopped (Ctrl-C, SIGTERM, end of the commands, end of the script with --once),
1 the port cannot be opened, 2 a wrong flag or script
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    return run(_parser().parse_args(arguments))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m lab.virtual_camera",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--port", default="0", metavar="[HOST:]PORT", help="where to listen (0: any free port)")
    add("--size", default="1280x720", metavar="WxH", help="size of the pictures (%(default)s)")
    add("--rate", type=float, default=15.0, metavar="FPS", help="pictures a second (%(default)g)")
    add("--speed", type=float, default=1.0, metavar="TIMES", help="run faster than real time (1)")
    add("--seed", type=int, default=1, metavar="N", help="another table, light and print style (1)")
    add("--restless", type=float, default=0.5, metavar="SHARE", help="how much the light changes")
    add("--words", choices=LAYOUTS, help="cards of a foreign print, with words for signs")
    add("--no-mat", action="store_true", help="leave the table bare")
    add("--pile", nargs="*", default=[], metavar="CARD", help="cards already on the pile")
    add("--script", type=Path, metavar="FILE", help="steps to run, as described below")
    add("--once", action="store_true", help="stop at the end of the script")
    add("--commands", action="store_true", help="take steps from standard input")
    add("--truth", type=Path, metavar="FILE", help="write what really happened")
    return parser


def run(args: argparse.Namespace) -> int:
    """Serve pictures until stopped; return the exit status."""
    with contextlib.ExitStack() as stack:
        try:
            if args.once and not args.script:
                raise ValueError("--once needs a --script that can end")
            script = _script(args.script)
            truth = stack.enter_context(args.truth.open("a")) if args.truth else None
            camera = _camera(args, truth)
        except OSError as error:
            sentence = f"{error.filename} cannot be used: {error.strerror}"
            return complain(NAME, sentence, NOT_UNDERSTOOD)
        except ValueError as error:
            return complain(NAME, str(error), NOT_UNDERSTOOD)
        return serve(NAME, camera, lambda: camera.port.url, lambda: _serve(camera, script, args))


def answer(camera: VirtualCamera, line: str) -> str:
    """Carry out a command line; return ``ok`` with the result or ``error`` with the reason."""
    words = line.partition("#")[0].split()
    if words == ["state"]:
        return f"ok {json.dumps(camera.view())}"
    if words == ["url"]:
        return f"ok {camera.port.url}"
    return timeline.answer(camera, line, parse_step)


def _serve(camera: VirtualCamera, script: Script, args: argparse.Namespace) -> None:
    ended = threading.Event()

    def report(line: timeline.ScriptLine[VirtualCamera], trouble: str) -> None:
        if trouble:
            complain(NAME, f"line {line.number}: {trouble}", 0)

    script.run(camera, report, ended.set)
    if args.commands:
        for line in sys.stdin:
            print(answer(camera, line), flush=True)  # noqa: T201
        return
    # ``view`` raises what drawing failed with, so poll it.
    while not (args.once and ended.is_set() and not camera.view()["busy"]):
        camera.view()
        time.sleep(0.2)


def _camera(args: argparse.Namespace, truth: TextIO | None) -> VirtualCamera:
    """Raises ValueError."""
    match = re.fullmatch(r"([0-9]{2,5})x([0-9]{2,5})", args.size)
    size = (int(match[1]), int(match[2])) if match else (0, 0)
    if any(not low <= side <= high for low, side, high in zip(LEAST, size, MOST, strict=True)):
        raise ValueError("--size is WIDTHxHEIGHT, from 320x180 to 3840x2160")
    if not 1 <= args.rate <= 60:
        raise ValueError("--rate is from 1 to 60 pictures a second")
    if not 0 <= args.restless <= 2:
        raise ValueError("--restless is from 0 to 2")
    if args.seed < 0:
        raise ValueError("--seed is 0 or more")
    setting = random_mat_setting(args.seed, size, args.rate, args.restless, paper=not args.no_mat)
    for card in args.pile:
        if card not in setting.faces:
            raise ValueError(f"--pile: there is no card {card!r}")
    setting = replace(setting, pile=tuple(args.pile))
    if args.words:
        setting = replace(setting, faces=WordFaces(WordStyle.random(args.seed, args.words)))

    def tell(what: Mapping[str, Any]) -> None:
        if truth is not None:
            moment = time.time() - camera.since(what.get("at", what.get("clear")))
            print(json.dumps({**what, "time": utc(moment)}), file=truth, flush=True)

    port = PicturePort(*address("--port", args.port, "127.0.0.1"))
    camera = VirtualCamera(setting, port, speed=args.speed, tell=tell)
    return camera


def _script(file: Path | None) -> Script:
    """Raises ValueError, OSError."""
    if file is None:
        return Script(())
    try:
        return parse_script(file.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise ValueError(f"{file} is not UTF-8 text") from None
    except timeline.ScriptError as error:
        raise ValueError(f"{file}, {error}") from None


if __name__ == "__main__":
    sys.exit(main())
