"""Simulated clips of a card pile: frames with their ground truth."""
