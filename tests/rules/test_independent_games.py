"""The engine rules as an independent referee does, on every move of whole games.

That referee was written from the rules and the record's description alone, without a look at this
project's code, and is not part of it. Its games have real decks and hands, many illegal moves, and
in some of them people who come and go, rounds by result and rounds broken off.
"""

import json
import zipfile
from pathlib import Path

from referee.rules.records.record import Mismatch, parse_record, replay

GAMES = Path(__file__).parent / "fixtures" / "independent-games.zip"
MOVES = 9_000
# Rulings that are younger than those games decide otherwise here: R56, whenever in a turn UNO is
# called, and R57, what a gift explains. What follows in such a game is another game.
YOUNGER = {
    ("g-2001-0012-moomin.json", 2, 32): Mismatch("uno", [], [1]),
    ("g-2001-0026-classic-112.json", 5, 43): Mismatch("uno", [], [7]),
    ("g-2002-0003-power-grab.json", 4, 44): Mismatch("uno", [], [2]),
    ("g-2002-0019-color-powers.json", 2, 109): Mismatch(
        "evidence", [], [{"seat": 6, "move": 70, "rule": "card.wild-draw-four"}]
    ),
}


def test_every_ruling_is_that_of_an_independent_referee() -> None:
    moves, otherwise = 0, {}
    with zipfile.ZipFile(GAMES) as archive:
        records = {name: json.loads(archive.read(name)) for name in archive.namelist()}
    for name, record in records.items():
        for step in replay(parse_record(record)):
            moves += step.action is not None
            if step.mismatches:
                (otherwise[name, step.round, step.move],) = step.mismatches
                break
    assert otherwise == YOUNGER
    assert moves > MOVES
