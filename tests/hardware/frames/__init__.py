"""The worker that watches for phones."""
