"""A table that plays by itself, with real hands that the referee never sees."""
