"""Boards and cameras, phones' frames and photos."""
