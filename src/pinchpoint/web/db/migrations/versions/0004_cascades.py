"""Rows that belong to another one are deleted with it; the table of seen solutions by its name."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
# What PostgreSQL called the constraints; in SQLite they have no names.
NAMES = {"fk": "%(table_name)s_%(column_0_name)s_fkey"}


def upgrade() -> None:
    for table, column, parent in (
        ("events", "game_id", "games.id"),
        ("members", "room", "rooms.code"),
    ):
        of, key = parent.split(".")
        with op.batch_alter_table(table, naming_convention=NAMES) as changed:
            changed.drop_constraint(f"{table}_{column}_fkey", type_="foreignkey")
            changed.create_foreign_key(
                f"{table}_{column}_fkey", of, [column], [key], ondelete="CASCADE"
            )
    op.create_table(
        "seen_solutions",
        sa.Column("board_id", sa.String(length=32), nullable=False),
        sa.Column("viewer", sa.String(length=64), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["board_id"], ["boards.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("board_id", "viewer"),
    )
    op.execute("INSERT INTO seen_solutions SELECT board_id, looker, at FROM looks")
    op.drop_table("looks")
