"""Where tables are kept: an append-only log, snapshots to start from, hashed tokens."""
