"""Alembic environment: migrates over the store's own engine."""

from alembic import context

from referee.store.postgres.connection import lock_for_migration
from referee.store.schema import metadata

connectable = context.config.attributes["connectable"]
with connectable.connect() as connection:
    lock_for_migration(connection)
    context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()
    connection.commit()
