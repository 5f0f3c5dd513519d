"""Bring a database to the newest schema: a new one at once, an older one step by step."""

from pathlib import Path

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    insert,
    inspect,
    select,
)

from referee.store.postgres.connection import lock_for_migration
from referee.store.schema import metadata

MIGRATIONS = Path(__file__).parent / "migrations"
# The files begin with the revisions.
REVISIONS = sorted(file.name[:4] for file in (MIGRATIONS / "versions").glob("[0-9]*.py"))
# As Alembic makes it.
revisions = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
# What the first version had.
OURS = {revisions.name, "tables", "log"}


class NewerError(RuntimeError):
    """A newer version of the referee has written the database."""


class ForeignError(RuntimeError):
    """Another program has written the database."""


def migrate(engine: Engine) -> None:
    """Migrate the database to the newest schema. Raises NewerError, ForeignError."""
    with engine.connect() as connection:
        revision = _revision(connection)
    if revision is None:
        revision = _create(engine)
    if revision not in REVISIONS:
        raise NewerError
    if revision != REVISIONS[-1]:
        upgrade(engine)


def _revision(connection: Connection) -> str | None:
    """Return the revision of a database; None for a new one."""
    names = set(inspect(connection).get_table_names())
    if revisions.name in names and not names >= OURS:
        raise ForeignError
    if revisions.name not in names:
        return None
    return connection.execute(select(revisions.c.version_num)).scalar_one_or_none() or ""


def _create(engine: Engine) -> str:
    """Create the newest schema, unless another process just has; return its revision."""
    with engine.connect() as connection:
        if connection.dialect.name == "sqlite":
            # Python's driver begins no transaction for what creates tables.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        lock_for_migration(connection)
        revision = _revision(connection)
        if revision is None:
            revision = REVISIONS[-1]
            metadata.create_all(connection, checkfirst=False)
            revisions.create(connection, checkfirst=False)
            connection.execute(insert(revisions).values(version_num=revision))
        connection.commit()
    return revision


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Migrate the database to a revision, the newest by default."""
    # Not imported with the server: few starts migrate, and it takes as long as half the server.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connectable"] = engine
    command.upgrade(config, revision)
