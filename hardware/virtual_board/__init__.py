"""A simulated sensor board that speaks the real bytes."""
