"""Groups of people, and the games that they keep."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the tables."""
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


def downgrade() -> None:
    """Drop the tables."""
    for name in ("group_forgotten", "group_games", "group_tables", "player_groups"):
        op.drop_table(name)
