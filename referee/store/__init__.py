"""The database: an append-only log, snapshots to resume from, hashed tokens, photos."""
