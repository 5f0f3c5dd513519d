"""Devices, their observations, and questions to the table."""

import json
import time
from typing import Annotated, Any

from flask import request as flask_request
from flask.typing import ResponseReturnValue
from marshmallow import ValidationError, validate

from referee.api.auth import event_log, principal
from referee.api.language import language
from referee.api.limits.work import timed, timed_batch
from referee.api.operation import Resource, with_etag
from referee.api.problems import problem_told
from referee.api.rendering import entry_json, question_json
from referee.api.requests import KEY, read_json
from referee.api.schemas.common import ProblemSchema
from referee.api.schemas.devices import (
    OBSERVED,
    AnswerSchema,
    DeviceSchema,
    DevicesSchema,
    NewDeviceSchema,
    ObservationSchema,
    PromiseSchema,
    QuestionsSchema,
    RegisteredSchema,
)
from referee.api.schemas.moves import EntrySchema
from referee.api.schemas.typed import Answer, Json, Maybe, Strict
from referee.api.validation import check_fields_of_kind, validation
from referee.service.access import DEVICES, HOST, OBSERVERS, PLAYERS
from referee.service.devices.devices import (
    device_view,
    list_devices,
    register_device,
    revoke_device,
)
from referee.service.devices.liveness import renew_lease
from referee.service.log.preconditions import WriteRequest, fingerprint
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.names import check_device_name
from referee.service.play.answers import answer_question
from referee.service.play.intake import observe
from referee.service.play.views import questions
from referee.service.problems import Problem

MOST_IN_BATCH = 50
Keyed = Annotated[
    str,
    validate.Regexp(KEY),
    {"maxLength": 200},
    "as `Idempotency-Key`",
    {"example": "5f2b9c0e71d84a36-17"},
]
BATCHED = validate.Length(1, MOST_IN_BATCH)


class KeyedObservationSchema(Strict):
    """An observation of a batch, and the key it would have by itself."""

    key: Keyed
    observation: ObservationSchema


class BatchSchema(Strict):
    """Observations of a device, oldest first."""

    observations: Annotated[list[KeyedObservationSchema], BATCHED]


class KeyedShape(Strict):
    """The same, before the observation is looked at: one that is wrong spoils no other."""

    key: Keyed
    observation: Json


class BatchShape(Strict):
    """A batch, before its observations are looked at."""

    observations: Annotated[list[KeyedShape], BATCHED]


class ObservationResultSchema(Answer):
    """What became of an observation: the entry that it is, or why it was not taken."""

    status: Annotated[
        int, validate.Range(201, 599), "as if it had come by itself", {"example": 201}
    ]
    entry: Maybe[EntrySchema]
    problem: Maybe[ProblemSchema]


class BatchResultsSchema(Answer):
    """Results in the order of the observations, of those that were looked at."""

    results: list[ObservationResultSchema]


# In bytes: a hand of all cards, each with ten that it may be.
LARGEST_OBSERVATION = 64 * 1024
LARGEST_BATCH = 256 * 1024
# Seconds after which a batch ends early, so that it cannot hold a thread for long.
BATCH_SECONDS = 2.0
OBSERVATION = ObservationSchema()
devices = Resource("devices", "Cameras and sensor boards")
observations = Resource("observations", "What devices see")
open_questions = Resource("questions", "What the referee asks the table")


@devices.operation(
    "GET /tables/<table_id>/devices",
    "listDevices",
    "The devices, and when each was last seen.",
    DevicesSchema,
)
def list_registered(table: TableProjection) -> ResponseReturnValue:
    """List the table's devices."""
    return {"items": list_devices(event_log(), table)}


@devices.operation(
    "POST /tables/<table_id>/devices",
    "registerDevice",
    "The device's token; it is shown this once.",
    RegisteredSchema,
    body=NewDeviceSchema,
    fails=("conflict",),
    rights=HOST,
)
def register(
    new: dict[str, Any], table: TableProjection, request: WriteRequest
) -> ResponseReturnValue:
    """Register a device; for the table's host."""
    check_device_name(new["name"], "name")
    token, device, entry = register_device(event_log(), table, request, new["name"], new["kind"])
    body = {"table_id": table.id, "device": device.id, "token": token}
    return with_etag(body, entry.seq, 201)


@devices.operation(
    "POST /tables/<table_id>/promises",
    "promiseToBeHeard",
    "The device. What it promised before is void.",
    DeviceSchema,
    body=PromiseSchema,
    write=False,
    rights=DEVICES,
)
def promise_to_be_heard(promise: dict[str, Any], table: TableProjection) -> ResponseReturnValue:
    """Promise that the device will report again in time; if it does not, the table is notified."""
    device = renew_lease(event_log(), table, principal(), promise["within"])
    return device_view(event_log(), device)


@devices.operation(
    "DELETE /tables/<table_id>/devices/<device_id>",
    "revokeDevice",
    "The device's token is void from now on, and what it saw is forgotten.",
    rights=HOST,
)
def revoke(table: TableProjection, request: WriteRequest, device_id: str) -> LogEntry:
    """Revoke a device; for the table's host."""
    return revoke_device(event_log(), table, request, device_id)


@observations.operation(
    "POST /tables/<table_id>/observations",
    "observe",
    "What the referee made of it (`meaning`), and what stands elsewhere than it should.",
    body=ObservationSchema,
    largest=LARGEST_OBSERVATION,
    rights=OBSERVERS,
)
def post_observation(
    seen: dict[str, Any], table: TableProjection, request: WriteRequest
) -> LogEntry:
    """Report what a device saw, not what it means; for the table's devices.

    An expected tower or card makes the awaited move, which is a separate entry with the observation
    as its `cause`. An illegal card is ruled on like any other. Where the referee is unsure it asks
    once (`questions`), and play goes on. Anything else out of place is listed in `discrepancies`.
    """
    with timed(table):
        return observe(event_log(), table, request, _checked(seen))


@observations.operation(
    "POST /tables/<table_id>/observations/batch",
    "observeMany",
    "What became of each, in order; the last one may be one that was not taken.",
    BatchResultsSchema,
    body=BatchSchema,
    reads_body=True,
    write=False,
    rights=OBSERVERS,
)
def post_batch(table: TableProjection) -> ResponseReturnValue:
    """Report what a device saw while it could not, each with the key it would have by itself.

    They are taken in order until one is refused, or two seconds are over: what has no result was
    not looked at, and is sent again. An observation counts once, whether it comes by itself or in a
    batch, as long as its JSON is written without spaces where it comes by itself.
    """
    posted = read_json(LARGEST_BATCH)
    try:
        batch = BatchShape().load(posted)
    except ValidationError as error:
        raise validation(error.messages, BatchShape(), posted) from None
    together = batch["observations"]
    ends, results = time.monotonic() + BATCH_SECONDS, []
    with timed_batch(table, principal(), len(together)):
        for item in together:
            results.append(_result(table, item["key"], item["observation"]))
            if "problem" in results[-1] or time.monotonic() > ends:
                break
    return {"results": results}


def _result(table: TableProjection, key: str, observation: dict[str, Any]) -> dict[str, Any]:
    """Take an observation of a batch; return what became of it."""
    text = json.dumps(observation, ensure_ascii=False, separators=(",", ":")).encode()
    path = flask_request.path.removesuffix("/batch")
    try:
        try:
            seen = OBSERVATION.load(observation)
        except ValidationError as error:
            raise validation(error.messages, OBSERVATION, observation) from None
        write = WriteRequest(principal(), key, fingerprint("POST", path, text))
        entry = observe(event_log(), table, write, _checked(seen))
    except Problem as problem:
        told = problem_told(problem)
        return {"status": told["status"], "problem": told}
    return {"status": 201, "entry": entry_json(table, entry, principal(), language())}


def _checked(seen: dict[str, Any]) -> dict[str, Any]:
    """Return an observation in the log's form. Raises Problem."""
    if "from_" in seen:
        seen["from"] = seen.pop("from_")
    check_fields_of_kind(seen, OBSERVED)
    seen["at"] = seen["at"].isoformat(timespec="milliseconds")
    return seen


@open_questions.operation(
    "GET /tables/<table_id>/questions", "listQuestions", "The open questions.", QuestionsSchema
)
def list_open(table: TableProjection) -> ResponseReturnValue:
    """List the open questions: at most one about the pile, and one per hand."""
    lang = language()
    return {
        "items": [question_json(table.state.game, question, lang) for question in questions(table)]
    }


@open_questions.operation(
    "POST /tables/<table_id>/questions/<int:question_id>/answers",
    "answerQuestion",
    "The answer; what follows from it are entries of their own.",
    body=AnswerSchema,
    fails=("conflict",),
    rights=PLAYERS,
)
def answer(
    body: dict[str, Any], table: TableProjection, request: WriteRequest, question_id: int
) -> LogEntry:
    """Answer a question: one of its options, or what really happened.

    Which card lies on the pile any seat may say. What an answer does beyond that needs the right to
    do it: a hand, an illegal card, an unreported draw or pass, taking back a play that ended the
    round, or the deal is for the seat concerned, or a host (`may_answer`, `may_name`). Answering a
    question that later events have settled is a conflict.
    """
    return answer_question(event_log(), table, request, question_id, body)
