"""First attempts, secrets of browsers, looks at solutions, and what a room allows."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("games", sa.Column("secret_hash", sa.String(length=64), nullable=True))
    op.add_column(
        "games", sa.Column("first", sa.Boolean(), nullable=False, server_default=sa.true())
    )
    op.create_index("ix_games_secret_hash", "games", ["secret_hash"])
    op.create_index("ix_games_board_id", "games", ["board_id"])
    op.add_column(
        "rooms",
        sa.Column(
            "allowed",
            sa.Text(),
            nullable=False,
            server_default='["hint", "solver", "takeover"]',
        ),
    )
    op.create_table(
        "looks",
        sa.Column("board_id", sa.String(length=32), nullable=False),
        sa.Column("looker", sa.String(length=64), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["board_id"], ["boards.id"]),
        sa.PrimaryKeyConstraint("board_id", "looker"),
    )
    # Of the games that a player began on one board only the earliest is a first attempt.
    games = sa.table(
        "games", *(sa.column(c) for c in ("id", "player_id", "board_id", "created", "first"))
    )
    earlier = games.alias("earlier")
    before = (
        (earlier.c.player_id == games.c.player_id)
        & (earlier.c.board_id == games.c.board_id)
        & (
            (earlier.c.created < games.c.created)
            | ((earlier.c.created == games.c.created) & (earlier.c.id < games.c.id))
        )
    )
    op.execute(sa.update(games).where(sa.exists().where(before)).values(first=sa.false()))
