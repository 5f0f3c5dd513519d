"""Seats, hosts, tokens and groups."""
