"""The moves that stand after all corrections, and how a correction is made."""
