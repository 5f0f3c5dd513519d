"""The rules of the game: pure functions, standard library only."""
