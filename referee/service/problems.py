"""Problems with requests; the API gives each kind a status and a type."""

from collections.abc import Mapping, Sequence
from typing import Any

from referee.rules.message import Message
from referee.rules.move_fields import FieldError
from referee.rules.records.record_rounds import RecordError
from referee.rules.rulings import RuleError


class Problem(Exception):  # noqa: N818 - the word RFC 9457 uses
    """A request that is refused: nothing was changed.

    ``errors`` lists fields with what is wrong with each, and ``count`` says how many there are if
    some are left out; ``extra`` are members of the answer.
    """

    def __init__(
        self,
        kind: str,
        detail: str,
        errors: Sequence[tuple[str, str]] = (),
        extra: Mapping[str, Any] | None = None,
        count: int = 0,
    ) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.errors = tuple(errors)
        self.extra = dict(extra or {})
        self.count = max(count, len(self.errors))


def invalid(field: str, reason: str, rule: str | None = None) -> Problem:
    """Return the problem with an invalid field."""
    extra = {"rule": rule} if rule else None
    return Problem(
        "invalid-request",
        Message("{field}: {reason}.", field=field, reason=reason),
        [(field, reason)],
        extra,
    )


def from_field(error: FieldError) -> Problem:
    """Return the problem with an unreadable move."""
    return invalid(error.field, error.reason)


def from_rule(error: RuleError) -> Problem:
    """Return the problem with a setting or position that the rules forbid."""
    return invalid(error.field, error.reason, error.rule)


def from_record(error: RecordError) -> Problem:
    """Return the problem with an unreadable record."""
    place = {"round": error.round, "move": error.move}
    return Problem(
        "invalid-record",
        Message("{error}.", error=error.text),
        [(error.field, error.reason)],
        {key: value for key, value in place.items() if value is not None},
    )
