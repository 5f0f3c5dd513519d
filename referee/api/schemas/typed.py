"""Requests and answers, described by annotations: each annotated name is a field.

A field of type ``… | None`` may be null, one in ``Maybe[…]`` may be left out. In ``Annotated`` a
text is the field's description, a mapping is more of its JSON Schema, and anything else is a check,
whose limits the description states. The underscore after a word of Python is not part of a name.
Requests are loaded; answers are only described.
"""

import types
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from inspect import get_annotations
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from marshmallow import RAISE, Schema, fields
from marshmallow.schema import SchemaMeta

from referee.api.schemas.vocabulary import SEAT
from referee.rules.records.seating import MOST_NUMBERS

T = TypeVar("T")
LEFT_OUT = object()
Maybe = Annotated[T, LEFT_OUT]
# Of a request that is part of answers too: not to be sent.
ANSWERED = object()
Json = dict[str, Any]
# The winner: a seat, several in a tie or a team, or null.
ONE_SEAT: Json = {"type": "integer", **SEAT}
SEATS: Json = {"type": "array", "items": ONE_SEAT, "maxItems": MOST_NUMBERS}
Winner = Annotated[Any | None, {"oneOf": [ONE_SEAT, SEATS, {"type": "null"}]}]
Fields = Mapping[Any, Callable[..., fields.Field[Any]]]


class BoundedList(fields.List[Any]):
    """A list whose length is checked before its items are: there may be very many of them."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if isinstance(value, list):
            self._validate(value)
        return super()._deserialize(value, attr, data, **kwargs)


class BoundedDict(fields.Dict):
    """An object whose size is checked before its members are."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if isinstance(value, dict):
            self._validate(value)
        return super()._deserialize(value, attr, data, **kwargs)  # type: ignore[no-untyped-call]


# Types, and the fields that they make.
DESCRIBED: Fields = {
    str: fields.String,
    int: fields.Integer,
    float: fields.Float,
    bool: fields.Boolean,
    datetime: fields.DateTime,
    Any: fields.Raw,
    list: fields.List,
    dict: fields.Dict,
}
# In a query everything is text.
QUERIED: Fields = {**DESCRIBED, list: BoundedList, dict: BoundedDict}
LOADED: Fields = {
    **QUERIED,
    int: partial(fields.Integer, strict=True),
    datetime: partial(fields.AwareDateTime, format="iso"),
}


def default(make: Callable[[], object]) -> Any:
    """Return what makes a default that the description does not state."""
    return make


class TypedMeta(SchemaMeta):
    """Makes fields of a class's annotations."""

    @classmethod
    def get_declared_fields(
        mcs,  # noqa: N804 - as the base class has it
        klass: Any,
        cls_fields: Any,
        inherited_fields: Any,
        dict_cls: type = dict,
    ) -> Any:
        """Return the fields by their names, in the order in which they are annotated."""
        own = []
        for name, hint in get_annotations(klass).items():
            given = {"load_default": vars(klass)[name]} if name in vars(klass) else {}
            own.append((name, field_of(hint, klass.made_of, name, **given)))
        return dict_cls([*inherited_fields, *cls_fields, *own])


class Answer(Schema, metaclass=TypedMeta):
    """An answer."""

    made_of = DESCRIBED


class Strict(Schema, metaclass=TypedMeta):
    """A request, in which unknown fields are errors."""

    made_of = LOADED

    class Meta:
        """Marshmallow's settings."""

        unknown = RAISE


def field_of(hint: Any, made_of: Fields, name: str = "", **told: Any) -> fields.Field[Any]:
    """Return the field that a type describes, and ``told`` says more about."""
    told = {"required": not told, "metadata": {}, "validate": [], **told}
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
            elif more is ANSWERED:
                told["dump_only"] = True
            elif isinstance(more, str):
                told["metadata"]["description"] = more
            elif isinstance(more, dict):
                told["metadata"].update(more)
            else:
                told["validate"].append(more)
        hint = hint.__origin__
    if origin is list:
        return made_of[list](_part(get_args(hint)[0], made_of), **told)
    if origin is dict:
        keys, values = (_part(arg, made_of) for arg in get_args(hint))
        return made_of[dict](keys=keys, values=values, **told)
    if hint in made_of:
        return made_of[hint](**told)
    return fields.Nested(hint, **told) if issubclass(hint, Schema) else hint(**told)


def _part(hint: Any, made_of: Fields) -> fields.Field[Any] | None:
    """Return the field of what a list or an object holds; None for anything."""
    return None if hint is Any else field_of(hint, made_of, required=False)
