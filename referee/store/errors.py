"""Telling a store that cannot be used just now from a mistake in what it was asked."""

from sqlalchemy.exc import (
    DBAPIError,
    InterfaceError,
    InternalError,
    OperationalError,
    TimeoutError,  # noqa: A004 - the pool's own
)

READ_ONLY = "25006"
# Of two transactions that wait for each other the database ends one; it can be tried again.
LOST_A_RACE = frozenset({"40001", "40P01"})


class StoreUnavailable(RuntimeError):  # noqa: N818 - what it is, not that it is an error
    """The store cannot be used just now; what was asked of it may or may not have happened."""


class StoreGone(RuntimeError):  # noqa: N818 - what it is, not that it is an error
    """The store is not where it was."""


def sqlstate(error: BaseException) -> str | None:
    """PostgreSQL's code for what went wrong, if it is an error of PostgreSQL's."""
    return getattr(getattr(error, "orig", None), "sqlstate", None)


def is_trouble(error: BaseException) -> bool:
    """Whether the store cannot be used just now: no room, no connection, no answer, read-only.

    The same request may well succeed later.
    """
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    if isinstance(error, InternalError):
        return sqlstate(error) == READ_ONLY
    return isinstance(error, OperationalError | InterfaceError | TimeoutError | StoreGone)


def lost_a_race(error: BaseException) -> bool:
    """Whether the database gave up this transaction in favour of another one."""
    return sqlstate(error) in LOST_A_RACE
