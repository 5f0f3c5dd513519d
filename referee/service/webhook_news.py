"""Who delivers webhooks hears here of what was written, at this process or another."""

from collections.abc import Callable

# Prefix of notifications about a table's webhooks.
WEBHOOK = "webhook/"


class WebhookNews:
    """What concerns webhooks.

    ``written`` is called with each table that has new entries, ``changed`` with each whose webhooks
    were changed, ``close`` before the database is closed. ``tell`` notifies other processes by a
    name and a value.
    """

    def __init__(self, tell: Callable[[str, str], None]) -> None:
        self._tell = tell
        self.written: Callable[[str], None] = lambda _: None
        self.changed: Callable[[str], None] = lambda _: None
        self.close: Callable[[], None] = lambda: None

    def change(self, table_id: str) -> None:
        """Say that the webhooks of a table were changed here."""
        self.changed(table_id)
        self._tell(WEBHOOK + table_id, "")
