"""Rooms that can be locked, and an index by which old solutions are found."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column(
        "rooms", sa.Column("locked", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.create_index("ix_solutions_at", "solutions", ["at"])
