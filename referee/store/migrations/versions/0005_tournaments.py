"""Tournaments, their log and their organisers' tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the tables."""
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


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("tournament_tokens")
    op.drop_table("tournament_log")
    op.drop_table("tournaments")
