"""``referee-table virtual-camera``: a camera above a table, without either."""

import argparse
import contextlib
import json
import re
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from hardware.times import utc
from hardware.virtual_board import timeline
from hardware.virtual_board.serving import NOT_UNDERSTOOD, address, complain, serve
from lab.virtual_camera.place import at_the_mat
from lab.virtual_camera.port import PicturePort
from lab.virtual_camera.script import Script, parse_script
from lab.virtual_camera.steps import parse_step
from lab.virtual_camera.virtual_camera import VirtualCamera

NAME = "virtual-camera"
LEAST, MOST = (320, 180), (3840, 2160)
DESCRIPTION = """\
A camera without hardware: a table with the printed mat, cards, hands and changing light is drawn
and filmed, and its pictures are served over HTTP, as network cameras do, to whatever opens that
address: the gateway, referee-table watch, a browser. The address is the first line printed.
"""
EPILOG = """\
examples:
  referee-table virtual-camera --port 7001 --commands        lay cards by typing "lay red-7"
  referee-table watch http://127.0.0.1:7001/stream           what is made of it
  referee-table virtual-camera --script evening.txt --truth truth.jsonl --once

scripts, a line a step ("at" from the start, "after" from the step before, in seconds):
  at 2 lay red-7         a hand lays it       hide 5          something is in front of the lens
  after 3 quick red-2 red-9 0.5   two hands   freeze 30       no picture comes for 30 s
  turn-up red-7, draw    from the draw pile   drop 0.1, garble 0.001, clean
  lift, put-back, nudge, nudge top, tidy      stick 10        the same one comes again and again
  clear                  the pile is taken    unplug 5, plug  the cable
  pass, pass blue-2      a hand passes over   slow 4, lag 300
  hover 2                a hand stays over    glare on, light 0.5, bump
"meanwhile" before a hand's step lets it come beside the others, not after them

with --commands, each line on standard input is such a step, answered on standard output by "ok" or
"error" and why; "state" asks for all there is to be seen, as JSON, "url" for the address

--truth writes what was done at the pile, a JSON object a line: {"number": 3, "kind": "placed",
"card": "red-7", "at": seconds, "time": UTC}, and, when nothing hides the top any more,
{"number": 3, "clear": seconds, "time": UTC}

exit status: 0 stopped (Ctrl-C, SIGTERM, end of the commands, end of the script with --once),
1 the port cannot be opened, 2 a flag or the script is wrong
"""


def add_parser(commands: Any) -> None:
    """Add the command ``virtual-camera``."""
    parser = commands.add_parser(
        NAME,
        help="a camera above a drawn table",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--port", default="0", metavar="[HOST:]PORT", help="where to listen; 0: a free one"
    )
    parser.add_argument("--size", default="1280x720", metavar="WxH", help="(%(default)s)")
    parser.add_argument(
        "--rate", type=float, default=15.0, metavar="FPS", help="pictures a second (%(default)g)"
    )
    parser.add_argument(
        "--speed", type=float, default=1.0, metavar="TIMES", help="faster than real time (1)"
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="another table, light and print run"
    )
    parser.add_argument(
        "--restless", type=float, default=0.5, metavar="SHARE", help="how much the light changes"
    )
    parser.add_argument("--no-mat", action="store_true", help="a bare table")
    parser.add_argument(
        "--pile", nargs="*", default=[], metavar="CARD", help="cards that lie there already"
    )
    parser.add_argument("--script", type=Path, metavar="FILE", help="steps, described below")
    parser.add_argument("--once", action="store_true", help="stop when the script has ended")
    parser.add_argument("--commands", action="store_true", help="steps on standard input")
    parser.add_argument("--truth", type=Path, metavar="FILE", help="write what was really done")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Be a camera until told to stop."""
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
        return serve(NAME, camera, lambda: _serve(camera, script, args))


def answer(camera: VirtualCamera, line: str) -> str:
    """Do what a line says; ``ok`` and what was asked for, or ``error`` and why not."""
    words = line.partition("#")[0].split()
    if words == ["state"]:
        return f"ok {json.dumps(camera.view())}"
    if words == ["url"]:
        return f"ok {camera.port.url}"
    return timeline.answer(camera, line, parse_step)


def _serve(camera: VirtualCamera, script: Script, args: argparse.Namespace) -> None:
    ended = threading.Event()

    def said(line: timeline.Line[VirtualCamera], trouble: str) -> None:
        if trouble:
            complain(NAME, f"line {line.number}: {trouble}", 0)

    script.run(camera, said, ended.set)
    if args.commands:
        for line in sys.stdin:
            print(answer(camera, line), flush=True)  # noqa: T201
        return
    # Looked at now and then: drawing that failed is not to be passed over in silence.
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
    setting = at_the_mat(args.seed, size, args.rate, args.restless, paper=not args.no_mat)
    for card in args.pile:
        if card not in setting.faces:
            raise ValueError(f"--pile: there is no card {card!r}")
    setting = replace(setting, pile=tuple(args.pile))

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
        raise ValueError(f"{file} is no text in UTF-8") from None
    except timeline.ScriptError as error:
        raise ValueError(f"{file}, {error}") from None
