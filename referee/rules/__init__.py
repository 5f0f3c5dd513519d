"""The rules: pure, standard library only. What a move means, and what follows from it."""
