"""Whole games as data: records, seating, snapshots, options that change between rounds."""
