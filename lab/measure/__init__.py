"""Measurements of reading and tracking, on labelled photos and drawn films."""
