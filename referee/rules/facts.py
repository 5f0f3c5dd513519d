"""Records that never change, for what is made many times in every ruling."""

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def fact(cls: type[T]) -> type[T]:
    """A dataclass that is never written to once it is made.

    The type checker holds it frozen. Nothing guards it at run time: ``frozen=True`` makes an event
    four times as slow to build, and building events is most of what the engine does.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)
