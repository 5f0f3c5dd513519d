"""A connection to a board, without I/O: what it says, and what is known from it."""
