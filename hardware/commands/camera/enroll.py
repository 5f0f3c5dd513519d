"""``referee-table enroll``: teach the camera unknown faces."""

import argparse
import os
from pathlib import Path
from typing import Any

from hardware.camera.deck_recogniser import matcher_of
from hardware.camera.decks import RULESETS
from hardware.camera.enrol.capture import FaceCapturer
from hardware.camera.enrol.deckfile import DeckFileError, EnrolledDeck, faces_file
from hardware.camera.enrol.enrolment import Enrolment, wanted_cards
from hardware.camera.reading.locate import Locator
from hardware.camera.reading.recognise import MODELS, ModelError
from hardware.camera.setup.mark_pile import require_display
from hardware.camera.setup.storage import SetupError
from hardware.camera.source import SourceError
from hardware.commands.camera.enroll_ask import ask_for_faces
from hardware.commands.camera.enroll_photos import take_photos
from hardware.commands.camera.enroll_share import begun, give, report, take_in
from hardware.commands.output import complain

WELL, NOT_ALL, NOT_UNDERSTOOD = 0, 1, 2
EPILOG = """\
For faces that no program can know: characters, theme artwork, handwritten cards, another maker's or
a very worn deck. Show each card once as it will lie on the table: whole, in fair light, upright. A
card in several designs may have several faces. Cards that look alike are asked for twice.

The faces are saved in faces/RULESET.faces beside the table's configuration, or in the file that -o
names. Existing faces are kept, so enrolment can be stopped and continued. The file contains
descriptors of the faces, and pictures only with --keep-pictures, which avoids enrolling again after
an update of the program. You can share it as it is.

examples:
  referee-table enroll --ruleset moomin                   asks for each card, camera 0
  referee-table enroll --ruleset classic-112 --only wild-custom-1 wild-custom-2 wild-custom-3
  referee-table enroll --ruleset moomin --photos faces/   a picture each: red-7.jpg, wild.png …
  referee-table enroll list --ruleset moomin              enrolled, missing and similar faces
  referee-table enroll export --ruleset moomin -o moomin.faces
  referee-table enroll import moomin.faces

exit status: 0 all requested cards are enrolled, 1 some are missing, 2 usage error,
130 stopped (Ctrl-C)
"""


def add_parser(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "enroll",
        help="teach the camera unknown faces",
        description="Show each card once; from then on the camera recognises its face.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "what", nargs="?", choices=("list", "export", "import"), help="(enrol faces)"
    )
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the file to import")
    parser.add_argument("--ruleset", choices=sorted(RULESETS), help="the deck")
    parser.add_argument("--only", nargs="+", default=[], metavar="CARD", help="only these cards")
    shown = parser.add_argument_group("source of the faces").add_mutually_exclusive_group()
    shown.add_argument("--source", metavar="SOURCE", default="0", help="a camera (0), or pictures")
    shown.add_argument(
        "--photos", metavar="FOLDER", type=Path, help="a picture of each card, named by its id"
    )
    parser.add_argument("--redo", action="store_true", help="ask for enrolled cards again")
    parser.add_argument("--preview", metavar="FILE.jpg", type=Path, help="save the last picture")
    parser.add_argument("--window", action="store_true", help="show the picture in a window")
    parser.add_argument("-o", "--out", metavar="FILE", type=Path, help="file of the faces")
    parser.add_argument(
        "--keep-pictures", action="store_true", help="also keep a small picture of each card"
    )
    parser.add_argument("--replace", action="store_true", help="overwrite existing faces")
    parser.add_argument(
        "--models", type=Path, metavar="DIR", default=MODELS, help="your own networks"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Enrol, list, export or import."""
    try:
        if args.what == "import":
            return take_in(args, os.environ)
        if args.file is not None:
            raise DeckFileError(f"unexpected {args.file}: only import takes a file")
        if args.ruleset is None:
            raise DeckFileError("--ruleset is needed")
        if args.what == "export":
            return give(args, os.environ)
        if args.what == "list":
            return report(args, os.environ, matcher_of(args.models))
        return _enrol(args)
    except (DeckFileError, ModelError, SetupError) as error:
        complain("enroll", str(error))
        return NOT_UNDERSTOOD
    except SourceError as error:
        complain("enroll", str(error))
        return NOT_ALL


def _enrol(args: argparse.Namespace) -> int:
    cards = wanted_cards(args.ruleset, args.only)
    if args.window:
        require_display()
    matcher = matcher_of(args.models)
    locator = args.models / "locator.onnx"
    if not locator.is_file():
        raise ModelError(f"the network {locator} is missing")
    camera = FaceCapturer(Locator(locator), matcher)
    file = args.out or faces_file(os.environ, args.ruleset)
    deck = EnrolledDeck(args.ruleset, matcher.mark())
    if file.exists():
        deck = begun(file, args.ruleset, matcher)
    enrolment = Enrolment(deck, matcher)
    if args.photos is not None:
        return take_photos(args, cards, camera, enrolment, file)
    return ask_for_faces(args, cards, camera, enrolment, file)
