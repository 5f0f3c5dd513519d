"""Games judged by an independent referee: whole games with an expectation on every move.

That referee was written from the rules and the record's description alone, without a look at this
project's code, and is not part of it. Its games have real decks and hands, many illegal moves, and
in some of them people who come and go, rounds by result and rounds broken off.
"""

import json
import zipfile
from pathlib import Path
from typing import Any

GAMES = Path(__file__).parent / "fixtures" / "independent-games.zip"


def independent_games() -> dict[str, dict[str, Any]]:
    """Return the records by file name."""
    with zipfile.ZipFile(GAMES) as archive:
        return {name: json.loads(archive.read(name)) for name in archive.namelist()}
