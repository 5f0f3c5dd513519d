"""Which card lies on top, and what covers it."""
