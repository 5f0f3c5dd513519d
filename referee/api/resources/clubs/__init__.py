"""Tournaments, and telling other programs."""
