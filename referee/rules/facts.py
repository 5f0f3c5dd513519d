"""A decorator for immutable records that are cheap to build."""

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def fact(cls: type[T]) -> type[T]:
    """Make a class a dataclass that the type checker treats as frozen.

    Nothing enforces it at run time: ``frozen=True`` would make building an event four times slower,
    and building events is most of the engine's work.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)
