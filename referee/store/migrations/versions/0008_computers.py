"""Computers that come along to the next tables of a host."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the table."""
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
    """Drop the table."""
    op.drop_table("computers")
