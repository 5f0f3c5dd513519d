"""The sensor board's own program, wiring and parts."""
