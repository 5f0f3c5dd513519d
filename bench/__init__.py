"""Measurements, side by side in one run; no test depends on them."""
