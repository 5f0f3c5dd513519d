"""Several observations in one request, and what became of each."""

from typing import Annotated, Any

from marshmallow import fields, validate

from referee.api.requests import KEY
from referee.api.schemas.answers import Answer, Maybe
from referee.api.schemas.common import BoundedList, ProblemSchema, Strict
from referee.api.schemas.devices import ObservationSchema
from referee.api.schemas.moves import EntrySchema

MOST_IN_BATCH = 50
KEYED: dict[str, Any] = {
    "required": True,
    "validate": validate.Regexp(KEY),
    "metadata": {
        "maxLength": 200,
        "description": "as `Idempotency-Key`",
        "example": "5f2b9c0e71d84a36-17",
    },
}
BATCHED = validate.Length(1, MOST_IN_BATCH)


class KeyedObservationSchema(Strict):
    """An observation of a batch, and the key it would have by itself."""

    key = fields.String(**KEYED)
    observation = fields.Nested(ObservationSchema, required=True)


class BatchSchema(Strict):
    """Observations of a device, oldest first."""

    observations = BoundedList(
        fields.Nested(KeyedObservationSchema), required=True, validate=BATCHED
    )


class KeyedShape(Strict):
    """The same, before the observation is looked at: one that is wrong spoils no other."""

    key = fields.String(**KEYED)
    observation = fields.Dict(required=True)


class BatchShape(Strict):
    """A batch, before its observations are looked at."""

    observations = BoundedList(fields.Nested(KeyedShape), required=True, validate=BATCHED)


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
