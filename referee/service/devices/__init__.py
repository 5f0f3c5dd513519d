"""Cameras, boards and computers of a table: letting them in, and whether they live."""
