"""Distinguish an unavailable store from a faulty query."""

from sqlalchemy.exc import (
    DBAPIError,
    InterfaceError,
    InternalError,
    OperationalError,
    TimeoutError,  # noqa: A004 - SQLAlchemy's, raised by the pool
)

# read_only_sql_transaction
READ_ONLY = "25006"
# serialization_failure and deadlock_detected: the transaction can be tried again.
CONFLICTS = frozenset({"40001", "40P01"})


class StoreUnavailable(RuntimeError):  # noqa: N818 - a state of the store
    """The store cannot be used right now; a write in progress may or may not have happened."""


class StoreGone(RuntimeError):  # noqa: N818 - a state of the store
    """The database file was deleted, moved or replaced."""


def sqlstate(error: BaseException) -> str | None:
    """Return PostgreSQL's error code; None for other errors."""
    return getattr(getattr(error, "orig", None), "sqlstate", None)


def is_unavailable(error: BaseException) -> bool:
    """Return whether the same statement may succeed later.

    True if the disk is full, the database read-only, the connection lost or its answer late.
    """
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    if isinstance(error, InternalError):
        return sqlstate(error) == READ_ONLY
    return isinstance(error, OperationalError | InterfaceError | TimeoutError | StoreGone)


def is_conflict(error: BaseException) -> bool:
    """Return whether the database rolled the transaction back in favour of another one."""
    return sqlstate(error) in CONFLICTS
