"""Arguments that tools share, and errors as sentences that a model can act on."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from referee.rules.move_fields import FieldError
from referee.rules.notation import position_from_text
from referee.rules.position.state import State
from referee.rules.records.record import Record, parse_record, replay
from referee.rules.records.record_rounds import RecordError
from referee.rules.ruleset import Ruleset, rulesets
from referee.rules.suggestions import closest
from referee.texts import as_language, languages, translate

# Moves of a record that are replayed at most: some seconds of work.
MOST_MOVES = 3_000

Lang = Annotated[
    str,
    Field(description="Language of the answer, such as en, sv, de: one of list_decks' languages"),
]
Deck = Annotated[
    str,
    Field(
        description="A deck's id: classic-108, classic-112, moomin, power-grab or color-powers; "
        "list_decks tells them apart"
    ),
]
Position = Annotated[
    str | None,
    Field(
        description="A position in one line: the deck, the hand sizes by seat, whose turn it is "
        "and the direction (2> clockwise, 2< counterclockwise), what is awaited, the top card. "
        "'classic-108 7,7,7 2> play red-7': three players with seven cards each, seat 2 is to "
        "play on a red 7. 'classic-112 5,6 1> respond wild-draw-four>blue laid=2:1 before=green': "
        "seat 1 must draw four or challenge the wild draw four that seat 2 laid on green, naming "
        "blue. "
        "House rules are added as options: 'two_player_reverse=pass'. The resource "
        "referee://notation has all of it."
    ),
]
RECORD = Field(
    description="A game record, referee-record/1: {'format': 'referee-record/1', 'ruleset': "
    "'classic-108', 'options': {}, 'seats': ['Ann', 'Bo'], 'rounds': [{'dealer': 1, 'opening': "
    "['red-7'], 'moves': [{'seat': 2, 'move': 'play', 'card': 'red-3'}]}]}"
)
RecordJson = Annotated[dict[str, Any], RECORD]
# In place of a position: the one that the record leads to.
OptionalRecord = Annotated[dict[str, Any] | None, RECORD]
MoveInput = Annotated[
    str | dict[str, Any],
    Field(
        description="A move: a line such as '2 red-3', '2 red-3 uno', '2 wild>blue', '3 draw', "
        "'3 pass', '3 accept', '3 challenge', '1 catch 2', '2 shows red-1,blue-2' (seat first), or "
        "an object such as {'seat': 2, 'move': 'play', 'card': 'red-3'}. referee://notation lists "
        "all moves."
    ),
]


@contextmanager
def sentences(lang: str) -> Iterator[None]:
    """Turn what is wrong with the input into an error that the model reads."""
    try:
        yield
    except FieldError as error:
        raise ToolError(f"{error.field}: {translate(error.reason, lang)}") from None
    except RecordError as error:
        place = "".join(
            f"{name} {number}, "
            for name, number in (("round", error.round), ("move", error.move))
            if number is not None
        )
        raise ToolError(f"{place}{error.field}: {translate(error.reason, lang)}") from None


def find_language(tag: str) -> str:
    """Return a language by its tag. Raises ToolError."""
    language = as_language(tag)
    if language is None:
        raise ToolError(f"lang: must be one of {', '.join(languages())}")
    return language


def find_deck(deck: str) -> Ruleset:
    """Return a deck by its id. Raises ToolError."""
    known = rulesets()
    if deck not in known:
        meant = closest(deck, known)
        hint = f"did you mean {meant}?" if meant else f"one of {', '.join(known)}"
        raise ToolError(f"deck: there is no deck {deck[:40]!r}: {hint}")
    return known[deck]


def find_position(position: str | None, record: dict[str, Any] | None, lang: str) -> State:
    """Return the position of a line, or at the end of a record. Raises ToolError."""
    if (position is None) == (record is None):
        raise ToolError("Give either position or record.")
    with sentences(lang):
        if position is not None:
            return position_from_text(position)
        state = None
        for step in replay(bounded_record(record)):
            state = step.state
    if state is None:
        raise ToolError("record: it has no round")
    return state


def bounded_record(value: Any) -> Record:
    """Parse a record that is not too long to replay at once. Raises RecordError, ToolError."""
    rounds = value.get("rounds") if isinstance(value, dict) else None
    moves = 0
    for game_round in rounds if isinstance(rounds, list) else ():
        played = game_round.get("moves") if isinstance(game_round, dict) else None
        moves += 1 + (len(played) if isinstance(played, list) else 0)
    if moves > MOST_MOVES:
        raise ToolError(
            f"record: it has more than {MOST_MOVES} moves and rounds: send fewer rounds at once, "
            "or use `referee replay`"
        )
    return parse_record(value)
