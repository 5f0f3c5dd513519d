"""Whether the server is well."""

from typing import Any

from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint
from marshmallow import Schema, fields
from sqlalchemy.exc import SQLAlchemyError

from referee.api.auth import house
from referee.api.resources.operation import operation
from referee.service.problems import Problem

blueprint = Blueprint("system", __name__, description="Health and readiness")


class WellSchema(Schema):
    """All is well."""

    status = fields.String(required=True, metadata={"example": "ok"})


@blueprint.route("/health")
@operation(blueprint, "getHealth", WellSchema, "The process is up.", token=False)
def health() -> ResponseReturnValue:
    """Whether the process answers."""
    return {"status": "ok"}


@blueprint.route("/ready")
@operation(
    blueprint,
    "getReadiness",
    WellSchema,
    "Tables are served.",
    token=False,
    fails=("not-ready",),
)
def ready() -> ResponseReturnValue:
    """Whether the database answers as well."""
    answer: dict[str, Any] = {"status": "ok"}
    try:
        house().reader.answers()
    except SQLAlchemyError:
        raise Problem("not-ready", "The database does not answer.") from None
    return answer
