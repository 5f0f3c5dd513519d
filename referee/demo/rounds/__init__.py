"""A game over HTTP, with a board or a camera at the table or without."""
