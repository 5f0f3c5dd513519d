"""Moves, rounds and games."""
