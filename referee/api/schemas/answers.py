"""Answers, described by annotations: each annotated name is a field.

A field of type ``… | None`` may be null, one in ``Maybe[…]`` may be left out. In ``Annotated`` a
text is the field's description, a mapping is more of its JSON Schema, and anything else is a check,
whose limits the description states: answers are described, and never loaded. The underscore after
a word of Python is not part of a name.
"""

import types
from collections.abc import Callable
from datetime import datetime
from inspect import get_annotations
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from marshmallow import Schema, fields
from marshmallow.schema import SchemaMeta

from referee.api.schemas.vocabulary import SEAT
from referee.rules.records.seating import MOST_NUMBERS

T = TypeVar("T")
LEFT_OUT = object()
Maybe = Annotated[T, LEFT_OUT]
Json = dict[str, Any]
# The winner: a seat, several in a tie or a team, or null.
ONE_SEAT: Json = {"type": "integer", **SEAT}
SEATS: Json = {"type": "array", "items": ONE_SEAT, "maxItems": MOST_NUMBERS}
Winner = Annotated[Any | None, {"oneOf": [ONE_SEAT, SEATS, {"type": "null"}]}]
PLAIN: dict[Any, Callable[..., fields.Field[Any]]] = {
    str: fields.String,
    int: fields.Integer,
    float: fields.Float,
    bool: fields.Boolean,
    datetime: fields.DateTime,
    Any: fields.Raw,
}


class AnswerMeta(SchemaMeta):
    """Makes fields of a class's annotations."""

    @classmethod
    def get_declared_fields(
        mcs,  # noqa: N804 - as the base class has it
        klass: SchemaMeta,
        cls_fields: Any,
        inherited_fields: Any,
        dict_cls: type = dict,
    ) -> Any:
        """Return the fields by their names, in the order in which they are annotated."""
        own = [(name, field_of(hint, name)) for name, hint in get_annotations(klass).items()]
        return dict_cls([*inherited_fields, *cls_fields, *own])


class Answer(Schema, metaclass=AnswerMeta):
    """An answer."""


def field_of(hint: Any, name: str = "") -> fields.Field[Any]:
    """Return the field that a type describes."""
    told: dict[str, Any] = {"required": True, "metadata": {}, "validate": []}
    if name.endswith("_"):
        told["data_key"] = name.removesuffix("_")
    while (origin := get_origin(hint)) in (Annotated, Union, types.UnionType):
        if origin is not Annotated:
            told["allow_none"] = True
            hint = next(arg for arg in get_args(hint) if arg is not type(None))
            continue
        for more in hint.__metadata__:
            if more is LEFT_OUT:
                told["required"] = False
            elif isinstance(more, str):
                told["metadata"]["description"] = more
            elif isinstance(more, dict):
                told["metadata"].update(more)
            else:
                told["validate"].append(more)
        hint = hint.__origin__
    if origin is list:
        return fields.List(field_of(get_args(hint)[0]), **told)
    if origin is dict:
        _, values = get_args(hint)
        return fields.Dict(values=None if values is Any else field_of(values), **told)
    if hint in PLAIN:
        return PLAIN[hint](**told)
    return fields.Nested(hint, **told) if issubclass(hint, Schema) else hint(**told)
