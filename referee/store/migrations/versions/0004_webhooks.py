"""Webhooks."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the table."""
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


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("webhooks")
