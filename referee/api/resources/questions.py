"""What the referee asks the table, and the answers."""

from typing import Any

from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint

from referee.api.auth import event_log, own_table, principal
from referee.api.language import language
from referee.api.rendering import entry_json, question_json
from referee.api.requests import write_request
from referee.api.resources.operation import operation
from referee.api.resources.tables import with_etag
from referee.api.schemas.devices import AnswerSchema, QuestionsSchema
from referee.api.schemas.moves import EntrySchema
from referee.service.answers import answer
from referee.service.views import questions

blueprint = Blueprint("questions", __name__, description="What the referee asks the table")


@blueprint.route("/tables/<table_id>/questions")
@operation(blueprint, "listQuestions", QuestionsSchema, "The open questions.")
def list_open(table_id: str) -> ResponseReturnValue:
    """What the table is asked now: one question about the pile at most, and one a hand."""
    table = own_table(table_id)
    lang = language()
    return {"items": [question_json(table.state.game, one, lang) for one in questions(table)]}


@blueprint.route("/tables/<table_id>/questions/<int:question_id>/answers", methods=["POST"])
@operation(
    blueprint,
    "answerQuestion",
    EntrySchema,
    "The answer; what follows from it are entries of their own.",
    status=201,
    write=True,
    body=AnswerSchema,
    fails=("conflict",),
)
def give(said: dict[str, Any], table_id: str, question_id: int) -> ResponseReturnValue:
    """Answer a question: one of its options, or what really happened. Any seat may, and the host.

    A question that is not open any more is a conflict: what came since has settled it.
    """
    table = own_table(table_id)
    entry = answer(event_log(), table, write_request(), question_id, said)
    return with_etag(entry_json(table, entry, principal(), language()), entry.seq, 201)
