"""Tournaments: several tables under one event. Pure: no input or output, no clock, no tables."""
