"""Alembic's environment: migrate over the connection that the store has opened."""

from alembic import context

from referee.store.postgres import one_migrates
from referee.store.schema import metadata

connectable = context.config.attributes["connectable"]
with connectable.connect() as connection:
    one_migrates(connection)
    context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()
    connection.commit()
