"""Alembic runs this; the connection is handed in by chokepoint.web.db.store."""

from alembic import context

from chokepoint.web.db.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite cannot alter a table in place
)
with context.begin_transaction():
    context.run_migrations()
