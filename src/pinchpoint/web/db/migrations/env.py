"""Run migrations: Alembic executes this file with the connection that the store gives it."""

from alembic import context

from pinchpoint.web.db.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite cannot alter a table in place
)
with context.begin_transaction():
    context.run_migrations()
