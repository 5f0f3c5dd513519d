"""Which phones at a table are heard of, by this process's clock; nothing of it is stored."""

from time import monotonic

# Seconds without a word after which a phone counts as silent, and a table as quiet. An open page is
# heard of once a minute, so two of its words may be late or one lost; few turns take as long.
SILENT_AFTER = 120.0
# Seconds between two words of a phone that other processes are told of.
TELL_EVERY = 20.0


class Presence:
    """The phones at a table by their tokens' ids, each with the time when it was last heard of."""

    def __init__(self) -> None:
        # What was before this process had the table in memory, it does not know.
        self._begun = self._changed = monotonic()
        self._heard: dict[str, float] = {}
        self._told: dict[str, float] = {}

    def change(self) -> None:
        """Note that something has happened at the table."""
        self._changed = monotonic()

    def hear(self, token: str) -> bool:
        """Note that a phone was heard of; return whether other processes should know."""
        now = self._heard[token] = monotonic()
        if now - self._told.get(token, -TELL_EVERY) < TELL_EVERY:
            return False
        self._told[token] = now
        return True

    def is_quiet(self) -> bool:
        """Return whether nothing has happened for a while."""
        return monotonic() - self._changed > SILENT_AFTER

    def is_silent(self, token: str) -> bool:
        """Return whether nothing has been heard of a phone for a while."""
        return monotonic() - self._heard.get(token, self._begun) > SILENT_AFTER
