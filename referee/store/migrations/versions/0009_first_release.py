"""The tables of the first release; revisions before it are of stores from before that release."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = None
TABLES = (
    "tables",
    "log",
    "snapshots",
    "tokens",
    "settings",
    "used_tickets",
    "photos",
    "webhooks",
    "tournaments",
    "tournament_log",
    "tournament_tokens",
    "imports",
    "player_groups",
    "group_tables",
    "group_games",
    "group_forgotten",
    "computers",
)


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "tables",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("code", sa.String(12), nullable=False, unique=True),
        sa.Column("created", sa.String(32), nullable=False),
    )
    op.create_table(
        "log",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("request_key", sa.String(400)),
        sa.Column("fingerprint", sa.String(64)),
    )
    op.create_index("log_request_key", "log", ["table_id", "request_key"], unique=True)
    op.create_table(
        "snapshots",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("hash", sa.String(64), nullable=False, unique=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("name", sa.String(80)),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("revoked", sa.String(32)),
    )
    op.create_index("ix_tokens_table_id", "tokens", ["table_id"])
    op.create_table(
        "settings",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "used_tickets",
        sa.Column("number", sa.String(16), primary_key=True),
        sa.Column("expires", sa.Integer, nullable=False, index=True),
    )
    op.create_table(
        "photos",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("token_id", sa.String(32), nullable=False),
        sa.Column("media_type", sa.String(32), nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "webhooks",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("kinds", sa.Text),
        sa.Column("lang", sa.String(8), nullable=False),
        sa.Column("description", sa.String(200)),
        sa.Column("secret", sa.String(120), nullable=False),
        sa.Column("former_secret", sa.String(120)),
        sa.Column("former_until", sa.String(32)),
        sa.Column("fingerprint", sa.String(64)),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("last_seq", sa.Integer, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("failing_since", sa.String(32)),
        sa.Column("retry_at", sa.String(32)),
        sa.Column("disabled", sa.String(32)),
        sa.Column("reason", sa.String(20)),
        sa.Column("test", sa.String(60)),
        sa.Column("recent", sa.Text, nullable=False),
    )
    op.create_index("ix_webhooks_table_id", "webhooks", ["table_id"])
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("created", sa.String(32), nullable=False),
    )
    op.create_table(
        "tournament_log",
        sa.Column(
            "tournament_id", sa.String(32), sa.ForeignKey("tournaments.id"), primary_key=True
        ),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("request_key", sa.String(400)),
        sa.Column("fingerprint", sa.String(64)),
    )
    op.create_index(
        "tournament_log_request_key",
        "tournament_log",
        ["tournament_id", "request_key"],
        unique=True,
    )
    op.create_table(
        "tournament_tokens",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("hash", sa.String(64), nullable=False, unique=True),
        sa.Column("tournament_id", sa.String(32), sa.ForeignKey("tournaments.id"), nullable=False),
        sa.Column("name", sa.String(80)),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("revoked", sa.String(32)),
    )
    op.create_index("ix_tournament_tokens_tournament_id", "tournament_tokens", ["tournament_id"])
    op.create_table(
        "imports",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    )
    op.create_table(
        "player_groups",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("hash", sa.String(64), nullable=False, unique=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
    )
    op.create_table(
        "group_tables",
        sa.Column("group_id", sa.String(32), sa.ForeignKey("player_groups.id"), primary_key=True),
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
    )
    op.create_table(
        "group_games",
        sa.Column("group_id", sa.String(32), sa.ForeignKey("player_groups.id"), primary_key=True),
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "group_forgotten",
        sa.Column("group_id", sa.String(32), sa.ForeignKey("player_groups.id"), primary_key=True),
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("at", sa.String(32), nullable=False),
    )
    op.create_table(
        "computers",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("computer", sa.String(64), nullable=False, index=True),
        sa.Column("host", sa.String(64), nullable=False, index=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("devices", sa.Text, nullable=False),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("token_id", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("brought", sa.String(32), nullable=False),
    )


def downgrade() -> None:
    """Drop the tables."""
    for name in reversed(TABLES):
        op.drop_table(name)
