"""The tables of the database. Times are whole milliseconds since 1970, the same everywhere."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    false,
    true,
)

metadata = MetaData()
ALL_HELP = ("hint", "solver", "takeover")
ALL_HELP_JSON = '["hint", "solver", "takeover"]'

players = Table(
    "players",
    metadata,
    Column("id", String(32), primary_key=True),  # random; exports carry it
    Column("token_hash", String(64), nullable=False, unique=True),  # of the cookie
    Column("name", String(24)),
    Column("consent_version", Integer, nullable=False),
    Column("created", BigInteger, nullable=False),
)

boards = Table(
    "boards",
    metadata,
    Column("id", String(32), primary_key=True),  # a hash of mode, options, height and cells
    Column("mode", String(200), nullable=False),  # the reference that get_mode takes
    Column("options", Text, nullable=False),  # JSON
    Column("height", Integer, nullable=False),
    Column("width", Integer, nullable=False),
    Column("cells", Text, nullable=False),  # a 1 for each open square, row by row
    Column("created", BigInteger, nullable=False),
)

games = Table(
    "games",
    metadata,
    Column("id", String(32), primary_key=True),  # random: whoever knows it may look at the game
    Column("board_id", String(32), ForeignKey("boards.id"), nullable=False),
    Column("player_id", String(32), ForeignKey("players.id"), index=True),
    Column("origin", Text, nullable=False),  # JSON: how the board was chosen
    Column("day", String(10)),  # of a daily board
    Column("room", String(8), index=True),
    Column("room_board", Integer),
    Column("version", String(32), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("updated", BigInteger, nullable=False, index=True),
    # The other columns sum up the events; both are written in one transaction.
    Column("turn", Integer, nullable=False),  # events so far
    Column("line", Text, nullable=False),  # JSON: the squares of the line, undone ones last
    Column("ply", Integer, nullable=False),  # moves on the board now
    Column("done", Boolean, nullable=False),
    Column("hints", Integer, nullable=False),
    Column("peeks", Integer, nullable=False),
    Column("undos", Integer, nullable=False),
    Column("agent_moves", Integer, nullable=False),
    Column("secret_hash", String(64), index=True),  # of the browser that began it
    # Whether its player had no earlier game on this board.
    Column("first", Boolean, nullable=False, server_default=true()),
    Index("ix_games_day", "day", "board_id", "done"),
    Index("ix_games_board_id", "board_id"),
)

events = Table(
    "events",
    metadata,
    Column("game_id", String(32), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("turn", Integer, primary_key=True),  # 0, 1, 2, …
    Column("kind", String(8), nullable=False),  # move, undo, redo, restart, hint, peek
    Column("ply", Integer, nullable=False),  # moves on the board before the event
    Column("square", Integer),
    Column("agent", String(64)),  # the agent that moved or was asked; empty: the player
    Column("weights", String(64)),  # hash of the agent's weights, where it has any
    Column("think_ms", Integer),  # by the player's clock
    Column("at", BigInteger, nullable=False),  # by the server's
)

solutions = Table(
    "solutions",
    metadata,
    Column("position", String(32), primary_key=True),
    Column("value", Integer, nullable=False),
    Column("bound", Integer, nullable=False),
    Column("moves", Text, nullable=False),  # JSON
    Column("seconds", Float, nullable=False),  # the solver's longest time limit so far
    Column("at", BigInteger, nullable=False, index=True),
)

seen_solutions = Table(  # who has seen the solution of a board in somebody else's game
    "seen_solutions",
    metadata,
    Column("board_id", String(32), ForeignKey("boards.id", ondelete="CASCADE"), primary_key=True),
    Column("viewer", String(64), primary_key=True),  # a player's id, or the hash of a secret
    Column("at", BigInteger, nullable=False),
)

rooms = Table(
    "rooms",
    metadata,
    Column("code", String(8), primary_key=True),
    Column("key_hash", String(64), nullable=False),
    Column("title", String(80), nullable=False),
    Column("boards", Text, nullable=False),  # JSON: ids, in order
    # JSON: the help that pupils may ask for
    Column("allowed", Text, nullable=False, server_default=ALL_HELP_JSON),
    Column("created", BigInteger, nullable=False),
    Column("locked", Boolean, nullable=False, server_default=false()),  # nobody else can join
)

members = Table(
    "members",
    metadata,
    Column("room", String(8), ForeignKey("rooms.code", ondelete="CASCADE"), primary_key=True),
    Column("player_id", String(32), ForeignKey("players.id"), primary_key=True),
    Column("name", String(24), nullable=False),
    Column("joined", BigInteger, nullable=False),
)
