"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "boards",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("mode", sa.String(200), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("cells", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "players",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("name", sa.String(24)),
        sa.Column("consent_version", sa.Integer(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("token_hash"),
    )
    op.create_table(
        "rooms",
        sa.Column("code", sa.String(8), primary_key=True),
        sa.Column("key_hash", sa.String(64), nullable=False),
        sa.Column("title", sa.String(80), nullable=False),
        sa.Column("boards", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "solutions",
        sa.Column("position", sa.String(32), primary_key=True),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.Column("bound", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("board_id", sa.String(32), sa.ForeignKey("boards.id"), nullable=False),
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id")),
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("day", sa.String(10)),
        sa.Column("room", sa.String(8)),
        sa.Column("room_board", sa.Integer()),
        sa.Column("version", sa.String(32), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("updated", sa.BigInteger(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.Column("hints", sa.Integer(), nullable=False),
        sa.Column("peeks", sa.Integer(), nullable=False),
        sa.Column("undos", sa.Integer(), nullable=False),
        sa.Column("agent_moves", sa.Integer(), nullable=False),
    )
    op.create_index("ix_games_day", "games", ["day", "board_id", "done"])
    op.create_index("ix_games_player_id", "games", ["player_id"])
    op.create_index("ix_games_room", "games", ["room"])
    op.create_index("ix_games_updated", "games", ["updated"])
    op.create_table(
        "members",
        sa.Column("room", sa.String(8), sa.ForeignKey("rooms.code"), primary_key=True),
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("joined", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("game_id", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("turn", sa.Integer(), primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("square", sa.Integer()),
        sa.Column("agent", sa.String(64)),
        sa.Column("weights", sa.String(64)),
        sa.Column("think_ms", sa.Integer()),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
