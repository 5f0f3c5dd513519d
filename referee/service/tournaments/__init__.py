"""Tournaments: their log, and what organisers and players do to them."""
