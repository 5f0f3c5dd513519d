"""The referee's questions to the table, and the answers."""

from typing import Any

from flask.typing import ResponseReturnValue

from referee.api.auth import event_log
from referee.api.language import language
from referee.api.operation import Resource
from referee.api.rendering import question_json
from referee.api.schemas.devices import AnswerSchema, QuestionsSchema
from referee.service.access import PLAYERS
from referee.service.answers import answer_question
from referee.service.preconditions import WriteRequest
from referee.service.table_projection import LogEntry, TableProjection
from referee.service.views import questions

blueprint = Resource("questions", "What the referee asks the table")


@blueprint.operation(
    "GET /tables/<table_id>/questions", "listQuestions", "The open questions.", QuestionsSchema
)
def list_open(table: TableProjection) -> ResponseReturnValue:
    """List the open questions: at most one about the pile, and one per hand."""
    lang = language()
    return {"items": [question_json(table.state.game, one, lang) for one in questions(table)]}


@blueprint.operation(
    "POST /tables/<table_id>/questions/<int:question_id>/answers",
    "answerQuestion",
    "The answer; what follows from it are entries of their own.",
    body=AnswerSchema,
    fails=("conflict",),
    rights=PLAYERS,
)
def give(
    said: dict[str, Any], table: TableProjection, request: WriteRequest, question_id: int
) -> LogEntry:
    """Answer a question: one of its options, or what really happened. Any seat may, and the host.

    A question that is not open any more is a conflict: what came since has settled it.
    """
    return answer_question(event_log(), table, request, question_id, said)
