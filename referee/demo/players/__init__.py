"""Simulated players: what they hold, see, lay and break."""
