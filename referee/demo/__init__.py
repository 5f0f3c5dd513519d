"""A table that plays by itself: real cards in real hands, which the referee is never told."""
