"""Moves, the choices of a seat, and corrections by the host."""

from typing import Annotated, Any

from flask.typing import ResponseReturnValue

from referee.api.auth import event_log, principal
from referee.api.language import language
from referee.api.limits.work import count_game
from referee.api.operation import Resource
from referee.api.rendering import entry_json, rule_json
from referee.api.schemas.common import SEAT, CitationSchema, LanguageQuery
from referee.api.schemas.moves import MOVE_REF, EntrySchema, LegalMovesSchema, MoveField
from referee.api.schemas.tables import CorrectionSchema
from referee.api.schemas.typed import Answer, Maybe
from referee.api.spec import ALWAYS, LIMITED, headers
from referee.api.validation import check_fields_of_kind
from referee.rules.book.rulebook import rulebook
from referee.rules.codec import move_to_json
from referee.rules.legal import choices, offered_actions
from referee.rules.position.state import State
from referee.rules.position.views import awaiting, owed
from referee.service.access import PLAYERS
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.people.tables import check_seat
from referee.service.play.adjudication import correct, make_move, preview_correction, preview_play
from referee.service.problems import Problem
from referee.texts import describe_choice, describe_waiting

moves = Resource("moves", "Moves and rulings")
possible_moves = Resource("choices", "What may be done now, and why")
corrections = Resource("corrections", "Setting the game right")


def previewed(what: str) -> dict[str, Any]:
    """Return the description of an answer to something that was only tried."""
    return {
        "description": f"with `preview`: what {what} would answer; nothing is written",
        "headers": headers(*LIMITED, *ALWAYS),
        "content": {"application/json": {"schema": EntrySchema}},
    }


class PreviewQuery(LanguageQuery):
    """Whether to try something without doing it."""

    preview: bool = False


@moves.operation(
    "POST /tables/<table_id>/moves",
    "makeMove",
    "The ruling. An illegal move is ruled on like any other: see `ruling.verdict`.",
    body=MOVE_REF,
    query=PreviewQuery,
    if_match="unless-confirmed",
    rights=PLAYERS,
    also={"responses": {"200": previewed("laying the card")}},
)
def post_move(
    move: Any, query: dict[str, Any], table: TableProjection, request: WriteRequest
) -> LogEntry | dict[str, Any]:
    """Report a play, draw, call or hand shown; a seat for itself, the host for anyone.

    A card to be laid can be tried first: the ruling says whether it fits, and why not.
    """
    if not isinstance(move, dict):
        raise Problem("invalid-request", "A move is an object.", [("move", "must be an object")])
    if query["preview"]:
        entry, game = preview_play(event_log(), table, request, move)
        return entry_json(table, entry, principal(), language(), game)
    return make_move(event_log(), table, request, move)


@moves.operation(
    "GET /tables/<table_id>/legal-moves",
    "listLegalMoves",
    "The moves that would be legal now, and a catch of everybody with one card, called UNO or not.",
    LegalMovesSchema,
)
def list_legal(table: TableProjection) -> ResponseReturnValue:
    """List the legal moves that depend on no hand; `awaiting` says what else is due.

    Who has not called UNO is for the players to notice: not every catch listed is legal.
    """
    state = table.state
    moves = [move_to_json(action) for action in offered_actions(state)]
    return {"moves": moves, "awaiting": awaiting(state)}


class ChoiceSchema(Answer):
    """A choice of the seat; moves are left out where they would name cards of its hand."""

    kind: Annotated[str, "the move's name"]
    text: str
    rule: CitationSchema
    moves: list[MoveField]
    to: Annotated[list[int], "possible receivers"]
    cards: Annotated[list[str], "those that may be given to them"]
    count: Annotated[Maybe[int], "cards that accepting or challenging is about"]
    most: Annotated[Maybe[int], "how many cards there are to draw"]


class ChoicesSchema(Answer):
    """A seat's choices, and what the referee waits for."""

    seat: int
    waiting: str
    choices: list[ChoiceSchema]


class ChoicesQuery(LanguageQuery):
    """The seat to ask about: one's own by default, or the awaited seat if one has none."""

    seat: Annotated[int | None, SEAT] = None


@possible_moves.operation(
    "GET /tables/<table_id>/choices",
    "listChoices",
    "What the seat may do now.",
    ChoicesSchema,
    query=ChoicesQuery,
)
def list_choices(query: dict[str, Any], table: TableProjection) -> ResponseReturnValue:
    """List what a seat may do now, each choice with its rule."""
    state = table.state
    seat = query["seat"] or principal().seat or _awaited(state)
    check_seat(table, seat)
    game, lang = state.game, language()
    book = rulebook(game.ruleset, lang)
    return {
        "seat": seat,
        "waiting": describe_waiting(owed(state), lang, game.seats, game.ruleset),
        "choices": [
            {
                "kind": choice.kind,
                "text": describe_choice(choice, lang, game.seats, game.ruleset),
                "rule": rule_json(book[choice.rule], lang),
                "moves": [move_to_json(move) for move in choice.moves],
                "to": list(choice.to),
                "cards": list(choice.cards),
                **{
                    name: value
                    for name in ("count", "most")
                    if (value := getattr(choice, name)) is not None
                },
            }
            for choice in choices(state, seat)
        ],
    }


def _awaited(state: State) -> int:
    """Return the awaited seat; between rounds seat 1, which may do nothing."""
    return state.turn or next((seat for seat, _ in state.awaiting), 1)


# kind → the fields it needs, and those it may have
FIELDS = {
    "undo": ((), ("entry", "round", "move", "count", "since")),
    "redo": ((), ()),
    "overrule": (("verdict",), ("entry", "round", "move")),
    "replace": (("replacement",), ("entry", "round", "move")),
    "insert": (("inserted",), ("entry", "round", "move")),
    "hand-count": (("seat", "count"), ()),
    "opening": ((), ("entry", "round", "opening", "dealer")),
    "result": ((), ("entry", "round", "result", "dealer")),
    "break-off": ((), ("entry", "round")),
}


@corrections.operation(
    "POST /tables/<table_id>/corrections",
    "correct",
    "The game as it stands now, and what came out otherwise.",
    body=CorrectionSchema,
    query=PreviewQuery,
    fails=("no-effect", "busy"),
    rights=PLAYERS,
    also={"responses": {"200": previewed("the correction")}},
)
def post_correction(
    change: dict[str, Any], query: dict[str, Any], table: TableProjection, request: WriteRequest
) -> LogEntry | dict[str, Any]:
    """Undo moves, overrule the referee, say what was really played, or set a hand count right.

    Later moves are played again: `changed`, `differs`, `fell`, `stands` and `aside` list what came
    out differently. A card that a camera saw is then attributed to the seat whose turn it was.
    `redo` takes back the latest correction that stands. A seat may take back its own last entry
    (`{"kind": "undo"}`) until somebody else acts; everything else is the host's.
    """
    check_fields_of_kind(change, FIELDS)
    count_game(table)
    if query["preview"]:
        entry, game = preview_correction(event_log(), table, request, change)
        return entry_json(table, entry, principal(), language(), game)
    return correct(event_log(), table, request, change)
