"""The database schema, in column types that SQLite and PostgreSQL share."""

from sqlalchemy import (
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

metadata = MetaData()

tables = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("code", String(12), nullable=False, unique=True),
    Column("created", String(32), nullable=False),
)

# One row per entry. ``seq`` counts from 1 in each table and is the table's version.
log = Table(
    "log",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(32), nullable=False),
    Column("at", String(32), nullable=False),
    Column("body", Text, nullable=False),
    # sender and Idempotency-Key, and a hash of the request; null without a key
    Column("request_key", String(400)),
    Column("fingerprint", String(64)),
)
Index("log_request_key", log.c.table_id, log.c.request_key, unique=True)

# The state after entry ``seq``; one per table, replaced by newer ones.
snapshots = Table(
    "snapshots",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("body", Text, nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("hash", String(64), nullable=False, unique=True),
    Column("table_id", String(32), ForeignKey("tables.id"), nullable=False, index=True),
    Column("role", String(16), nullable=False),
    Column("seat", Integer),
    Column("name", String(80)),
    Column("created", String(32), nullable=False),
    Column("revoked", String(32)),
)

# Tables whose imports are not finished; nothing else writes here.
imports = Table(
    "imports",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
)

photos = Table(
    "photos",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("id", String(32), primary_key=True),
    Column("at", String(32), nullable=False),
    Column("token_id", String(32), nullable=False),
    Column("media_type", String(32), nullable=False),
    Column("size", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

# Addresses outside that hear of a table's events, and how far each has got.
webhooks = Table(
    "webhooks",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("table_id", String(32), ForeignKey("tables.id"), nullable=False, index=True),
    Column("url", Text, nullable=False),
    # a JSON list; null for all
    Column("kinds", Text),
    Column("lang", String(8), nullable=False),
    Column("description", String(200)),
    # As it is, for signing. The former secret signs as well until ``former_until``.
    Column("secret", String(120), nullable=False),
    Column("former_secret", String(120)),
    Column("former_until", String(32)),
    # a hash of the request that made it; null without an Idempotency-Key
    Column("fingerprint", String(64)),
    Column("created", String(32), nullable=False),
    # counts changes by hosts
    Column("revision", Integer, nullable=False),
    # the last entry of the log that was delivered or passed over
    Column("last_seq", Integer, nullable=False),
    # failed attempts at the next one
    Column("attempts", Integer, nullable=False),
    Column("failing_since", String(32)),
    Column("retry_at", String(32)),
    Column("disabled", String(32)),
    Column("reason", String(20)),
    # the id of a test message that was asked for
    Column("test", String(60)),
    # the latest attempts as JSON, newest first
    Column("recent", Text, nullable=False),
)

settings = Table(
    "settings",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)

# Stream tickets already used; rows can go once they have expired.
used_tickets = Table(
    "used_tickets",
    metadata,
    Column("number", String(16), primary_key=True),
    Column("expires", Integer, nullable=False, index=True),
)

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created", String(32), nullable=False),
)

# As ``log``, of a tournament.
tournament_log = Table(
    "tournament_log",
    metadata,
    Column("tournament_id", String(32), ForeignKey("tournaments.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(32), nullable=False),
    Column("at", String(32), nullable=False),
    Column("body", Text, nullable=False),
    Column("request_key", String(400)),
    Column("fingerprint", String(64)),
)
Index(
    "tournament_log_request_key",
    tournament_log.c.tournament_id,
    tournament_log.c.request_key,
    unique=True,
)

# The tokens of a tournament's organisers.
tournament_tokens = Table(
    "tournament_tokens",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("hash", String(64), nullable=False, unique=True),
    Column("tournament_id", String(32), ForeignKey("tournaments.id"), nullable=False, index=True),
    Column("name", String(80)),
    Column("created", String(32), nullable=False),
    Column("revoked", String(32)),
)

# People who play together again and again, and whose token reads about them.
player_groups = Table(
    "player_groups",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("hash", String(64), nullable=False, unique=True),
    Column("name", String(80), nullable=False),
    Column("created", String(32), nullable=False),
)

# The tables whose games a group keeps. A table may be purged, and its games stay.
group_tables = Table(
    "group_tables",
    metadata,
    Column("group_id", String(32), ForeignKey("player_groups.id"), primary_key=True),
    Column("table_id", String(32), primary_key=True),
    # the first game that may still change, and the entry of the log up to which it was read
    Column("game", Integer, nullable=False),
    Column("seq", Integer, nullable=False),
)

# Finished games as a group keeps them: computed from the log, and again after a correction.
group_games = Table(
    "group_games",
    metadata,
    Column("group_id", String(32), ForeignKey("player_groups.id"), primary_key=True),
    Column("table_id", String(32), primary_key=True),
    Column("game", Integer, primary_key=True, autoincrement=False),
    Column("at", String(32), nullable=False),
    Column("body", Text, nullable=False),
)

# Names that a group has forgotten, as signatures: none of theirs is kept of what began before.
group_forgotten = Table(
    "group_forgotten",
    metadata,
    Column("group_id", String(32), ForeignKey("player_groups.id"), primary_key=True),
    Column("name", String(32), primary_key=True),
    Column("at", String(32), nullable=False),
)

# Computers beside a table that a host lets come along to later tables. Both are known by hashes of
# what they keep to themselves. A table may be purged, and the computer is still known.
computers = Table(
    "computers",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("computer", String(64), nullable=False, index=True),
    Column("host", String(64), nullable=False, index=True),
    Column("name", String(80), nullable=False),
    # a JSON list of names and kinds
    Column("devices", Text, nullable=False),
    # where it was brought last, by the holder of which token, and when
    Column("table_id", String(32), nullable=False),
    Column("token_id", String(32), nullable=False),
    # counts the times that it was let in again at a table that had taken its devices out
    Column("number", Integer, nullable=False),
    Column("brought", String(32), nullable=False),
)
