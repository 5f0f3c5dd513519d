"""Used stream tickets, so that none opens a second stream at another process."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "used_tickets",
        sa.Column("number", sa.String(16), primary_key=True),
        sa.Column("expires", sa.Integer, nullable=False, index=True),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("used_tickets")
