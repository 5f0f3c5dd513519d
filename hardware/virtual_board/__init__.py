"""Simulated devices: they speak the real bytes."""
