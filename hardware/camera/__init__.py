"""Reads cards from a camera: where they are, which they are, and when one is laid."""
